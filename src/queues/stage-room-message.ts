import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type ResolvedStyle, resolveStyle } from '../../machines/staging-styles.ts';
import type { CanonicalRoomType } from '../../machines/vocabulary.ts';
import { safelyParsed } from '../wire/safely-parsed.ts';

/**
 * A `stage-room` message as the release before v2 left it on the `ai` queue. That release published no schema. These
 * are the fields that its job table kept of such requests (migration 0009 reads the same): the photo as `imageId` or
 * `originalImageId`, the style by any name in the alias table, the room as `roomType` or `room` or not at all, and
 * perhaps the listing, the user and the id of its job row. Other fields are ignored. Anything else is reported, never
 * guessed.
 *
 * The sunset of the old style names applies to what clients submit after it. A message in the queue was accepted
 * before, so the names stay valid here. `no-furniture` was never a style to generate, and is not accepted.
 */
interface StageRoomMessage {
  originalImageId: string;
  style: ResolvedStyle;
  submittedStyle: string;
  /** Null when the message has none; the room type of the original applies then. */
  roomType: CanonicalRoomType | null;
  requestedByUserId: string | null;
  /** Id of the old release's job row, kept by migration 0009. */
  legacyJobId: string | null;
  /** What is kept of the message for audit: ids and names, never links or free text. */
  metadata: Record<string, string | number>;
}
/** The queue's entry with such a message. */
export interface LegacyEntry {
  id: string;
  /** When it was added; milliseconds since 1970. */
  timestamp: number;
  data: unknown;
}
export type ReadMessage = { kind: 'read'; message: StageRoomMessage } | { kind: 'unknown'; why: string };

const id = z.guid().toLowerCase();
const name = z.string().trim().min(1).max(64);
/** For audit only; an invalid id is left out. */
const audit = id.nullish().catch(null);
const shape = z
  .object({
    imageId: id.nullish(),
    originalImageId: id.nullish(),
    propertyId: audit,
    userId: audit,
    jobId: audit,
    style: name,
    roomType: name.nullish(),
    room: name.nullish(),
  })
  .refine(
    ({ imageId, originalImageId }) =>
      (imageId ?? originalImageId) != null &&
      (imageId == null || originalImageId == null || imageId === originalImageId),
    'names no photo, or two',
  );

/** The room names of the old release, the same as in migration 0009. */
const ROOMS: Readonly<Record<string, CanonicalRoomType>> = {
  bedroom: 'BEDROOM',
  bed: 'BEDROOM',
  living_room: 'LIVING_ROOM',
  living: 'LIVING_ROOM',
  livingroom: 'LIVING_ROOM',
  dining_room: 'DINING_ROOM',
  dining: 'DINING_ROOM',
  diningroom: 'DINING_ROOM',
  kitchen: 'KITCHEN',
  bathroom: 'BATHROOM',
  bath: 'BATHROOM',
  office: 'OFFICE',
  home_office: 'OFFICE',
  tv_room: 'TV_ROOM',
  tv: 'TV_ROOM',
  media_room: 'TV_ROOM',
};

export function readStageRoomMessage(data: unknown): ReadMessage {
  const parsed = safelyParsed(shape, data);
  if (!parsed.success) {
    const [issue] = parsed.error?.issues ?? [];
    return { kind: 'unknown', why: `${issue?.path.join('.') || 'message'}: ${issue?.message ?? 'no text'}` };
  }
  const said = parsed.data;
  const style = resolveStyle(said.style);
  if (style === null) return { kind: 'unknown', why: 'style: means nothing that can be generated' };
  const room = said.roomType ?? said.room ?? null;
  const roomType = room === null ? null : roomOf(room);
  if (room !== null && roomType === null) return { kind: 'unknown', why: 'roomType: no kind of room' };
  const kept = { imageId: said.imageId ?? said.originalImageId, ...said, room };
  return {
    kind: 'read',
    message: {
      originalImageId: String(said.imageId ?? said.originalImageId),
      style,
      submittedStyle: said.style,
      roomType,
      requestedByUserId: said.userId ?? null,
      legacyJobId: said.jobId ?? null,
      metadata: Object.fromEntries(
        Object.entries(kept).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    },
  };
}

/**
 * A permanent name for a message: a redelivered entry has the same name. The id alone is not enough, because the queue
 * counts from one again after a flush.
 */
export function messageKey(entry: LegacyEntry): string {
  const digest = createHash('sha256')
    .update(JSON.stringify(entry.data) ?? '')
    .digest('hex');
  return `${entry.id}:${entry.timestamp}:${digest.slice(0, 32)}`;
}

function roomOf(room: string): CanonicalRoomType | null {
  const slug = room.toLowerCase().replace(/[\s_-]+/g, '_');
  return Object.hasOwn(ROOMS, slug) ? (ROOMS[slug] ?? null) : null;
}
