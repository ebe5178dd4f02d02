import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionCalls, type PredictionCalls } from '../../../src/provider/prediction-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** A provider that answers when the test says so. */
let server: Server;
let waiting: ServerResponse[];
let http: ProviderHttp;
let calls: PredictionCalls;
const create = { model: 'owner/name', body: {}, subject: {}, mayBuy: () => true };
const heard = (count: number) => eventually(() => waiting.length === count, { what: `${count} calls` });

beforeEach(async () => {
  waiting = [];
  server = createServer((_, response) => waiting.push(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  http = createProviderHttp({ baseUrl: `http://127.0.0.1:${port}`, apiToken: 'r8_token' });
  calls = createPredictionCalls({ http, reporter: createRecordingReporter() });
});
afterEach(async () => {
  vi.useRealTimers();
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('closing the provider client', () => {
  test('lets a create in flight wait for its answer, and aborts calls that only read', async () => {
    const bought = calls.create(create);
    await heard(1);
    const read = calls.get('p1', new AbortController().signal);
    await heard(2);
    await http.close();
    expect(await read).toEqual({ kind: 'unavailable', throttledMs: null });
    waiting[0]?.writeHead(201).end(JSON.stringify({ id: 'p1', status: 'starting' }));
    expect(await bought).toMatchObject({ kind: 'created', prediction: { predictionId: 'p1' } });
  });

  test('rejects a new create, which counts as never sent', async () => {
    await http.close();
    expect(await calls.create(create)).toMatchObject({ kind: 'refused', errorCode: 'PROVIDER_UNREACHABLE' });
    expect(waiting).toEqual([]);
  });
});

describe('a create that may not be sent any more when it could be written', () => {
  test.each([
    ['while the library is loaded', async () => {}],
    ['while the connection is made', async () => void (await calls.create(create))],
  ])('is not sent: %s', async (_, prepare) => {
    server.on('request', (_, answer) =>
      answer.writeHead(201).end(JSON.stringify({ id: 'p1', status: 'starting' })),
    );
    await prepare();
    const sent = waiting.length;
    let mayBuy = true;
    const bought = calls.create({ ...create, mayBuy: () => mayBuy });
    mayBuy = false;
    expect(await bought).toEqual({ kind: 'withheld' });
    expect(waiting).toHaveLength(sent);
    // The next one goes its own way.
    expect(await calls.create(create)).toMatchObject({ kind: 'created' });
  });
});

describe('a create without an answer', () => {
  /** A call that fails after the given time on the clock of the process. */
  const failingAfter = (ms: number) =>
    createPredictionCalls({
      reporter: createRecordingReporter(),
      http: {
        ...http,
        call: async () => {
          vi.advanceTimersByTime(ms);
          throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
        },
      },
    });

  test('counts as lost by the network when its timeout has passed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect(await failingAfter(60_100).create(create)).toEqual({ kind: 'unknown', cause: 'transport' });
  });

  test('counts as lost by our own process when the process was suspended long past the timeout', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    expect(await failingAfter(90_000).create(create)).toEqual({ kind: 'unknown', cause: 'restart' });
  });

  test('counts as lost by the network when the connection broke', async () => {
    const bought = calls.create(create);
    await heard(1);
    waiting[0]?.destroy();
    expect(await bought).toEqual({ kind: 'unknown', cause: 'transport' });
  });
});
