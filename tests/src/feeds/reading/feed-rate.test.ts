import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profileSchema } from '../../../../src/feeds/profiles/profile-schema.ts';
import { feedProfile } from '../../../../src/feeds/profiles/profiles.ts';
import { createFeedRate } from '../../../../src/feeds/reading/feed-rate.ts';
import { systemTimers } from '../../../../src/time.ts';
import { useStoreDatabase } from '../../../support/database/store-database.ts';
import { createRandom } from '../../../support/random.ts';

const database = useStoreDatabase();
const arrivals: number[] = [];
const source = createServer((_request, response) => {
  arrivals.push(performance.now());
  response.end('{}');
});
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(source.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => source.close(resolve)));

const profile = profileSchema.parse({
  ...feedProfile('generic'),
  rates: { second: 4, minute: 12, hour: 1_000, day: null, bytesAnHour: null, pauseMs: 60_000 },
});

/** The most arrivals in any interval of that length. */
function mostWithin(ms: number): number {
  return Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + ms).length));
}

test('six workers together stay within every window, however long a request is on its way', async () => {
  const random = createRandom(7);
  const { signal } = new AbortController();
  const worker = async () => {
    const rate = createFeedRate({
      pool: database.pool,
      timers: systemTimers,
      account: 'all',
      profile,
      signal,
    });
    for (;;) {
      const taken = await rate.take();
      if ('waitMs' in taken && taken.waitMs > 10_000) return taken.waitMs;
      if ('waitMs' in taken) continue;
      // The way to the feed takes as long as it likes.
      await systemTimers.sleep(random.between(0, 120));
      await (await fetch(url, { headers: { connection: 'close' } })).text();
      await rate.release(taken.place, 2);
    }
  };
  const waits = await Promise.all(Array.from({ length: 6 }, worker));
  expect(arrivals).toHaveLength(12);
  expect(mostWithin(1_000)).toBe(4);
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(60_000);
});
