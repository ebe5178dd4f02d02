import { z } from 'zod';
import { briefFaults, COLOURS, defaultBrief, MATERIALS, PIECES } from '../../machines/furniture-catalogue.ts';
import { MAX_ASSIGNMENTS, MAX_BRIEF } from '../../machines/limits.ts';
import { CANONICAL_ROOM_TYPES, CANONICAL_STYLES } from '../../machines/vocabulary.ts';
import type { RoomGroup } from '../../persistence/jobs/room-groups.ts';
import { instant, iso, uuid } from './text.ts';

const distinct = <T extends z.ZodType>(item: T, max: number) =>
  z
    .array(item)
    .min(1)
    .max(max)
    .refine((items) => new Set(items).size === items.length, 'Name each only once.');

const roomType = z.enum(CANONICAL_ROOM_TYPES);
const style = z.enum(CANONICAL_STYLES);
const piece = z.enum(PIECES);
const material = z.enum(MATERIALS);
const colour = z.enum(COLOURS);

const briefInput = z.strictObject({
  pieces: distinct(piece, MAX_BRIEF.pieces),
  materials: distinct(material, MAX_BRIEF.materials),
  colours: distinct(colour, MAX_BRIEF.colours),
});

/** Without a brief, the group gets the default one of its room type and style. */
export const createGroupInput = z
  .strictObject({
    propertyId: uuid,
    roomType,
    style,
    originalImageIds: distinct(uuid, MAX_ASSIGNMENTS),
    brief: briefInput.nullish(),
  })
  .transform(({ brief: given, ...group }, { issues }) => {
    const brief = given ?? defaultBrief(group.roomType, group.style);
    for (const { list, index, say } of briefFaults(group.roomType, brief)) {
      const path = ['brief', list, ...(index === null ? [] : [index])];
      issues.push({ code: 'custom', input: brief, path, message: say });
    }
    return { ...group, brief };
  });

/** Ids of the furniture catalogue. */
export const furnitureBrief = z.object({
  pieces: z.array(piece),
  materials: z.array(material),
  colours: z.array(colour),
});

/** `originalImageIds`: in the order of the request, without photos that were deleted since. */
export const roomGroup = z.object({
  groupId: z.string(),
  roomType,
  style,
  brief: furnitureBrief,
  originalImageIds: z.array(z.string()),
  createdAt: instant,
});
export const listGroupsInput = z.strictObject({ propertyId: uuid });
export const listGroupsOutput = z.object({ items: z.array(roomGroup) });

/**
 * What a brief can name; the labels are `furniture.piece.<id>`, `furniture.material.<id>` and `furniture.colour.<id>`
 * in the catalogs. A group without a brief gets the `defaults` of its room with the materials and colors of its style.
 */
export const furnitureCatalogue = z.object({
  rooms: z.array(
    z.object({ roomType, pieces: z.array(piece), required: z.array(piece), defaults: z.array(piece) }),
  ),
  styles: z.array(z.object({ style, materials: z.array(material), colours: z.array(colour) })),
  materials: z.array(material),
  colours: z.array(colour),
});

export function toRoomGroup(group: RoomGroup): z.output<typeof roomGroup> {
  const { groupId, roomType, style, originalImageIds, createdAt } = group;
  const { pieces, materials, colours } = group.brief;
  const brief = { pieces: [...pieces], materials: [...materials], colours: [...colours] };
  return {
    groupId,
    roomType,
    style,
    brief,
    originalImageIds: [...originalImageIds],
    createdAt: iso(createdAt),
  };
}
