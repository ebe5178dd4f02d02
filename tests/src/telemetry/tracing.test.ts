import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault, changeSettings, clearFaults, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { onWeb } from '../../support/platform/agent.ts';
import { type HttpGate, openHttpGate } from '../../support/platform/gates.ts';
import { LeakSearch } from '../../support/platform/leak-search.ts';
import { attemptReaches, jobReaches, submit } from '../../support/platform/listing.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type Collector, openCollector, type SeenSpan } from './collector.ts';

/**
 * The platform with a collector. A staged picture is one trace: from the request, through the queue and the workers
 * that crashed, to the transaction that stored the picture.
 */
const HEADER_SECRET = 'planted-collector-key';
const CRASH_REPORTS = 'https://planteddsnkey@127.0.0.1:9/1';
let collector: Collector;
let world: StagingWorld;
let worker: RoleProcess;
let provider: HttpGate | null = null;
const sentToProvider: IncomingHttpHeaders[] = [];

beforeAll(async () => {
  collector = await openCollector();
  world = await openStagingWorld({
    workers: 0,
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${HEADER_SECRET}`,
    },
  });
  provider = await openHttpGate(world.platform.provider.baseUrl, {
    before(_method, _path, headers) {
      sentToProvider.push(headers);
      return 'pass';
    },
  });
  worker = await startWorker();
}, 60_000);
afterEach(() => world.calm());
afterAll(async () => {
  await world.close();
  await provider?.close();
  await collector.close();
});

const startWorker = (variables: Record<string, string> = {}) =>
  world.platform.startWorker({ PROVIDER_BASE_URL: provider?.url ?? '', ...variables });

/** Every span of the job's trace, after its first span and the run that ended it have arrived. */
async function traceOf(jobId: string): Promise<SeenSpan[]> {
  const end = await collector.seen('the end', (span) => jobOf(span) === jobId && ends(span));
  return eventually(
    () => {
      const spans = collector.ofTrace(end.traceId);
      const isRun = ({ name, attributes }: SeenSpan) =>
        /^run /.test(name) && attributes['proscenium.job.id'] === jobId;
      return spans.some(isRun) && spans.some(({ parentSpanId }) => parentSpanId === null) && spans;
    },
    { what: 'the whole trace' },
  );
}
const jobOf = ({ attributes, events }: SeenSpan) =>
  attributes['proscenium.job.id'] ??
  events.find(({ name }) => name === 'completed')?.attributes['proscenium.job.id'];
const ends = ({ events }: SeenSpan) => events.some(({ name }) => name === 'completed');
const named = (spans: readonly SeenSpan[], name: string): SeenSpan => {
  const [found] = spans.filter((span) => span.name === name);
  if (!found) throw new Error(`no ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};
const runOf = (spans: readonly SeenSpan[], epoch: number) =>
  spans.find(
    ({ name, attributes }) => name === 'run stagingJob' && attributes['proscenium.lease.epoch'] === epoch,
  );
const rowsOf = (jobId: string) =>
  world.platform.rows<{ leaseEpoch: number; traceparent: string }>(
    'select "leaseEpoch", traceparent from ai_job_traces where "aiJobId" = $1 order by 1',
    [jobId],
  );

/** Submits a room through another web process with its own settings. */
async function submitOn(variables: Record<string, string>): Promise<{ aiJobId: string }> {
  const { platform, agent } = world;
  const web = await platform.startWeb(variables);
  await web.ready;
  return submit(onWeb(platform, agent, platform.urls.length - 1), await world.newOriginal());
}

async function finishedJob(): Promise<string> {
  const { aiJobId } = await world.newJob();
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  return aiJobId;
}

describe('a staged picture', () => {
  test('is one trace from the request to the result', async () => {
    const spans = await traceOf(await finishedJob());
    const request = named(spans, 'POST ai.submitRoomStaging');
    expect(request.parentSpanId).toBeNull();
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/trpc/*',
      'http.response.status_code': 200,
      'rpc.method': 'ai.submitRoomStaging',
    });
    expect(named(spans, 'submit staging job')).toMatchObject({
      service: 'proscenium-web',
      parentSpanId: request.spanId,
    });
    const submission = named(spans, 'submit staging job').spanId;
    expect(named(spans, 'queue wait').parentSpanId).toBe(submission);
    const run = named(spans, 'run stagingJob');
    expect(run).toMatchObject({
      service: 'proscenium-worker',
      parentSpanId: submission,
      links: [],
      isError: false,
    });
    expect(named(spans, 'deliver WORKER_STARTED').parentSpanId).toBe(run.spanId);
    const send = named(spans, 'sendPrediction');
    expect(named(spans, 'provider create')).toMatchObject({
      parentSpanId: send.spanId,
      attributes: { 'http.request.method': 'POST', 'http.response.status_code': 201 },
    });
    expect(named(spans, 'provider get').attributes['http.response.status_code']).toBe(200);
    const collect = named(spans, 'collectOutput').spanId;
    expect(named(spans, 'provider download')).toMatchObject({
      parentSpanId: collect,
      attributes: { 'proscenium.outcome': 'bytes' },
    });
    expect(named(spans, 'object store put').parentSpanId).toBe(collect);
    expect(named(spans, 'deliver OUTPUT_STORED')).toMatchObject({
      attributes: {
        'proscenium.actor.kind': 'providerAttempt',
        'proscenium.outcome': 'applied',
        'proscenium.state': 'SUCCEEDED',
      },
    });
  });

  test('has no span in its trace with a missing parent', async () => {
    const [begun] = await traceOf(await finishedJob());
    const spans = await eventually(
      () => {
        const arrived = collector.ofTrace(begun?.traceId ?? '');
        const known = new Set(arrived.map(({ spanId }) => spanId));
        const lost = arrived.filter(({ parentSpanId }) => parentSpanId !== null && !known.has(parentSpanId));
        if (lost.length > 0) throw new Error(lost.map(({ name }) => name).join());
        return arrived;
      },
      { what: 'the parents of all spans' },
    );
    expect(spans.filter(({ parentSpanId }) => parentSpanId === null)).toHaveLength(1);
  });

  test('has the callback in its trace, linked to the HTTP request of the callback, which is a separate trace', async () => {
    const jobId = await finishedJob();
    const callback = await collector.seen(
      'the callback',
      (span) => span.name === 'provider callback' && jobOf(span) === jobId,
    );
    const submitted = named(await traceOf(jobId), 'submit staging job');
    expect(callback).toMatchObject({ traceId: submitted.traceId, parentSpanId: submitted.spanId });
    const [link] = callback.links;
    const brought = await collector.seen('the request', ({ spanId }) => spanId === link?.spanId);
    expect(brought).toMatchObject({
      name: 'POST /api/webhooks/provider/staging/:providerAttemptId',
      parentSpanId: null,
      traceId: link?.traceId,
    });
    expect(brought.traceId).not.toBe(callback.traceId);
  });

  test('keeps its trace when the queue loses the job', async () => {
    await world.queue.pause();
    const { aiJobId } = await world.newJob();
    await world.queue.obliterate({ force: true });
    await world.queue.resume();
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    expect(named(await traceOf(aiJobId), 'run stagingJob').attributes['proscenium.job.id']).toBe(aiJobId);
  });

  test('two rooms of one request share its trace, each with its own submission span', async () => {
    const assignments = [await world.newOriginal(), await world.newOriginal()].map((originalImageId) => ({
      originalImageId,
      roomType: 'BEDROOM',
      style: 'MODERN',
    }));
    const answer = await world.agent.mutate('ai.submitRoomStaging', { assignments });
    const jobIds = (answer.data.results as { aiJobId: string }[]).map(({ aiJobId }) => aiJobId);
    for (const jobId of jobIds) await jobReaches(world.platform, jobId, 'SUCCESS');
    const [one = [], other = []] = [await traceOf(jobIds[0] ?? ''), await traceOf(jobIds[1] ?? '')];
    const spans = [...one, ...other].filter(({ name }) => name === 'submit staging job');
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(new Set(spans.map(jobOf))).toEqual(new Set(jobIds));
  });
});

test('a description is one trace too', async () => {
  const asked = await world.agent.mutate('ai.requestDescription', {
    propertyId: world.propertyId,
    locale: 'en',
  });
  const { aiJobId } = asked.data as { aiJobId: string };
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  const spans = await traceOf(aiJobId);
  const submission = named(spans, 'submit description job');
  expect(submission.parentSpanId).toBe(named(spans, 'POST ai.requestDescription').spanId);
  expect(named(spans, 'run descriptionJob').parentSpanId).toBe(submission.spanId);
  expect(named(spans, 'deliver PREDICTION_SUCCEEDED').attributes).toMatchObject({
    'proscenium.actor.kind': 'providerAttempt',
    'proscenium.outcome': 'applied',
  });
});

test('after a worker is killed the next run is in the same trace and linked to the killed one', async () => {
  await changeSettings(world.platform.provider.baseUrl, { hold: true });
  const { aiJobId } = await world.newJob();
  await attemptReaches(world.platform, aiJobId, 'RUNNING');
  const [submission, first] = await eventually(
    async () => {
      const rows = await rowsOf(aiJobId);
      return rows.length === 2 && rows;
    },
    { what: 'the trace of the first run' },
  );
  const [, traceId = '', firstSpan] = first?.traceparent.split('-') ?? [];
  await collector.seen('the purchase', (span) => span.traceId === traceId && span.name === 'provider create');
  await worker.stop('SIGKILL');
  worker = await startWorker();
  await releaseHeld(world.platform.provider.baseUrl);
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  const spans = await traceOf(aiJobId);
  const second = runOf(spans, 2);
  expect(second).toMatchObject({
    traceId,
    parentSpanId: submission?.traceparent.split('-')[2],
    links: [{ traceId, spanId: firstSpan }],
  });
  expect(runOf(spans, 1)).toBeUndefined();
  const put = named(spans, 'object store put');
  expect(spans.find(({ spanId }) => spanId === put.parentSpanId)?.parentSpanId).toBe(second?.spanId);
});

test('a job submitted without tracing starts its trace in the worker, and keeps it', async () => {
  await changeSettings(world.platform.provider.baseUrl, { hold: true });
  const { aiJobId } = await submitOn({ OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  await attemptReaches(world.platform, aiJobId, 'RUNNING');
  const [begun] = await eventually(
    async () => {
      const rows = await rowsOf(aiJobId);
      return rows.length > 0 && rows;
    },
    { what: 'the trace of the first run' },
  );
  expect(begun?.leaseEpoch).toBe(1);
  await worker.stop();
  worker = await startWorker();
  await releaseHeld(world.platform.provider.baseUrl);
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  const [, traceId = '', parent] = begun?.traceparent.split('-') ?? [];
  const next = await eventually(() => runOf(collector.ofTrace(traceId), 2), { what: 'the second run' });
  expect(next).toMatchObject({ parentSpanId: parent, links: [{ traceId, spanId: parent }] });
});

describe('unauthenticated clients', () => {
  test('cannot choose a trace: their trace headers are ignored', async () => {
    const theirs = 'a'.repeat(32);
    const answer = await request(`${world.platform.urls[0]}/api/trpc/ai.getStagingCatalog`, {
      headers: { traceparent: `00-${theirs}-${'b'.repeat(16)}-01`, tracestate: 'x=1' },
    });
    await answer.body.dump();
    const span = await collector.seen('the request', ({ name }) => name === 'GET ai.getStagingCatalog');
    expect(span.parentSpanId).toBeNull();
    expect(collector.ofTrace(theirs)).toEqual([]);
  });

  test('get no trace header', () => {
    expect(sentToProvider.length).toBeGreaterThan(5);
    const names = new Set(sentToProvider.flatMap((headers) => Object.keys(headers)));
    expect([...names].filter((name) => /trace|baggage|b3|sentry/.test(name))).toEqual([]);
  });

  test('cannot put names of their own into a trace', async () => {
    await world.agent.mutate('planted.name', null);
    await world.agent.request('GET', '/api/trpc/constructor');
    const unknown = await collector.seen('the unknown', ({ name }) => name === 'POST /api/trpc/*');
    expect(unknown).toMatchObject({ isError: false, attributes: { 'http.response.status_code': 404 } });
    expect(unknown.attributes).not.toHaveProperty('rpc.method');
  });
});

test('with crash reporting on, traces are the same and contain only our spans', async () => {
  await worker.stop();
  const before = collector.received.length;
  worker = await startWorker({ SENTRY_DSN: CRASH_REPORTS });
  const { aiJobId } = await submitOn({ SENTRY_DSN: CRASH_REPORTS });
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  expect(named(await traceOf(aiJobId), 'run stagingJob').isError).toBe(false);
  expect(new Set(collector.spans.map(({ scope }) => scope))).toEqual(new Set(['proscenium']));
  const headers = collector.received.slice(before).flatMap((one) => Object.keys(one.headers));
  expect(headers.filter((name) => /trace|baggage/.test(name))).toEqual([]);
  expect(world.platform.lines.filter((line) => /sentry/i.test(line))).toEqual([]);
});

test('no span contains a secret, an address, a prompt or personal data', async () => {
  const { platform, agent } = world;
  await addFault(platform.provider.baseUrl, { fault: 'accept-then-reset' });
  const jobId = await finishedJob();
  await clearFaults(platform.provider.baseUrl);
  await agent.query('users.getMe', { planted: agent.email });
  await agent.request('GET', `/api/images/${encodeURIComponent(agent.email)}?token=planted-query-value`);
  await agent.request('POST', '/api/auth/email-otp/send-verification-otp', {
    body: JSON.stringify({ email: agent.email, type: 'sign-in' }),
  });
  await collector.seen('the sign-in', ({ name }) => name.startsWith('POST /api/auth'));
  await traceOf(jobId);

  const [details] = await platform.rows<{ prompt: string }>(
    'select prompt from ai_room_staging_jobs where "aiJobId" = $1',
    [jobId],
  );
  const search = new LeakSearch();
  search.add('collector key', HEADER_SECRET);
  search.add('provider token', platform.provider.token);
  search.add('webhook secret', platform.provider.webhookSecret);
  search.add('e-mail', agent.email);
  search.addWord('mail domain', '@example.org');
  search.add('session', agent.cookie.split('=')[1]?.slice(0, 40) ?? '');
  search.add('prompt', details?.prompt.slice(0, 40) ?? '');
  search.add('query', 'planted-query-value');
  search.add('DSN', new URL(CRASH_REPORTS).username);
  search.addWord('signed address', 'x-amz-');
  search.addWord('address', '://');
  search.addWord('object key', 'staged/');
  expect(
    search.in(
      'traces',
      collector.received.map(({ body }) => body),
    ),
  ).toEqual([]);
  expect(collector.received.every(({ headers }) => headers.authorization === `Bearer ${HEADER_SECRET}`)).toBe(
    true,
  );
  expect(
    search.in(
      'logs',
      platform.lines.filter((line) => line.includes(HEADER_SECRET)),
    ),
  ).toEqual([]);
  const failed = collector.spans.filter(({ name, isError }) => name === 'provider create' && isError);
  expect(failed[0]?.events[0]).toMatchObject({
    name: 'exception',
    attributes: { 'exception.type': expect.any(String) },
  });
});
