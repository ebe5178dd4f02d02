import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { useApiHost } from '../../support/http/api-host.ts';
import { openAlerts, sweepOnce } from '../../support/worlds/alert-world.ts';
import { setClock } from '../../support/worlds/tour-visits.ts';
import { NAMED_POINTS, WEB_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';

/**
 * The process whose turn makes alerts is killed with SIGKILL at a commit, before it and after it. The next turn continues:
 * each person gets each home in one alert.
 */
const TEST_MS = 60_000;
const DAY = 86_400_000;
const clock = setClock();
const START = clock.at;
const host = useApiHost({ overrides: clock.overrides });
let gate: PostgresGate;
beforeAll(async () => {
  gate = await openPostgresGate(host.config.databaseUrl);
});
afterAll(() => gate.close());
beforeEach(async () => {
  clock.at = START;
  await host.rows('delete from saved_searches');
  await sweepOnce(host.pool, { at: clock.at });
});

const PROGRAM = fileURLToPath(new URL('./alert-sweep.ts', import.meta.url));
const sweepInProcess = (at: number) =>
  spawn(process.execPath, [PROGRAM, '--database', gate.url, '--at', String(at)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const STEPS = [
  { step: 'matches events', words: 'INSERT INTO search_matches', cadence: 'INSTANT', waits: 0 },
  { step: 'makes an alert of matches', words: 'INSERT INTO alerts', cadence: 'INSTANT', waits: 300_000 },
  { step: 'runs the search of a day', words: 'INSERT INTO alerts', cadence: 'DAILY', waits: DAY },
] as const;

describe.each(WEB_POINTS)('a turn that is killed %s', (point) => {
  test.each(STEPS)(
    `while it $step (${NAMED_POINTS[point].meaning}): each home is in one alert`,
    async ({ words, cadence, waits }) => {
      const buyer = await host.signedIn({ role: 'customer' });
      const city = `Town ${randomUUID().slice(0, 8)}`;
      const placeId = `city:us:wa:${city.toLowerCase().replace(' ', '-')}`;
      const search = { filters: { placeId }, name: 'Town', cadence, channels: ['MAIL'] };
      expect((await buyer.mutate('searches.save', search)).status).toBe(200);
      const home = { city, country: 'US', stateOrProvince: 'WA', standardStatus: 'Active' };
      const homes = [await seedProperty(host.pool, home), await seedProperty(host.pool, home)];
      if (waits > 0) await sweepOnce(host.pool, { at: clock.at });
      clock.at += waits;
      const doomed = sweepInProcess(clock.at);
      const exited = once(doomed, 'exit');
      await gate.cutAt(point, words, () => void doomed.kill('SIGKILL'));
      expect(await exited).toEqual([null, 'SIGKILL']);
      const alerts = await openAlerts(host, clock);
      try {
        await alerts.after(300_000);
        await alerts.after(300_000);
        const [mail, ...more] = alerts.mailsTo(buyer);
        expect(more).toEqual([]);
        for (const propertyId of homes) expect(mail?.text).toContain(propertyId);
      } finally {
        await alerts.close();
      }
    },
    TEST_MS,
  );
});
