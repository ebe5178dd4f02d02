import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster } from '../../../ops/dev/stack/postgres-cluster.ts';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, onWeb, type Person } from '../../support/platform/agent.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import type { Witnessed } from './coverage.ts';
import { type FaultController, openFaultController } from './fault-controller.ts';
import { createStorageFaults, type StorageFaults } from './outages/storage-faults.ts';
import type { CrashPlan } from './run-plan.ts';
import { openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/** A whole platform for one run, which may break any part: servers, two webs and two workers. */
export interface CrashWorld {
  readonly plan: CrashPlan;
  readonly staging: StagingWorld;
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  readonly faultController: FaultController;
  readonly slots: readonly WorkerSlot[];
  readonly storageFaults: StorageFaults;
  /** When each scan of the provider's list began, on a clock that never goes back. */
  readonly scans: readonly number[];
  readonly witnessed: Record<Witnessed, number>;
  /** Promises that must settle before the run ends. */
  readonly loose: Set<Promise<unknown>>;
  /** Attempts whose window was closed by hand. */
  readonly aged: Set<string>;
  /** Jobs that are over, as of the last look. */
  ended: number;
  /** The agent on one web or the other. */
  anybody(): Person;
  note(line: string): void;
  close(): Promise<void>;
}

export const LEASE_MS = 2_000;
/** Further pages name a cursor. */
const FIRST_LIST_PAGE = /^\/v1\/predictions\?(?!.*cursor=)/;
/** Fewer than open jobs, so that orphans compete with queue entries for slots. */
const SLOTS = 8;

export async function openCrashWorld(
  plan: CrashPlan,
  { note, workers = 2 }: { note(line: string): void; workers?: number },
): Promise<CrashWorld> {
  const dataDir = temporaryDirectory();
  const [postgres, redis] = [await startPostgres({ dataDir }), await startRedis({ dataDir, durable: false })];
  await migrate(postgres.url);
  const staging = await openStagingWorld({
    webs: 2,
    workers: 0,
    databaseUrl: postgres.url,
    kvUrl: redis.url,
    settings: { AI_STAGING_CONCURRENCY: String(SLOTS) },
  });
  for (const client of [staging.kv, staging.queue]) client.on('error', () => {});
  const { platform, agent } = staging;
  const [faultController, storageFaults] = [
    await openFaultController(),
    createStorageFaults(platform.bucket.bucket),
  ];
  const scans: number[] = [];
  const slot = () =>
    openWorkerSlot(platform, {
      faultController,
      storageFaults,
      beforeProvider(method, path) {
        if (method === 'GET' && FIRST_LIST_PAGE.test(path)) scans.push(performance.now());
      },
      variables: { TEST_LEASE_MS: String(LEASE_MS), SHUTDOWN_GRACE_MS: '2000' },
    });
  const slots: WorkerSlot[] = [];
  while (slots.length < workers) slots.push(await slot());
  for (const one of slots) await one.open();
  return {
    plan,
    staging,
    postgres,
    redis,
    faultController,
    slots,
    storageFaults,
    scans,
    note,
    witnessed: {
      'crash between SENT and the answer': 0,
      'sweep re-delivering after FLUSHALL': 0,
      'quarantine entered': 0,
      'quarantine left': 0,
      'cancel during the put': 0,
    },
    loose: new Set(),
    aged: new Set(),
    ended: 0,
    anybody: () => onWeb(platform, agent, plan.random.between(0, 1)),
    async close() {
      for (const one of slots) await one.close();
      await faultController.close();
      await staging.close();
      await redis.stop();
      await postgres.stop();
      discardCluster(dataDir);
    },
  };
}

/** Repeats the call on either web while the platform is unavailable or the result is unknown. */
export async function insist(world: CrashWorld, ask: (person: Person) => Promise<Answer>): Promise<Answer> {
  return eventually(
    async () => {
      const answer = await ask(world.anybody());
      if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text.slice(0, 200)}`);
      return answer;
    },
    { what: 'the platform to answer', intervalMs: 100 },
  );
}

/** Runs `work` beside the run, which awaits it before its end and reports its failure. */
export function beside(world: CrashWorld, what: string, work: Promise<unknown>): void {
  const told = work.catch((error: unknown) => {
    world.note(`FAILED: ${what}: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  });
  told.catch(() => {});
  world.loose.add(told);
}
