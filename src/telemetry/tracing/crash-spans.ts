import type * as Sentry from '@sentry/core';
import { withoutNulls } from './attributes.ts';
import type { OpenSpan, SpanPlan, Spans } from './spans.ts';

const FAILED: Parameters<Sentry.Span['setStatus']>[0] = { code: 2 };

/**
 * Traces for the crash reporting service: one for each request and each run of a job, with its parts. They are not joined across
 * processes, because only the collector's traces are stored with a job.
 */
export function crashSpans({
  startNewTrace,
  startSpan,
}: Pick<typeof Sentry, 'startNewTrace' | 'startSpan'>): Spans {
  return {
    async run(plan, work) {
      const options = {
        name: plan.name,
        op: plan.kind ?? 'part',
        attributes: withoutNulls(plan.attributes ?? {}),
      };
      const begin = (more: { onlyIfParent: true } | { forceTransaction: true }) =>
        startSpan({ ...options, ...more }, (span) => settled(plan, work, span));
      const outcome = await (plan.within === 'around'
        ? begin({ onlyIfParent: true })
        : startNewTrace(() => begin({ forceTransaction: true })));
      if ('error' in outcome) throw outcome.error;
      return outcome.value;
    },
    past() {},
    event() {},
    context: () => null,
    // They are sent with the reports.
    close: async () => {},
  };
}

/** The outcome instead of a rejection: the SDK would take every rejection for a failure, and some are answers. */
async function settled<T>(
  plan: SpanPlan,
  work: (span: OpenSpan) => Promise<T>,
  span: Sentry.Span,
): Promise<{ value: T } | { error: unknown }> {
  const fail = (): void => void span.setStatus(FAILED);
  try {
    return {
      value: await work({ note: (attributes) => void span.setAttributes(withoutNulls(attributes)), fail }),
    };
  } catch (error) {
    if (plan.isFailure?.(error) !== false) fail();
    return { error };
  }
}
