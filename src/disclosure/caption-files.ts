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
  'caption',
  'labelInPicture',
  'fileSha256',
  'storedSha256',
  'provenanceUrl',
] as const satisfies readonly (keyof CaptionRow)[];

const ORIGINAL_CAPTION = 'Original photo';

/** The caption of a picture in the market's wording. */
export function captionOf(
  { caption }: Pick<Profile, 'caption'>,
  { label, provenanceUrl }: { label: string | null; provenanceUrl: string | null },
): string {
  if (label === null) return ORIGINAL_CAPTION;
  return caption.replace('{label}', label).replace('{provenance}', provenanceUrl ?? '');
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
