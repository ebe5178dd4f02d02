import type { CommuteMode } from '../../machines/vocabulary.ts';
import type { Position } from '../../persistence/search/search-index.ts';
import type { ServiceRequest } from '../outside/outside-service.ts';

export interface TravelTimesQuestion {
  readonly from: readonly Position[];
  readonly to: Position;
  readonly mode: CommuteMode;
}
export interface ReachQuestion {
  readonly to: Position;
  readonly mode: CommuteMode;
  readonly minutes: number;
}

/** The requests of one kind of router. Readers throw on an answer of an unexpected format. */
export interface RoutingService {
  readonly modes: readonly CommuteMode[];
  times(question: TravelTimesQuestion): ServiceRequest;
  /** Seconds of each start, in the order of the question; null where no way leads. */
  readTimes(answer: unknown, count: number): (number | null)[];
  /** The area from where one is there in time; null if the router has no areas. */
  readonly reach: {
    ask(question: ReachQuestion): ServiceRequest;
    /** The outline of the largest area, with any number of corners; null if there is none. */
    read(answer: unknown): Position[] | null;
  } | null;
}
