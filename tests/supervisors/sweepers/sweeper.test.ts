import { describe, expect, test } from 'vitest';
import { StaleActorError } from '../../../persistence/actors/actor-store.ts';
import { createSweeper, eachRow, type SweeperOptions } from '../../../supervisors/sweepers/sweeper.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { connectionLost } from '../../support/worlds/faulty-store.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

const setUp = (sweep: SweeperOptions['sweep'], options: Partial<SweeperOptions> = {}) => {
  const time = createManualTime();
  const reporter = createRecordingReporter();
  const sweeper = createSweeper({
    name: 'broom',
    intervalMs: 5_000,
    timers: time,
    reporter,
    sweep,
    ...options,
  });
  const asleep = () => eventually(() => time.sleeping().join() === '5000', { what: 'a nap', intervalMs: 2 });
  return { time, reporter, sweeper, asleep };
};

describe('a sweeper', () => {
  test('sweeps at once, and again at every interval, until it is stopped', async () => {
    let sweeps = 0;
    const { time, sweeper, asleep } = setUp(async () => {
      sweeps += 1;
    });
    await sweeper.start();
    for (let sweep = 1; sweep <= 3; sweep += 1) {
      await asleep();
      expect(sweeps).toBe(sweep);
      time.advance(5_000);
    }
    await asleep();
    await Promise.all([sweeper.stop(AbortSignal.timeout(1_000)), sweeper.stop(AbortSignal.timeout(1_000))]);
    await sweeper.done();
    expect([sweeps, time.sleeping()]).toEqual([4, []]);
  });

  const sqlState = (code: string) => Object.assign(new Error(code), { code });
  const PASSING = {
    'an outage of the database': { error: connectionLost() },
    'an outage of another neighbor': {
      error: new Error('queue away'),
      isOutage: (error: unknown) => String(error).includes('queue away'),
    },
    'a lock that was not given in time': { error: sqlState('55P03') },
    'a deadlock': { error: sqlState('40P01') },
    'a serialization failure': { error: sqlState('40001') },
    'a newer version of the row': { error: new StaleActorError('tour', 'some-id') },
  };
  for (const [what, { error, ...more }] of Object.entries(PASSING))
    test(`retries after ${what} with bounded back-off, and goes on`, async () => {
      let failures = 5;
      let swept = 0;
      const { time, reporter, sweeper } = setUp(
        async () => {
          failures -= 1;
          if (failures >= 0) throw error;
          swept += 1;
        },
        { ...more, intervalMs: 1_000 },
      );
      await sweeper.start();
      for (const pause of [1_000, 2_000, 4_000, 5_000, 5_000, 1_000]) {
        await eventually(() => time.sleeping().join() === String(pause), {
          what: `a pause of ${pause}, not ${time.sleeping()}`,
          intervalMs: 2,
        });
        if (swept === 0) time.advance(pause);
      }
      expect([swept, reporter.counts.sweep_failures, reporter.problems.length]).toEqual([1, 5, 5]);
      await sweeper.stop(AbortSignal.timeout(1_000));
      await sweeper.done();
    });

  test('any other failure of a sweep ends the sweeper with that error', async () => {
    const { reporter, sweeper } = setUp(async () => {
      throw new Error('a mistake of ours');
    });
    await sweeper.start();
    await expect(sweeper.done()).rejects.toThrow('a mistake of ours');
    expect(reporter.counts.sweep_failures).toBe(1);
    await sweeper.stop(AbortSignal.timeout(0));
  });

  test('a stop aborts the current sweep, and waits for it', async () => {
    let told = false;
    const { sweeper } = setUp(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      told = true;
    });
    await sweeper.start();
    await sweeper.stop(AbortSignal.timeout(1_000));
    expect(told).toBe(true);
  });

  test('a sweep that hangs is abandoned at the deadline', async () => {
    const { sweeper } = setUp(() => new Promise(() => {}));
    await sweeper.start();
    const deadline = new AbortController();
    const stopped = sweeper.stop(deadline.signal);
    deadline.abort();
    await stopped;
  });
});

describe('eachRow', () => {
  const IDS = ['a', 'b', 'c', 'd', 'e'];
  const pagesOf =
    (ids: string[], size = 2) =>
    async (afterId: string | null) =>
      ids.filter((id) => afterId === null || id > afterId).slice(0, size);

  test('a failing row is counted and does not stop the others', async () => {
    const reporter = createRecordingReporter();
    const seen: string[] = [];
    await eachRow(
      { reporter, signal: new AbortController().signal, what: 'broom' },
      pagesOf(IDS),
      async (id) => {
        seen.push(id);
        if (id === 'b') throw new Error('poison');
        return true;
      },
    );
    expect(seen).toEqual(IDS);
    expect(reporter.counts.sweep_failures).toBe(1);
    expect(reporter.problems).toMatchObject([{ fields: { id: 'b' } }]);
  });

  test('an outage ends the sweep and does not count against the row', async () => {
    const reporter = createRecordingReporter();
    const sweep = eachRow(
      { reporter, signal: new AbortController().signal, what: 'broom' },
      pagesOf(IDS),
      async () => {
        throw connectionLost();
      },
    );
    await expect(sweep).rejects.toThrow('terminated');
    expect(reporter.counts.sweep_failures).toBeUndefined();
  });

  test('ends when aborted, and when the handler ends it', async () => {
    const reporter = createRecordingReporter();
    const stopping = new AbortController();
    const seen: string[] = [];
    await eachRow({ reporter, signal: stopping.signal, what: 'broom' }, pagesOf(IDS), async (id) => {
      seen.push(id);
      if (id === 'c') stopping.abort();
      return true;
    });
    await eachRow(
      { reporter, signal: new AbortController().signal, what: 'broom' },
      pagesOf(IDS),
      async (id) => {
        seen.push(id);
        return id < 'b';
      },
    );
    expect(seen).toEqual(['a', 'b', 'c', 'a', 'b']);
  });
});
