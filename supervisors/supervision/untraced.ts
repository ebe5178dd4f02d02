import type { Tracer, TraceSpan } from '../ports.ts';

const NOWHERE: TraceSpan = { note() {} };

/** Shows nothing: each call is the work itself, without a promise of its own. */
export const UNTRACED: Tracer = {
  span: (_part, work) => work(NOWHERE),
  run: (_hold, work) => work(),
};
