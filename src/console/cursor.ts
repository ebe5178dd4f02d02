import { isUuid } from '../../persistence/console/search.ts';

/** The last row of a page of a list. */
export interface Cursor {
  at: number;
  id: string;
}

const CURSOR = /^(\d{1,16})_([0-9a-f-]{36})$/;
const LAST_INSTANT = 8.64e15;

/** An invalid cursor shows the first page. */
export function cursorOf(text: string | undefined): Cursor | null {
  const [, at, id = ''] = CURSOR.exec(text ?? '') ?? [];
  return isUuid(id) && Number(at) <= LAST_INSTANT ? { at: Number(at), id } : null;
}

export const cursorText = ({ at, id }: Cursor): string => `${at}_${id}`;
