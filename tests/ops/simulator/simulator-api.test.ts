import { describe, expect, test } from 'vitest';
import { parseCancelAfter } from '../../../ops/simulator/create-request.ts';
import { isoWithNanos } from '../../../ops/simulator/prediction-view.ts';
import { MODEL, openSimulator, temporaryFolder } from '../../support/worlds/simulator-harness.ts';

const CREATE = `/v1/models/${MODEL}/predictions`;

describe('create', () => {
  test('answers 201 with a starting prediction in the provider’s format', async () => {
    const simulator = await openSimulator();
    const input = {
      prompt: 'a sofa',
      aspect_ratio: '3:2',
      user_id: 'u1',
      input_images: ['https://example.com/a.jpg'],
    };
    const webhook = 'https://example.com/hooks/attempt-1/';
    const { status, body } = await simulator.create(input, { webhook, webhook_events_filter: ['completed'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      model: MODEL,
      version: 'hidden',
      input,
      output: null,
      error: null,
      data_removed: false,
      status: 'starting',
      source: 'api',
      webhook,
      webhook_events_filter: ['completed'],
      urls: {
        get: `${simulator.url}/v1/predictions/${body.id}`,
        cancel: `${simulator.url}/v1/predictions/${body.id}/cancel`,
        web: expect.any(String),
      },
    });
    expect(body.id).toMatch(/^[0-9a-z]{26}$/);
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/);
    expect(body).not.toHaveProperty('started_at');
  });

  test('runs to succeeded with an output file and metrics', async () => {
    const simulator = await openSimulator();
    const { body } = await simulator.create({ output_format: 'jpeg' });
    const ended = await simulator.ended(body.id);
    expect(ended).toMatchObject({
      status: 'succeeded',
      output: [`${simulator.url}/files/${body.id}/out-0.jpeg`],
      metrics: { predict_time: expect.any(Number), total_time: expect.any(Number) },
      started_at: expect.any(String),
      completed_at: expect.any(String),
    });
    const file = await fetch(ended.output[0]);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('image/jpeg');
  });

  test('makes the requested number of files', async () => {
    const simulator = await openSimulator();
    const { body } = await simulator.create({ number_of_images: 3 });
    const { output } = await simulator.ended(body.id);
    expect(output).toHaveLength(3);
    expect((await fetch(output[2])).status).toBe(200);
  });

  test('hides the key of the caller', async () => {
    const simulator = await openSimulator();
    const { body } = await simulator.create({ openai_api_key: 'sk-secret' });
    expect(body.input.openai_api_key).toBe('[REDACTED]');
  });

  test.each([
    ['a missing prompt', { prompt: undefined }, 'prompt is required'],
    ['a ratio outside the enum', { aspect_ratio: '16:9' }, 'input.aspect_ratio must be one of the following'],
    ['jpg for jpeg', { output_format: 'jpg' }, 'input.output_format must be one of the following'],
    ['a compression above 100', { output_compression: 101 }, 'Must be less than or equal to 100'],
    ['a compression below 0', { output_compression: -1 }, 'Must be greater than or equal to 0'],
    [
      'a fraction for an integer',
      { number_of_images: 1.5 },
      'Invalid type. Expected: integer, given: number',
    ],
    ['an address that is none', { input_images: ['nowhere'] }, "Does not match format 'uri'"],
    [
      'a string for the images',
      { input_images: 'https://a.test' },
      'Invalid type. Expected: array, given: string',
    ],
    [
      'a field of another model',
      { input_fidelity: 'high' },
      'Additional property input_fidelity is not allowed',
    ],
    ['a name from the prototype', { constructor: 'x' }, 'Additional property constructor is not allowed'],
  ])('rejects %s with 422 and names the field', async (_what, input, complaint) => {
    const simulator = await openSimulator();
    const { status, body } = await simulator.create(input);
    expect(status).toBe(422);
    expect(body).toMatchObject({ title: 'Input validation failed', status: 422 });
    expect(body.detail).toContain(complaint);
    expect(body.invalid_fields[0].description).toContain(complaint);
  });

  test('rejects unknown fields in the body', async () => {
    const simulator = await openSimulator();
    const refused = async (rest: Record<string, unknown>) => (await simulator.create({}, rest)).body.detail;
    expect(await refused({ version: MODEL })).toContain('Additional property version is not allowed');
    expect(await refused({ webhook_events_filter: ['finished'] })).toContain('webhook_events_filter');
    expect(await refused({ webhook: 'http://example.com/hook' })).toContain('HTTPS');
    expect(await refused({ webhook: 'no address' })).toContain('HTTPS');
  });

  test('accepts only known models', async () => {
    const simulator = await openSimulator();
    const unknown = await simulator.call('POST', '/v1/models/openai/dall-e/predictions', {
      input: { prompt: 'x' },
    });
    expect(unknown.status).toBe(404);
    const inherited = await simulator.call('POST', '/v1/models/a/constructor/predictions', { input: {} });
    expect(inherited.status).toBe(404);
  });

  test('accepts the model in the version as well', async () => {
    const simulator = await openSimulator();
    const create = (version: unknown) =>
      simulator.call('POST', '/v1/predictions', { version, input: { prompt: 'x' } });
    expect(await create(MODEL)).toMatchObject({ status: 201, body: { model: MODEL, version: 'hidden' } });
    expect(await create(`${MODEL}:${'a'.repeat(64)}`)).toMatchObject({ status: 201 });
    expect(await create('a'.repeat(64))).toMatchObject({
      status: 422,
      body: { title: 'Invalid version or not permitted' },
    });
  });

  test('delays the answer for Prefer: wait', async () => {
    const simulator = await openSimulator();
    const create = (prefer: string) => simulator.call('POST', CREATE, { input: { prompt: 'x' } }, { prefer });
    expect(await create('wait=30')).toMatchObject({ status: 201, body: { status: 'succeeded' } });
    expect(await create('respond-async')).toMatchObject({ status: 201, body: { status: 'starting' } });
    await simulator.call('POST', '/__control/settings', { hold: true });
    const waited = await create('wait=1');
    expect(waited).toMatchObject({ status: 202, body: { status: 'processing' } });
    expect(waited.headers.get('location')).toBe(waited.body.urls.get);
  });
});

describe('Cancel-After', () => {
  test.each([
    ['30', 30_000],
    ['30s', 30_000],
    ['5m', 300_000],
    ['1h30m45s', 5_445_000],
    ['24h', 86_400_000],
  ])('%s is %i ms', (text, ms) => expect(parseCancelAfter(text)).toBe(ms));

  test.each(['', '4s', '25h', '5 minutes', '-5m', 's', '5m1h'])('"%s" is rejected', (text) => {
    expect(() => parseCancelAfter(text)).toThrow('422');
  });

  test('is shown as the deadline, and a running prediction is canceled when it passes', async () => {
    let now = Date.parse('2026-11-20T12:00:00Z');
    const dataDir = await temporaryFolder();
    const first = await openSimulator({ dataDir, clock: { now: () => now }, speed: 'realistic' });
    await first.call('POST', '/__control/faults', {
      fault: 'timing',
      options: { startMs: 0, runMs: 900_000 },
    });
    const post = () => first.call('POST', CREATE, { input: { prompt: 'x' } }, { 'cancel-after': '5m' });
    const running = (await post()).body;
    await first.call('POST', '/__control/faults', { fault: 'timing', options: { startMs: 900_000 } });
    const starting = (await post()).body;
    expect(running.deadline).toBe('2026-11-20T12:05:00.000Z');
    await expect.poll(async () => (await first.get(running.id)).status).toBe('processing');
    await first.close();
    now += 300_000;
    const second = await openSimulator({ dataDir, clock: { now: () => now } });
    expect((await second.ended(running.id)).status).toBe('canceled');
    expect((await second.ended(starting.id)).status).toBe('aborted');
  });
});

describe('authentication', () => {
  test.each(['Bearer', 'Token', 'bearer'])('accepts the scheme %s', async (scheme) => {
    const simulator = await openSimulator();
    const { status } = await simulator.call('GET', '/v1/predictions', undefined, {
      authorization: `${scheme} r8_test`,
    });
    expect(status).toBe(200);
  });

  test.each([
    ['POST', CREATE],
    ['POST', '/v1/predictions'],
    ['GET', '/v1/predictions'],
    ['GET', '/v1/predictions/x'],
    ['POST', '/v1/predictions/x/cancel'],
    ['GET', '/v1/webhooks/default/secret'],
  ])('%s %s requires the token', async (method, path) => {
    const simulator = await openSimulator();
    const body = method === 'POST' ? { input: { prompt: 'x' } } : undefined;
    const wrong = await simulator.call(method, path, body, { authorization: 'Bearer r8_tesT' });
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({
      title: 'Unauthenticated',
      detail: 'You did not pass a valid authentication token',
      status: 401,
    });
    const none = await simulator.call(method, path, body, { authorization: '' });
    expect(none.body.detail).toBe('You did not pass an authentication token');
  });

  test('without a configured token any token is accepted', async () => {
    const simulator = await openSimulator({ token: null });
    expect(
      (await simulator.call('GET', '/v1/predictions', undefined, { authorization: 'Bearer any' })).status,
    ).toBe(200);
    expect(
      (await simulator.call('GET', '/v1/predictions', undefined, { authorization: 'Bearer ' })).status,
    ).toBe(401);
  });
});

describe('get and cancel', () => {
  test('an unknown prediction is 404', async () => {
    const simulator = await openSimulator();
    expect((await simulator.call('GET', '/v1/predictions/none')).status).toBe(404);
    expect((await simulator.call('POST', '/v1/predictions/none/cancel')).status).toBe(404);
  });

  test('cancel ends a running prediction, and a second cancel changes nothing', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { hold: true });
    const { id } = (await simulator.create()).body;
    const cancel = () => simulator.call('POST', `/v1/predictions/${id}/cancel`);
    const first = await cancel();
    expect(first).toMatchObject({ status: 200, body: { status: 'canceled', output: null } });
    const second = await cancel();
    expect(second).toMatchObject({ status: 200, body: { completed_at: first.body.completed_at } });
  });

  test('cancel after success leaves the prediction succeeded', async () => {
    const simulator = await openSimulator();
    const { id } = (await simulator.create()).body;
    await simulator.ended(id);
    const { status, body } = await simulator.call('POST', `/v1/predictions/${id}/cancel`);
    expect({ status, prediction: body.status }).toEqual({ status: 200, prediction: 'succeeded' });
  });

  test('after an hour input, output and files are removed', async () => {
    let now = Date.now();
    const simulator = await openSimulator({ clock: { now: () => now } });
    const { id } = (await simulator.create({ user_id: 'u' })).body;
    const { output } = await simulator.ended(id);
    now += 3_599_000;
    expect(await simulator.get(id)).toMatchObject({ output, data_removed: false });
    now += 1_000;
    expect(await simulator.get(id)).toMatchObject({
      status: 'succeeded',
      output: null,
      input: {},
      data_removed: true,
    });
    expect((await fetch(output[0])).status).toBe(404);
  });
});

describe('list', () => {
  test('is newest first, in pages whose next and previous are absolute URLs', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { pageSize: 2 });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push((await simulator.create({ user_id: `u${index}` })).body.id);
    const page = async (url: string) => (await simulator.call('GET', url.replace(simulator.url, ''))).body;
    const idsOf = (body: { results: { id: string }[] }) => body.results.map((result) => result.id);
    const first = await page('/v1/predictions');
    expect(idsOf(first)).toEqual([ids[4], ids[3]]);
    expect(first.previous).toBeNull();
    expect(first.next).toMatch(new RegExp(`^${simulator.url}/v1/predictions\\?cursor=`));
    expect(first.results[0].input.user_id).toBe('u4');
    const second = await page(first.next);
    expect(idsOf(second)).toEqual([ids[2], ids[1]]);
    const third = await page(second.next);
    expect(idsOf(third)).toEqual([ids[0]]);
    expect(third.next).toBeNull();
    expect(idsOf(await page(third.previous))).toEqual([ids[2], ids[1]]);
  });

  test('is bounded by time, on every page', async () => {
    let now = Date.parse('2026-11-20T12:00:00.000Z');
    const simulator = await openSimulator({ clock: { now: () => now } });
    await simulator.call('POST', '/__control/settings', { pageSize: 1 });
    const ids: string[] = [];
    for (let index = 0; index < 4; index += 1) {
      ids.push((await simulator.create()).body.id);
      now += 60_000;
    }
    const query = new URLSearchParams({
      created_after: '2026-11-20T12:01:00.000000000Z',
      created_before: '2026-11-20T12:03:00Z',
    });
    const first = (await simulator.call('GET', `/v1/predictions?${query}`)).body;
    expect(first.results[0].id).toBe(ids[2]);
    const second = (await simulator.call('GET', first.next.replace(simulator.url, ''))).body;
    expect(second.results[0].id).toBe(ids[1]);
    expect(second.next).toBeNull();
  });

  test('accepts web as the only source, and rejects parameters that it cannot read', async () => {
    const simulator = await openSimulator();
    await simulator.create();
    const list = (query: string) => simulator.call('GET', `/v1/predictions?${query}`);
    expect((await list('source=web')).body.results).toEqual([]);
    expect((await list('source=api')).status).toBe(400);
    expect((await list('cursor=%%%')).status).toBe(400);
    expect((await list('created_after=yesterday')).status).toBe(400);
  });
});

describe('an invalid request', () => {
  test('is answered with JSON and the right status', async () => {
    const simulator = await openSimulator();
    const calls: [number, Promise<{ status: number; body: { detail: string } }>][] = [
      [404, simulator.call('GET', '/nowhere')],
      [405, simulator.call('DELETE', '/v1/predictions')],
      [400, simulator.call('POST', CREATE, '{"input":')],
      [400, simulator.call('POST', CREATE, '[]')],
      [415, simulator.call('POST', CREATE, '{}', { 'content-type': 'text/plain' })],
      [
        413,
        simulator.call('POST', CREATE, JSON.stringify({ input: { prompt: 'x'.repeat(33 * 1024 * 1024) } })),
      ],
      [400, simulator.call('GET', '/v1/predictions/%E0%A4%A')],
      [400, simulator.call('POST', '/__control/faults', { fault: 'unheard-of' })],
      [400, simulator.call('POST', '/__control/settings', { pageSize: 0 })],
      [404, simulator.call('POST', '/__control/predictions/none/finish', { status: 'failed' })],
    ];
    for (const [status, call] of calls) {
      const answer = await call;
      expect(answer.status).toBe(status);
      expect(answer.body.detail).toEqual(expect.any(String));
    }
    const refused = await simulator.call('PUT', '/v1/predictions/x');
    expect(refused.headers.get('allow')).toBe('GET');
  });
});

test('an instant is always written the same, with 3 to 9 digits below the second', () => {
  const text = isoWithNanos(1_790_000_000_123, 'salt');
  expect(text).toBe(isoWithNanos(1_790_000_000_123, 'salt'));
  expect(Date.parse(text)).toBe(1_790_000_000_123);
});
