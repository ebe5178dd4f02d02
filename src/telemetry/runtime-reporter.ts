import type { Logger } from 'pino';
import { ATTEMPT_FAILURES } from '../../machines/failure-classes.ts';
import type { Reporter, RuntimeCounter } from '../../supervisors/ports.ts';
import type { CrashReports } from './crash-reports.ts';
import type { Metrics } from './metrics.ts';
import type { RuntimeMetrics } from './runtime-metrics.ts';

/**
 * The runtime's `Reporter`: the structured worker events of platform.md ("Events") with the job's id, alerts,
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
      if (event === 'terminal_error' && isGrave(fields.errorCode))
        runtime.alerts.inc({ alert: String(fields.errorCode).toLowerCase() });
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
      if (!(error instanceof Error && 'code' in error)) crashReports.capture(error);
    },
  };
}

function isGrave(errorCode: string | number | null | undefined): boolean {
  return Object.entries(ATTEMPT_FAILURES).some(([code, { alert }]) => code === errorCode && alert);
}
