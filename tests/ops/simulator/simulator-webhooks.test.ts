import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type LedgerEntry, ledgerOf, type WebhookEntry } from '../../../ops/simulator/control-client.ts';
import { signWebhook } from '../../../ops/simulator/webhook-signature.ts';
import { eventually } from '../../support/eventually.ts';
import {
  openSimulator,
  type Received,
  startReceiver,
  type TestSimulator,
} from '../../support/worlds/simulator-harness.ts';

const V1 = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  payload: '{"test": 2432232314}',
  expected: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

/** Standard Webhooks, written from its specification without the simulator's code: the expected headers. */
function expectedSignature(secret: string, { headers, raw }: Received): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signed = Buffer.concat([
    Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`),
    raw,
  ]);
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function webhookEntries(entries: LedgerEntry[]): WebhookEntry[] {
  return entries.filter((entry) => entry.kind === 'webhook');
}

/** Waits for this number of delivery attempts in the ledger. */
function attempts(simulator: TestSimulator, count: number): Promise<WebhookEntry[]> {
  const look = async () => {
    const seen = webhookEntries(await ledgerOf(simulator.url));
    return seen.length >= count ? seen : null;
  };
  return eventually(look, { what: `${count} delivery attempts` });
}

function create(simulator: TestSimulator, webhook: string, filter: string[] | null = ['completed']) {
  return simulator.create({}, { webhook, ...(filter && { webhook_events_filter: filter }) });
}

test('signs the published vector V1', () => {
  expect(signWebhook(V1.secret, { id: V1.id, timestamp: V1.timestamp, body: Buffer.from(V1.payload) })).toBe(
    V1.expected,
  );
  const headers = { 'webhook-id': V1.id, 'webhook-timestamp': String(V1.timestamp) };
  const received = { url: '', body: null, headers, raw: Buffer.from(V1.payload) };
  expect(expectedSignature(V1.secret, received)).toBe(V1.expected);
});

describe('a finished prediction', () => {
  test('is sent once, signed, with the same object as GET', async () => {
    const simulator = await openSimulator();
    const receiver = await startReceiver();
    const { id } = (await create(simulator, `${receiver.url}/hooks/attempt-9?x=1`)).body;
    const [received] = await receiver.count(1);
    expect(received!.url).toBe('/hooks/attempt-9?x=1');
    expect(received!.body).toEqual(await simulator.get(id));
    expect(received!.body.status).toBe('succeeded');
    const key = (await simulator.call('GET', '/v1/webhooks/default/secret')).body.key;
    expect(key).toMatch(/^whsec_/);
    expect(received!.headers['webhook-signature']).toBe(expectedSignature(key, received!));
    expect(Math.abs(Date.now() / 1000 - Number(received!.headers['webhook-timestamp']))).toBeLessThan(60);
    expect(await attempts(simulator, 1)).toMatchObject([
      { attemptId: 'attempt-9', event: 'completed', attempt: 1, httpStatus: 200, final: true },
    ]);
  });

  test.each([
    [['start'], ['processing']],
    [
      ['start', 'completed'],
      ['processing', 'succeeded'],
    ],
    [
      ['output', 'completed'],
      ['processing', 'succeeded'],
    ],
    [null, ['processing', 'succeeded']],
  ])('with the filter %j is sent in the states %j', async (filter, states) => {
    const simulator = await openSimulator();
    const receiver = await startReceiver();
    const { id } = (await create(simulator, receiver.url, filter)).body;
    await simulator.ended(id);
    await attempts(simulator, states.length);
    expect(receiver.received.map(({ body }) => body.status)).toEqual(states);
  });

  test('is not sent when the filter is empty', async () => {
    const simulator = await openSimulator();
    const receiver = await startReceiver();
    await simulator.ended((await create(simulator, receiver.url, [])).body.id);
    await create(simulator, `${receiver.url}/last`);
    await receiver.count(1);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/last']);
  });

  test('is sent as canceled after a cancel', async () => {
    const simulator = await openSimulator();
    const receiver = await startReceiver();
    await simulator.call('POST', '/__control/settings', { hold: true });
    const { id } = (await create(simulator, receiver.url)).body;
    await simulator.call('POST', `/v1/predictions/${id}/cancel`);
    const [received] = await receiver.count(1);
    expect(received!.body).toMatchObject({ id, status: 'canceled' });
  });
});

describe('retries', () => {
  test('follow 4xx, 5xx and no answer, with the same id and a new signature, until 2xx', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { webhookRetryDelaysMs: [1, 1, 1, 1] });
    const receiver = await startReceiver((attempt, res) => {
      if (attempt === 1) res.writeHead(404).end();
      else if (attempt === 2) res.writeHead(503).end();
      else if (attempt === 3) res.socket?.destroy();
      else res.writeHead(204).end();
    });
    await create(simulator, receiver.url);
    const entries = await attempts(simulator, 4);
    expect(entries.map(({ attempt, httpStatus, final }) => [attempt, httpStatus, final])).toEqual([
      [1, 404, false],
      [2, 503, false],
      [3, null, false],
      [4, 204, true],
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const received of receiver.received) {
      expect(received.headers['webhook-signature']).toBe(
        expectedSignature(simulator.webhookSecret, received),
      );
    }
  });

  test('stop after the last configured wait', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { webhookRetryDelaysMs: [1, 1] });
    const receiver = await startReceiver((_attempt, res) => void res.writeHead(500).end());
    await create(simulator, receiver.url);
    const entries = await attempts(simulator, 3);
    expect(entries.map(({ final }) => final)).toEqual([false, false, true]);
  });

  test('last about a minute by default, and each wait is double the one before', async () => {
    const simulator = await openSimulator();
    const { webhookRetryDelaysMs: waits } = (await simulator.call('GET', '/__control/settings')).body;
    expect(waits.slice(1)).toEqual(waits.slice(0, -1).map((wait: number) => wait * 2));
    const sum = waits.reduce((total: number, wait: number) => total + wait, 0);
    expect(sum).toBeGreaterThanOrEqual(45_000);
    expect(sum).toBeLessThanOrEqual(75_000);
  });

  test('do not follow a redirect: it is neither retried nor followed', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { webhookRetryDelaysMs: [1] });
    const receiver = await startReceiver(
      (_attempt, res) => void res.writeHead(302, { location: '/other' }).end(),
    );
    await create(simulator, `${receiver.url}/first`);
    expect(await attempts(simulator, 1)).toMatchObject([{ httpStatus: 302, final: true }]);
    await create(simulator, `${receiver.url}/second`);
    await receiver.count(2);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/first', '/second']);
  });

  test('are not made for the start event', async () => {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { webhookRetryDelaysMs: [1] });
    const receiver = await startReceiver((_attempt, res) => void res.writeHead(500).end());
    await create(simulator, receiver.url, ['start']);
    expect(await attempts(simulator, 1)).toMatchObject([{ event: 'start', httpStatus: 500, final: true }]);
  });
});

describe('callback faults', () => {
  async function withFault(fault: string, options: Record<string, unknown> = {}) {
    const simulator = await openSimulator();
    await simulator.call('POST', '/__control/settings', { webhookRetryDelaysMs: [] });
    await simulator.call('POST', '/__control/faults', { fault, options });
    const receiver = await startReceiver();
    const created = await create(simulator, receiver.url);
    return { simulator, receiver, created };
  }
  const isSigned = (simulator: TestSimulator, received: Received) =>
    received.headers['webhook-signature'] === expectedSignature(simulator.webhookSecret, received);
  const age = (received: Received) => Date.now() / 1000 - Number(received.headers['webhook-timestamp']);
  const ids = (received: Received[]) => received.map(({ headers }) => headers['webhook-id']);

  test('webhook-duplicated repeats one id, or sends new ids', async () => {
    const same = await withFault('webhook-duplicated', { copies: 3 });
    await attempts(same.simulator, 3);
    expect(new Set(ids(same.receiver.received)).size).toBe(1);
    const fresh = await withFault('webhook-duplicated', { newId: true });
    await attempts(fresh.simulator, 2);
    expect(new Set(ids(fresh.receiver.received)).size).toBe(2);
  });

  test('webhook-out-of-order sends an older state after the final one', async () => {
    const { simulator, receiver } = await withFault('webhook-out-of-order');
    await attempts(simulator, 2);
    expect(receiver.received.map(({ body }) => body.status)).toEqual(['succeeded', 'processing']);
    expect(receiver.received.every((received) => isSigned(simulator, received))).toBe(true);
  });

  test('webhook-before-answer delivers the final state before the POST is answered', async () => {
    const { receiver, created } = await withFault('webhook-before-answer');
    expect(created).toMatchObject({ status: 201, body: { status: 'starting' } });
    expect(receiver.received.map(({ body }) => body.status)).toEqual(['succeeded']);
  });

  test('webhook-never sends nothing', async () => {
    const { simulator, receiver, created } = await withFault('webhook-never');
    await simulator.ended(created.body.id);
    await create(simulator, `${receiver.url}/last`);
    await receiver.count(1);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/last']);
  });

  test('webhook-forged has a wrong signature', async () => {
    const { simulator, receiver } = await withFault('webhook-forged', { genuineToo: true });
    await attempts(simulator, 2);
    expect(receiver.received.map((received) => isSigned(simulator, received))).toEqual([false, true]);
  });

  test('webhook-replayed has a valid signature that is too old', async () => {
    const { simulator, receiver } = await withFault('webhook-replayed', { genuineToo: true });
    await attempts(simulator, 2);
    const [genuine, replay] = receiver.received;
    expect(isSigned(simulator, replay!)).toBe(true);
    expect(age(replay!)).toBeGreaterThan(300);
    expect(age(genuine!)).toBeLessThan(60);
    expect(ids([genuine!])).toEqual(ids([replay!]));
  });

  test('body faults apply to the callback, which is signed as sent', async () => {
    const { simulator, receiver } = await withFault('body-not-json', { on: 'webhook' });
    const [received] = await receiver.count(1);
    expect(received!.raw.toString()).toContain('<html>');
    expect(isSigned(simulator, received!)).toBe(true);
  });

  test('aborted sends a callback only when configured', async () => {
    const silent = await withFault('aborted');
    expect((await silent.simulator.ended(silent.created.body.id)).status).toBe('aborted');
    await create(silent.simulator, `${silent.receiver.url}/last`);
    await silent.receiver.count(1);
    expect(silent.receiver.received[0]!.url).toBe('/last');
    const told = await withFault('aborted', { webhook: true });
    expect((await told.receiver.count(1))[0]!.body.status).toBe('aborted');
  });
});
