import type { RoleVariables } from '../../../../ops/dev/stack/role-environment.ts';
import type { RoleProcess } from '../../../../ops/dev/stack/role-process.ts';
import type { TestPlatform } from '../../../support/platform/platform.ts';
import { WEB_POINTS } from '../named-points.ts';
import { openPostgresGate } from '../outages/postgres-gate.ts';

/** Where a reader of a feed is killed: at the commit of a transaction with these words. */
const STEPS = [
  'insert into feed_records',
  'update feed_records r set "listedAt"',
  "set state = 'GONE'",
  'insert into feed_requests',
] as const;
/** The plans of kills, in turn; null: wherever it is. */
const PLANS = [
  null,
  ...STEPS.flatMap((words) => WEB_POINTS.map((point) => ({ point, words }))).reverse(),
] as const;

/** One worker that is killed and started again; its database is behind a gate. */
export async function openKilledWorker(
  platform: TestPlatform,
  databaseUrl: string,
  variables: RoleVariables,
) {
  const gate = await openPostgresGate(databaseUrl);
  let current: RoleProcess;
  let isDead = Promise.resolve();
  let readyPid = 0;
  const start = async () => {
    const process = await platform.startWorker({ ...variables, DATABASE_URL: gate.url });
    current = process;
    // One that is killed before is never ready.
    process.ready.then(
      () => {
        readyPid = process.pid;
      },
      () => {},
    );
  };
  await start();
  return {
    /** Arms the next plan: the process dies there. */
    arm(number: number): string {
      const doomed = current;
      const plan = PLANS[number % PLANS.length];
      if (plan === null || plan === undefined) {
        isDead = doomed.stop('SIGKILL');
        return 'anywhere';
      }
      void gate.cutAt(plan.point, plan.words, () => {
        isDead = doomed.stop('SIGKILL');
      });
      return `${plan.point} of ${plan.words}`;
    },
    isRunning: () => current.isRunning(),
    /** On a busy machine a process takes longer to start than the next kill would wait. */
    isReady: () => readyPid === current.pid,
    /** It has not come to its point: it dies now. Then the next process is started. */
    async replace(): Promise<void> {
      await isDead;
      await current.stop('SIGKILL');
      isDead = Promise.resolve();
      await start();
    },
    close: () => gate.close(),
  };
}
export type KilledWorker = Awaited<ReturnType<typeof openKilledWorker>>;
