import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionCalls } from '../../../src/provider/prediction-calls.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

/** A prediction whose picture is inside the answer, over a real socket. */
const ALLOWED_BYTES = 20 * 1024 * 1024;
let output: string;
let http: ProviderHttp;
const server = createServer((_, response) =>
  response.writeHead(200).end(JSON.stringify({ id: 'p1', status: 'succeeded', output })),
);
const { signal } = new AbortController();

beforeEach(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  http = createProviderHttp({ baseUrl: `http://127.0.0.1:${port}`, apiToken: 'r8_token' });
});
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const get = () => createPredictionCalls({ http, reporter: createRecordingReporter() }).get('p1', signal);

test('an output of the allowed 20 MiB inside the answer is read completely', async () => {
  output = `data:image/jpeg;base64,${Buffer.alloc(ALLOWED_BYTES, 7).toString('base64')}`;
  const answer = await get();
  if (answer.kind !== 'found') throw new Error(answer.kind);
  const view = answer.prediction;
  expect(view.kind === 'succeeded' && view.outputUrl === output).toBe(true);
});

test('an answer far beyond the limit is not held in memory', async () => {
  output = `data:image/jpeg;base64,${'A'.repeat(2 * ALLOWED_BYTES)}`;
  expect(await get()).toEqual({ kind: 'unavailable', throttledMs: null });
});
