import type { Tracer, TraceSpan } from '../ports.ts';

const NOWHERE: TraceSpan = { note() {} };

/** No tracing: each call runs the work directly, without a promise of its own. */
export const UNTRACED: Tracer = {
  span: (_part, work) => work(NOWHERE),
  run: (_hold, work) => work(),
};
