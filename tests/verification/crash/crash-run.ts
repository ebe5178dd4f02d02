import { eventually } from '../../support/eventually.ts';
import { submit, uploadRoom } from '../../support/platform/listing.ts';
import { type Conductor, createConductor } from './conductor.ts';
import { OUTAGE_DEEDS } from './outages/outages.ts';
import { installDatabaseFaults, removeDatabaseFaults } from './run-faults.ts';
import { type PlannedRoom, planRun, type Review, type Wish } from './run-plan.ts';
import { breachesOf, missedOf, type RunCounts, settle } from './run-verdict.ts';
import { allOver, openJobs, whileWatched } from './run-watch.ts';
import { beside, type CrashWorld, insist, openCrashWorld } from './run-world.ts';

/**
 * A run: agents stage, review, cancel and delete rooms over two webs and two workers, while processes are
 * killed at named points and the servers around them fail. Then the faults stop, everything must settle
 * within the bound, and every invariant, the provider's ledger, the list of objects and what the public sees
 * are checked.
 */
export interface RunReport extends RunCounts {
  /** All failures; empty when the run passed. */
  breaches: string[];
  /** Coverage goals that were not met. */
  missed: string[];
  /** The faults and their targets, in order. */
  timeline: string[];
}

/** How many jobs run or wait at one time, without RETRYING ones; see SLOTS. */
const OPEN_JOBS = 24;
const ENCORES = 25;

export interface RunOptions {
  seed: number;
  jobs: number;
  /** Called for every event as it happens. */
  onNote?(line: string): void;
}

export async function runPlan({ seed, jobs, onNote }: RunOptions): Promise<RunReport> {
  const timeline: string[] = [];
  const began = performance.now();
  const note = (what: string) => {
    const line = `${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${what}`;
    timeline.push(line);
    onNote?.(line);
  };
  const plan = planRun({ seed, jobs });
  const world = await openCrashWorld(plan, { note });
  try {
    note('the platform is up');
    const conductor = createConductor(world, jobs);
    world.faultController.otherwise = conductor.deed;
    await installDatabaseFaults(world.staging.platform);
    const reviews = new Map<string, Review | null>();
    await whileWatched(world, reviews, () => play(world, { conductor, reviews, jobs }));
    await removeDatabaseFaults(world.staging.platform);
    world.faultController.otherwise = () => 'go';
    note('faults have stopped');
    const unsettled = await settle(world);
    note(unsettled.length === 0 ? 'everything has settled' : 'not everything has settled');
    const counted = await missedOf(world, conductor.remaining());
    return { ...counted, breaches: [...unsettled, ...(await breachesOf(world))], timeline };
  } finally {
    await world.close();
  }
}

interface Acts {
  conductor: Conductor;
  reviews: Map<string, Review | null>;
  jobs: number;
}

async function play(world: CrashWorld, acts: Acts): Promise<void> {
  const { plan, note } = world;
  const outages = inTurn(world, acts.jobs);
  for (const room of plan.rooms) {
    await eventually(async () => (await openJobs(world)) <= OPEN_JOBS, {
      what: 'room for more jobs',
      timeoutMs: 90_000,
      intervalMs: 100,
    });
    await playRoom(world, acts, room);
  }
  note('all rooms are submitted');
  await outages;
  acts.conductor.hurry();
  await allOver(world);
  // Remaining process faults get extra jobs and deletions.
  for (let encore = 0; encore < ENCORES && acts.conductor.remaining().length > 0; encore += 1) {
    note(
      `encore for ${acts.conductor
        .remaining()
        .map(({ how, at }) => `${how} ${at}`)
        .join(', ')}`,
    );
    const original = await playRoom(world, acts, {
      wishes: [{ style: 'LUXURY', jobFault: null, twice: false, review: null }],
    });
    await allOver(world);
    await insist(world, (person) => person.request('DELETE', `/api/property-images/${original}`));
  }
  for (const work of world.loose) await work.catch(() => {});
}

/** Uploads the room and submits its styles; returns the original's id. */
async function playRoom(world: CrashWorld, { conductor, reviews }: Acts, room: PlannedRoom): Promise<string> {
  const { staging } = world;
  const seed = world.plan.random.between(0, 1_000_000);
  const originalImageId = await eventually(() => uploadRoom(world.anybody(), staging.propertyId, seed), {
    what: 'a room to be uploaded',
    intervalMs: 100,
  });
  const ask = (style: Wish['style']) =>
    eventually(() => submit(world.anybody(), originalImageId, style).catch(unlessDeleted), {
      what: 'a wish to be taken',
      intervalMs: 100,
    });
  // Before the submission: a worker may reach the first point before the agent has the answer.
  for (const { style, jobFault } of room.wishes)
    if (jobFault !== null) conductor.promise({ originalImageId, style }, jobFault);
  for (const { style, review } of room.wishes) reviews.set(`${originalImageId} ${style}`, review);
  await Promise.all(
    room.wishes.flatMap(({ style, twice }) => (twice ? [ask(style), ask(style)] : [ask(style)])),
  );
  return originalImageId;
}

/** The original may be deleted before the last of its jobs is submitted. */
function unlessDeleted(error: unknown): true {
  if (error instanceof Error && /NOT_FOUND|404/.test(error.message)) return true;
  throw error;
}

/** The outages of the plan, spread over the run by the number of ended jobs. */
function inTurn(world: CrashWorld, jobs: number): Promise<void> {
  const { outages } = world.plan;
  const work = (async () => {
    for (const [index, outage] of outages.entries()) {
      const due = Math.floor(((index + 0.5) * 0.85 * jobs) / outages.length);
      await eventually(() => world.ended >= due, { what: `${due} jobs to end`, timeoutMs: 180_000 });
      world.note(`${outage} (${world.ended} jobs have ended)`);
      await OUTAGE_DEEDS[outage](world);
      world.note(`${outage} is over`);
    }
  })();
  beside(world, 'outages', work);
  return work;
}
