/**
 * The files of one export, one after the other. Always true: one picture is held in memory; the stored picture is only
 * read; a label is drawn into a copy of a staged picture, and only where the market asks for it.
 */
import { createHash } from 'node:crypto';
import type { Translator } from '../../i18n/translator.ts';
import { exportOrder } from '../../machines/disclosure/export-order.ts';
import type { Market, Profile } from '../../machines/disclosure/profile.ts';
import { PROFILES } from '../../machines/disclosure/profiles.ts';
import type { DisclosureListing, DisclosurePicture } from '../../persistence/images/disclosure-pictures.ts';
import type { LogEntry } from '../../persistence/images/provenance-log.ts';
import type { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import { MAX_PICTURE_SIDE } from '../images/decoding/picture-bounds.ts';
import { changesOf, type RenditionPlan } from '../images/decoding/rendition-plan.ts';
import { BEST_QUALITY } from '../images/decoding/rendition-request.ts';
import type { CopyChange } from '../images/marks/mark.ts';
import type { Marks } from '../images/marks/marks.ts';
import type { ImageServices } from '../images/services.ts';
import { provenanceUrl } from '../wire/images.ts';
import { type CaptionRow, captionOf, captionsCsv, captionsJson } from './caption-files.ts';
import { readmeText } from './readme-text.ts';
import type { ZipEntry } from './zip-writer.ts';

export type ExportPorts = Pick<ImageServices, 'storage' | 'decoders' | 'clock' | 'settings'> & {
  marks: Pick<Marks, 'marked'>;
  /** One place for all exports of the process: the renditions' other decoder stays free for visitors. */
  turns: Semaphore;
};

export interface ExportOrder {
  readonly listing: DisclosureListing;
  readonly market: Market;
  readonly words: Translator;
  readonly logEntry: LogEntry | null;
  readonly signal: AbortSignal;
}

/** Full size: a copy is never enlarged. */
const FULL_SIZE = {
  box: { width: MAX_PICTURE_SIDE, height: MAX_PICTURE_SIDE },
  fit: 'contain',
  format: 'jpeg',
  quality: BEST_QUALITY,
  variant: 'export',
} as const satisfies Omit<RenditionPlan, 'mark'>;

/** The pictures of the export in their order; a photo may be among them several times. */
export function exportedPictures({
  listing,
  market,
}: Pick<ExportOrder, 'listing' | 'market'>): DisclosurePicture[] {
  return exportOrder(listing.pictures, PROFILES[market].order);
}

/** The files that hold no picture: the instructions, and the captions twice. */
export const TEXT_FILES = 3;

/** @throws the signal's reason, StorageError, or PublicError of a picture that cannot be decoded */
export async function* exportFiles(ports: ExportPorts, order: ExportOrder): AsyncGenerator<ZipEntry, void> {
  const profile = PROFILES[order.market];
  const at = ports.clock.now();
  yield {
    name: 'README.txt',
    bytes: Buffer.from(readmeText({ ...order, at, publicBaseUrl: ports.settings.publicBaseUrl })),
  };
  const rows: CaptionRow[] = [];
  for (const [index, picture] of exportedPictures(order).entries()) {
    const copy = await copyOf(ports, { picture, profile, signal: order.signal });
    const name = fileNameOf(picture, index);
    rows.push(rowOf(ports, { picture, profile, file: name, copy }));
    yield { name, bytes: copy.bytes };
  }
  yield { name: 'captions.csv', bytes: Buffer.from(captionsCsv(rows)) };
  yield { name: 'captions.json', bytes: Buffer.from(captionsJson(rows)) };
}

interface PictureWork {
  readonly picture: DisclosurePicture;
  readonly profile: Profile;
}
interface Copy {
  readonly bytes: Buffer;
  /** SHA-256 of the stored picture, in hex. */
  readonly storedSha256: string;
}

async function copyOf(
  { storage, decoders, turns, marks }: ExportPorts,
  { picture, profile, signal }: PictureWork & { signal: AbortSignal },
): Promise<Copy> {
  const { imageId, objectKey, isStaged, pad } = picture;
  let storedSha256 = '';
  const giveBack = await turns.take({ signal });
  try {
    const source = { pad, burnedLabel: burnedLabelOf(picture, profile) };
    const { variant, format } = FULL_SIZE;
    const copy = {
      // Only approved pictures are exported, also of a listing that has no public page yet.
      image: { imageId, isStyled: isStaged, isPublic: true },
      variant: source.burnedLabel === null ? variant : `${variant}-label`,
      format,
      changes: changesOfExport(picture, source.burnedLabel),
      // Exports are meant to be handed on: each shows its original.
      longSide: MAX_PICTURE_SIDE,
    };
    const bytes = await marks.marked(copy, (mark) =>
      decoders.renditions.run('rendition', [{ ...FULL_SIZE, mark }, source], {
        signal,
        about: { imageId },
        async load() {
          const stored = await storage.get(objectKey, { signal });
          storedSha256 = sha256(stored.bytes);
          return stored.bytes;
        },
      }),
    );
    return { bytes: Buffer.from(bytes), storedSha256 };
  } finally {
    giveBack();
  }
}

function changesOfExport(picture: DisclosurePicture, burnedLabel: string | null): CopyChange[] {
  const changes = changesOf({ ...picture, width: null, height: null }, FULL_SIZE);
  return burnedLabel === null ? changes : [...changes, 'labeled'];
}

/** Null for an unaltered photo, and wherever no mark is asked for. */
function burnedLabelOf({ label }: DisclosurePicture, { burnedInMark, drawnWords }: Profile): string | null {
  if (burnedInMark !== 'ASKED' || label === null) return null;
  return drawnWords === null ? label : `${label} · ${drawnWords}`;
}

function rowOf(
  { settings }: ExportPorts,
  { picture, profile, file, copy }: PictureWork & { file: string; copy: Copy },
): CaptionRow {
  const { imageId, originalImageId, roomType, imageOf, label, hasProvenanceRecord } = picture;
  const address = hasProvenanceRecord ? provenanceUrl(settings.publicBaseUrl, imageId) : null;
  return {
    file,
    imageId,
    kind: kindOf(picture),
    originalImageId,
    roomType,
    imageOf,
    caption: captionOf(profile, { label, originalImageId, provenanceUrl: address }),
    labelInPicture: burnedLabelOf(picture, profile) !== null,
    fileSha256: sha256(copy.bytes),
    storedSha256: copy.storedSha256,
    provenanceUrl: address,
  };
}

/** `001-front.jpg`, `002-living-room-staged.jpg`: the place in the export, what it shows, and whether it was altered. */
function fileNameOf(picture: DisclosurePicture, index: number): string {
  const words = (picture.imageOf ?? 'Photo').replace(' of Structure', '').replace(/[()]/g, '');
  const kind = kindOf(picture);
  const parts = [
    String(index + 1).padStart(3, '0'),
    words.toLowerCase().replaceAll(' ', '-'),
    ...(kind === 'original' ? [] : [kind]),
  ];
  return `${parts.join('-')}.jpg`;
}

function kindOf({ isStaged, isAltered }: DisclosurePicture): CaptionRow['kind'] {
  if (isStaged) return 'staged';
  return isAltered ? 'altered' : 'original';
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
