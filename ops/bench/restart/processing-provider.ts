import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveTurns } from '../peers/serve-turns.ts';

/**
 * A provider whose predictions never finish: it answers the GET of any prediction and counts the ids. The simulator
 * cannot be used here, since it keeps its ledger on disk and knows only predictions that were created there.
 */
const PREDICTION = /^\/v1\/predictions\/([\w.-]+)$/;

let asked = new Set<string>();
let wanted = { count: Number.POSITIVE_INFINITY, reached: (_at: number) => {} };

const server = createServer((request, response) => {
  const id = PREDICTION.exec(request.url ?? '')?.[1];
  response.writeHead(id ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    id ? `{"id":"${id}","status":"processing","output":null,"error":null}` : '{"detail":"not found"}',
  );
  if (!id) return;
  asked.add(id);
  if (asked.size >= wanted.count) wanted.reached(Date.now());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

serveTurns(
  {
    port: async () => (server.address() as AddressInfo).port,
    async forget() {
      asked = new Set();
    },
    asked: async () => asked.size,
    /** Milliseconds since 1970 when so many different predictions had been asked for. */
    until: (count: number) =>
      new Promise<number>((reached) => {
        wanted = { count, reached };
        if (asked.size >= count) reached(Date.now());
      }),
  },
  async () => {
    server.closeAllConnections();
    server.close();
  },
);
