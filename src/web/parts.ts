import type { Redis } from 'ioredis';
import type { Pool } from 'pg';
import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { createReceivingStore, type ReceivingStore } from '../../persistence/actors/webhook-receipts.ts';
import { type Database, openDatabase } from '../../persistence/database/database.ts';
import { createPostgresSearchIndex } from '../../persistence/search/postgres-search-index.ts';
import { createMailroom } from '../../supervisors/actors/deliver.ts';
import type { Chance, Clock, StagingQueue } from '../../supervisors/ports.ts';
import type { Services } from '../api/services.ts';
import { createAccountCodes } from '../auth/account-codes.ts';
import { type Auth, type AuthOptions, createAuth } from '../auth/auth.ts';
import { createMailer } from '../auth/mailer.ts';
import { createSessionCookies } from '../auth/session-cookie.ts';
import type { WebConfig } from '../config/config.ts';
import { createDecoder } from '../images/decoding/decoder.ts';
import { RENDITION_LANES } from '../images/renditions/renditions.ts';
import { createCallerLimits } from '../limits/caller-limits.ts';
import { createTurns } from '../limits/turns.ts';
import { createDescriptionQueue } from '../queues/description-queue.ts';
import { createNudges } from '../queues/nudges.ts';
import { createCommandRedis, settleRedis } from '../queues/redis.ts';
import { createSearchQueue, type SearchHints } from '../queues/search-queue.ts';
import { createStagingQueue } from '../queues/staging-queue.ts';
import { createRepeats } from '../repeats/repeats.ts';
import { createCardReader } from '../search/cards.ts';
import { createDocumentReader } from '../search/document-store.ts';
import { createObjectStorage } from '../storage/object-storage.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createRuntimeMetrics } from '../telemetry/runtime-metrics.ts';
import { createRuntimeReporter } from '../telemetry/runtime-reporter.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { tracedMailroom, tracedReporter, tracedStorage } from '../telemetry/tracing/traced-parts.ts';
import { createTracing } from '../telemetry/tracing/tracing.ts';
import { systemChance, systemClock, systemTimers } from '../time.ts';
import { createRequestLimits, type RequestLimits } from './request-limits.ts';

/** Everything the API host is made of, opened once per process and closed after the server has. */
export interface WebParts {
  services: Services;
  database: Database;
  redis: Redis;
  auth: Auth;
  metrics: Metrics;
  /** Null when switched off. */
  requestLimits: RequestLimits | null;
  receiptsIn: ReceivingStore['receiptsIn'];
  close(): Promise<void>;
}

export interface WebContext {
  logger: Logger;
  crashReports: CrashReports;
  spans?: Spans | null;
  node: string;
  overrides: WebOverrides;
}

/** What a test may replace; nothing of it is reachable by configuration. */
export interface WebOverrides {
  clock?: Clock;
  chance?: Chance;
  queue?: StagingQueue;
  descriptions?: StagingQueue;
  search?: SearchHints;
  identityKeys?: AuthOptions['identityKeys'];
}

/** Sign-in needs the store for its limits; everything else works without it. */
const REDIS_PATIENCE_MS = 1_000;

/** Pictures that people send and that are decoded at a time. */
const UPLOAD_DECODERS = 2;

/** Of people by address. */
const LOOKUPS = { windowSeconds: 60, max: 10 };

/** Opens the parts. The database must answer; the key-value store may come later, since it only takes hints. */
export async function openWebParts(config: WebConfig, context: WebContext): Promise<WebParts> {
  const { logger, crashReports, node, overrides } = context;
  const metrics = createMetrics({ role: 'web' });
  const runtime = createRuntimeMetrics(metrics.registry);
  const database = await openDatabase({
    url: config.databaseUrl,
    applicationName: `proscenium-web-${node}`,
  });
  const { pool } = database;
  const tracer = createTracing(context.spans ?? null, { pool, logger });
  const reporter = tracedReporter(createRuntimeReporter({ logger, metrics, runtime, crashReports }), tracer);
  const redis = createCommandRedis(config.kvUrl, (error) => reporter.problem('key-value store', error));
  await settleRedis(redis, REDIS_PATIENCE_MS);
  const hints = openHints(config, { pool, redis, metrics, logger });
  const storage = tracedStorage(createObjectStorage(config.s3), tracer);
  const decoders = openDecoders(config, { metrics, logger });
  const mailer = createMailer({ ...config, from: config.mailFrom, logger });
  const { store, receiptsIn } = createReceivingStore(pool, createPostgresActorStore(pool));
  const time = {
    clock: overrides.clock ?? systemClock,
    chance: overrides.chance ?? systemChance,
    timers: systemTimers,
  };
  const queue = overrides.queue ?? hints.queue;
  const mailroom = tracedMailroom(
    createMailroom({ store, queue, nudges: hints.nudges, reporter, ...time }),
    tracer,
  );
  const search = overrides.search ?? hints.search;
  const descriptions = overrides.descriptions ?? hints.descriptions;
  const auth = createAuth({
    config,
    pool,
    redis,
    sendOtpMail: (mail) => mailer.sendOtp(mail),
    logger,
    clock: time.clock,
    identityKeys: overrides.identityKeys,
    deployment: config.queueSuffix,
  });
  const limits = { redis, deployment: config.queueSuffix };
  const accountCodes = createAccountCodes({
    ...limits,
    pool,
    authSecret: config.authSecret,
    sendMail: (mail) => mailer.sendOtp(mail),
    clock: time.clock,
  });
  const requestLimits = createRequestLimits({
    redis,
    logger,
    sessionCookies: createSessionCookies(config),
    deployment: config.queueSuffix,
    perAddress: config.requestLimits.perAddress,
    perSession: config.requestLimits.perSession,
  });
  const searchIndex = createPostgresSearchIndex(pool);
  const documents = createDocumentReader(redis, time.timers);
  const cards = createCardReader({ pool, documents, ...time, publicBaseUrl: config.publicBaseUrl });
  return {
    services: {
      pool,
      mailroom,
      tracer,
      storage,
      decoders,
      queue,
      descriptions,
      search,
      searchIndex,
      cards,
      lookupLimits: createCallerLimits({
        ...limits,
        name: 'lookup',
        perNetwork: LOOKUPS,
        perPerson: LOOKUPS,
      }),
      submissionTurns: createTurns(),
      accountCodes,
      repeats: createRepeats({ pool, ...time, logger }),
      ...time,
      logger,
      settings: config,
    },
    database,
    redis,
    auth,
    metrics,
    requestLimits,
    receiptsIn,
    async close() {
      await Promise.all([hints.close(), decoders.uploads.close(), decoders.renditions.close()]);
      mailer.close();
      redis.disconnect();
      storage.close();
      await database.close();
    },
  };
}

function openDecoders(
  { imageWorkerMemoryMb: memoryMb }: WebConfig,
  { metrics, logger }: { metrics: Metrics; logger: Logger },
): Services['decoders'] {
  const open = (lane: string, processes: number) =>
    createDecoder({
      lane,
      processes,
      memoryMb,
      logger,
      onLost: (reason) => metrics.decodersLost.inc({ lane, reason }),
    });
  return { uploads: open('uploads', UPLOAD_DECODERS), renditions: open('renditions', RENDITION_LANES) };
}

/** The producing ends of the queues. Nothing here may fail a request: what is lost, sweepers find. */
function openHints(
  config: WebConfig,
  { pool, redis, metrics, logger }: { pool: Pool; redis: Redis; metrics: Metrics; logger: Logger },
) {
  const problem = (error: unknown, queue: string) =>
    logger.warn({ err: error, queue }, 'a queue does not take hints; sweepers will find the work');
  const common = { redis, suffix: config.queueSuffix };
  const queue = createStagingQueue({
    ...common,
    pool,
    onProblem: (error) => problem(error, 'staging'),
  });
  const descriptions = createDescriptionQueue({
    ...common,
    onProblem: (error) => problem(error, 'descriptions'),
  });
  const searchQueue = createSearchQueue({ ...common, onProblem: (error) => problem(error, 'search') });
  const count = (name: string) => (outcome: string) => metrics.queueNudges.inc({ queue: name, outcome });
  const nudges = createNudges({ ...common, count: count('nudges') });
  const counted = count('search');
  const search: SearchHints = {
    propertyChanged(propertyId) {
      searchQueue.enqueue([propertyId]).then(
        () => counted('sent'),
        (error: unknown) => {
          counted('lost');
          problem(error, 'search');
        },
      );
    },
  };
  const close = async () =>
    void (await Promise.allSettled([queue, descriptions, searchQueue].map((one) => one.close())));
  return { queue, descriptions, search, nudges, close };
}
