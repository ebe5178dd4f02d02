import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { StackError } from './lifecycle.ts';

/**
 * Below the range for local ports of outgoing connections. A port in that range may be taken when a crashed server
 * needs it again.
 */
const LOWEST = 12_000;
const HIGHEST = 32_000;
const TRIES = 3;

/** A port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFreePort(port)) return port;
  }
}

/** Whether this port of 127.0.0.1 is free now. */
export function isFreePort(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/**
 * Starts a server on `wanted`, or on a free port; tries another one when that port has been taken meanwhile.
 * @throws the error of `start`
 */
export async function onPort<T>(
  wanted: number | undefined,
  start: (port: number) => Promise<T>,
): Promise<{ port: number; started: T }> {
  for (let attempt = 1; ; attempt++) {
    const port = wanted ?? (await freePort());
    try {
      return { port, started: await start(port) };
    } catch (error) {
      const taken = error instanceof StackError && /EADDRINUSE|address already in use/i.test(error.message);
      if (!taken || wanted !== undefined || attempt === TRIES) throw error;
    }
  }
}
