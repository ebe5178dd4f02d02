import type { Logger } from 'pino';
import type { EffectParams } from '../../machines/effects.ts';
import type { Reporter, RuntimeCounter } from '../../supervisors/ports.ts';
import { isOutage } from '../errors/outage.ts';
import { PROVIDER_STATUSES } from '../wire/prediction-body.ts';
import type { CrashReports } from './crash-reports.ts';
import type { Metrics } from './metrics.ts';
import { codeLabel, GRAVE_CODES, type RuntimeMetrics } from './runtime-metrics.ts';

/**
 * The runtime's `Reporter`: the structured worker events of docs/contract.md#events with the job's id, alerts,
 * counters. Called after commits; a failure to log is never a failure of the pipeline.
 */
export function createRuntimeReporter(options: {
  logger: Logger;
  metrics: Metrics;
  runtime: RuntimeMetrics;
  crashReports: CrashReports;
}): Reporter {
  const { logger, metrics, runtime, crashReports } = options;
  return {
    report(jobId, { event, fields }) {
      logger.info({ event, jobId, ...fields }, event);
      measure(runtime, { event, fields });
    },
    alert(subject, { alert, fields }) {
      logger.error({ alert, actorKind: subject.kind, actorId: subject.id, ...fields }, `alert: ${alert}`);
      runtime.alerts.inc({ alert });
    },
    transition(actor, event, outcome) {
      if (outcome === 'applied') metrics.stagingTransitions.inc({ actor, event });
      else {
        runtime.refusedEvents.inc({ actor, event, outcome });
        logger.debug({ actor, eventType: event, outcome }, 'event changed nothing');
      }
    },
    count(name: RuntimeCounter, by = 1) {
      if (name === 'dispatcher_repairs') metrics.dispatcherRepairs.inc({ queue: 'staging' }, by);
      else runtime.counters[name].inc(by);
    },
    problem(what, error, fields = {}) {
      logger.warn({ err: error, ...fields }, what);
      if (!(error instanceof Error && 'code' in error) && !isOutage(error)) crashReports.capture(error);
    },
  };
}

/** Counting never fails, whatever the fields contain: labels come from closed sets. */
function measure(runtime: RuntimeMetrics, { event, fields }: EffectParams['report']): void {
  const code = codeLabel(fields.errorCode);
  runtime.workerEvents.inc({ event, error_code: code });
  if (GRAVE_CODES.includes(code) && !HAS_ALERT_OF_ITS_OWN.has(code))
    runtime.alerts.inc({ alert: code.toLowerCase() });
  if (event === 'worker_started') observeMs(runtime.queueWait, fields.queueWaitMs);
  if (event === 'provider_terminal') {
    const known = PROVIDER_STATUSES.find((status) => status === fields.providerStatus);
    observeMs(runtime.predictionDuration.labels(known ?? 'other'), fields.providerMs);
  }
}

/** The machines raise an alert for these by name, in addition to the failure that they report. */
const HAS_ALERT_OF_ITS_OWN = new Set(['OUTPUT_HOST_REFUSED', 'RUNNER_CRASHED']);

function observeMs(
  histogram: { observe(seconds: number): void },
  ms: string | number | null | undefined,
): void {
  if (typeof ms === 'number' && Number.isFinite(ms)) histogram.observe(ms / 1000);
}
