import { describe, expect, test } from 'vitest';
import { createSweeper, eachRow, type SweeperOptions } from '../../supervisors/sweeper.ts';
import { eventually } from '../harness/eventually.ts';
import { createManualTime } from '../harness/manual-time.ts';
import { connectionLost } from './faulty-store.ts';
import { createRecordingReporter } from './recording-ports.ts';

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
    await Promise.all([sweeper.stop(1_000), sweeper.stop(1_000)]);
    await sweeper.done();
    expect([sweeps, time.sleeping()]).toEqual([4, []]);
  });

  test('a ring ends the nap, and one in the middle of a sweep makes another', async () => {
    let sweeps = 0;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { sweeper, asleep } = setUp(async () => {
      sweeps += 1;
      if (sweeps === 2) await gate;
    });
    await sweeper.start();
    await asleep();
    sweeper.ring();
    await eventually(() => sweeps === 2, { what: 'the rung sweep', intervalMs: 2 });
    sweeper.ring();
    sweeper.ring();
    open();
    await asleep();
    expect(sweeps).toBe(3);
    await sweeper.stop(0);
  });

  for (const [name, outage, isOutage] of [
    ['the database', connectionLost(), undefined],
    ['another neighbour', new Error('queue away'), (error: unknown) => String(error).includes('queue away')],
  ] as const)
    test(`waits out an outage of ${name}`, async () => {
      let away = 2;
      let swept = 0;
      const { time, reporter, sweeper, asleep } = setUp(
        async () => {
          away -= 1;
          if (away >= 0) throw outage;
          swept += 1;
        },
        isOutage ? { isOutage } : {},
      );
      await sweeper.start();
      for (let sweep = 0; sweep < 2; sweep += 1) {
        await asleep();
        time.advance(5_000);
      }
      await asleep();
      expect([swept, reporter.counts.sweep_failures, reporter.problems.length]).toEqual([1, 2, 2]);
      await sweeper.stop(0);
    });

  test('any other failure of a whole sweep ends it, for its supervisor to see', async () => {
    const { reporter, sweeper } = setUp(async () => {
      throw new Error('a mistake of ours');
    });
    await sweeper.start();
    await expect(sweeper.done()).rejects.toThrow('a mistake of ours');
    expect(reporter.counts.sweep_failures).toBe(1);
    await sweeper.stop(0);
  });

  test('a stop tells the sweep under way, and waits for it', async () => {
    let told = false;
    const { sweeper } = setUp(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      told = true;
    });
    await sweeper.start();
    await sweeper.stop(0);
    expect(told).toBe(true);
  });
});

describe('eachRow', () => {
  const IDS = ['a', 'b', 'c', 'd', 'e'];
  const pagesOf =
    (ids: string[], size = 2) =>
    async (afterId: string | null) =>
      ids.filter((id) => afterId === null || id > afterId).slice(0, size);

  test('a poison row is counted and does not stop the others', async () => {
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

  test('an outage is not the row’s fault: it ends the sweep', async () => {
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

  test('ends when told to, and when the handler has had enough', async () => {
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
