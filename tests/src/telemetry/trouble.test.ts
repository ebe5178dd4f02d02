import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFault } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { metricOf, opsUrlOf } from '../../support/platform/outcomes.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type PrometheusServer, startPrometheus } from './prometheus-server.ts';
import { promtoolMissing } from './promtool.ts';

/**
 * Real failures in real processes: the series of a rule must show the failure, and, if Prometheus is available, the
 * rule's expression must hold. The waiting time of each rule is checked by its unit tests.
 */
let world: StagingWorld;
let workerUrl: string;
let webUrl: string;
let prometheus: PrometheusServer | null = null;

beforeAll(async () => {
  world = await openStagingWorld({
    settings: STEADY,
    leavesBreaches: 'rows are moved by hand, so that the test need not wait for minutes',
  });
  const [web, worker] = world.platform.roles;
  if (!web || !worker) throw new Error('no roles');
  webUrl = await opsUrlOf(world.platform, web);
  workerUrl = await opsUrlOf(world.platform, worker);
  if (promtoolMissing() === null)
    prometheus = await startPrometheus({
      'proscenium-web': [new URL(webUrl).host],
      'proscenium-worker': [new URL(workerUrl).host],
    });
}, 600_000);
afterAll(async () => {
  await prometheus?.stop();
  await world.close();
});

/** Waits until the series has at least this value and the alert's expression holds. */
async function expectSeen(where: {
  url: string;
  series: string;
  labels?: string;
  atLeast: number;
  alert: string;
}): Promise<void> {
  const { url, series, labels = '', atLeast, alert } = where;
  await eventually(async () => ((await metricOf(url, series, labels)) ?? 0) >= atLeast, {
    what: `${series}{${labels}} to reach ${atLeast}`,
  });
  const server = prometheus;
  if (server !== null)
    await eventually(async () => (await server.activeAlerts()).has(alert), { what: `${alert} to be active` });
}

const rows = (sql: string, values: unknown[] = []) => world.platform.rows(sql, values);

test('at the start no alert holds, and Prometheus confirms it', async ({ skip }) => {
  skip(prometheus === null, 'Prometheus is not there');
  await eventually(async () => (await metricOf(workerUrl, 'proscenium_staging_enabled')) === 1, {
    what: 'the worker to show its gauges',
  });
  // The gauge is missing until the worker's first sweep.
  await eventually(async () => (await prometheus?.activeAlerts())?.size === 0, {
    what: 'no alert to be active',
  });
});

describe('the provider', () => {
  test.for([
    ['unauthorized', '401', 'ProsceniumProviderUnauthorized'],
    ['billing', '402', 'ProsceniumProviderBilling'],
  ] as const)('rejects calls with %s', async ([fault, outcome, alert]) => {
    await addFault(world.platform.provider.baseUrl, { fault, times: 1 });
    const { aiJobId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'FAILED');
    const series = 'proscenium_provider_requests_total';
    await expectSeen({ url: workerUrl, series, labels: `outcome="${outcome}"`, atLeast: 1, alert });
    const raised = `alert="provider_${fault}"`;
    await expectSeen({
      url: workerUrl,
      series: 'proscenium_alerts_total',
      labels: raised,
      atLeast: 1,
      alert,
    });
  });

  test('sends callbacks with a wrong signature', async () => {
    for (let times = 0; times < 3; times += 1) {
      const path = `/api/webhooks/provider/staging/${randomUUID()}`;
      const answer = await fetch(`${world.platform.urls[0]}${path}`, {
        method: 'POST',
        body: '{}',
        headers: {
          'webhook-id': `msg_${randomUUID()}`,
          'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
          'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
        },
      });
      expect(answer.status).toBe(401);
    }
    await expectSeen({
      url: webUrl,
      series: 'proscenium_webhook_refusals_total',
      labels: 'reason="bad-signature"',
      atLeast: 3,
      alert: 'ProsceniumWebhooksRefused',
    });
  });
});

describe('a job without a lease', () => {
  /** A job between its attempts, quarantined as a worker does it, without a heartbeat for `minutes`. */
  async function quarantinedRetry(minutes: number): Promise<string> {
    await addFault(world.platform.provider.baseUrl, { fault: 'failed', times: 1 });
    const { aiJobId } = await world.newJob();
    await jobReaches(world.platform, aiJobId, 'RETRYING');
    await eventually(
      async () => {
        const [held] = await rows('select 1 from ai_jobs where id = $1 and "leaseOwner" is not null', [
          aiJobId,
        ]);
        return held === undefined;
      },
      { what: 'the worker to let go of the job' },
    );
    await rows(
      `update ai_jobs set "quarantinedAt" = now(), "quarantineError" = 'test',
         "heartbeatAt" = now() - make_interval(mins => $2) where id = $1`,
      [aiJobId, minutes],
    );
    return aiJobId;
  }

  test('that is quarantined is shown as stale', async () => {
    await quarantinedRetry(6);
    await expectSeen({
      url: workerUrl,
      series: 'proscenium_quarantined_jobs',
      labels: 'kind="staging"',
      atLeast: 1,
      alert: 'ProsceniumJobQuarantined',
    });
    await expectSeen({
      url: workerUrl,
      series: 'proscenium_alert_active',
      labels: 'alert="staging_retry_stale"',
      atLeast: 1,
      alert: 'ProsceniumRetryHeartbeatStale',
    });
    const silence = 'kind="staging",status="RETRYING"';
    expect(await metricOf(workerUrl, 'proscenium_longest_job_silence_seconds', silence)).toBeGreaterThan(360);
  });

  test('that is under way without a heartbeat is shown as stale', async () => {
    const jobId = await quarantinedRetry(3);
    await rows(`update ai_jobs set status = 'CANCEL_REQUESTED', phase = null where id = $1`, [jobId]);
    await expectSeen({
      url: workerUrl,
      series: 'proscenium_alert_active',
      labels: 'alert="staging_heartbeat_stale"',
      atLeast: 1,
      alert: 'ProsceniumJobHeartbeatStale',
    });
  });
});

test('a queue that delivers nothing and loses its entries is noticed', async () => {
  await world.queue.pause();
  const { aiJobId } = await world.newJob();
  const entry = async () => (await world.queue.getJob(aiJobId)) !== undefined;
  await eventually(entry, { what: 'the entry of the job' });
  await world.queue.remove(aiJobId);
  await expectSeen({
    url: workerUrl,
    series: 'proscenium_dispatcher_repairs_total',
    labels: 'queue="staging"',
    atLeast: 1,
    alert: 'ProsceniumDispatcherRepairs',
  });
  expect(await metricOf(workerUrl, 'proscenium_queue_entries', 'queue="staging",state="waiting"')).toBe(1);
  await rows(`update ai_jobs set "createdAt" = now() - interval '6 minutes' where id = $1`, [aiJobId]);
  await expectSeen({
    url: workerUrl,
    series: 'proscenium_alert_active',
    labels: 'alert="staging_pending_too_long"',
    atLeast: 1,
    alert: 'ProsceniumJobPendingTooLong',
  });
  await world.queue.resume();
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  await eventually(
    async () =>
      (await metricOf(workerUrl, 'proscenium_alert_active', 'alert="staging_pending_too_long"')) === 0,
    { what: 'the alert to be over' },
  );
});

test('a database older than the build is noticed', async () => {
  const [last] = await world.platform.rows<{ name: string }>(
    'delete from mikro_orm_migrations where id = (select max(id) from mikro_orm_migrations) returning name',
  );
  await expectSeen({
    url: workerUrl,
    series: 'proscenium_pending_migrations',
    atLeast: 1,
    alert: 'ProsceniumMigrationsBehind',
  });
  await rows('insert into mikro_orm_migrations (name, executed_at) values ($1, now())', [last?.name]);
});

test('a missing worker is noticed', async ({ skip }) => {
  skip(prometheus === null, 'Prometheus is not there');
  const [, worker] = world.platform.roles;
  await worker?.stop('SIGKILL');
  await eventually(
    async () => {
      const active = (await prometheus?.activeAlerts()) ?? new Map();
      return active.has('ProsceniumProcessDown') && active.has('ProsceniumAlertsNotEvaluated');
    },
    { what: 'both alerts of a missing worker' },
  );
});

test('a deletion that the object store rejects permanently is noticed', async () => {
  const worker = await world.platform.startWorker({ S3_BUCKET: 'a-bucket-that-is-gone' });
  const url = await opsUrlOf(world.platform, worker);
  if (prometheus !== null) {
    await prometheus.stop();
    prometheus = await startPrometheus({ 'proscenium-worker': [new URL(url).host] });
  }
  await rows(
    `insert into storage_deletion_outbox (id, "objectKey", reason, "nextAttemptAt")
     values (gen_random_uuid(), $1, 'STAGED_IMAGE_DELETED', now())`,
    [`gone/${randomUUID()}.jpg`],
  );
  await expectSeen({
    url,
    series: 'proscenium_deletions',
    labels: 'state="failed"',
    atLeast: 1,
    alert: 'ProsceniumDeletionFailed',
  });
});
