import { Counter, Histogram, type Registry } from 'prom-client';
import { ATTEMPT_FAILURES } from '../../machines/failure-classes.ts';
import type { RuntimeCounter } from '../../supervisors/ports.ts';

/** The series of processes that deliver events, which both roles do. */
export interface RuntimeMetrics {
  counters: Record<Exclude<RuntimeCounter, 'dispatcher_repairs'>, Counter>;
  alerts: Counter<'alert'>;
  /** The structured worker events of docs/contract.md#events; `error_code` is empty where there is none. */
  workerEvents: Counter<'event' | 'error_code'>;
  refusedEvents: Counter<'actor' | 'event' | 'outcome'>;
  /** Seconds. */
  providerDuration: Histogram<'operation'>;
  /** Seconds. */
  predictionDuration: Histogram<'provider_status'>;
  /** Seconds. */
  queueWait: Histogram;
}

const PROVIDER_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** From the quickest picture to the provider's own deadline and what a restart may add. */
const PREDICTION_BUCKETS_SECONDS = [1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800];
/** From an idle queue to an hour of waiting for the start rate. */
const WAIT_BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Alerts that machines and supervisors raise by name; those of error codes are added to them. */
const NAMED_ALERTS = ['attempt_lost', 'late_prediction', 'quarantined', 'runner_crashed', 'stray_prediction'];
export const GRAVE_CODES = Object.entries(ATTEMPT_FAILURES)
  .filter(([, { alert }]) => alert)
  .map(([code]) => code);
const KNOWN_CODES = new Set<unknown>(Object.keys(ATTEMPT_FAILURES));

/** An error code as a label value: from the tables of the machines, or `other`, or empty. */
export function codeLabel(code: string | number | null | undefined): string {
  if (code === null || code === undefined) return '';
  return KNOWN_CODES.has(code) ? String(code) : 'other';
}

export function createRuntimeMetrics(registry: Registry): RuntimeMetrics {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> =>
    new Counter({ name: `proscenium_${name}_total`, help, labelNames, registers });
  const seconds = <L extends string>(
    name: string,
    help: string,
    options: HistogramOptions<L>,
  ): Histogram<L> => new Histogram({ name: `proscenium_${name}_seconds`, help, ...options, registers });
  const alerts = counter('alerts', 'Things a person must look at', ['alert']);
  // A first increment that creates its series is no increase to Prometheus.
  for (const alert of [...NAMED_ALERTS, ...GRAVE_CODES.map((code) => code.toLowerCase())])
    alerts.inc({ alert }, 0);
  return {
    counters: {
      jobs_adopted: counter(
        'jobs_adopted',
        'Jobs under way that were rescued, because no worker held their lease',
      ),
      leases_lost: counter('leases_lost', 'Leases that could not be kept'),
      sweep_failures: counter('sweep_failures', 'Sweeps, or rows of them, that failed'),
      jobs_quarantined: counter('jobs_quarantined', 'Jobs quarantined for a person'),
      expired_rows_removed: counter(
        'expired_rows_removed',
        'Rows removed because they were older than they are kept',
      ),
      deletions_done: counter('deletions_done', 'Objects deleted from the store'),
      search_documents_written: counter('search_documents_written', 'Search documents written or removed'),
    },
    alerts,
    workerEvents: counter('worker_events', 'Structured worker events of jobs', ['event', 'error_code']),
    refusedEvents: counter(
      'refused_events',
      'Events that changed nothing: ignored by the state, or under a lease that was over',
      ['actor', 'event', 'outcome'],
    ),
    providerDuration: seconds('provider_request_duration', 'Time of one call to the provider', {
      labelNames: ['operation'],
      buckets: PROVIDER_BUCKETS_SECONDS,
    }),
    predictionDuration: seconds(
      'prediction_duration',
      'Time from the purchase to the end of its prediction',
      {
        labelNames: ['provider_status'],
        buckets: PREDICTION_BUCKETS_SECONDS,
      },
    ),
    queueWait: seconds('job_queue_wait', 'Time a job waited in its queue before a worker began', {
      labelNames: [],
      buckets: WAIT_BUCKETS_SECONDS,
    }),
  };
}

interface HistogramOptions<L extends string> {
  labelNames: L[];
  buckets: number[];
}
