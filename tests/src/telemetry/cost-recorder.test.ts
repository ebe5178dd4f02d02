import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { createWorkerMetrics } from '../../../src/telemetry/worker-metrics.ts';
import { createCostRecorder } from '../../../src/worker/cost-recorder.ts';
import { createManualTime } from '../../support/manual-time.ts';
import { createRecordingReporter, everyTurn } from '../../support/worlds/recording-ports.ts';

/** A recorder over a database that answers each query with the next result. */
function recorder(answers: (() => { attempts: number; microusd: string })[]) {
  const time = createManualTime();
  const reporter = createRecordingReporter();
  const metrics = createMetrics({ role: 'worker' });
  const asked: unknown[][] = [];
  const sweeper = createCostRecorder({
    database: {
      pool: {
        query: async (_sql: string, values: unknown[]) => {
          asked.push(values);
          return { rows: [answers.shift()?.() ?? { attempts: 0, microusd: '0' }] };
        },
      } as never,
    },
    inTurn: everyTurn,
    config: { costMicrousd: { medium: 47_000 }, pricingVersion: '2026-08-13' },
    clock: time,
    timers: time,
    reporter,
    workerMetrics: createWorkerMetrics(metrics.registry, { enabled: true, perMinute: 6 }),
    timings: { costsMs: 1_000 },
  });
  const spent = async () =>
    /estimated_cost_usd_total\{.*\} (\S+)/.exec(await metrics.registry.metrics())?.[1];
  return { sweeper, time, reporter, asked, spent };
}

test('continues while batches are full, and counts dollars', async () => {
  const { sweeper, time, asked, spent } = recorder([
    () => ({ attempts: 500, microusd: '23500000' }),
    () => ({ attempts: 2, microusd: '94000' }),
  ]);
  await sweeper.start();
  await expect.poll(() => time.sleeping().length).toBe(1);
  expect(asked).toHaveLength(2);
  expect(asked[0]).toEqual([['medium'], [47_000], expect.any(Date), 'estimate:2026-08-13', 500]);
  expect(await spent()).toBe('23.594');
  await sweeper.stop(AbortSignal.timeout(0));
});

test('any failure is reported, retried and never thrown', async () => {
  const { sweeper, time, reporter, spent } = recorder([
    () => {
      throw new Error('column does not exist');
    },
    () => ({ attempts: 1, microusd: '47000' }),
  ]);
  await sweeper.start();
  await expect.poll(() => time.sleeping().length).toBe(1);
  expect(reporter.problems.map(({ what }) => what)).toEqual(['estimated costs could not be noted']);
  time.advance(1_000);
  await expect.poll(spent).toBe('0.047');
  await sweeper.stop(AbortSignal.timeout(0));
});
