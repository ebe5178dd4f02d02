import { Counter, Gauge, type Registry } from 'prom-client';

/** The worker's own series: what it reads from rows and queues, the same in every worker, and what it alone counts. */
export interface WorkerMetrics {
  quarantinedJobs: Gauge<'kind'>;
  /** Seconds. */
  jobSilence: Gauge<'kind' | 'status'>;
  deletions: Gauge<'state'>;
  searchDocumentsOwed: Gauge;
  /** 1 while a person has closed the pause switch. */
  startsPaused: Gauge;
  queueEntries: Gauge<'queue' | 'state'>;
  pendingMigrations: Gauge;
  /** Seconds since 1970; 0 before the first time. */
  alertsEvaluatedAt: Gauge;
  /** US dollars. */
  estimatedCost: Counter;
}

/** Beside the queue's length, so that a chart can show how much of the limit is used. */
export interface StartSettings {
  enabled: boolean;
  /** Purchases that may be started a minute, over all workers. */
  perMinute: number;
}

export function createWorkerMetrics(registry: Registry, starts: StartSettings): WorkerMetrics {
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> =>
    new Gauge({ name: `proscenium_${name}`, help, labelNames, registers });
  gauge('staging_enabled', '1 while new purchases are switched on by configuration').set(
    starts.enabled ? 1 : 0,
  );
  gauge('staging_start_limit', 'Purchases that may be started a minute over all workers').set(
    starts.perMinute,
  );
  return {
    quarantinedJobs: gauge('quarantined_jobs', 'Jobs quarantined until a person releases them', ['kind']),
    jobSilence: gauge(
      'longest_job_silence_seconds',
      'Longest time since a job of the status gave a sign: its submission while it is PENDING, else its heartbeat',
      ['kind', 'status'],
    ),
    deletions: gauge('deletions', 'Objects in the deletion outbox that are not deleted yet', ['state']),
    searchDocumentsOwed: gauge(
      'search_documents_owed',
      'Search documents that must be rebuilt or removed, counted up to 100000',
    ),
    startsPaused: gauge('staging_starts_paused', '1 while a person has paused the start of new purchases'),
    queueEntries: gauge('queue_entries', 'Entries of a queue', ['queue', 'state']),
    pendingMigrations: gauge('pending_migrations', 'Migrations that this build knows and the database lacks'),
    alertsEvaluatedAt: gauge(
      'alerts_evaluated_timestamp_seconds',
      'When this worker last asked the rows whether an alert holds',
    ),
    estimatedCost: new Counter({
      name: 'proscenium_estimated_cost_usd_total',
      help: 'Estimated price of staged pictures bought, in US dollars; for people to look at, never for decisions',
      registers,
    }),
  };
}
