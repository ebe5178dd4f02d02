import type { TraceAttributes, TracedPart, TraceSpan } from '../../../supervisors/ports.ts';

/** Identifies a span, as the `traceparent` of W3C Trace Context. Opaque to callers. */
export type TraceContext = string;

/** The interface of the tracing system. Declared separately, so that importing it does not load the SDK. */
export interface Spans {
  /** Runs the work in a span. An error of `work` is recorded on the span by type and code, and thrown again. */
  run<T>(plan: SpanPlan, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** A span that began at `startedAt`, milliseconds since 1970, and ends now. */
  past(plan: SpanPlan, startedAt: number): void;
  /** Records an event on the current span, if any. */
  event(name: string, attributes: TraceAttributes): void;
  /** The current span; null without one. */
  context(): TraceContext | null;
  /** Sends the remaining spans, for at most `limitMs`; later spans are lost. Never rejects. */
  close(limitMs: number): Promise<void>;
}

export interface SpanPlan extends Omit<TracedPart, 'kind'> {
  kind?: 'client' | 'server' | 'consumer';
  /** `around`: a part of the current span; no span when there is none. `nothing`: begins a trace. */
  within: 'around' | 'nothing' | TraceContext;
  /** Related spans that this one is not a part of. */
  links?: readonly TraceContext[];
  /** Which errors are failures; all are by default. */
  isFailure?(error: unknown): boolean;
}

export interface OpenSpan extends TraceSpan {
  /** Marks the span as failed although the work threw nothing. */
  fail(): void;
}
