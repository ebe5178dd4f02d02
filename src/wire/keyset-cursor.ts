import { z } from 'zod';
import { pageLimit } from './text.ts';

/** The position of a row in a list from the newest to the oldest; it stays valid when the row is removed. */
export interface KeysetPosition {
  /** Milliseconds since 1970. */
  at: number;
  id: string;
}

/** The position in a list that has another order first, and the newest first among equals. */
export interface RankedPosition extends KeysetPosition {
  /** Higher ones come first. At most two decimals. */
  rank: number;
}

const PLAIN = String.raw`(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`;
const CURSOR = new RegExp(`^${PLAIN}$`);
const RANKED_CURSOR = new RegExp(String.raw`^(?:(-?\d{1,12}(?:\.\d{1,2})?)_)?${PLAIN}$`);
const NOT_OURS = 'Use the nextCursor of the page before.';

const cursor = z
  .string()
  .regex(CURSOR, NOT_OURS)
  .transform((text): KeysetPosition => {
    const [, at = '', id = ''] = CURSOR.exec(text) ?? [];
    return { at: Number(at), id };
  });

/** Without a rank: 0, which is that of all rows in the order of time. */
const rankedCursor = z
  .string()
  .regex(RANKED_CURSOR, NOT_OURS)
  .transform((text): RankedPosition => {
    const [, rank = '0', at = '', id = ''] = RANKED_CURSOR.exec(text) ?? [];
    return { rank: Number(rank), at: Number(at), id };
  });

/** Like `paging` of text.ts, for lists whose rows may be removed while a client pages through them. */
export const keysetPaging = { cursor: cursor.nullish(), limit: pageLimit };
export const rankedPaging = { cursor: rankedCursor.nullish(), limit: pageLimit };

export const keysetCursor = ({ at, id }: KeysetPosition): string => `${at}_${id}`;
export const rankedKeysetCursor = ({ rank, ...position }: RankedPosition): string =>
  rank === 0 ? keysetCursor(position) : `${rank}_${keysetCursor(position)}`;
