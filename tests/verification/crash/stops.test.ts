import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { jobRow } from '../../support/platform/listing.ts';
import {
  expectWholeJournals,
  finishBoughtOnce,
  metricOf,
  opsUrlOf,
} from '../../support/platform/outcomes.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import {
  block,
  type Deed,
  type FaultController,
  openFaultController,
  stop,
  terminate,
  type Visit,
} from './fault-controller.ts';
import { NAMED_POINTS, type PointName } from './named-points.ts';
import { openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/**
 * Two workers. One holds a job and is frozen or blocked for longer than its lease, so the other takes the job
 * over. The late worker's decisions are rejected; only its facts are recorded. There is one purchase.
 */
const LEASE_MS = 1_200;
/** The blocked worker may be the one on the shift (`src/worker/shift.ts`), which another takes after six seconds. */
const BLOCK_MS = 15_000;
const LEASES_LOST = 'proscenium_leases_lost_total';
let faultController: FaultController;
let world: StagingWorld;
let slots: WorkerSlot[] = [];

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0 });
  const variables = { TEST_LEASE_MS: String(LEASE_MS) };
  slots = [
    await openWorkerSlot(world.platform, { faultController, variables }),
    await openWorkerSlot(world.platform, { faultController, variables }),
  ];
  for (const slot of slots) await slot.open();
}, 60_000);
afterEach(() => {
  faultController.clear();
  faultController.otherwise = () => 'go';
});
afterAll(async () => {
  for (const slot of slots) await slot.close();
  await world.close();
  await faultController.close();
});

/** Runs the action for the first process that reaches the point with a new job. */
async function struckAt(point: PointName, deed: Deed): Promise<Visit & { aiJobId: string }> {
  const struck = faultController.interrupt(point, deed);
  const { aiJobId } = await world.newJob();
  return { ...(await struck), aiJobId };
}

const ownerOf = async (jobId: string) => {
  const [row] = await world.platform.rows<{ leaseOwner: string | null; leaseEpoch: number }>(
    'select "leaseOwner", "leaseEpoch" from ai_jobs where id = $1',
    [jobId],
  );
  return row ?? { leaseOwner: null, leaseEpoch: 0 };
};
/** Another worker has held the job, or it has ended. */
const takenOver = (jobId: string, since: number) =>
  eventually(
    async () => {
      const { status } = await jobRow(world.platform, jobId);
      return (await ownerOf(jobId)).leaseEpoch > since || ['SUCCESS', 'FAILED'].includes(status);
    },
    { what: 'the other worker to take over' },
  );

const POINTS: PointName[] = [
  'before-claim',
  'before-answer',
  'before-id-stored',
  'before-download',
  'before-put-answer',
  'after-put',
];

describe('SIGSTOP for longer than the lease, then SIGCONT: one purchase, one picture', () => {
  for (const at of POINTS)
    test(`${at} (${NAMED_POINTS[at].meaning})`, async () => {
      const { pid, aiJobId } = await struckAt(at, stop);
      try {
        const { leaseEpoch } = await ownerOf(aiJobId);
        await takenOver(aiJobId, leaseEpoch);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      await expectOnePicture(aiJobId);
      expect(slots.map((slot) => slot.process().pid)).toContain(pid);
    });
});

describe('an event loop that is blocked for longer than the lease: one purchase, one picture', () => {
  for (const at of ['before-claim', 'before-id-stored', 'after-put'] as const)
    test(`${at} (${NAMED_POINTS[at].meaning})`, async () => {
      const { aiJobId } = await struckAt(at, block(BLOCK_MS));
      const { leaseEpoch } = await ownerOf(aiJobId);
      await expectOnePicture(aiJobId);
      expect((await ownerOf(aiJobId)).leaseEpoch).toBeGreaterThan(leaseEpoch);
    });
});

test('SIGSTOP before the claim, then SIGCONT: the worker gives the job up and does not send', async () => {
  const pids = slots.map((slot) => slot.process().pid);
  const lostBefore = new Map<number, number>();
  for (const one of pids) lostBefore.set(one, await leasesLost(one));
  const { pid, aiJobId, subject } = await struckAt('before-claim', stop);
  await finishBoughtOnce(world.platform, [aiJobId]);
  const wentOn: string[] = [];
  faultController.otherwise = (visit) => {
    if (visit.pid === pid && visit.subject === subject) wentOn.push(visit.point);
    return 'go';
  };
  process.kill(pid, 'SIGCONT');
  await eventually(async () => (await leasesLost(pid)) > (lostBefore.get(pid) ?? 0), {
    what: 'the sleeper to lose its lease',
  });
  // One more complete job: by then the frozen worker would have sent.
  await finishBoughtOnce(world.platform, [(await world.newJob()).aiJobId]);
  expect(wentOn).toEqual([]);
  await expectOnePicture(aiJobId);
});

describe('SIGTERM: the process exits with code 0, and another one finishes the job', () => {
  const MORE: PointName[] = ['before-answer', 'before-put', 'before-put-answer', 'after-result-recorded'];
  for (const at of MORE)
    test(`${at} (${NAMED_POINTS[at].meaning})`, async () => {
      const slotOf = (pid: number) => slots.find((slot) => slot.process().pid === pid);
      let leaver: ReturnType<WorkerSlot['process']> | undefined;
      const { aiJobId } = await struckAt(at, (visit) => {
        leaver = slotOf(visit.pid)?.process();
        return terminate(visit);
      });
      expect(await leaver?.exited).toEqual({ code: 0, signal: null });
      await expectOnePicture(aiJobId);
    });
});

/** How many lost leases a process has logged. */
async function leasesLost(pid: number): Promise<number> {
  const worker = slots.map((slot) => slot.process()).find((one) => one.pid === pid);
  if (!worker) throw new Error(`no slot has process ${pid}`);
  return (await metricOf(await opsUrlOf(world.platform, worker), LEASES_LOST)) ?? 0;
}

async function expectOnePicture(aiJobId: string): Promise<void> {
  await finishBoughtOnce(world.platform, [aiJobId]);
  await expectWholeJournals(world.platform, [aiJobId]);
  const images = await world.platform.rows('select id from property_images where "aiJobId" = $1', [aiJobId]);
  expect(images).toHaveLength(1);
}
