import { eventually } from '../../support/eventually.ts';
import type { Review } from './run-plan.ts';
import { beside, type CrashWorld, insist } from './run-world.ts';

/** Besides the agents: counts ended jobs, reviews staged images, closes the windows of lost purchases. */
export async function whileWatched<T>(
  world: CrashWorld,
  reviews: Map<string, Review | null>,
  work: () => Promise<T>,
): Promise<T> {
  let over = false;
  const watching = eventually(
    async () => {
      world.ended = await endedJobs(world);
      await closeWindows(world);
      await review(world, reviews);
      return over;
    },
    { what: 'the run to end', timeoutMs: 30 * 60_000, intervalMs: 100 },
  );
  watching.catch(() => {});
  try {
    return await work();
  } finally {
    over = true;
    await watching;
  }
}

const OVER = `status in ('SUCCESS', 'FAILED', 'CANCELED')`;
const count = async ({ staging }: CrashWorld, where: string): Promise<number> => {
  const [row] = await staging.platform.rows<{ jobs: number }>(
    `select count(*)::int as jobs from ai_jobs where ${where}`,
  );
  return row?.jobs ?? 0;
};
const endedJobs = (world: CrashWorld) => count(world, OVER);
export const openJobs = (world: CrashWorld) => count(world, `not ${OVER} and status <> 'RETRYING'`);
export const allOver = ({ staging }: CrashWorld) =>
  eventually(
    async () => {
      const open = await staging.platform.rows(
        `select j.id, j.status, j."leaseOwner", j."quarantineError", a.status as attempt, a."sendTries"
           from ai_jobs j left join ai_provider_attempts a on a."aiJobId" = j.id where not j.${OVER}`,
      );
      if (open.length > 0) throw new Error(`${open.length} are open: ${JSON.stringify(open.slice(0, 3))}`);
      return true;
    },
    { what: 'all jobs to be over', timeoutMs: 200_000, intervalMs: 100 },
  );

/**
 * A create that was never accepted is searched for a quarter of an hour, a timestamp in the row, which this
 * moves back. Accepted ones are left to be found.
 */
export async function closeWindows({ staging, aged }: Pick<CrashWorld, 'staging' | 'aged'>): Promise<void> {
  const { rows, purchases } = staging.platform;
  const open = await rows<{ id: string }>(
    `select id from ai_provider_attempts
      where status = 'UNCONFIRMED' and "unconfirmedSince" > now() - interval '1 minute'`,
  );
  if (open.length === 0) return;
  const bought = await purchases();
  const lost = open.map(({ id }) => id).filter((id) => !bought.has(id));
  await rows(
    `update ai_provider_attempts set "unconfirmedSince" = now() - interval '16 minutes'
      where id = any($1) and status = 'UNCONFIRMED'`,
    [lost],
  );
  for (const id of lost) aged.add(id);
}

async function review(world: CrashWorld, reviews: Map<string, Review | null>): Promise<void> {
  const waiting = await world.staging.platform.rows<{ id: string; key: string }>(
    `select id, concat_ws(' ', "styledFromId", "canonicalStyle") as key from property_images
      where "reviewStatus" = 'PENDING_REVIEW'`,
  );
  for (const { id, key } of waiting) {
    const wish = reviews.get(key) ?? null;
    if (wish === null) continue;
    reviews.delete(key);
    beside(world, `${wish} ${id}`, decide(world, id, wish));
  }
}

const APPROVE = 'ai.approveStagedVariant';
const REJECT = 'ai.rejectStagedVariant';
const WITHDRAW = 'ai.withdrawStagedVariant';
const LIFT = 'ai.liftWithdrawal';
/** The calls of each wish, one after the other; those of one line at once. */
const CALLS: Record<Review, readonly (readonly string[])[]> = {
  approve: [[APPROVE]],
  reject: [[REJECT]],
  'approve and reject at once': [[APPROVE, REJECT]],
  withdraw: [[APPROVE], [WITHDRAW]],
  'withdraw and lift': [[APPROVE], [WITHDRAW], [LIFT]],
};

async function decide(world: CrashWorld, imageId: string, wish: Review): Promise<void> {
  for (const atOnce of CALLS[wish])
    await Promise.all(
      atOnce.map((procedure) => insist(world, (person) => person.mutate(procedure, { imageId }))),
    );
}
