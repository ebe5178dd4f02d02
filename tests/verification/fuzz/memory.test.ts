import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { WEBHOOK_SECRET } from '../../support/http/api-host.ts';
import { createBucket, sharedStack, type TestBucket } from '../../support/platform/stack.ts';
import { type StartedProgram, startProgram } from '../../support/platform/started-program.ts';
import { traffic } from './memory-traffic.ts';
import { rawExchange } from './worlds/raw-exchange.ts';

/**
 * Requests of clients leave nothing in the memory of the API host. It is measured in a process of its own, after
 * garbage collection, between windows of many requests that all differ.
 */
const HOST = fileURLToPath(new URL('./host-with-gc.ts', import.meta.url));
const [WARM_UP, REQUESTS, AT_ONCE] = [600, 700, 8];
/** A leak grows in every window; what the runtime compiles and keeps grows only in some. */
const WINDOWS = 3;
/** A label, a cache entry or a listener for each request would be more than this. */
const BYTES_PER_REQUEST = 400;
/** Freed memory is not given back at once: only a leak outside the heap grows beyond this. */
const RESIDENT_BYTES = 80 * 1024 * 1024;

let database: TestDatabase;
let bucket: TestBucket;
let host: StartedProgram;
beforeAll(async () => {
  [database, bucket] = await Promise.all([createDatabase(), createBucket()]);
  const provider = { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: WEBHOOK_SECRET };
  const environment = { ...sharedStack(), databaseUrl: database.url, s3: bucket, provider };
  const env = roleEnvironment(environment, 'web', {
    PORT: '0',
    OPS_PORT: '0',
    PUBLIC_BASE_URL: 'https://api.example.com',
    TRUSTED_PROXY_HOPS: '1',
    QUEUE_SUFFIX: `-${randomUUID()}`,
    REQUEST_LIMIT_PER_MINUTE_IP: '0',
    REQUEST_LIMIT_PER_MINUTE_SESSION: '0',
  });
  host = startProgram(['--no-warnings', '--expose-gc', HOST], { env });
});
afterAll(async () => {
  host.signal('SIGTERM');
  await host.ended();
  await bucket.remove();
  await database.drop();
});

async function send(port: number, count: number, seed: number): Promise<void> {
  const waiting = traffic(count, seed);
  const client = async () => {
    for (let request = waiting.pop(); request !== undefined; request = waiting.pop())
      await rawExchange(port, request);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
}

async function memory(measurement: number): Promise<{ live: number; rss: number }> {
  host.signal('SIGUSR2');
  const [, text = ''] = await host.untilSaid(new RegExp(`memory ${measurement} (.*)\n`));
  return JSON.parse(text);
}

/** No target: `--target` leaves it out. */
const isLeftOut = process.env.FUZZ_TARGET !== undefined;
const why = isLeftOut ? ' (skipped: one target was asked for)' : '';
test.skipIf(isLeftOut)(
  `requests of clients leave at most ${BYTES_PER_REQUEST} bytes each${why}`,
  async () => {
    const [, port] = await host.untilSaid(/listening on http:\/\/[^:]*:(\d+)/);
    await send(Number(port), WARM_UP, 1);
    const measured = [await memory(1)];
    for (let window = 1; window <= WINDOWS; window += 1) {
      await send(Number(port), REQUESTS, 1 + window);
      measured.push(await memory(1 + window));
    }
    expect(host.isRunning()).toBe(true);
    const growths = measured
      .slice(1)
      .map(({ live }, index) => (live - (measured[index]?.live ?? 0)) / REQUESTS);
    expect(Math.min(...growths), JSON.stringify(measured)).toBeLessThan(BYTES_PER_REQUEST);
    const resident = (measured.at(-1)?.rss ?? 0) - (measured[0]?.rss ?? 0);
    expect(resident, JSON.stringify(measured)).toBeLessThan(RESIDENT_BYTES);
    if (process.env.FUZZ_SECONDS !== undefined)
      process.stderr.write(
        `memory: ${growths.map(Math.round).join(', ')} bytes a request, ${resident} resident\n`,
      );
  },
);
