import type { Pool } from 'pg';
import { createPostgresActorStore } from '../../persistence/actors/postgres-actor-store.ts';
import { openDatabase } from '../../persistence/database/database.ts';
import { createDatabaseClock, learnFirst } from '../../persistence/database/database-clock.ts';
import { createStandbyConfirmation, openConfirmingSession } from '../../persistence/standbys/confirmation.ts';
import { directDatabaseUrl, urlPassword } from '../../src/config/addresses.ts';
import { workerSettings } from '../../src/config/settings.ts';
import { createOperations, type Operations } from '../../src/operations/catalogue.ts';
import type { OperationPorts } from '../../src/operations/operation.ts';
import { createDescriptionQueue, createStagingQueue } from '../../src/queues/job-queue.ts';
import { createNudges } from '../../src/queues/nudges.ts';
import { createCommandRedis, settleRedis } from '../../src/queues/redis.ts';
import { createScrubber } from '../../src/telemetry/scrub.ts';
import { monotonicClock, systemChance, systemClock, systemTimers } from '../../src/time.ts';
import { type ActorSystem, createActorSystem } from '../../supervisors/actors/deliver.ts';
import type { JobQueue, JobQueues, Nudges, Reporter } from '../../supervisors/ports.ts';

/** The dependencies of operations that a command runs, without the worker's pages. */
export interface OperateParts extends Pick<OperationPorts, 'pool' | 'clock' | 'scrub'> {
  operations: Operations;
  actorSystem: ActorSystem;
  /** Waits until the last hints have been sent. */
  close(): Promise<void>;
}
type Environment = Readonly<Record<string, string | undefined>>;

const PATIENCE_MS = 3_000;

/** `hints`: whether the queues are notified; a read-only command notifies none. All problems are reported at once. */
export async function openParts(
  environment: Environment,
  { hints, say }: { hints: boolean; say(line: string): void },
): Promise<OperateParts | { problems: string[] }> {
  const { KV_URL: kvUrl, QUEUE_SUFFIX: suffix = '' } = environment;
  const databaseUrl = directDatabaseUrl(environment);
  const { schema, expected } = workerSettings.provider.outputHosts;
  const outputHosts = schema.safeParse(environment.PROVIDER_OUTPUT_HOSTS || undefined);
  const problems = [
    ...(databaseUrl ? [] : ['DATABASE_URL is not set. Give the address of the database.']),
    ...(hints && !kvUrl ? ['KV_URL is not set. Give the address of the key-value store.'] : []),
  ];
  if (!outputHosts.success) problems.push(`PROVIDER_OUTPUT_HOSTS must be ${expected}.`);
  if (problems.length > 0 || !databaseUrl || !outputHosts.success) return { problems };
  const database = await openDatabase({
    url: databaseUrl,
    poolSize: 2,
    applicationName: 'proscenium-ops',
  }).catch(() => null);
  if (database === null)
    return { problems: ['The database at DATABASE_URL cannot be reached. Check it and try again.'] };
  const outside = hints && kvUrl ? await openHints({ pool: database.pool, kvUrl, suffix, say }) : NO_HINTS;
  if (outside === null) {
    await database.close();
    return { problems: ['The key-value store at KV_URL cannot be reached. Check it and try again.'] };
  }
  const { pool } = database;
  const store = createPostgresActorStore(pool);
  const reporter = consoleReporter(say);
  // What it writes is compared with what workers write.
  const clock = createDatabaseClock({ monotonic: monotonicClock.now, machine: systemClock.now });
  await learnFirst(clock, pool);
  const time = { timers: systemTimers, chance: systemChance, clock };
  const confirmation =
    environment.CLAIM_DURABILITY === 'standby'
      ? createStandbyConfirmation({
          open: () => openConfirmingSession({ url: databaseUrl, pool }),
          now: monotonicClock.now,
          reportProblem: (error) => reporter.problem('no standby confirms what was committed', error),
        })
      : null;
  const scrub = createScrubber(secretsOf([databaseUrl, kvUrl ?? ''], environment));
  const actorSystem = createActorSystem({
    store,
    queues: outside.queues,
    nudges: outside.nudges,
    reporter,
    ...time,
  });
  const operations = createOperations({
    pool,
    clock,
    confirmation,
    outputHosts: outputHosts.data,
    scrub,
    actorSystem,
  });
  return {
    pool,
    clock,
    scrub,
    operations,
    actorSystem,
    async close() {
      await outside.close();
      await confirmation?.close();
      await database.close();
    },
  };
}

interface Hints {
  queues: JobQueues;
  nudges: Nudges;
  close(): Promise<void>;
}
const silentQueue: JobQueue = {
  enqueue: async () => {},
  remove: async () => {},
  missing: async () => [],
  pauseStarts: async () => {},
};
const NO_HINTS: Hints = {
  queues: { stagingJob: silentQueue, descriptionJob: silentQueue },
  nudges: { publish() {} },
  close: async () => {},
};

/** Null when the store does not answer. */
async function openHints(given: {
  pool: Pool;
  kvUrl: string;
  suffix: string;
  say(line: string): void;
}): Promise<Hints | null> {
  const { pool, kvUrl, suffix, say } = given;
  const redis = createCommandRedis(kvUrl, () => {});
  await settleRedis(redis, PATIENCE_MS);
  if (redis.status !== 'ready') {
    redis.disconnect();
    return null;
  }
  const common = { redis, suffix, onProblem: (error: Error) => say(`key-value store: ${error.message}`) };
  const queues = {
    stagingJob: createStagingQueue({ ...common, pool }),
    descriptionJob: createDescriptionQueue(common),
  };
  const underWay = new Set<Promise<unknown>>();
  const tracked = (queue: JobQueue): JobQueue => ({
    ...queue,
    enqueue: (...args) => track(queue.enqueue(...args)),
    remove: (jobId) => track(queue.remove(jobId)),
  });
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled: Promise<unknown> = work.catch(() => {}).finally(() => underWay.delete(settled));
    underWay.add(settled);
    return work;
  };
  return {
    queues: { stagingJob: tracked(queues.stagingJob), descriptionJob: tracked(queues.descriptionJob) },
    nudges: createNudges({ redis, suffix, count: () => {} }),
    async close() {
      await Promise.all(underWay);
      await Promise.all(Object.values(queues).map((queue) => queue.close()));
      // Unlike a disconnect, it is sent after all earlier commands.
      await redis.quit().catch(() => redis.disconnect());
    },
  };
}

/** Prints problems and alerts for the operator; the command itself prints the rest. */
function consoleReporter(say: (line: string) => void): Reporter {
  return {
    report() {},
    alert: ({ kind, id }, { alert }) => say(`alert: ${alert} of ${kind} ${id}`),
    transition() {},
    count() {},
    problem: (what, error) => say(`${what}: ${error instanceof Error ? error.message : String(error)}`),
  };
}

/** Secrets that must not get into the journal when someone pastes them into a reason. */
function secretsOf(addresses: readonly string[], environment: Environment): string[] {
  const passwords = addresses.flatMap(urlPassword);
  const named = Object.entries(environment).flatMap(([name, value]) =>
    /(?:TOKEN|SECRET|PASSWORD|ACCESS_KEY_ID|DSN)$/.test(name) && value ? [value] : [],
  );
  return [...passwords, ...named];
}
