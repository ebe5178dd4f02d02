import { get } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { Hono } from 'hono';
import { afterEach, expect, test } from 'vitest';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createOpsServer, type OpsEnv, type OpsServer } from '../../../src/telemetry/ops-server.ts';
import { type Check, createReadiness } from '../../../src/telemetry/readiness.ts';

const running: OpsServer[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.stop()));
});

async function serve(checks: Record<string, Check>, pages?: Hono<OpsEnv>) {
  const metrics = createMetrics({ role: 'web' });
  const logger = createLogger({ role: 'web', level: 'silent' });
  const server = createOpsServer({
    host: '127.0.0.1',
    port: 0,
    metrics: metrics.registry,
    readiness: createReadiness(checks),
    logger,
    crashReports: NO_CRASH_REPORTS,
    pages,
  });
  const port = await server.start();
  running.push(server);
  return { metrics, server, port, base: `http://127.0.0.1:${port}`, logger };
}

test('/metrics has the Prometheus format, with our names and the process metrics', async () => {
  const { metrics, base } = await serve({});
  metrics.httpRequests.inc({ method: 'GET', route: '/x', status: '200' });
  metrics.httpRequestDuration.observe({ method: 'GET', route: '/x' }, 0.02);
  metrics.stagingJobs.set({ status: 'PENDING' }, 3);
  metrics.stagingTransitions.inc({ actor: 'stagingJob', event: 'CANCEL_ASKED' });
  metrics.providerRequests.inc({ operation: 'create', outcome: 'accepted' });
  metrics.queueNudges.inc({ queue: 'ai-staging', outcome: 'sent' });
  metrics.dispatcherRepairs.inc({ queue: 'ai-staging' });
  metrics.webhookRejections.inc({ reason: 'signature' });
  metrics.alertActive.set({ alert: 'pending_over_five_minutes' }, 1);
  const response = await fetch(`${base}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await response.text();
  expect(text).toContain('proscenium_http_requests_total{method="GET",route="/x",status="200",role="web"} 1');
  expect(text).toContain('proscenium_staging_jobs{status="PENDING",role="web"} 3');
  for (const name of [
    'proscenium_http_request_duration_seconds_bucket',
    'proscenium_staging_transitions_total',
    'proscenium_provider_requests_total',
    'proscenium_queue_nudges_total',
    'proscenium_dispatcher_repairs_total',
    'proscenium_webhook_refusals_total',
    'proscenium_alert_active',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_seconds',
  ]) {
    expect(text).toContain(`${name}{`);
  }
});

test('/healthz is 200 while /readyz is 503 with each check; /readyz is 200 again when all checks pass', async () => {
  let up = false;
  const database: Check = async () => {
    if (!up) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    return undefined;
  };
  const { base } = await serve({ database, kv: async () => undefined });
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  const down = await fetch(`${base}/readyz`);
  expect(down.status).toBe(503);
  expect(await down.json()).toEqual({
    ready: false,
    checks: { database: { ok: false, code: 'ECONNREFUSED' }, kv: { ok: true } },
  });
  up = true;
  const ready = await fetch(`${base}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({ ready: true });
});

test('unknown paths are 404 JSON, other methods 405 JSON, a failing page 500 JSON', async () => {
  const broken = new Hono<OpsEnv>().get('/broken', () => {
    throw new Error('page');
  });
  const { base } = await serve({}, broken);
  const unknown = await fetch(`${base}/nothing`);
  expect([unknown.status, await unknown.json()]).toEqual([404, { error: { code: 'NOT_FOUND' } }]);
  const posted = await fetch(`${base}/healthz`, { method: 'POST' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  const failed = await fetch(`${base}/broken`);
  expect([failed.status, await failed.json()]).toEqual([500, { error: { code: 'INTERNAL_ERROR' } }]);
  expect((await fetch(`${base}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

test('a request with an invalid Host header is answered like an unknown path', async () => {
  const { base } = await serve({});
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      const sent = get(`${base}${path}`, { headers: { host: 'a b' }, agent: false }, (answer) => {
        answer.resume();
        resolve([answer.statusCode, answer.headers['content-type']]);
      });
      sent.on('error', reject);
    });
  expect(await statusOf('/nothing')).toEqual([404, 'application/json']);
  expect(await statusOf('/healthz')).toEqual([404, 'application/json']);
});

test('a probe over HTTP/1.0, which sends no Host header, is answered', async () => {
  const { port } = await serve({});
  const socket = connect(port, '127.0.0.1').end('GET /healthz HTTP/1.0\r\n\r\n');
  expect(await readText(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("a role's pages get their path and the paths below it, not similar ones", async () => {
  const pages = new Hono<OpsEnv>().all('/queues/*', (c) => c.text(c.env.incoming.url ?? ''));
  const { base } = await serve({}, pages);
  expect(await (await fetch(`${base}/queues`)).text()).toBe('/queues');
  expect(await (await fetch(`${base}/queues/ai?x=1`)).text()).toBe('/queues/ai?x=1');
  expect((await fetch(`${base}/queues-other`)).status).toBe(404);
});

test('a port in use rejects the start, and stop may be called twice', async () => {
  const { port, server, metrics, logger } = await serve({});
  const second = createOpsServer({
    host: '127.0.0.1',
    port,
    metrics: metrics.registry,
    readiness: createReadiness({}),
    logger,
    crashReports: NO_CRASH_REPORTS,
  });
  await expect(second.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await second.stop();
  await server.stop();
  await server.stop();
  await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow();
});
