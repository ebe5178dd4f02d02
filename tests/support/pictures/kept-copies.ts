import { CACHED_MS } from '../../../src/images/renditions/answer-cache.ts';
import type { Clock } from '../../../supervisors/ports.ts';

/** The real clock, and a way past the moment for which a process gives an answer again without asking. */
export interface MovableClock extends Clock {
  pass(ms: number): void;
  /** From then on, each picture that was asked for before is asked about again. */
  forgetKept(): void;
}

export function movableClock(): MovableClock {
  let ahead = 0;
  const pass = (ms: number): void => {
    ahead += ms;
  };
  return { now: () => Date.now() + ahead, pass, forgetKept: () => pass(CACHED_MS) };
}
