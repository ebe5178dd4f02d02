import { expect, test } from 'vitest';
import { createDatabaseClock, readDatabaseTime } from '../../../persistence/database/database-clock.ts';
import { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const database = useStoreDatabase();
const HOUR = 3_600_000;
const DATABASE = Date.UTC(2026, 0, 15, 12);

/** A process whose machine's clock is ahead by `aheadMs`. `learn` sets how long a result takes, each way. */
function openProcess(aheadMs: number) {
  const world = { ran: 5_000, database: DATABASE, machine: DATABASE + aheadMs };
  const pass = (ms: number) => {
    world.ran += ms;
    world.database += ms;
    world.machine += ms;
  };
  const clock = createDatabaseClock({ monotonic: () => world.ran, machine: () => world.machine });
  /** The database reads its clock between the two halves of the way. */
  const ask = async (there: number, back: number) => {
    pass(there);
    const answer = { now: world.database };
    pass(back);
    return answer;
  };
  return { world, clock, pass, learn: (there = 1, back = 1) => clock.learn(() => ask(there, back)) };
}

test('goes by the database, not by the machine, and is never ahead', async () => {
  const { world, clock, pass, learn } = openProcess(HOUR);
  await learn(10, 30);
  expect(clock.now()).toBe(world.database - 30);
  world.machine -= 2 * HOUR;
  pass(60_000);
  expect(clock.now()).toBe(world.database - 30);
});

test('a slow answer does not spoil what is known, a quick one refines it', async () => {
  const { world, clock, learn } = openProcess(0);
  await learn(1, 40);
  await learn(500, 500);
  expect(clock.now()).toBe(world.database - 40);
  await learn(5, 5);
  expect(clock.now()).toBe(world.database - 5);
});

test('an answer that took more than two seconds teaches nothing', async () => {
  const { world, clock, learn } = openProcess(HOUR);
  await learn(1_500, 1_500);
  expect(clock.isKnown()).toBe(false);
  await learn(5, 5);
  world.database += HOUR;
  await learn(1_500, 1_500);
  expect(clock.now()).toBe(world.database - HOUR - 5);
});

test('follows a database whose clock was set', async () => {
  const { world, clock, learn } = openProcess(0);
  await learn();
  world.database -= HOUR;
  await learn();
  expect(clock.now()).toBe(world.database - 1);
  world.database += 2 * HOUR;
  await learn();
  expect(clock.now()).toBe(world.database - 1);
});

test('a machine whose clock is off by more than two seconds is skewed, in either direction', async () => {
  const { world, clock, learn } = openProcess(1_900);
  await learn();
  expect(clock.isSkewed()).toBe(false);
  world.machine += 200;
  expect(clock.isSkewed()).toBe(true);
  world.machine -= 4_000;
  expect(clock.isSkewed()).toBe(false);
  world.machine -= 400;
  expect(clock.isSkewed()).toBe(true);
  expect(clock.skewMs()).toBeLessThan(-2_000);
});

test('a slow result does not make a machine skewed', async () => {
  const { clock, learn } = openProcess(1_500);
  await learn(0, 1_900);
  expect(clock.isSkewed()).toBe(false);
});

test('a lease of a worker an hour ahead is taken over as early as any, and that worker takes no living one', async () => {
  const { pool, store } = database;
  const { jobId } = await seedStagingJob(pool);
  const keeper = async (owner: string, aheadMs: number) => {
    const clock = createDatabaseClock({
      monotonic: () => performance.now(),
      machine: () => Date.now() + aheadMs,
    });
    await clock.learn(() => readDatabaseTime(pool));
    const time = createManualTime();
    const timings = { ttlMs: 15_000, heartbeatMs: 5_000 };
    return new LeaseKeeper({
      store,
      clock,
      timers: time,
      reporter: createRecordingReporter(),
      owner,
      timings,
    });
  };
  const [right, ahead] = [await keeper('right', 0), await keeper('ahead', HOUR)];
  expect(await right.take(jobId)).not.toBeNull();
  expect(await ahead.take(jobId)).toBeNull();
  await right.giveBack(jobId, { epoch: 1, isOver: false });
  expect(await ahead.take(jobId)).not.toBeNull();
  const { rows } = await pool.query<{ left: number }>(
    `select extract(epoch from "leaseExpiresAt" - clock_timestamp())::float8 as left from ai_jobs where id = $1`,
    [jobId],
  );
  expect(rows[0]?.left).toBeLessThanOrEqual(15);
  expect(rows[0]?.left).toBeGreaterThan(5);
});
