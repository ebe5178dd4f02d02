import { framedSize, type Pad } from '../../machines/framing.ts';

/** The size of a stored picture; null for pictures of old releases. */
export interface StoredSize {
  width: number | null;
  height: number | null;
  /** Of a staged picture that is shown in its photo's shape (docs/contract.md#framing). */
  pad: Pad | null;
}

/** The columns of `ai_room_staging_jobs` with a job's pad. */
export const PAD_COLUMNS = [
  'padWidth',
  'padHeight',
  'frameLeft',
  'frameTop',
  'frameWidth',
  'frameHeight',
] as const;

/** The values of the pad's columns, by name. */
export function padValues(pad: Pad | null): Record<(typeof PAD_COLUMNS)[number], number | null> {
  return {
    padWidth: pad?.width ?? null,
    padHeight: pad?.height ?? null,
    frameLeft: pad?.frame.left ?? null,
    frameTop: pad?.frame.top ?? null,
    frameWidth: pad?.frame.width ?? null,
    frameHeight: pad?.frame.height ?? null,
  };
}

/** The pad of the job with alias `job`, as one value. */
export function padColumn(job: string): string {
  const frame = ['left', 'top', 'width', 'height'].map((side) => `'${side}', ${job}."frame${capital(side)}"`);
  return `CASE WHEN ${job}."padWidth" IS NOT NULL THEN jsonb_build_object('width', ${job}."padWidth",
    'height', ${job}."padHeight", 'frame', jsonb_build_object(${frame.join(', ')})) END AS pad`;
}

/** The row with the size at which its picture is shown, and without the pad. */
export function framedSizeOf<R extends StoredSize>({ pad, ...row }: R): Omit<R, 'pad'> {
  const { width, height } = row;
  if (pad === null || width === null || height === null) return row;
  return { ...row, ...framedSize(pad, { width, height }) };
}

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
