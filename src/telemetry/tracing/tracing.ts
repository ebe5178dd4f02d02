import type { Pool } from 'pg';
import { jobTraceEnds, noteJobTrace, traceOfAttempt } from '../../../persistence/jobs/job-traces.ts';
import type {
  TraceAttributes,
  TracedHold,
  TracedPart,
  Tracer,
  TraceSpan,
} from '../../../supervisors/ports.ts';
import { UNTRACED } from '../../../supervisors/supervision/untraced.ts';
import type { Logger } from '../logger.ts';
import type { OpenSpan, Spans, TraceContext } from './spans.ts';

/**
 * What is traced, and which trace it belongs to. A trace begins with a request. A job belongs to the trace of the
 * request that submitted it, whichever worker runs it and however often a worker crashes, because that trace is
 * stored with the submission (`ai_job_traces`). Nothing else begins a trace: sweeps and drains are not traced.
 */
export interface Tracing extends Tracer {
  /** False when no endpoint is set: then no function below needs to be called. */
  readonly isOn: boolean;
  /** Runs the work of one request as a new trace. Errors for which `isFailure` is false are answers, not failures. */
  request<T>(
    part: TracedPart & { isFailure(error: unknown): boolean },
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>;
  /** Runs the work in the trace of an attempt's job, linked to the request that caused it. */
  forAttempt<T>(attemptId: string, part: TracedPart, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Records an event on the current part. */
  event(name: string, attributes: TraceAttributes): void;
  /** The trace context that a job stores at submission; null when nothing is being traced. */
  context(): TraceContext | null;
}

const NO_TRACING: Tracing = {
  ...UNTRACED,
  isOn: false,
  request: (_part, work) => work({ note() {}, fail() {} }),
  forAttempt: (_attemptId, part, work) => UNTRACED.span(part, work),
  event() {},
  context: () => null,
};

/** Traces of `spans`, joined by the trace context stored with each job. Without spans it does nothing. */
export function createTracing(
  spans: Spans | null,
  { pool, logger }: { pool: Pool; logger: Pick<Logger, 'debug'> },
): Tracing {
  if (spans === null) return NO_TRACING;
  /** While the database is unavailable, the trace is in pieces and the work continues. */
  const unless =
    <T>(fallback: T) =>
    (error: unknown) => {
      logger.debug({ err: error }, 'a trace is in pieces');
      return fallback;
    };
  const remember = ({ jobId, epoch }: TracedHold): void => {
    const traceparent = spans.context();
    if (traceparent === null) return;
    noteJobTrace(pool, { jobId, leaseEpoch: epoch, traceparent }).catch(unless(undefined));
  };
  return {
    isOn: true,
    span: (part, work) => spans.run({ ...part, within: 'around' }, work),
    request: (part, work) => spans.run({ ...part, kind: 'server', within: 'nothing' }, work),
    event: spans.event,
    context: spans.context,
    async run(hold, work) {
      const { first, last } = await jobTraceEnds(pool, hold.jobId).catch(unless({ first: null, last: null }));
      const job = { 'proscenium.job.id': hold.jobId };
      if (first !== null && hold.queuedAt !== null)
        spans.past({ name: 'queue wait', within: first.traceparent, attributes: job }, hold.queuedAt);
      const holder = { 'proscenium.worker.node': hold.owner, 'proscenium.lease.epoch': hold.epoch };
      const plan = {
        name: `run ${hold.kind}`,
        kind: 'consumer',
        within: first?.traceparent ?? 'nothing',
        // Links the previous holder of the lease: its worker died, gave up or was asked to stop.
        links: last !== null && last.leaseEpoch > 0 ? [last.traceparent] : [],
        attributes: { ...job, ...holder },
      } as const;
      return spans.run(plan, () => {
        remember(hold);
        return work();
      });
    },
    async forAttempt(attemptId, part, work) {
      const origin = await traceOfAttempt(pool, attemptId).catch(unless(null));
      if (origin === null) return spans.run({ ...part, within: 'around' }, work);
      const here = spans.context();
      const attributes = { ...part.attributes, 'proscenium.job.id': origin.jobId };
      const links = here === null ? [] : [here];
      return spans.run({ ...part, attributes, links, within: origin.traceparent }, work);
    },
  };
}
