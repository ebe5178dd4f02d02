import type { FeedResource } from '../../profiles/profile-schema.ts';
import type { RowsAnswer } from '../answers.ts';
import type {
  FeedCursor,
  FeedKey,
  FeedKeyList,
  FeedPosition,
  FeedRecord,
  FeedSource,
} from '../feed-reading.ts';
import type { PlannedRequest } from '../requests.ts';

/** A way of reading: what to request at a position, and what an answer means there. Pure. */
export interface Way<Position> {
  plan(look: Look, at: Position): PlannedRequest;
  advance(look: Look, at: Position, answer: WayAnswer): Step;
}

export interface Look {
  readonly source: FeedSource;
  readonly resource: FeedResource;
  readonly cursor: FeedCursor;
}

export interface WayAnswer extends RowsAnswer {
  readonly url: URL;
  /** A single record that is not there, or a link that the feed takes no more. */
  readonly refused: boolean;
}

export interface Step {
  readonly records?: readonly FeedRecord[];
  readonly gone?: readonly FeedKey[];
  readonly keys?: FeedKeyList;
  readonly events?: FeedCursor['events'];
  /** Null at the end of the resource; `newest` is then its watermark. */
  readonly at: FeedPosition | null;
  readonly newest?: string | null;
}
