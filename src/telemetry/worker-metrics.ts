import type { Registry } from 'prom-client';
import { seriesIn } from './series.ts';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** What became of a try; rules watch these series from the start. */
const DRIFT_OUTCOMES = ['compared', 'failed', 'given_up'] as const;
const FINGERPRINT_OUTCOMES = ['made', 'failed', 'given_up'] as const;
const CHECK_OUTCOMES = ['photo', 'question', 'staged', 'failed'] as const;
const PICTURE_OUTCOMES = ['taken', 'same', 'failed', 'refused'] as const;

/**
 * The worker's series: values read from rows and queues, equal in every worker, and counters of this worker.
 * @param starts shown with the queue's length, so that a chart can show how much of the limit is used
 */
export function createWorkerMetrics(registry: Registry, starts: { enabled: boolean; perMinute: number }) {
  const { counter, gauge } = seriesIn(registry);
  const isEnabled = gauge('staging_enabled', '1 while new purchases are switched on by configuration');
  isEnabled.set(starts.enabled ? 1 : 0);
  const limit = gauge('staging_start_limit', 'Purchases that may be started a minute over all workers');
  limit.set(starts.perMinute);
  const driftComparisons = counter('drift_comparisons', 'Comparisons of staged pictures with their photos', [
    'outcome',
  ]);
  for (const outcome of DRIFT_OUTCOMES) driftComparisons.inc({ outcome }, 0);
  const stagedFingerprints = counter('staged_fingerprints', 'Fingerprints of staged pictures', ['outcome']);
  for (const outcome of FINGERPRINT_OUTCOMES) stagedFingerprints.inc({ outcome }, 0);
  const photoChecks = counter('photo_checks', 'Photos looked up among staged pictures', ['outcome']);
  for (const outcome of CHECK_OUTCOMES) photoChecks.inc({ outcome }, 0);
  const feedPictures = counter('feed_pictures', 'Downloads of pictures that feeds name', ['outcome']);
  for (const outcome of PICTURE_OUTCOMES) feedPictures.inc({ outcome }, 0);
  return {
    feedPictures,
    feedPicturesWaiting: gauge(
      'feed_pictures_waiting',
      'Pictures of feeds that wait for their download, counted up to 100000',
    ),
    feedBytes: gauge(
      'feed_bytes_hour',
      'Bytes that all workers received of the feed account that sent the most in the last hour',
    ),
    stagedFingerprints,
    photoChecks,
    driftComparisons,
    driftWaiting: gauge(
      'drift_waiting',
      'Staged pictures that wait for their comparison, counted up to 100000',
    ),
    driftLongestWait: gauge(
      'drift_longest_wait_seconds',
      'Longest time that a staged picture has waited for its comparison; 0 while comparisons are switched off',
    ),
    photosWaiting: gauge(
      'photos_waiting',
      'Photos that are private until they are checked, counted up to 10000',
    ),
    photoLongestWait: gauge(
      'photo_longest_wait_seconds',
      'Longest time that a photo has been private because it is not checked',
    ),
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
    startsPaused: gauge('staging_starts_paused', '1 while the pause switch is closed: no purchase begins'),
    failoverUncertain: gauge(
      'failover_uncertain',
      '1 while starts stay closed until an operator has compared the purchases',
    ),
    failoverChecking: gauge(
      'failover_checking_seconds',
      "For how long purchases have been compared with the provider's list after the database server changed",
    ),
    failoverGap: gauge(
      'failover_gap',
      '1 until an operator has checked the decisions that a failover may have lost',
    ),
    webhookTurnWait: gauge(
      'longest_webhook_turn_wait_seconds',
      'For how long the webhook that has waited longest for its turn has waited; 0 while none does',
    ),
    operatorWebhooksOff: gauge(
      'operator_webhooks_off',
      'Webhooks of the operators that are off because of their answers',
    ),
    withdrawnByReports: gauge(
      'pictures_withdrawn_by_reports',
      'Pictures that reports withdrew and that wait until an operator decides',
    ),
    withdrawalWait: gauge(
      'longest_withdrawal_wait_seconds',
      'Longest time since the withdrawal of a picture that waits until an operator decides',
    ),
    queueEntries: gauge('queue_entries', 'Entries of a queue', ['queue', 'state']),
    pendingMigrations: gauge('pending_migrations', 'Migrations that this build knows and the database lacks'),
    alertsEvaluatedAt: gauge(
      'alerts_evaluated_timestamp_seconds',
      'When this worker last asked the rows whether an alert holds',
    ),
    lastBackup: gauge(
      'last_backup_timestamp_seconds',
      'When the file of LAST_BACKUP_FILE was written, 0 for never; absent without a file',
    ),
    estimatedCost: counter(
      'estimated_cost_usd',
      'Estimated price of staged pictures bought, in US dollars; for people to look at, never for decisions',
    ),
  };
}
