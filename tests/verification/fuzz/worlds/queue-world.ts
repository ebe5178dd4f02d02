import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { createAiConsumer } from '../../../../src/queues/ai-consumer.ts';
import { createConsumer, drainEntry, jobEntry, searchEntry } from '../../../../src/queues/consumer.ts';
import { createBlockingRedis } from '../../../../src/queues/redis.ts';
import { createStageRoomBridge } from '../../../../src/queues/stage-room-bridge.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { systemChance, systemClock, systemTimers } from '../../../../src/time.ts';
import type { Service } from '../../../../supervisors/supervision/service.ts';
import { seedOriginal } from '../../../support/database/seed.ts';
import { openStoreDatabase, type StoreDatabase } from '../../../support/database/store-database.ts';
import { kvUrl } from '../../../support/platform/stack.ts';
import {
  createRecordingQueue,
  createRecordingReporter,
  type RecordingQueue,
  type RecordingReporter,
} from '../../../support/worlds/recording-ports.ts';

/** One queue with the consumer that the worker puts on it. */
export interface ConsumedQueue {
  readonly queue: Queue;
  /** The entries that its handler got. */
  readonly handled: unknown[];
}
export const QUEUE_NAMES = ['staging', 'search', 'storage', 'ai'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/** The worker's consumers on queues of their own in the real store, over a real database. */
export interface QueueWorld {
  readonly queues: Readonly<Record<QueueName, ConsumedQueue>>;
  readonly redis: Redis;
  readonly database: StoreDatabase;
  readonly staging: RecordingQueue;
  readonly reporter: RecordingReporter;
  readonly lines: string[];
  /** Originals that old messages may name. */
  readonly imageIds: readonly string[];
  close(): Promise<void>;
}

export async function openQueueWorld(): Promise<QueueWorld> {
  const database = await openStoreDatabase();
  const originals = await Promise.all([1, 2, 3].map(() => seedOriginal(database.pool, { roomType: null })));
  const redis = createBlockingRedis(kvUrl(), () => {});
  const [reporter, staging, lines] = [createRecordingReporter(), createRecordingQueue(), [] as string[]];
  const services: Service[] = [];
  const common = { connect: () => createBlockingRedis(kvUrl(), () => {}), reporter, timers: systemTimers };
  const consumed = (make: (queue: string, handled: unknown[]) => Service): ConsumedQueue => {
    const [queue, handled] = [new Queue(`fuzz-${randomUUID()}`, { connection: redis }), [] as unknown[]];
    services.push(make(queue.name, handled));
    return { queue, handled };
  };
  const plain = (payload: typeof jobEntry | typeof searchEntry | typeof drainEntry) =>
    consumed((queue, handled) =>
      createConsumer<unknown>({
        ...common,
        queue,
        payload,
        worker: { concurrency: 2 },
        handle: async (given) => {
          handled.push(given);
          return null;
        },
      }),
    );
  const bridge = createStageRoomBridge({
    pool: database.pool,
    queue: staging,
    clock: systemClock,
    chance: systemChance,
    logger: createLogger({
      role: 'worker',
      level: 'debug',
      destination: { write: (line) => void lines.push(line) },
    }),
    providerInputs: {
      model: 'openai/gpt-image-2',
      quality: 'high',
      framing: 'fixed',
      aspectRatio: '3:2',
      outputFormat: 'webp',
      outputCompression: 80,
    },
  });
  const queues = {
    staging: plain(jobEntry),
    search: plain(searchEntry),
    storage: plain(drainEntry),
    ai: consumed((queue, handled) =>
      createAiConsumer({
        ...common,
        queue,
        bridge,
        clock: systemClock,
        concurrency: 2,
        describe: async (aiJobId) => void handled.push({ aiJobId }),
      }),
    ),
  };
  for (const service of services) await service.start();
  return {
    queues,
    redis,
    database,
    staging,
    reporter,
    lines,
    imageIds: originals.map(({ imageId }) => imageId),
    async close() {
      for (const service of services) await service.stop(AbortSignal.timeout(1_000));
      for (const { queue } of Object.values(queues)) {
        await queue.obliterate({ force: true });
        await queue.close();
      }
      redis.disconnect();
      await database.close();
    },
  };
}
