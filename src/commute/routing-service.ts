import type { CommuteMode } from '../../machines/vocabulary.ts';
import type { Position } from '../../persistence/search/search-index.ts';

/** One request to the operator's router. */
export interface RouterRequest {
  readonly url: string;
  /** Sent as JSON by POST; without it the request is a GET. */
  readonly body?: unknown;
}

interface TravelTimesQuestion {
  readonly from: readonly Position[];
  readonly to: Position;
  readonly mode: CommuteMode;
}
interface ReachQuestion {
  readonly to: Position;
  readonly mode: CommuteMode;
  readonly minutes: number;
}

/** How one kind of router is asked, and what its answers mean. Readers throw where an answer has another form. */
export interface RoutingService {
  readonly modes: readonly CommuteMode[];
  times(question: TravelTimesQuestion): RouterRequest;
  /** Seconds of each start, in the order of the question; null where no way leads. */
  readTimes(answer: unknown, count: number): (number | null)[];
  /** From where one is there in time; null when the router has no such question. */
  readonly reach: {
    ask(question: ReachQuestion): RouterRequest;
    /** The outline of the largest area, any number of corners; null when there is none. */
    read(answer: unknown): Position[] | null;
  } | null;
}
