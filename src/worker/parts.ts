import { extname } from 'node:path';
import { SERVER_SETTLE_MS } from '../../machines/limits.ts';
import type { ActorStore } from '../../persistence/actors/actor-store.ts';
import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { createPostgresLeases } from '../../persistence/actors/postgres-leases.ts';
import { inTurn } from '../../persistence/actors/sweep-turns.ts';
import { createPool } from '../../persistence/database/database.ts';
import { createActorSystem } from '../../supervisors/actors/deliver.ts';
import { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import type { Checkpoint, Clock, InTurn } from '../../supervisors/ports.ts';
import { DEFAULT_LEASE_TIMINGS } from '../../supervisors/runner/lease-keeper.ts';
import { PollDesk } from '../../supervisors/sweepers/poll-desk.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { FeedProfile } from '../feeds/profiles/profile-schema.ts';
import { feedProfile } from '../feeds/profiles/profiles.ts';
import { createInputPreparer } from '../images/uploads/input-preparer.ts';
import { checkStoredDescription } from '../prompts/description-check.ts';
import { createProviderClient } from '../provider/client.ts';
import { createProviderHttp } from '../provider/http.ts';
import { createOutputCollector } from '../provider/output-collector.ts';
import { createPace } from '../provider/pace.ts';
import type { ProviderOperation } from '../provider/prediction-calls.ts';
import { createPredictionLister } from '../provider/prediction-lister.ts';
import { createPurchaseLister } from '../provider/purchase-list.ts';
import { createDescriptionQueue, createStagingQueue } from '../queues/job-queue.ts';
import { createNudges } from '../queues/nudges.ts';
import { observeQueues } from '../queues/observed-queues.ts';
import { createSearchQueue } from '../queues/search-queue.ts';
import { openRoleParts, type RoleContext } from '../role/parts.ts';
import { createDocumentStore } from '../search/document-store.ts';
import { tracedActorSystem } from '../telemetry/tracing/traced-parts.ts';
import { createWorkerMetrics } from '../telemetry/worker-metrics.ts';
import { monotonicClock, systemChance, systemTimers } from '../time.ts';
import { inLongTurn } from './long-turn.ts';
import { createShift } from './shift.ts';

/** All parts of the worker's tree, opened once per process and closed after the tree has stopped. */
export type WorkerParts = Awaited<ReturnType<typeof openWorkerParts>>;

/** Intervals of the loops, in milliseconds. */
const DEFAULT_TIMINGS = {
  lease: DEFAULT_LEASE_TIMINGS,
  dispatchMs: 5_000,
  rescueMs: 2_000,
  /** Between two checks for purchases that only the provider's list can decide. */
  scanMs: 2_000,
  /** From the first look at another database server until the provider's list is compared. */
  serverSettleMs: SERVER_SETTLE_MS,
  /** Between two comparisons of the provider's last hour with the rows. */
  purchaseAuditMs: 3_600_000,
  searchSweepMs: 1_000,
  /** Between two turns that number changes: a withdrawn picture has its event within two seconds. */
  changeNumbersMs: 500,
  alertsMs: 15_000,
  /** Maximum delay until a worker sees a change of the pause switch. */
  pauseSwitchMs: 1_000,
  /** Between two looks of a worker that has not decided anything lately. */
  idleLookMs: 8_000,
  /** Between two readings of the backlog. */
  gaugesMs: 15_000,
  /** Between two checks for purchases without an estimated price. */
  costsMs: 15_000,
  provenanceMs: 30_000,
  toursMs: 15_000,
  /** Between two looks for offers of listings that no one has answered in time. */
  offersMs: 60_000,
  /** Between two looks for what is to be said about searches and saved homes. */
  alertTurnsMs: 5_000,
  /** Between two looks for feeds that have something to read. */
  feedTurnsMs: 2_000,
  /** How long another worker waits for the reading of a feed whose worker may have died; it is prolonged meanwhile. */
  feedHoldMs: 15_000,
  /** Between the end of a look at a feed's changes and the next one. */
  feedLookMs: 300_000,
  /** Between two comparisons of all keys of a feed. */
  feedReconcileMs: 12 * 3_600_000,
  /** Between two looks for staged pictures that are to be compared with their photos. */
  driftMs: 3_000,
  /** Between two looks for photos that wait for their verdict, and staged pictures without a fingerprint. */
  photoCheckMs: 1_000,
  /** Between two checks for rows past their retention time. */
  retentionMs: 300_000,
  /** Between two drains of the deletion outbox. */
  drainMs: 60_000,
  /** Between two checks that the drain is still scheduled. */
  drainScheduleMs: 30_000,
};
type WorkerTimings = typeof DEFAULT_TIMINGS;

/** Replacements for tests; configuration cannot reach them. */
export interface WorkerOverrides {
  checkpoint?: Checkpoint;
  timings?: Partial<WorkerTimings>;
  clock?: Clock;
  /** Profiles with small pages and short pauses, for tests with whole workers. */
  feedProfileOf?(name: string): FeedProfile;
}

/**
 * How long the provider may take to fetch the input: queueing, its own 30 minutes, and room
 * (docs/provider.md#outputs-and-inputs).
 */
const INPUT_URL_SECONDS = 2 * 60 * 60;
/** How long another worker waits for a sweep whose worker may have died; longer sweeps renew their turn. */
const TURN_HOLD_MS = 10_000;
/** Polls that wait together before the provider's list is read for them: two seconds of its pace. */
const LIST_FROM = 40;
/** Results checked at a time, besides inputs being made. */
const DECODERS = 2;
/** Additional connections. Running jobs do not need one each, because transactions are short. */
const EXTRA_CONNECTIONS = 8;
/** The console's own: a page that reads much takes none from the jobs, and busy jobs keep no operator waiting. */
const CONSOLE_CONNECTIONS = 4;
/**
 * The loops begin with a connection. Without the key-value store a worker starts this much later and waits in its
 * loops.
 */
const REDIS_PATIENCE_MS = 3_000;

export async function openWorkerParts(
  config: WorkerConfig,
  context: RoleContext & { overrides?: WorkerOverrides },
) {
  const role = await openRoleParts(config, context, {
    poolSize: Math.min(config.stagingConcurrency, 32) + EXTRA_CONNECTIONS,
    redisPatienceMs: REDIS_PATIENCE_MS,
  });
  const { node, logger, metrics, runtime, database, tracer, reporter, redis, storage, confirmation } = role;
  const { overrides = {} } = context;
  const decoder = role.openDecoder('staging', DECODERS);
  // Its own process, so that no job waits for a comparison of staged pictures or of photos.
  const comparisonDecoder = role.openDecoder('comparison', 1);
  // Its own process as well: pictures of feeds come by the hundred thousand.
  const pictureDecoder = role.openDecoder('feed-pictures', 1);
  const store = createPostgresActorStore(database.pool);
  const consolePool = createPool({
    url: config.databaseUrl,
    poolSize: CONSOLE_CONNECTIONS,
    applicationName: `proscenium-console-${node}`,
    pooler: config.databasePooler,
  });
  const common = {
    redis,
    suffix: config.queueSuffix,
    onProblem: (error: Error) => reporter.problem('key-value store', error),
  };
  const queues = {
    stagingJob: createStagingQueue({ ...common, pool: database.pool }),
    descriptionJob: createDescriptionQueue(common),
  };
  const searchQueue = createSearchQueue(common);
  const observedQueues = observeQueues(common);
  const nudges = createNudges({
    ...common,
    count: (outcome) => metrics.queueNudges.inc({ queue: 'nudges', outcome }),
  });
  const http = createProviderHttp(config.provider);
  const observe = (operation: ProviderOperation, outcome: string, seconds: number) => {
    metrics.providerRequests.inc({ operation, outcome });
    runtime.providerDuration.observe({ operation }, seconds);
  };
  const takeTurn: InTurn = (turn, work) =>
    inTurn(database.pool, { ...turn, holder: node, holdMs: TURN_HOLD_MS }, work);
  const time = {
    clock: overrides.clock ?? role.databaseClock,
    timers: systemTimers,
    chance: systemChance,
    checkpoint: overrides.checkpoint ?? (() => {}),
    timings: { ...DEFAULT_TIMINGS, ...overrides.timings },
  };
  const pace = createPace({ ...common, clock: monotonicClock, timers: systemTimers });
  const provider = createProviderClient({
    http,
    webhookBaseUrl: config.provider.webhookBaseUrl,
    userHashSecret: config.userHashSecret,
    presignInput: (key, attemptId) =>
      storage.presignGet(key, INPUT_URL_SECONDS, { downloadName: `${attemptId}${extname(key)}` }),
    reporter,
    observe,
    tracer,
  });
  const lister = createPredictionLister({ http, reporter, observe, tracer, pace, ...time });
  const actorSystemOf = (actors: ActorStore) =>
    tracedActorSystem(createActorSystem({ store: actors, queues, nudges, reporter, ...time }), tracer);
  const consoleStore = createPostgresActorStore(consolePool);
  const polls = new PollDesk({
    ...time,
    async get(predictionId, signal) {
      await pace(signal);
      return provider.get(predictionId, signal);
    },
    list: lister,
    takeTurn: (turn, work) => inLongTurn(database.pool, systemTimers, { ...turn, holder: node }, work),
    reporter,
    listFrom: LIST_FROM,
    pollIntervalMs: config.provider.pollIntervalMs,
  });
  return {
    ...role,
    config,
    workerMetrics: createWorkerMetrics(metrics.registry, {
      enabled: config.stagingEnabled,
      perMinute: config.rateLimitPerMinute,
    }),
    comparisonDecoder,
    pictureDecoder,
    profileOf: overrides.feedProfileOf ?? feedProfile,
    localWork: new Semaphore(),
    ...time,
    inTurn: takeTurn,
    shift: createShift({
      ...time,
      pool: database.pool,
      holder: node,
      reporter,
      mayHold: () => !role.databaseClock.isSkewed(),
    }),
    store,
    actorSystem: actorSystemOf(store),
    /** What the console uses instead of the worker's own. */
    forConsole: {
      database: { pool: consolePool },
      store: consoleStore,
      actorSystem: actorSystemOf(consoleStore),
      descriptionLeases: createPostgresLeases(consolePool, 'DESCRIPTION'),
    },
    queues,
    descriptionLeases: createPostgresLeases(database.pool, 'DESCRIPTION'),
    checkText: checkStoredDescription,
    searchQueue,
    observedQueues,
    documents: createDocumentStore(redis, config.queueSuffix),
    nudges,
    ...(confirmation === null
      ? {}
      : { confirmClaim: async () => (await confirmation.confirm())?.isTrusted === true }),
    provider,
    polls,
    lister,
    purchases: createPurchaseLister(
      { http, reporter, observe, tracer, pace, ...time },
      config.provider.webhookBaseUrl,
    ),
    inputs: createInputPreparer({ pool: database.pool, storage, decoder, logger, reporter, ...time }),
    collector: createOutputCollector({
      storage,
      decoder,
      allowedHosts: config.provider.outputHosts,
      apiToken: config.provider.apiToken,
      reporter,
      tracer,
    }),
    async close(): Promise<void> {
      polls.close();
      const consoleConnections = { close: () => consolePool.end() };
      await role.close([
        ...Object.values(queues),
        searchQueue,
        observedQueues,
        decoder,
        comparisonDecoder,
        pictureDecoder,
        consoleConnections,
      ]);
      // After the database: a create still in flight is aborted now and must not be recorded as lost.
      await http.close();
    },
  };
}
