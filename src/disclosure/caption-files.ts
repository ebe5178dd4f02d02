import type { PhotoSubject } from '../../machines/disclosure/photo-subject.ts';
import type { Profile } from '../../machines/disclosure/profile.ts';
import type { CanonicalRoomType } from '../../machines/vocabulary.ts';

/** A picture of an export, as its captions files tell it. */
export interface CaptionRow {
  readonly file: string;
  readonly imageId: string;
  readonly kind: 'original' | 'staged' | 'altered';
  /** The photo of which it was staged; null for a photo. */
  readonly originalImageId: string | null;
  readonly roomType: CanonicalRoomType | null;
  /** What it shows, in RESO's words; null where it is not known. */
  readonly imageOf: PhotoSubject | null;
  readonly caption: string;
  /** Whether the label is drawn into this copy. */
  readonly labelInPicture: boolean;
  /** Of the file in the ZIP, in hex. */
  readonly fileSha256: string;
  /** Of the stored picture of which the file was made, in hex. */
  readonly storedSha256: string;
  /** The page that tells how the picture was made; null for a photo. */
  readonly provenanceUrl: string | null;
}

const COLUMNS = [
  'file',
  'imageId',
  'kind',
  'originalImageId',
  'roomType',
  'imageOf',
  'caption',
  'labelInPicture',
  'fileSha256',
  'storedSha256',
  'provenanceUrl',
] as const satisfies readonly (keyof CaptionRow)[];

const ORIGINAL_CAPTION = 'Original photo';

/** Where the photo of an altered picture is in the market's order. */
const NEIGHBORS = {
  ANY: null,
  ORIGINAL_BESIDE: 'The photo before this one is unaltered',
  ALTERED_FIRST: 'The photo after this one is unaltered',
} as const;

/** The caption of a picture in the market's wording, without the sentences that would not be true of it. */
export function captionOf(
  { caption, order }: Pick<Profile, 'caption' | 'order'>,
  {
    label,
    originalImageId,
    provenanceUrl,
  }: { label: string | null; originalImageId: string | null; provenanceUrl: string | null },
): string {
  if (label === null) return ORIGINAL_CAPTION;
  const parts: Readonly<Record<string, string | null>> = {
    '{label}': label,
    '{neighbor}': originalImageId === null ? null : NEIGHBORS[order],
    '{provenance}': provenanceUrl,
  };
  const sentences = caption.flatMap((sentence) => {
    const part = /\{\w+\}/.exec(sentence)?.[0] ?? '';
    const words = part in parts ? parts[part] : '';
    return words === null || words === undefined ? [] : [sentence.replace(part, () => words)];
  });
  // An altered photo's label may be one of the sentences.
  return [...new Set(sentences)].join('. ');
}

/** RFC 4180, every field quoted, with a byte-order mark: without one, spreadsheets misread the label's dot. */
export function captionsCsv(rows: readonly CaptionRow[]): string {
  const quoted = (value: unknown): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
  const lines = [COLUMNS.map(quoted), ...rows.map((row) => COLUMNS.map((name) => quoted(row[name])))];
  return `\uFEFF${lines.map((fields) => `${fields.join(',')}\r\n`).join('')}`;
}

export function captionsJson(rows: readonly CaptionRow[]): string {
  return `${JSON.stringify(rows, [...COLUMNS], 2)}\n`;
}
