import { afterEach, expect, test } from 'vitest';
import { callForOrphans, lookAround } from '../../persistence/actors/worker-look.ts';
import { createShift } from '../../src/worker/shift.ts';
import { useStoreDatabase } from '../support/database/store-database.ts';
import { eventually } from '../support/eventually.ts';
import { createManualTime } from '../support/manual-time.ts';
import { createRecordingReporter } from '../support/worlds/recording-ports.ts';

const database = useStoreDatabase();
const CHECK_MS = 1_000;
const SWEEP_MS = 2_000;

const opened: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  for (const { stop } of opened.splice(0)) await stop();
  await database.clear();
  await database.pool.query(`delete from sweep_turns where name in ('shift', 'orphans')`);
});

/** A worker that looks around and takes the shift if it is free. */
async function openWorker(holder: string, mayHold = () => true) {
  const time = createManualTime();
  const shift = createShift({
    pool: database.pool,
    holder,
    clock: time,
    timers: time,
    reporter: createRecordingReporter(),
    mayHold,
  });
  const look = async () => shift.note(await lookAround(database.pool));
  await look();
  const service = shift.service();
  await service.start();
  const end = async () => {
    const stopping = service.stop(new AbortController().signal);
    await stopping;
  };
  opened.push({ stop: end });
  return { time, shift, look, end };
}

const takes = ({ shift }: Pick<Awaited<ReturnType<typeof openWorker>>, 'shift'>) =>
  eventually(() => shift.isOn(), { what: 'the shift' });

test('one worker has the shift; another takes it when the first has stopped', async () => {
  const first = await openWorker('a');
  await takes(first);
  const second = await openWorker('b');
  second.time.advance(CHECK_MS);
  expect((await lookAround(database.pool)).shiftIsFree).toBe(false);
  expect(second.shift.isOn()).toBe(false);
  await first.end();
  expect(first.shift.isOn()).toBe(false);
  await second.look();
  await eventually(
    () => {
      second.time.advance(CHECK_MS);
      return second.shift.isOn();
    },
    { what: 'the second on the shift' },
  );
});

test('a holder that no longer prolongs its turn loses it, and knows it when it returns', async () => {
  const first = await openWorker('a');
  await takes(first);
  await database.pool.query(
    `update sweep_turns set "heldUntil" = now() - interval '1 s' where name = 'shift'`,
  );
  const second = await openWorker('b');
  await takes(second);
  await eventually(
    () => {
      first.time.advance(SWEEP_MS);
      return !first.shift.isOn();
    },
    { what: 'the end of the first' },
  );
  expect(second.shift.isOn()).toBe(true);
});

test('a worker that may not hold the shift leaves it to another', async () => {
  let isRight = true;
  const first = await openWorker('a', () => isRight);
  await takes(first);
  isRight = false;
  first.time.advance(SWEEP_MS);
  await eventually(() => !first.shift.isOn(), { what: 'the end of the first' });
  await first.look();
  first.time.advance(CHECK_MS);
  const second = await openWorker('b');
  await takes(second);
  expect(first.shift.isOn()).toBe(false);
});

test('off the shift a sweeper waits until it is wanted, or until its spare time is over', async () => {
  const holder = await openWorker('a');
  await takes(holder);
  const { time, shift, look } = await openWorker('b');
  const timers = shift.timers({ isWanted: ({ hasOrphans }) => hasOrphans });
  let swept = 0;
  const wait = () =>
    void timers.sleep(SWEEP_MS).then(() => {
      swept += 1;
    });
  const passes = async (ms: number) => {
    for (const until = time.now() + ms; time.now() < until; ) {
      time.advance(SWEEP_MS);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  wait();
  await passes(60_000);
  expect(swept).toBe(0);
  await callForOrphans(database.pool, 'a');
  await look();
  await passes(SWEEP_MS);
  expect(swept).toBe(1);
  await database.pool.query(`update sweep_turns set "heldUntil" = now() where name = 'orphans'`);
  await look();
  wait();
  await passes(9 * 60_000);
  expect(swept).toBe(1);
  await passes(2 * 60_000);
  expect(swept).toBe(2);
});
