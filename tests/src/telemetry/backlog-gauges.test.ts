import { randomUUID } from 'node:crypto';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { readBacklog } from '../../../persistence/console/backlog.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../../src/telemetry/worker-metrics.ts';
import { createBacklogGauges } from '../../../src/worker/backlog-gauges.ts';
import {
  seedDeletion,
  seedOriginal,
  seedProperty,
  seedStagingJob,
  seedVariant,
} from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { createManualTime, MANUAL_EPOCH } from '../../support/manual-time.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

const MINUTE = 60_000;
const at = MANUAL_EPOCH + 10 * MINUTE;
const minutesBefore = (minutes: number) => new Date(at - minutes * MINUTE);

test('an idle platform has no backlog', async () => {
  await database.pool.query('update properties set "searchDirtyAt" = null');
  expect(await readBacklog(database.pool, at)).toEqual({
    jobs: [],
    deletions: { due: 0, later: 0, processing: 0, failed: 0 },
    searchDocumentsOwed: 0,
    drift: { pictures: 0, longestSeconds: 0 },
    photos: { photos: 0, longestSeconds: 0 },
    pauseSwitch: { paused: false, uncertain: false, checkingSeconds: 0, hasGap: false },
    withdrawals: { pictures: 0, waitingSeconds: 0 },
  });
});

test('jobs are counted by type and status, without final ones, and each status has its longest silence', async () => {
  const { pool } = database;
  await seedStagingJob(pool, { createdAt: at - 4 * MINUTE });
  // A heartbeat does not shorten the age of a waiting job.
  await seedStagingJob(pool, { createdAt: at - 7 * MINUTE, job: { heartbeatAt: minutesBefore(1) } });
  await seedStagingJob(pool, {
    createdAt: at - 9 * MINUTE,
    job: {
      status: 'PROCESSING',
      phase: 'ATTEMPT',
      heartbeatAt: minutesBefore(2),
      quarantinedAt: minutesBefore(1),
    },
  });
  await seedStagingJob(pool, { job: { status: 'SUCCESS', phase: null } });
  const { jobs } = await readBacklog(pool, at);
  expect(jobs.toSorted((a, b) => a.status.localeCompare(b.status))).toEqual([
    { type: 'ROOM_STAGING', status: 'PENDING', jobs: 2, quarantined: 0, silentSeconds: 420 },
    { type: 'ROOM_STAGING', status: 'PROCESSING', jobs: 1, quarantined: 1, silentSeconds: 120 },
  ]);
});

test('due deletions and waiting ones are counted separately, done ones not at all', async () => {
  const { pool } = database;
  await seedDeletion(pool, { nextAttemptAt: minutesBefore(1) });
  await seedDeletion(pool, { nextAttemptAt: new Date(at + MINUTE) });
  await seedDeletion(pool, { nextAttemptAt: new Date(at + MINUTE) });
  await seedDeletion(pool, { status: 'FAILED', errorClass: 'needs-person' });
  await seedDeletion(pool, { status: 'DELETED', processedAt: minutesBefore(1) });
  expect((await readBacklog(pool, at)).deletions).toEqual({ due: 1, later: 2, processing: 0, failed: 1 });
});

test('documents to rebuild and to remove are counted, and the pause switch is shown', async () => {
  const { pool } = database;
  await seedProperty(pool);
  await pool.query('insert into search_tombstones ("propertyId") values ($1)', [randomUUID()]);
  await pool.query(`update start_gate set status = 'PAUSED'`);
  expect(await readBacklog(pool, at)).toMatchObject({
    searchDocumentsOwed: 2,
    pauseSwitch: { paused: true },
  });
});

test('a comparison after a failover is timed, and its gap stays until it is closed', async () => {
  const { pool } = database;
  const set = (status: string) =>
    pool.query(`update start_gate set status = $1::start_gate_status, "changedAt" = $2, "gapFrom" = $2`, [
      status,
      minutesBefore(6),
    ]);
  await set('CHECKING');
  expect((await readBacklog(pool, at)).pauseSwitch).toEqual({
    paused: true,
    uncertain: false,
    checkingSeconds: 360,
    hasGap: true,
  });
  await set('UNCERTAIN');
  expect((await readBacklog(pool, at)).pauseSwitch).toMatchObject({ uncertain: true, checkingSeconds: 0 });
  await set('OPEN');
  expect((await readBacklog(pool, at)).pauseSwitch).toMatchObject({ paused: false, hasGap: true });
});

test('pictures that reports withdrew wait for an operator, others do not', async () => {
  const { pool } = database;
  for (const [minutes, by] of [
    [3, 'REPORTS'],
    [5, 'REPORTS'],
    [9, 'AGENT'],
    [9, 'OPERATOR'],
  ] as const)
    await seedVariant(pool, await seedOriginal(pool), {
      reviewStatus: 'APPROVED',
      withdrawnAt: minutesBefore(minutes),
      withdrawnBy: by,
    });
  expect((await readBacklog(pool, at)).withdrawals).toEqual({ pictures: 2, waitingSeconds: 300 });
});

test('the gauges show the backlog, are reset to zero, and continue after a database outage', async () => {
  const { pool } = database;
  const time = createManualTime(at);
  const reporter = createRecordingReporter();
  const metrics = createMetrics({ role: 'worker' });
  const workerMetrics = createWorkerMetrics(metrics.registry, { enabled: true, perMinute: 6 });
  let storeIsAway = true;
  const lastBackupFile = join(temporaryDirectory(), 'done');
  const sweeper = createBacklogGauges({
    config: { driftComparison: 'on', lastBackupFile },
    database,
    observedQueues: {
      async depths() {
        if (storeIsAway) throw new Error('Connection is closed.');
        return [{ queue: 'staging', state: 'waiting', entries: 3 }];
      },
    },
    clock: time,
    timers: time,
    reporter,
    metrics,
    workerMetrics,
    timings: { gaugesMs: 1_000 },
  });
  const { jobId } = await seedStagingJob(pool, { createdAt: at - 4 * MINUTE });
  const once = async () => {
    await expect.poll(() => time.sleeping().length).toBe(1);
    return metrics.registry.metrics();
  };
  await sweeper.start();
  const first = await once();
  expect(first).toContain('proscenium_staging_jobs{status="PENDING",role="worker"} 1');
  expect(first).toContain('proscenium_staging_jobs{status="RETRYING",role="worker"} 0');
  expect(first).toContain(
    'proscenium_longest_job_silence_seconds{kind="staging",status="PENDING",role="worker"} 240',
  );
  expect(first).toContain('proscenium_pending_migrations{role="worker"} 0');
  expect(first).toContain('proscenium_last_backup_timestamp_seconds{role="worker"} 0');
  expect(first).toContain('proscenium_staging_start_limit{role="worker"} 6');
  expect(reporter.problems.map(({ what }) => what)).toEqual(['gauges: the queues could not be read']);
  storeIsAway = false;
  await pool.query('delete from ai_jobs where id = $1', [jobId]);
  writeFileSync(lastBackupFile, '');
  utimesSync(lastBackupFile, 1_700_000_000, 1_700_000_000);
  time.advance(1_000);
  const second = await once();
  expect(second).toContain('proscenium_staging_jobs{status="PENDING",role="worker"} 0');
  expect(second).toContain('proscenium_last_backup_timestamp_seconds{role="worker"} 1700000000');
  expect(second).toContain('proscenium_queue_entries{queue="staging",state="waiting",role="worker"} 3');
  await sweeper.stop(AbortSignal.timeout(0));
});
