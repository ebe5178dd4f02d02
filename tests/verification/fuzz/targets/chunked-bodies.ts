import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { isParserPage } from '../answers.ts';
import { defineTarget } from '../target.ts';
import { type ChunkedRequest, chunkedRequests } from '../values/chunked-bodies.ts';
import type { HostWorld } from '../worlds/host-world.ts';

const NEXT = 'GET /api/trpc/search.getFilterCatalog HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const ANSWERS = /^HTTP\/1\.1 (\d{3}) /gm;

/** Bodies in chunks, right and wrong, with another request behind them: one 411 or a closed connection, and no more. */
export const chunkedBodies = defineTarget<HostWorld, ChunkedRequest>({
  name: 'chunked-bodies',
  about: 'bodies in chunks: sizes, line ends, extensions, trailers, and what stands behind them',
  runs: 150,
  mustSee: ['refused', 'closed'],
  input: () => chunkedRequests(NEXT),
  async feed({ packets }, world) {
    const transcript = await untilClosed(Number(new URL(world.host.url).port), packets);
    if (transcript === '') return 'closed';
    const statuses = [...transcript.matchAll(ANSWERS)].map(([, status]) => status);
    const said = transcript.slice(transcript.indexOf('\r\n\r\n') + 4);
    if (statuses.length === 1 && isParserPage(said)) return 'closed';
    expect(statuses, transcript).toEqual(['411']);
    expect(JSON.stringify(JSON.parse(said))).toContain('LENGTH_REQUIRED');
    expect(transcript).toMatch(/^connection: close\r$/im);
    return 'refused';
  },
});

/** All that comes back until the server closes. Ours stays open, so that only the server ends it. */
function untilClosed(port: number, packets: readonly Buffer[]): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = '';
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
    });
    // A reset is one of the ways in which a server closes.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    void (async () => {
      for (const packet of packets) {
        if (socket.writable) socket.write(packet);
        await setImmediate();
      }
    })();
  });
}
