import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_THROTTLE_WAIT_MS } from '../../../machines/limits.ts';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionCalls, type PredictionCalls } from '../../../src/provider/prediction-calls.ts';
import { createPredictionLister } from '../../../src/provider/prediction-lister.ts';
import type { PredictionLister } from '../../../supervisors/ports.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** Defects that fuzzing found in the handling of the provider's answers. */
interface Answering {
  port: number;
  heard: string[];
  answer: { status: number; body: unknown; headers?: Record<string, string> };
  server: Server;
}
let provider: Answering;
let elsewhere: Answering;
let http: ProviderHttp;
let calls: PredictionCalls;
let lister: PredictionLister;
const { signal } = new AbortController();

async function answering(): Promise<Answering> {
  const server = createServer((request, response) => {
    self.heard.push(`${request.url} ${request.headers.authorization}`);
    const { status, body, headers } = self.answer;
    response.writeHead(status, { connection: 'close', ...headers }).end(JSON.stringify(body));
  });
  const self: Answering = { server, port: 0, heard: [], answer: { status: 200, body: {} } };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  self.port = (server.address() as AddressInfo).port;
  return self;
}

beforeEach(async () => {
  [provider, elsewhere] = [await answering(), await answering()];
  http = createProviderHttp({ baseUrl: `http://127.0.0.1:${provider.port}`, apiToken: 'r8_token' });
  calls = createPredictionCalls({ http, reporter: createRecordingReporter() });
  lister = createPredictionLister({ http, reporter: createRecordingReporter() });
});
afterEach(async () => {
  await http.close();
  for (const { server } of [provider, elsewhere]) await new Promise((resolve) => server.close(resolve));
});

test('a next page whose path begins with two slashes does not send the token to another host', async () => {
  const next = `http://127.0.0.1:${provider.port}//127.0.0.1:${elsewhere.port}/v1/predictions`;
  provider.answer.body = { next, results: [] };
  const list = lister.list({ createdAfter: 0, createdBefore: Date.now(), signal });
  expect(await list).toEqual({ predictions: [], complete: false });
  expect(elsewhere.heard).toEqual([]);
});

test.each(['a\0b', '\ud800', '..', '.', 'two words', ''])(
  'an id that cannot be stored or used in a request is no prediction: %j',
  async (id) => {
    provider.answer = { status: 201, body: { id, status: 'starting' } };
    const create = { model: 'owner/name', body: {}, subject: {}, mayBuy: () => true };
    expect(await calls.create(create)).toEqual({ kind: 'unknown', cause: 'transport' });
    provider.answer.status = 200;
    expect(await calls.get('p1', signal)).toEqual({ kind: 'unavailable', throttledMs: null });
  },
);

test.each([
  [{ headers: { 'retry-after': '99999999999' } }, {}],
  [{ headers: { 'retry-after': '1e308' } }, {}],
  [{}, { retry_after: 1e300 }],
  [{}, { detail: 'try again in ~999999999s' }],
])('an unbounded wait is cut to the longest one: %j %j', async (more, body) => {
  provider.answer = { status: 429, body, ...more };
  const create = { model: 'owner/name', body: {}, subject: {}, mayBuy: () => true };
  const throttled = { kind: 'refused', errorCode: 'PROVIDER_THROTTLED', retryAfterMs: MAX_THROTTLE_WAIT_MS };
  expect(await calls.create(create)).toEqual(throttled);
  expect(await calls.get('p1', signal)).toEqual({ kind: 'unavailable', throttledMs: MAX_THROTTLE_WAIT_MS });
});
