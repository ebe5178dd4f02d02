import type { TraceAttributes, TracedPart, TraceSpan } from '../../../supervisors/ports.ts';

/** Says which span something belongs to, as the `traceparent` of W3C Trace Context. Opaque to callers. */
export type TraceContext = string;

/** What the tracing system can do for us. Declared apart from it, so that knowing this loads nothing. */
export interface Spans {
  /** Does the work as a span. What `work` throws is noted on the span by type and code, and thrown on. */
  run<T>(plan: SpanPlan, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** A span that began at `startedAt`, milliseconds since 1970, and ends now. */
  past(plan: SpanPlan, startedAt: number): void;
  /** Notes on the span under way, if any, that something has happened. */
  event(name: string, attributes: TraceAttributes): void;
  /** The span under way; null outside of all. */
  context(): TraceContext | null;
  /** Sends what is still to be sent, for at most `limitMs`; later spans are lost. Never rejects. */
  close(limitMs: number): Promise<void>;
}

export interface SpanPlan extends Omit<TracedPart, 'kind'> {
  kind?: 'client' | 'server' | 'consumer';
  /** `around`: part of what is under way, and no span when nothing is. `nothing`: begins a trace. */
  within: 'around' | 'nothing' | TraceContext;
  /** Spans that this one has to do with without being part of them. */
  links?: readonly TraceContext[];
  /** Which errors are no fault of what was done; all are without it. */
  isFailure?(error: unknown): boolean;
}

export interface OpenSpan extends TraceSpan {
  /** The work went wrong although it threw nothing. */
  fail(): void;
}
