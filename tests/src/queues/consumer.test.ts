import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { expect, test } from 'vitest';
import { createConsumer, jobEntry } from '../../../src/queues/consumer.ts';
import { ENTRY_OPTIONS, STAGE_ROOM_ENTRY } from '../../../src/queues/names.ts';
import { createBlockingRedis } from '../../../src/queues/redis.ts';
import { eventually } from '../../support/eventually.ts';
import { kvUrl } from '../../support/platform/stack.ts';
import { createRecordingReporter } from '../../support/worlds/recording-ports.ts';

test('nothing follows an entry that is over, and what follows another one finds its id free', async () => {
  const redis = createBlockingRedis(kvUrl(), () => {});
  const queue = new Queue(`consumer-${randomUUID()}`, { connection: redis });
  const [over, waits] = [randomUUID(), randomUUID()];
  const followed: [string, boolean][] = [];
  const consumer = createConsumer({
    queue: queue.name,
    connect: () => createBlockingRedis(kvUrl(), () => {}),
    payload: jobEntry,
    handle: async ({ aiJobId }) => (aiJobId === over ? 'over' : null),
    settled: async ({ aiJobId }) => {
      followed.push([aiJobId, (await queue.getJob(aiJobId)) === undefined]);
    },
    reporter: createRecordingReporter(),
    worker: { concurrency: 1 },
  });
  await consumer.start();
  for (const aiJobId of [over, waits])
    await queue.add(STAGE_ROOM_ENTRY, { aiJobId }, { ...ENTRY_OPTIONS, jobId: aiJobId });
  await eventually(() => followed.length > 0 && followed.at(-1)?.[0] === waits, { what: 'the second entry' });
  expect(followed).toEqual([[waits, true]]);
  await consumer.stop(AbortSignal.timeout(1_000));
  await queue.close();
  redis.disconnect();
});
