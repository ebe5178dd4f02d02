import { eventually } from '../../support/eventually.ts';
import type { Mishap, Strike } from './campaign-plan.ts';
import { beside, type CampaignWorld, LEASE_MS } from './campaign-world.ts';
import { block, type Deed, kill, type Leave, stop, terminate, type Visit } from './desk.ts';
import { enact, type JobAtPoint } from './mishaps.ts';
import type { PointName } from './named-points.ts';

/**
 * Decides at the desk what happens to whom: the mishap that belongs to the job, or the next strike for which this is
 * the point. Strikes are spread over the campaign by how many jobs have ended, so that work goes on between them.
 */
export interface Conductor {
  readonly deed: Deed;
  /** What the original and style of a job have in store; the first mishap for a point is taken there once. */
  promise(wish: { originalImageId: string; style: string }, mishap: Mishap): void;
  /** Strikes that nobody has come for. */
  remaining(): readonly Strike[];
  /** From now on strikes come as soon as somebody is at their point. */
  hurry(): void;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const BETWEEN_SENT_AND_ANSWER: readonly PointName[] = [
  'after-claim',
  'before-post',
  'before-answer',
  'after-post',
];

export function createConductor(world: CampaignWorld, jobs: number): Conductor {
  const mishaps = new Map<string, Mishap[]>();
  const points = new Set<PointName>();
  const remaining = [...world.plan.strikes];
  let gap = Math.max(1, Math.floor((0.7 * jobs) / remaining.length));
  let lastAt = 0;
  let asleep = 0;
  const keyOf = ({ originalImageId, style }: { originalImageId: string; style: string }) =>
    `${originalImageId} ${style}`;
  const promise: Conductor['promise'] = (wish, mishap) => {
    points.add(mishap.at);
    mishaps.set(keyOf(wish), [...(mishaps.get(keyOf(wish)) ?? []), mishap]);
  };
  const takeMishap = (job: JobAtPoint, point: PointName): Mishap | undefined => {
    const own = mishaps.get(keyOf(job)) ?? [];
    const found = own.findIndex(({ at }) => at === point);
    return found < 0 ? undefined : own.splice(found, 1)[0];
  };
  const takeStrike = (point: PointName): Strike | undefined => {
    if (world.ended - lastAt < gap) return undefined;
    // One must be awake to take over.
    const found = remaining.findIndex(({ at, how }) => at === point && !(how === 'stop' && asleep > 0));
    if (found < 0) return undefined;
    lastAt = world.ended;
    return remaining.splice(found, 1)[0];
  };
  return {
    promise,
    remaining: () => remaining,
    hurry() {
      gap = 0;
    },
    async deed(visit) {
      const job = points.has(visit.point) ? await jobAt(world, visit) : null;
      const mishap = job === null ? undefined : takeMishap(job, visit.point);
      if (job !== null && mishap !== undefined) {
        world.note(`${mishap.do} of ${job.jobId} ${visit.point}`);
        // Whoever is needed for it may be away just then; what must be seen is counted all the same.
        await enact(world, { mishap, job, promise }).catch((error: unknown) =>
          world.note(`${mishap.do} of ${job.jobId} came to nothing: ${String(error)}`),
        );
      }
      const strike = takeStrike(visit.point);
      if (strike === undefined) return 'go';
      world.note(`${strike.how} ${visit.pid} ${visit.point}`);
      if (strike.how !== 'stop') return strikeDown(world, strike, visit);
      asleep += 1;
      const woken = wakeOnceTakenOver(world, visit).finally(() => {
        asleep -= 1;
      });
      beside(world, `wake ${visit.pid}`, woken);
      return stop(visit);
    },
  };
}

/** Null while the database is away: then the mishap waits for the job's next visit. */
async function jobAt({ staging }: CampaignWorld, { subject }: Visit): Promise<JobAtPoint | null> {
  const id = subject.match(UUID)?.at(-1);
  if (id === undefined) return null;
  const [job] = await staging.platform
    .rows<JobAtPoint>(
      `select d."aiJobId" as "jobId", a.id as "attemptId", d."originalImageId", d."canonicalStyle" as style
         from ai_room_staging_jobs d left join ai_provider_attempts a on a."aiJobId" = d."aiJobId"
        where d."aiJobId" = $1 or a.id = $1 order by a."attemptNumber" desc limit 1`,
      [id],
    )
    .catch(() => []);
  return job ?? null;
}

async function strikeDown(world: CampaignWorld, { how, at }: Strike, visit: Visit): Promise<Leave> {
  switch (how) {
    case 'kill':
      if (BETWEEN_SENT_AND_ANSWER.includes(at)) world.witnessed['crash between SENT and the answer'] += 1;
      return kill(visit);
    case 'terminate':
      return terminate(visit);
    case 'block':
      return block(2 * LEASE_MS)(visit);
    case 'stop':
      return stop(visit);
  }
}

/** No lease of the sleeper is left: all it held has run out, and others have it or it is over. */
async function wakeOnceTakenOver({ staging }: CampaignWorld, { pid, subject }: Visit): Promise<void> {
  const id = subject.match(UUID)?.at(-1) ?? '';
  const epoch = async () => {
    const [row] = await staging.platform.rows<{ epoch: number; over: boolean }>(
      `select "leaseEpoch" as epoch, "finishedAt" is not null as over from ai_jobs
        where id = $1 or id = (select "aiJobId" from ai_provider_attempts where id = $1)`,
      [id],
    );
    return row ?? { epoch: 0, over: true };
  };
  try {
    const before = await eventually(epoch, { what: 'the lease to be read' });
    await eventually(
      async () => {
        const now = await epoch();
        return now.over || now.epoch > before.epoch;
      },
      { what: `another worker to take over from ${pid}`, timeoutMs: 60_000, intervalMs: 100 },
    );
  } finally {
    wake(pid);
  }
}

/** A restart that is part of the campaign may have ended the sleeper. */
function wake(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
