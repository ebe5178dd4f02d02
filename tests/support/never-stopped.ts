import type { StopSignals } from '../../supervisors/supervision/service.ts';

/** For work that is never stopped. */
export const NEVER_STOPPED: StopSignals = {
  draining: new AbortController().signal,
  forced: new AbortController().signal,
};
