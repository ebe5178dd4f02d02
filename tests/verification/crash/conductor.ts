import { eventually } from '../../support/eventually.ts';
import {
  block,
  type Deed,
  kill,
  type Leave,
  signaled,
  stop,
  terminate,
  type Visit,
} from './fault-controller.ts';
import { enact, type JobAtPoint } from './job-faults.ts';
import type { PointName } from './named-points.ts';
import type { JobFault, ProcessFault } from './run-plan.ts';
import { beside, type CrashWorld, LEASE_MS } from './run-world.ts';

/**
 * Decides at the fault controller what happens at a point: the fault of the job, or the next process fault
 * for this point. Process faults are spread over the run by the number of ended jobs, so that work goes on
 * between them.
 */
export interface Conductor {
  readonly deed: Deed;
  /** The faults planned for the original and style of a job; the first one for a point happens there once. */
  promise(wish: { originalImageId: string; style: string }, jobFault: JobFault): void;
  /** Process faults that have not happened yet. */
  remaining(): readonly ProcessFault[];
  /** From now on a process fault happens as soon as a process reaches its point. */
  hurry(): void;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const BETWEEN_SENT_AND_ANSWER: readonly PointName[] = [
  'after-claim',
  'before-post',
  'before-answer',
  'after-post',
];

export function createConductor(world: CrashWorld, jobs: number): Conductor {
  const jobFaults = new Map<string, JobFault[]>();
  const points = new Set<PointName>();
  const remaining = [...world.plan.processFaults];
  let gap = Math.max(1, Math.floor((0.7 * jobs) / remaining.length));
  let lastAt = 0;
  let asleep = 0;
  const keyOf = ({ originalImageId, style }: { originalImageId: string; style: string }) =>
    `${originalImageId} ${style}`;
  const promise: Conductor['promise'] = (wish, jobFault) => {
    points.add(jobFault.at);
    jobFaults.set(keyOf(wish), [...(jobFaults.get(keyOf(wish)) ?? []), jobFault]);
  };
  const takeJobFault = (job: JobAtPoint, point: PointName): JobFault | undefined => {
    const own = jobFaults.get(keyOf(job)) ?? [];
    const found = own.findIndex(({ at }) => at === point);
    return found < 0 ? undefined : own.splice(found, 1)[0];
  };
  const takeProcessFault = (point: PointName): ProcessFault | undefined => {
    if (world.ended - lastAt < gap) return undefined;
    // One worker must be running to take over.
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
      const jobFault = job === null ? undefined : takeJobFault(job, visit.point);
      if (job !== null && jobFault !== undefined) {
        world.note(`${jobFault.do} of ${job.jobId} ${visit.point}`);
        // A process that it needs may be down at this moment; coverage is counted anyway.
        await enact(world, { jobFault, job, promise }).catch((error: unknown) =>
          world.note(`${jobFault.do} of ${job.jobId} came to nothing: ${String(error)}`),
        );
      }
      const processFault = takeProcessFault(visit.point);
      if (processFault === undefined) return 'go';
      world.note(`${processFault.how} ${visit.pid} ${visit.point}`);
      if (processFault.how !== 'stop') return applyProcessFault(world, processFault, visit);
      asleep += 1;
      const woken = wakeOnceTakenOver(world, visit).finally(() => {
        asleep -= 1;
      });
      beside(world, `wake ${visit.pid}`, woken);
      return stop(visit);
    },
  };
}

/** Null while the database is away: then the fault waits for the job's next visit. */
async function jobAt({ staging }: CrashWorld, { subject }: Visit): Promise<JobAtPoint | null> {
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

async function applyProcessFault(world: CrashWorld, { how, at }: ProcessFault, visit: Visit): Promise<Leave> {
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

/** The frozen worker has no lease left: each one has expired, and the job has another holder or has ended. */
async function wakeOnceTakenOver({ staging }: CrashWorld, { pid, subject }: Visit): Promise<void> {
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
      { what: `another worker to take over from ${pid}`, timeoutMs: 180_000, intervalMs: 100 },
    );
  } finally {
    signaled(pid, 'SIGCONT');
  }
}
