import { randomBytes, randomUUID } from 'node:crypto';
import type { Attack } from '../attack.ts';
import { head, rawConnection, sendToAll, tick } from './sending.ts';

const UNSIGNED = 1_000;
const BODY_BYTES = 1024 * 1024;

/** Callbacks with a current timestamp and a wrong signature, whose bodies never end. */
export const unsignedCallbacks: Attack = {
  prepare: async () => [Buffer.alloc(BODY_BYTES - 1, ' ')],
  async run({ origin, prepared, signal, note }) {
    const sockets = Array.from({ length: UNSIGNED }, () => rawConnection(origin, note));
    for (const socket of sockets)
      socket.write(
        head(`POST /api/webhooks/provider/staging/${randomUUID()}`, {
          'content-type': 'application/json',
          'content-length': BODY_BYTES,
          'webhook-id': randomUUID(),
          'webhook-timestamp': Math.floor(Date.now() / 1_000),
          'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
        }),
      );
    await sendToAll(sockets, prepared[0] ?? Buffer.alloc(0), signal);
  },
};

const SLOW = 2_000;
const DRIP_MS = 500;

/** Heads that are sent byte by byte. */
export const slowConnections: Attack = {
  async run({ origin, signal, note }) {
    const sockets = Array.from({ length: SLOW }, () => rawConnection(origin, note));
    for (const socket of sockets)
      socket.write('GET /api/trpc/search.list HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
    while (!signal.aborted) {
      await tick(DRIP_MS);
      for (const socket of sockets) if (socket.writable) socket.write('x');
    }
  },
};

const SMUGGLED = 'GET /api/smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n';
const CHUNKED = head('POST /api/trpc/search.list', {
  'content-type': 'application/json',
  'transfer-encoding': 'chunked',
});
/**
 * Bodies that two parsers could read differently; each may get one answer at most, and ends its connection.
 */
const AMBIGUOUS = [
  `0\r\nX:${SMUGGLED}`,
  `2\r\n{}\n0\n\n${SMUGGLED}`,
  `2\r\n{}XX0\r\n\r\n${SMUGGLED}`,
  `0x2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`,
];
const SMUGGLE_MS = 50;

export const smuggling: Attack = {
  async run({ origin, signal, note }) {
    for (let number = 0; !signal.aborted; number += 1) {
      const socket = rawConnection(origin, note);
      socket.write(CHUNKED + AMBIGUOUS[number % AMBIGUOUS.length]);
      setTimeout(() => socket.end(), 1_000);
      await tick(SMUGGLE_MS);
    }
  },
};
