import type { Registry } from 'prom-client';
import { ATTEMPT_FAILURES } from '../../machines/failure-classes.ts';
import type { RuntimeCounter } from '../../supervisors/ports.ts';
import { seriesIn } from './series.ts';

const PROVIDER_BUCKETS_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** From the fastest picture to the provider's own deadline plus a restart. */
const PREDICTION_BUCKETS_SECONDS = [1, 2.5, 5, 10, 20, 30, 45, 60, 90, 120, 180, 300, 600, 900, 1800];
/** From an idle queue to an hour of waiting for the start rate. */
const WAIT_BUCKETS_SECONDS = [0.1, 0.5, 1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600];

/** Alerts that machines and supervisors raise by name; those of error codes are added. */
const NAMED_ALERTS = [
  'attempt_lost',
  'feed_deletions_held',
  'feed_failed',
  'late_prediction',
  'prediction_conflict',
  'purchase_unknown',
  'quarantined',
  'runner_crashed',
  'stray_prediction',
];
export const GRAVE_CODES = Object.entries(ATTEMPT_FAILURES)
  .filter(([, { alert }]) => alert)
  .map(([code]) => code);
const KNOWN_CODES = new Set<unknown>(Object.keys(ATTEMPT_FAILURES));

/** An error code as a label value: from the tables of the machines, or `other`, or empty. */
export function codeLabel(code: string | number | null | undefined): string {
  if (code === null || code === undefined) return '';
  return KNOWN_CODES.has(code) ? String(code) : 'other';
}

export type RuntimeMetrics = ReturnType<typeof createRuntimeMetrics>;

/** The series of processes that deliver events: both roles. */
export function createRuntimeMetrics(registry: Registry) {
  const { counter, histogram } = seriesIn(registry);
  const alerts = counter('alerts', 'Things a person must look at', ['alert']);
  // Prometheus does not see a first increment that creates its series.
  for (const alert of [...NAMED_ALERTS, ...GRAVE_CODES.map((code) => code.toLowerCase())])
    alerts.inc({ alert }, 0);
  const counters = {
    jobs_adopted: counter(
      'jobs_adopted',
      'Jobs under way that were rescued, because no worker held their lease',
    ),
    polls_listed: counter('polls_listed', "Polls answered by the provider's list"),
    leases_lost: counter('leases_lost', 'Leases that could not be kept'),
    sweep_failures: counter('sweep_failures', 'Sweeps, or rows of them, that failed'),
    jobs_quarantined: counter('jobs_quarantined', 'Jobs quarantined for a person'),
    expired_rows_removed: counter(
      'expired_rows_removed',
      'Rows removed because they were older than they are kept',
    ),
    deletions_done: counter('deletions_done', 'Objects deleted from the store'),
    search_documents_written: counter('search_documents_written', 'Search documents written or removed'),
    feed_records_changed: counter('feed_records_changed', 'Records of feeds that were new or changed'),
    feed_requests_failed: counter('feed_requests_failed', 'Requests to feeds that failed'),
    feed_lists_broken: counter('feed_lists_broken', 'Lists of all keys of a feed that broke off'),
  } satisfies Record<Exclude<RuntimeCounter, 'dispatcher_repairs'>, unknown>;
  return {
    counters,
    alerts,
    /** The structured worker events of docs/contract.md#events; `error_code` is empty where there is none. */
    workerEvents: counter('worker_events', 'Structured worker events of jobs', ['event', 'error_code']),
    refusedEvents: counter(
      'refused_events',
      'Events that changed nothing: ignored by the state, or under a lease that was over',
      ['actor', 'event', 'outcome'],
    ),
    providerDuration: histogram('provider_request_duration', 'Time of one call to the provider', {
      labelNames: ['operation'],
      buckets: PROVIDER_BUCKETS_SECONDS,
    }),
    predictionDuration: histogram(
      'prediction_duration',
      'Time from the purchase to the end of its prediction',
      { labelNames: ['provider_status'], buckets: PREDICTION_BUCKETS_SECONDS },
    ),
    queueWait: histogram('job_queue_wait', 'Time a job waited in its queue before a worker began', {
      buckets: WAIT_BUCKETS_SECONDS,
    }),
  };
}
