import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { speakFor } from '../../i18n/translator.ts';
import { openDatabase } from '../../persistence/database/database.ts';
import { createDatabaseClock, learnFirst } from '../../persistence/database/database-clock.ts';
import { createStandbyConfirmation, openConfirmingSession } from '../../persistence/standbys/confirmation.ts';
import type { CommonConfig } from '../config/config.ts';
import { createDecoder, type Decoder } from '../images/decoding/decoder.ts';
import { createCommandRedis, settleRedis } from '../queues/redis.ts';
import { createObjectStorage } from '../storage/object-storage.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createRuntimeMetrics } from '../telemetry/runtime-metrics.ts';
import { createRuntimeReporter } from '../telemetry/runtime-reporter.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { tracedReporter, tracedStorage } from '../telemetry/tracing/traced-parts.ts';
import { createTracing } from '../telemetry/tracing/tracing.ts';
import { monotonicClock, systemClock } from '../time.ts';

/** What a process passes to its role. */
export interface RoleContext {
  logger: Logger;
  crashReports: CrashReports;
  spans?: Spans | null;
}

/** The parts that both roles use, opened once per process. */
export type RoleParts = Awaited<ReturnType<typeof openRoleParts>>;

/**
 * The database must answer. The key-value store may answer later, because it holds hints only; the role decides how
 * long to wait for it.
 */
export async function openRoleParts(
  config: CommonConfig,
  { logger, crashReports, spans = null }: RoleContext,
  { poolSize, redisPatienceMs }: { poolSize?: number; redisPatienceMs: number },
) {
  speakFor(config.site);
  const node: string = randomUUID();
  const { role } = config;
  const metrics = createMetrics({ role });
  const runtime = createRuntimeMetrics(metrics.registry);
  const database = await openDatabase({
    url: config.databaseUrl,
    poolSize,
    applicationName: `proscenium-${role}-${node}`,
    pooler: config.databasePooler,
  });
  const clock = createDatabaseClock({
    monotonic: monotonicClock.now,
    machine: systemClock.now,
    onLearned: ({ skewMs }) => metrics.clockSkew.set(skewMs() / 1_000),
  });
  const tracer = createTracing(spans, { pool: database.pool, logger });
  const reporter = tracedReporter(createRuntimeReporter({ logger, metrics, runtime, crashReports }), tracer);
  const redis = createCommandRedis(config.kvUrl, (error) => reporter.problem('key-value store', error));
  // Registered before the first await, or the event could be missed.
  redis.once('ready', () => void warnOfEviction(redis, logger));
  const confirmation =
    config.claimDurability === 'standby'
      ? createStandbyConfirmation({
          open: () =>
            openConfirmingSession({
              url: config.databaseDirectUrl ?? config.databaseUrl,
              pool: database.pool,
            }),
          now: monotonicClock.now,
          reportProblem: (error) => reporter.problem('no standby confirms what was committed', error),
        })
      : null;
  await learnFirst(clock, database.pool);
  await settleRedis(redis, redisPatienceMs);
  const storage = tracedStorage(createObjectStorage(config.s3), tracer);
  return {
    /** Identifies this process in rows, leases and the database's list of connections. */
    node,
    logger,
    crashReports,
    metrics,
    runtime,
    tracer,
    reporter,
    database,
    databaseClock: clock,
    /** Null with CLAIM_DURABILITY=local: nothing waits for a standby. */
    confirmation,
    redis,
    storage,
    /** Processes that decode pictures; `lane` is their purpose. */
    openDecoder: (lane: string, processes: number): Decoder =>
      createDecoder({
        lane,
        processes,
        memoryMb: config.imageWorkerMemoryMb,
        logger,
        onLost: (reason) => metrics.decodersLost.inc({ lane, reason }),
      }),
    /** Closes the role's own parts, then these, the database last. */
    async close(added: readonly { close(): unknown }[]): Promise<void> {
      await Promise.allSettled(added.map(async (one) => one.close()));
      await confirmation?.close();
      redis.disconnect();
      await storage.close();
      await database.close();
    },
  };
}

/** Once: entries that the store evicts are repaired, again and again, and limits that it evicts let everything pass. */
async function warnOfEviction(redis: Redis, logger: Logger): Promise<void> {
  const memory = await redis.info('memory').catch(() => '');
  const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1];
  if (policy === undefined || policy === 'noeviction') return;
  logger.warn(
    { setting: 'KV_URL', policy },
    'the key-value store evicts keys; its maxmemory-policy must be noeviction',
  );
}
