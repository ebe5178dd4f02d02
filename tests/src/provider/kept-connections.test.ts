import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createProviderHttp, type ProviderHttp } from '../../../src/provider/http.ts';
import { createPredictionCalls, type PredictionCalls } from '../../../src/provider/prediction-calls.ts';
import { eventually } from '../../support/eventually.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const PREDICTION = JSON.stringify({ id: 'p1', status: 'starting' });
const create = { model: 'owner/name', body: {}, subject: {}, mayBuy: () => true };
const { signal } = new AbortController();

/** A provider that keeps connections open, and knows on which one each call came. */
let server: Server;
let used: Socket[];
let http: ProviderHttp;
let calls: PredictionCalls;
beforeEach(async () => {
  used = [];
  server = createServer((request, response) => {
    used.push(request.socket);
    response.writeHead(request.method === 'POST' ? 201 : 200).end(PREDICTION);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  http = createProviderHttp({ baseUrl: `http://127.0.0.1:${port}`, apiToken: 'r8_token' });
  calls = createPredictionCalls({ http, reporter: createRecordingReporter() });
});
afterEach(async () => {
  await http.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('reads share kept connections; each create has one of its own', async () => {
  const found = { kind: 'found', prediction: expect.objectContaining({ predictionId: 'p1' }) };
  for (let read = 0; read < 9; read += 1) expect(await calls.get('p1', signal)).toEqual(found);
  // One may not be free again when the next read begins.
  const kept = new Set(used).size;
  expect(kept).toBeLessThanOrEqual(2);
  for (let made = 0; made < 3; made += 1)
    expect(await calls.create(create)).toMatchObject({ kind: 'created' });
  expect(new Set(used).size).toBe(kept + 3);
});

test('after the provider has closed the kept connection, a read makes another', async () => {
  await calls.get('p1', signal);
  const [kept] = used;
  kept?.end();
  await eventually(() => kept?.destroyed, { what: 'the end of the connection' });
  expect(await calls.get('p1', signal)).toMatchObject({ kind: 'found' });
  expect(new Set(used).size).toBe(2);
});
