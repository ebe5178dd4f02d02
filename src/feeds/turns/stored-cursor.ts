import type { FeedCursor, FeedKey } from '../reading/feed-reading.ts';

/** `feeds.cursor`: what is read now, and what the next look begins with. */
export interface StoredCursor {
  /** A look at what changed, records by their keys, or the list of all keys that was begun at `list`. */
  reading: 'LOOK' | 'KEYS' | 'LIST';
  list: number | null;
  cursor: FeedCursor;
  /** The end of the last complete look. */
  looked: FeedCursor | null;
  /** Keys of the list that are not here, or older here: they are read by themselves afterwards. */
  unknown: FeedKey[];
  /** Whether every list of keys was whole so far. */
  isWhole: boolean;
}

export const nothingRead: Omit<StoredCursor, 'reading' | 'cursor'> = {
  list: null,
  looked: null,
  unknown: [],
  isWhole: true,
};
