import { stat } from 'node:fs/promises';
import type { Pool } from 'pg';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { type Backlog, readBacklog } from '../../persistence/console/backlog.ts';
import { mostBytesInHour } from '../../persistence/feeds/feed-requests.ts';
import { waitingPictures } from '../../persistence/feeds/picture-downloads.ts';
import { pendingMigrations } from '../../persistence/migrations/pending.ts';
import { readWebhookBacklog } from '../../persistence/webhooks/sending.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { ObservedQueues } from '../queues/observed-queues.ts';
import { JOB_KINDS } from '../telemetry/alerts.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Reads every few seconds how much is waiting in rows and queues, and exports it as gauges. Every worker reads the
 * same numbers, so rules and charts must take the maximum over workers, not the sum. It decides nothing, and a
 * failure here must not stop the worker: a gauge that could not be read keeps its last value.
 */
type GaugeParts = Pick<WorkerParts, 'clock' | 'reporter' | 'timers' | 'workerMetrics'> & {
  config: Pick<WorkerConfig, 'driftComparison' | 'lastBackupFile'>;
  database: { pool: Pool };
  metrics: Pick<Metrics, 'stagingJobs' | 'descriptionJobs'>;
  observedQueues: Pick<ObservedQueues, 'depths'>;
  timings: { gaugesMs: number };
};

export function createBacklogGauges(parts: GaugeParts): Sweeper {
  const { config, clock, reporter, workerMetrics, observedQueues } = parts;
  const { pool } = parts.database;
  if (config.lastBackupFile === null) workerMetrics.lastBackup.remove();
  const readings = {
    'the rows': async () => showBacklog(parts, await readBacklog(pool, clock.now())),
    'the webhooks': async () => {
      const { turnSeconds, operatorsOff } = await readWebhookBacklog(pool, clock.now());
      workerMetrics.webhookTurnWait.set(turnSeconds);
      workerMetrics.operatorWebhooksOff.set(operatorsOff);
    },
    'the bytes of feeds': async () => workerMetrics.feedBytes.set(await mostBytesInHour(pool)),
    'the pictures of feeds': async () => workerMetrics.feedPicturesWaiting.set(await waitingPictures(pool)),
    'the migrations': async () => workerMetrics.pendingMigrations.set((await pendingMigrations(pool)).length),
    'the last backup': async () => {
      if (config.lastBackupFile === null) return;
      const written = await stat(config.lastBackupFile).catch(() => null);
      workerMetrics.lastBackup.set((written?.mtimeMs ?? 0) / 1_000);
    },
    'the queues': async () => {
      for (const { queue, state, entries } of await observedQueues.depths())
        workerMetrics.queueEntries.set({ queue, state }, entries);
    },
  };
  return createSweeper({
    ...parts,
    name: 'backlog-gauges',
    intervalMs: parts.timings.gaugesMs,
    async sweep() {
      for (const [what, read] of Object.entries(readings))
        await read().catch((error) => {
          reporter.count('sweep_failures');
          reporter.problem(`gauges: ${what} could not be read`, error);
        });
    },
  });
}

/** Every series is set each time, also to zero: a missing series would look like one that was never measured. */
function showBacklog({ config, metrics, workerMetrics }: GaugeParts, backlog: Backlog): void {
  for (const { type, name: kind } of JOB_KINDS) {
    const ofKind = backlog.jobs.filter((jobs) => jobs.type === type);
    const byStatus = type === 'ROOM_STAGING' ? metrics.stagingJobs : metrics.descriptionJobs;
    for (const status of ACTIVE_JOB_STATUSES) {
      const jobs = ofKind.find((one) => one.status === status);
      byStatus.set({ status }, jobs?.jobs ?? 0);
      workerMetrics.jobSilence.set({ kind, status }, jobs?.silentSeconds ?? 0);
    }
    const quarantined = ofKind.reduce((sum, jobs) => sum + jobs.quarantined, 0);
    workerMetrics.quarantinedJobs.set({ kind }, quarantined);
  }
  for (const [state, items] of Object.entries(backlog.deletions))
    workerMetrics.deletions.set({ state }, items);
  workerMetrics.searchDocumentsOwed.set(backlog.searchDocumentsOwed);
  workerMetrics.driftWaiting.set(backlog.drift.pictures);
  const isComparing = config.driftComparison === 'on';
  workerMetrics.driftLongestWait.set(isComparing ? backlog.drift.longestSeconds : 0);
  workerMetrics.photosWaiting.set(backlog.photos.photos);
  workerMetrics.photoLongestWait.set(backlog.photos.longestSeconds);
  const { paused, uncertain, checkingSeconds, hasGap } = backlog.pauseSwitch;
  workerMetrics.startsPaused.set(paused ? 1 : 0);
  workerMetrics.failoverUncertain.set(uncertain ? 1 : 0);
  workerMetrics.failoverChecking.set(checkingSeconds);
  workerMetrics.failoverGap.set(hasGap ? 1 : 0);
  workerMetrics.withdrawnByReports.set(backlog.withdrawals.pictures);
  workerMetrics.withdrawalWait.set(backlog.withdrawals.waitingSeconds);
}
