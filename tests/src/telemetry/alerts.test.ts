import { expect, test } from 'vitest';
import { RECONCILE_WINDOW_MS, SCAN_OVERDUE_MS } from '../../../machines/limits.ts';
import type { StaleJob, StaleThresholds } from '../../../persistence/actors/actor-store.ts';
import type { AwaitedPurchase } from '../../../persistence/jobs/awaited-purchases.ts';
import { createAlerts } from '../../../src/telemetry/alerts.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../../src/telemetry/worker-metrics.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const MINUTE = 60_000;

function alertsUnderTest() {
  const time = createManualTime();
  const metrics = createMetrics({ role: 'worker' });
  const lines: { alert?: string; jobs?: number; msg?: string }[] = [];
  let stale: StaleJob[] = [];
  const awaited: AwaitedPurchase[] = [];
  const asked: StaleThresholds[] = [];
  const sweeper = createAlerts({
    store: {
      async staleJobs(thresholds) {
        asked.push(thresholds);
        return stale;
      },
    },
    descriptionLeases: { staleJobs: async () => [] },
    awaited: async () => awaited,
    clock: time,
    timers: time,
    reporter: createRecordingReporter(),
    metrics,
    workerMetrics: createWorkerMetrics(metrics.registry, { enabled: true, perMinute: 6 }),
    logger: createLogger({
      role: 'worker',
      level: 'info',
      destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
    } as never),
    intervalMs: 15_000,
  });
  /** One sweep over these jobs, and the metrics after it. */
  const look = async (jobs: StaleJob[]) => {
    stale = jobs;
    if (asked.length === 0) await sweeper.start();
    else time.advance(15_000);
    await expect.poll(() => time.sleeping().length).toBe(1);
    return metrics.registry.metrics();
  };
  return { look, lines, asked, awaited, sweeper, time };
}
const job = (status: string): StaleJob => ({ jobId: `job-${status}`, status, silentMs: 10 * MINUTE });
const shown = (alert: string) => `proscenium_alert_active{alert="${alert}",role="worker"}`;

test('queries with the thresholds of the contract and shows the time of the query', async () => {
  const { look, asked, sweeper, time } = alertsUnderTest();
  const text = await look([]);
  expect(asked).toEqual([
    { at: time.now(), pendingMs: 5 * MINUTE, activeMs: 2 * MINUTE, retryingMs: 5 * MINUTE },
  ]);
  expect(text).toContain(`proscenium_alerts_evaluated_timestamp_seconds{role="worker"} ${time.now() / 1000}`);
  await sweeper.stop(AbortSignal.timeout(0));
});

test('each status has an alert gauge, which is 0 without stale jobs', async () => {
  const { look, sweeper } = alertsUnderTest();
  const none = await look([]);
  const pending = await look([job('PENDING')]);
  const silent = await look([job('CANCEL_REQUESTED'), job('RETRYING')]);
  for (const kind of ['staging', 'description'])
    for (const alert of ['pending_too_long', 'heartbeat_stale', 'retry_stale'])
      expect(none).toContain(`${shown(`${kind}_${alert}`)} 0`);
  expect(pending).toContain(`${shown('staging_pending_too_long')} 1`);
  expect(pending).toContain(`${shown('description_pending_too_long')} 0`);
  expect(silent).toContain(`${shown('staging_pending_too_long')} 0`);
  expect(silent).toContain(`${shown('staging_heartbeat_stale')} 1`);
  expect(silent).toContain(`${shown('staging_retry_stale')} 1`);
  await sweeper.stop(AbortSignal.timeout(0));
});

test('a stale job is logged when it begins and when it ends, and not in between', async () => {
  const { look, lines, sweeper } = alertsUnderTest();
  for (const jobs of [[job('PROCESSING')], [job('PROCESSING')], [], []]) await look(jobs);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'alert: staging_heartbeat_stale',
    'alert over: staging_heartbeat_stale',
  ]);
  await sweeper.stop(AbortSignal.timeout(0));
});

test('an overdue complete scan is alerted, for jobs of its own kind only', async () => {
  const { look, awaited, sweeper, time } = alertsUnderTest();
  const unconfirmedSince = time.now() - RECONCILE_WINDOW_MS - SCAN_OVERDUE_MS + 15_000;
  awaited.push({
    type: 'ROOM_STAGING',
    id: 'attempt',
    jobId: 'job',
    state: 'UNCONFIRMED',
    sentAt: unconfirmedSince,
    unconfirmedSince,
    goneSince: null,
    predictionId: null,
  });
  expect(await look([])).toContain(`${shown('staging_scan_overdue')} 0`);
  const text = await look([]);
  expect(text).toContain(`${shown('staging_scan_overdue')} 1`);
  expect(text).toContain(`${shown('description_scan_overdue')} 0`);
  await sweeper.stop(AbortSignal.timeout(0));
});
