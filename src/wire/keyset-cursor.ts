import { z } from 'zod';
import { pageLimit } from './text.ts';

/** The position of a row in a list from the newest to the oldest; it stays valid when the row is removed. */
export interface KeysetPosition {
  /** Milliseconds since 1970. */
  at: number;
  id: string;
}

const CURSOR = /^(\d{1,15})_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

const cursor = z
  .string()
  .regex(CURSOR, 'Use the nextCursor of the page before.')
  .transform((text): KeysetPosition => {
    const [, at = '', id = ''] = CURSOR.exec(text) ?? [];
    return { at: Number(at), id };
  });

/** Like `paging` of text.ts, for lists whose rows may be removed while a client pages through them. */
export const keysetPaging = { cursor: cursor.nullish(), limit: pageLimit };

export const keysetCursor = ({ at, id }: KeysetPosition): string => `${at}_${id}`;
