import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoleProcess } from '../../../../ops/dev/stack/role-process.ts';
import { changeSettings, releaseHeld } from '../../../../ops/simulator/control-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { logged, opsUrlOf } from '../../../support/platform/outcomes.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../../support/platform/staging-world.ts';
import { expectBoughtOnce, JOBS, orderLoad } from './load.ts';

/** A worker whose machine's clock is an hour ahead, next to one with the right time: nothing is bought twice. */
const AHEAD = {
  ...STEADY,
  TEST_CLOCK_AHEAD_MS: '3600000',
  NODE_OPTIONS: `--import ${new URL('shifted-clock.ts', import.meta.url).href}`,
};

/** A logical Redis database for this file alone, because documents have no prefix per file. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/4';
let world: StagingWorld;
beforeAll(async () => {
  world = await openStagingWorld({ webs: 1, workers: 0, kvUrl: kvUrl.href });
}, 60_000);
afterAll(() => world.close());

const purchasesBy = (worker: RoleProcess) =>
  logged(world.platform, worker).filter(({ eventType, event }) =>
    [eventType, event].some((one) => String(one).toUpperCase().includes('PREDICTION_CREATED')),
  );
const readinessOf = async (worker: RoleProcess) => {
  const { statusCode, body } = await request(`${await opsUrlOf(world.platform, worker)}/readyz`);
  return { statusCode, text: await body.text() };
};

test('a worker that starts an hour ahead is not ready and buys nothing; the other one does the work', async () => {
  const ahead = await world.platform.startWorker(AHEAD);
  await ahead.ready;
  expect(await readinessOf(ahead)).toMatchObject({
    statusCode: 503,
    text: expect.stringContaining('CLOCK_SKEWED'),
  });
  await orderLoad(world);
  const right = await world.platform.startWorker(STEADY);
  await right.ready;
  await expectBoughtOnce(world);
  expect(purchasesBy(right).length).toBeGreaterThanOrEqual(JOBS);
  expect(purchasesBy(ahead)).toEqual([]);
  await world.platform.reset();
}, 120_000);

test('a clock that jumps an hour while jobs are held costs no second purchase, and holds up no job', async () => {
  const jumping = await world.platform.startWorker({ ...AHEAD, TEST_CLOCK_JUMPS: 'yes' });
  await changeSettings(world.platform.provider.baseUrl, { hold: true });
  await orderLoad(world);
  await eventually(
    async () => {
      const [row] = await world.platform.rows<{ running: number }>(
        `select count(*)::int as running from ai_provider_attempts where status = 'RUNNING'`,
      );
      return (row?.running ?? 0) >= 3;
    },
    { what: 'purchases under way' },
  );
  process.kill(jumping.pid, 'SIGUSR2');
  await eventually(async () => (await readinessOf(jumping)).statusCode === 503, {
    what: 'a worker that knows',
  });
  process.kill(jumping.pid, 'SIGKILL');
  await jumping.exited;
  const right = await world.platform.startWorker(STEADY);
  await right.ready;
  await releaseHeld(world.platform.provider.baseUrl);
  await expectBoughtOnce(world, { loads: 2 });
}, 120_000);
