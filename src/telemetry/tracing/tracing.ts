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
 * What is traced, and which trace it belongs to. A trace begins with a request; a job belongs to the trace of the
 * request that submitted it, whichever worker runs it and however often one crashes, because the row of its submission
 * says so (`ai_job_traces`). Nothing else begins a trace: sweeps and drains are not shown.
 */
export interface Tracing extends Tracer {
  /** False when no endpoint is set: then nothing below needs to be called. */
  readonly isOn: boolean;
  /** Does the work of one request as a new trace. Errors that `isFailure` denies are answers, not failures. */
  request<T>(
    part: TracedPart & { isFailure(error: unknown): boolean },
    work: (span: OpenSpan) => Promise<T>,
  ): Promise<T>;
  /** Does the work in the trace of an attempt's job, linked to the request that brings it. */
  forAttempt<T>(attemptId: string, part: TracedPart, work: (span: TraceSpan) => Promise<T>): Promise<T>;
  /** Notes on the part under way that something has happened. */
  event(name: string, attributes: TraceAttributes): void;
  /** What a job keeps of its submission; null when nothing is being traced. */
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

/** Traces of `spans`, joined by what the database knows of each job. Without spans it does nothing. */
export function createTracing(
  spans: Spans | null,
  { pool, logger }: { pool: Pool; logger: Pick<Logger, 'debug'> },
): Tracing {
  if (spans === null) return NO_TRACING;
  /** The database may be away: then the trace is in pieces, and the work goes on. */
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
        // An earlier hold of the lease: its worker died, gave up or was asked to go.
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
