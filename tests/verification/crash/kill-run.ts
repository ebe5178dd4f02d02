import { setInterval } from 'node:timers/promises';
import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import {
  addFault,
  clearFaults,
  type FaultRuleInput,
  ledgerOf,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import { findFault } from '../../../ops/simulator/faults/fault-catalogue.ts';
import { eventually } from '../../support/eventually.ts';
import { submit, uploadRoom } from '../../support/platform/listing.ts';
import { createRandom } from '../../support/random.ts';
import { type CrashPlan, PROVIDER_FAULTS } from './run-plan.ts';
import { ledgerFaults, settle, tooManyScans } from './run-verdict.ts';
import { openJobs, whileWatched } from './run-watch.ts';
import { type CrashWorld, insist, openCrashWorld } from './run-world.ts';

/**
 * Jobs run while one worker after the other is killed and the provider has all of its faults. Three checks
 * follow at the end: no innocent job has failed, scans of the provider's list began at most once in five
 * seconds, and nothing was bought twice.
 */
export interface KillRunOptions {
  seed: number;
  jobs: number;
  /** Between two kills. */
  everyMs: number;
  /** The period in which workers are killed. */
  lastsMs: number;
  onNote?(line: string): void;
}
export interface KillReport {
  /** All failures; empty when the run passed. */
  breaches: string[];
  jobs: Record<string, number>;
  /** Failed jobs by their error code. */
  failures: Record<string, number>;
  kills: number;
  purchases: number;
  /** Scans of the provider's list. */
  scans: number;
  shortestPauseBetweenScansMs: number | null;
  timeline: string[];
}

/** Enough workers that each lives long enough between two kills to start and to work. */
const WORKERS = 3;
const STYLES_A_ROOM = 5;
const OPEN_JOBS = 24;

export async function runKills(options: KillRunOptions): Promise<KillReport> {
  const { seed, jobs, lastsMs } = options;
  const timeline: string[] = [];
  const began = performance.now();
  const note = (what: string) => {
    const line = `${((performance.now() - began) / 1_000).toFixed(1).padStart(6)} s  ${what}`;
    timeline.push(line);
    options.onNote?.(line);
  };
  const random = createRandom(seed, 'kill run');
  const plan: CrashPlan = { seed, rooms: [], processFaults: [], outages: [], random };
  const world = await openCrashWorld(plan, { note, workers: WORKERS });
  try {
    note('the platform is up');
    await slowDown(world);
    await misbehave(world, jobs);
    const over = AbortSignal.timeout(lastsMs);
    const [, kills] = await whileWatched(world, new Map(), () =>
      Promise.all([stageRooms(world, options), killWorkers(world, options.everyMs, over)]),
    );
    await clearFaults(world.staging.platform.provider.baseUrl);
    await releaseHeld(world.staging.platform.provider.baseUrl);
    note(`faults have stopped after ${kills} kills`);
    await cancelEndless(world);
    // The windows of creates that were never sent are still closed by hand.
    const unsettled = await whileWatched(world, new Map(), () => settle(world));
    note(unsettled.length === 0 ? 'everything has settled' : 'not everything has settled');
    return { ...(await judge(world)), kills, timeline, ...(await breaches(world, unsettled)) };
  } finally {
    await world.close();
  }
}

/** Predictions take seconds, so that most jobs only wait for the provider when their worker is killed. */
async function slowDown({ staging }: CrashWorld): Promise<void> {
  await addFault(staging.platform.provider.baseUrl, {
    fault: 'timing',
    times: 'always',
    options: { startMs: 500, runMs: 6_000 },
  });
}

/** Every fault of the provider several times, each for a create of its own, spread over the run. */
async function misbehave({ staging, plan }: CrashWorld, jobs: number): Promise<void> {
  const gap = 3;
  for (let nth = 2, index = plan.random.between(0, 99); nth < jobs; nth += gap, index += 1) {
    const fault = PROVIDER_FAULTS[index % PROVIDER_FAULTS.length] as FaultRuleInput;
    const match = fault.options?.on === 'list' ? {} : { nth };
    await addFault(staging.platform.provider.baseUrl, { ...fault, match });
  }
}

/** Spread over the run, and never more at once than the workers can process. */
async function stageRooms(world: CrashWorld, { jobs, lastsMs }: KillRunOptions): Promise<void> {
  const rooms = Math.ceil(jobs / STYLES_A_ROOM);
  const pace = setInterval((0.9 * lastsMs) / rooms);
  for (let room = 0; room < rooms; room += 1) {
    await pace.next();
    await eventually(async () => (await openJobs(world)) <= OPEN_JOBS, {
      what: 'room for more jobs',
      timeoutMs: 300_000,
      intervalMs: 200,
    });
    const seed = world.plan.random.between(0, 1_000_000);
    const original = await eventually(() => uploadRoom(world.anybody(), world.staging.propertyId, seed), {
      what: 'a room to be uploaded',
      intervalMs: 100,
    });
    const styles = CANONICAL_STYLES.slice(0, Math.min(STYLES_A_ROOM, jobs - room * STYLES_A_ROOM));
    await Promise.all(
      styles.map((style) =>
        eventually(() => submit(world.anybody(), original, style), {
          what: 'a wish to be taken',
          intervalMs: 100,
        }),
      ),
    );
  }
  await pace.return?.();
  world.note('all rooms are submitted');
}

/** SIGKILL for one worker after the other that is up; each slot starts the next at once. */
async function killWorkers({ slots, note }: CrashWorld, everyMs: number, over: AbortSignal) {
  let kills = 0;
  let turn = 0;
  const up = new Set<number>();
  try {
    for await (const _ of setInterval(everyMs, undefined, { signal: over })) {
      for (const { pid, ready } of slots.map((slot) => slot.process()))
        void ready.then(
          () => up.add(pid),
          () => {},
        );
      const victim = slots[turn % slots.length]?.process();
      turn += 1;
      // On a busy machine a start takes longer than the time between two kills; no work would be done.
      if (!victim?.isRunning() || !up.has(victim.pid)) continue;
      process.kill(victim.pid, 'SIGKILL');
      kills += 1;
      note(`kill ${kills}: worker ${victim.pid}`);
    }
  } catch (error) {
    if (!over.aborted) throw error;
  }
  return kills;
}

/** A prediction that never finishes has a deadline of 20 minutes; to save time an agent cancels its job. */
async function cancelEndless(world: CrashWorld): Promise<void> {
  const { platform } = world.staging;
  const endless = (await ledgerOf(platform.provider.baseUrl)).flatMap((entry) =>
    entry.kind === 'create' && entry.accepted && findFault(entry.faults, 'never-finishes')
      ? [entry.attemptId]
      : [],
  );
  const jobs = await platform.rows<{ aiJobId: string }>(
    `select "aiJobId" from ai_provider_attempts where id = any($1::uuid[]) and status = 'RUNNING'`,
    [endless],
  );
  for (const { aiJobId } of jobs) {
    await insist(world, (person) => person.mutate('ai.cancelStagingJob', { aiJobId }));
    world.note(`canceled a job whose prediction never finishes: ${aiJobId}`);
  }
}

interface FailedJob {
  id: string;
  code: string | null;
  attemptId: string;
}

async function judge({ staging, scans }: CrashWorld) {
  const { rows, provider } = staging.platform;
  const byStatus = await rows<{ status: string; jobs: number }>(
    'select status::text, count(*)::int as jobs from ai_jobs group by status order by status',
  );
  const failed = await failedJobs(staging.platform);
  const pauses = scans.slice(1).map((at, index) => Math.round(at - (scans[index] ?? 0)));
  return {
    jobs: Object.fromEntries(byStatus.map(({ status, jobs }) => [status, jobs])),
    failures: Object.fromEntries(
      [...Map.groupBy(failed, ({ code }) => String(code))].map(([code, those]) => [code, those.length]),
    ),
    purchases: (await ledgerOf(provider.baseUrl)).filter((one) => one.kind === 'create' && one.accepted)
      .length,
    scans: scans.length,
    shortestPauseBetweenScansMs: pauses.length === 0 ? null : Math.min(...pauses),
  };
}

const failedJobs = ({ rows }: CrashWorld['staging']['platform']): Promise<FailedJob[]> =>
  rows<FailedJob>(
    `select distinct on (j.id) j.id, j."errorCode" as code, a.id as "attemptId"
       from ai_jobs j join ai_provider_attempts a on a."aiJobId" = j.id
      where j.status = 'FAILED' order by j.id, a."attemptNumber" desc`,
  );

async function breaches(world: CrashWorld, unsettled: string[]): Promise<{ breaches: string[] }> {
  return {
    breaches: [
      ...unsettled,
      ...(await innocentFailures(world)),
      ...tooManyScans(world),
      ...(await ledgerFaults(world)),
    ],
  };
}

/**
 * A job may fail because of the provider's fault in its last attempt, or because a worker was killed between
 * claim and POST, which counts as bought. Any other failed job is innocent.
 */
async function innocentFailures({ staging }: CrashWorld): Promise<string[]> {
  const { platform } = staging;
  const ledger = await ledgerOf(platform.provider.baseUrl);
  const creates = Map.groupBy(
    ledger.filter((entry) => entry.kind === 'create'),
    ({ attemptId }) => attemptId ?? '',
  );
  return (await failedJobs(platform)).flatMap(({ id, code, attemptId }) => {
    const calls = creates.get(attemptId) ?? [];
    const neverBought = code === 'PREDICTION_UNCONFIRMED' && !calls.some(({ accepted }) => accepted);
    const wronged = code !== 'RUNNER_CRASHED' && calls.some(({ faults }) => faults.length > 0);
    return neverBought || wronged ? [] : [`I30 job ${id} failed with ${code}, attempt ${attemptId}`];
  });
}
