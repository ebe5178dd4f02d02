import { CANONICAL_STYLES } from '../../../machines/vocabulary.ts';
import { breachesOf } from '../../../ops/invariants/catalogue.ts';
import type { PipelineState, PositionedEntry } from '../../../ops/invariants/pipeline-state.ts';
import type { CoverageCounts } from './coverage.ts';
import { onceCommitted } from './memory/memory-store.ts';
import { jobAggregate } from './memory/memory-transaction.ts';
import { seedOriginal, seedVariant } from './memory/seeds.ts';
import { type Server, Session } from './memory/session.ts';
import { FINAL_JOBS, type Original } from './memory/tables.ts';
import { planCollecting, planWithdrawal, startWeb, type Web } from './people.ts';
import { planGroup } from './room-groups.ts';
import { seeGroups, wrongRecords } from './second-inputs.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';
import { createWorld, START, short, type World } from './world.ts';

/** One seed's run: agents and faults for a while, then rest, with all invariants checked throughout. */
export interface RunOptions {
  seed: number;
  suppressed?: ReadonlySet<number>;
  calm?: boolean;
}
export interface RunResult {
  seed: number;
  /** Empty when every invariant held. */
  breaches: string[];
  timeline: string[];
  coverage: CoverageCounts;
  faults: { number: number; kind: string }[];
  hops: number;
  purchases: number;
  /** Virtual milliseconds. */
  lasted: number;
}

/** Of each original by its number: the first is staged in its own shape, the second in the fixed one. */
const SHAPES: readonly Original['photo'][] = [null, { width: 1600, height: 1200 }, null];

const SECOND = 1_000;
const MINUTE = 60_000;
/** How long faults happen at most; then everything must settle within the bound (I26). */
const FAULTY_MS = 40 * MINUTE;
const SETTLE_MS = 6 * 60 * MINUTE;
/** Invariants that always hold are checked this often, and at the end. */
const LOOK_EVERY_MS = 10 * MINUTE;

export async function runSeed({
  seed,
  suppressed = new Set(),
  calm = false,
}: RunOptions): Promise<RunResult> {
  const world = createWorld({ seed, suppressed, calm });
  const { universe, faults, server } = world;
  const cast = createCast(world);
  const finish = (breaches: string[]): RunResult => {
    seeGroups(world.coverage, server.database, world.purchases.ledger);
    return {
      seed,
      breaches,
      get timeline() {
        return world.timeline;
      },
      faults: faults.injected,
      hops: universe.hops,
      coverage: world.coverage.counts(server.database),
      purchases: world.purchases.ledger.length,
      lasted: universe.now() - START,
    };
  };
  const look = (quiet: boolean) => [
    ...world.breaches,
    ...breachesOf(stateOf(world), { quiet }).filter((line) => !isDoubtful(world, line)),
    ...wrongRecords(server.database, world.purchases.ledger, world.failover?.forgottenClaims),
    ...(world.failover?.breaches({ quiet }) ?? []),
  ];

  cast.begin();
  for (let until = START + LOOK_EVERY_MS; universe.now() < START + FAULTY_MS; until += LOOK_EVERY_MS) {
    const ended = await universe.run({ until, isOver: () => world.breaches.length > 0 || cast.isSettled() });
    // A finished run is checked below.
    if (ended !== 'timeout') break;
    const breaches = look(false);
    if (breaches.length > 0) return finish(breaches);
  }
  if (world.breaches.length > 0) return finish(look(false));
  faults.stop();
  cast.repair();
  world.note('faults have stopped');
  const bound = universe.now() + SETTLE_MS;
  await universe.run({ until: bound, isOver: () => world.breaches.length > 0 || cast.isSettled() });
  const breaches = look(cast.isSettled());
  // A breach ends the run at once: what it leaves unfinished is no second one.
  const isCut = world.breaches.length > 0;
  return finish(cast.isSettled() || isCut ? breaches : [...breaches, ...unsettled(world, bound)]);
}

interface Cast {
  begin(): void;
  /** After the faults: all processes are up again, and operators have released what was quarantined. */
  repair(): void;
  isSettled(): boolean;
}

function createCast(world: World): Cast {
  const { universe, random, faults, server } = world;
  const tables = () => server.database.tables;
  const workers = new Map<string, WorkerProcess>();
  const webs = new Map<string, Web>();
  let names = 0;
  let callbacks = 0;
  let remaining = 0;
  /** Several workers in a row that crash soon after their start. */
  let doomed = 0;

  const enabledNow = () => !random.chance(0.1) || !canFault();
  const canFault = () => faultsOn;
  let faultsOn = true;
  const hire = () => {
    names += 1;
    const name = `worker-${names}`;
    const enabled = enabledNow();
    world.note(`${name} starts${enabled ? '' : ' with the flag off'}`);
    const worker = startWorker(world, { name, enabled });
    workers.set(name, worker);
    doomed = faults.inject('crash-loop') ? doomed + 1 : 0;
    if (doomed === 3) world.coverage.see('worker that crashes in a loop');
    if (doomed > 0) universe.at(universe.now() + random.between(1, 60) * SECOND, () => worker.process.kill());
    // A later deployment switches the flag on again.
    if (!enabled) universe.at(universe.now() + random.between(1, 10) * MINUTE, () => worker.process.kill());
  };
  const host = () => {
    names += 1;
    webs.set(`web-${names}`, startWeb(world, `web-${names}`));
  };
  const aWeb = () => [...webs.values()].at(random.between(0, webs.size - 1));
  const attempt = (what: string, act: (web: Web) => Promise<void>) => {
    const web = aWeb();
    if (!web) return;
    world.note(`${web.process.name} is asked to ${what}`);
    act(web).catch((error: unknown) => world.note(`${web.process.name} refuses: ${String(error)}`));
  };

  world.onDeath = ({ name }) => {
    const again = workers.delete(name) ? hire : webs.delete(name) ? host : null;
    if (again) universe.at(universe.now() + random.between(500, 40_000), again);
  };
  world.onTerminate = ({ name, kill }) => {
    const worker = workers.get(name);
    if (worker) worker.stop();
    else kill();
  };
  world.onNudge = (jobId) => {
    for (const { process, nudge } of workers.values()) if (process.alive) nudge(jobId);
  };
  world.onCallback = (purchase) => {
    callbacks += 1;
    // The provider repeats a delivery under the id of the first; a second delivery is another.
    const webhookId = random.chance(0.5) ? `msg-${purchase.predictionId}` : `msg-${callbacks}`;
    attempt(`take a callback of ${short(purchase.attemptId)}`, (web) => web.callback(webhookId, purchase));
  };

  world.onHostRefused = (key) => planCollecting(world, key, { plan, attempt });

  const plan = (atMs: number, act: () => void) => {
    remaining += 1;
    universe.at(START + atMs, () => {
      remaining -= 1;
      act();
    });
  };
  const anyJob = () => [...tables().stagingJob.keys()].at(random.between(0, tables().stagingJob.size - 1));
  const anyImage = () =>
    [...tables().imageReview.keys()].at(random.between(0, tables().imageReview.size - 1));

  return {
    begin() {
      hire();
      if (random.chance(0.7)) hire();
      host();
      for (let n = random.between(1, 2); n > 0; n -= 1) {
        const original = seedOriginal(server, world.newId(), SHAPES[n]);
        world.objects.keys.add(original.objectKey).add(original.providerInputKey);
        planWishes(world, { original, plan, attempt });
        planTexts(world, { original, plan, attempt });
      }
      planGroup(world, { plan, attempt });
      for (let n = random.between(0, 2); n > 0; n -= 1)
        plan(random.between(0, 6 * MINUTE), () => {
          const jobId = anyJob();
          if (jobId) attempt(`cancel ${short(jobId)}`, (web) => web.cancel(jobId));
        });
      for (let n = random.between(0, 3); n > 0; n -= 1)
        plan(random.between(MINUTE, 10 * MINUTE), () => {
          const imageId = anyImage();
          if (!imageId) return;
          const decisions = random.chance(0.3)
            ? (['APPROVE', 'REJECT'] as const)
            : [random.pick(['APPROVE', 'REJECT'] as const)];
          for (const decision of decisions)
            attempt(`${decision} ${short(imageId)}`, (web) => web.review(imageId, decision));
        });
      for (let n = random.between(0, 3); n > 0; n -= 1)
        plan(random.between(2 * MINUTE, 11 * MINUTE), () => {
          const image = [...tables().imageReview.values()].find(({ state }) => state === 'APPROVED');
          if (image) planWithdrawal(world, image, { plan, attempt });
        });
      for (let n = 0; n < 8; n += 1)
        plan(random.between(0, 8 * MINUTE), () => {
          if (faults.inject('flush')) world.queue.flush();
          const jobId = anyJob();
          if (jobId && faults.inject('row-locked')) lockForAMinute(world, jobId);
          if (!jobId || !faults.inject('poison-row')) return;
          world.poisoned.add(jobId);
          universe.at(universe.now() + random.between(1, 5) * MINUTE, () => world.poisoned.delete(jobId));
        });
    },
    repair() {
      faultsOn = false;
      world.poisoned.clear();
      for (const { id } of [...tables().stagingJob.values()].filter((job) => job.quarantinedAt !== null)) {
        attempt(`release ${short(id)}`, async (web) => {
          await web.releaseQuarantine(id);
          world.coverage.see('quarantine left');
        });
      }
    },
    isSettled: () => remaining === 0 && settled(world),
  };
}

/** An agent's submissions for one photo: styles once or twice, and perhaps a later deletion of the photo. */
function planWishes(
  { random, server, newId, note, objects }: World,
  {
    original,
    plan,
    attempt,
  }: {
    original: Original;
    plan(atMs: number, act: () => void): void;
    attempt(what: string, act: (web: Web) => Promise<void>): void;
  },
): void {
  const styles = CANONICAL_STYLES.slice(0, random.between(1, 2));
  for (const style of styles) {
    const first = random.between(0, 2 * MINUTE);
    const again = random.chance(0.3) ? [first + random.between(0, 50)] : [];
    for (const atMs of [first, ...again])
      plan(atMs, () =>
        attempt(`stage ${short(original.id)} ${style}`, (web) => web.submit(original.id, style)),
      );
  }
  if (random.chance(0.15)) {
    plan(random.between(MINUTE, 6 * MINUTE), () => {
      const id = insertVariant(server, newId(), original);
      if (id === null) return;
      note(`another variant of ${short(original.id)} appears`);
      objects.keys.add(`staged/${id}.jpg`);
    });
  }
  if (random.chance(0.25))
    plan(random.between(MINUTE, 8 * MINUTE), () =>
      attempt(`delete ${short(original.id)}`, (web) => web.deleteOriginal(original.id)),
    );
}

/** Some requests of a text for the listing, and perhaps a later deletion of the listing. */
function planTexts(
  { random, server, note }: World,
  {
    original: { propertyId },
    plan,
    attempt,
  }: {
    original: Original;
    plan(atMs: number, act: () => void): void;
    attempt(what: string, act: (web: Web) => Promise<void>): void;
  },
): void {
  for (let n = random.between(0, 2); n > 0; n -= 1)
    plan(random.between(0, 4 * MINUTE), () =>
      attempt(`describe ${short(propertyId)}`, (web) => web.describe(propertyId)),
    );
  if (random.chance(0.1))
    plan(random.between(MINUTE, 6 * MINUTE), () => {
      note(`listing ${short(propertyId)} is deleted`);
      forgetListing(server, propertyId);
    });
}

/** As the foreign key does: jobs about the listing no longer name it. */
function forgetListing(server: Server, propertyId: string): void {
  const { stagingJob } = server.database.tables;
  for (const [id, job] of stagingJob)
    if (job.kind === 'descriptionJob' && job.details.propertyId === propertyId)
      stagingJob.set(id, { ...job, details: { ...job.details, propertyId: null } });
}

/**
 * A variant of style MODERN without a job; null when there is one already, or when the lock holder of the
 * original may make one.
 */
function insertVariant(server: Server, id: string, original: Original): string | null {
  const { tables } = server.database;
  const session = new Session(server, 'another writer');
  try {
    if (!session.tryLock(`original ${original.id}`) || !tables.original.has(original.id)) return null;
    const taken = [...tables.imageReview.values()].some(
      (image) => image.styledFromId === original.id && image.canonicalStyle === 'MODERN',
    );
    return taken ? null : seedVariant(server, id, original);
  } finally {
    session.rollback();
  }
}

/** Locks the row, like a forgotten session; does nothing when it is locked already. */
function lockForAMinute({ server, universe }: World, jobId: string): void {
  const session = new Session(server, 'forgotten session');
  session.tryLock(`job ${jobId}`);
  universe.at(universe.now() + MINUTE, () => session.rollback());
}

/** An object of rows that differ between two servers may be lost, or left. */
const isDoubtful = ({ failover }: World, line: string): boolean =>
  /^I(19|20) /.test(line) && line.split(' ').some((word) => failover?.doubtfulKeys.has(word));

/** Every job is over, nothing waits for deletion, and no lease or entry is held. */
function settled({ server, queue, failover }: World): boolean {
  const { stagingJob, deletionItem } = server.database.tables;
  if (queue.size > 0 || failover?.isCompared === false) return false;
  for (const { state } of stagingJob.values()) if (!FINAL_JOBS.has(state)) return false;
  for (const { state } of deletionItem.values()) if (state !== 'DELETED') return false;
  return true;
}

function unsettled({ server, queue, failover }: World, bound: number): string[] {
  const { stagingJob, deletionItem } = server.database.tables;
  const at = new Date(bound).toISOString();
  return [
    ...[...stagingJob.values()]
      .filter(({ state }) => !FINAL_JOBS.has(state))
      .map(({ id, state }) => `I26 job ${id} is still ${state} at ${at}`),
    ...[...deletionItem.values()]
      .filter(({ state }) => state !== 'DELETED')
      .map(({ id, state, context }) => `I26 deletion ${id} is still ${state} at ${at}: ${context.lastError}`),
    ...queue.entries().map((jobId) => `I14b job ${jobId} is still queued at ${at}`),
    ...(failover?.isCompared === false ? [`I26 the database server is still not compared at ${at}`] : []),
  ];
}

function stateOf(world: World): PipelineState {
  const { server, purchases, objects, queue, universe } = world;
  const { tables, journal } = server.database;
  const byActor = new Map<string, PositionedEntry[]>();
  for (const entry of journal) {
    const known = byActor.get(entry.id);
    if (known) known.push(entry);
    else byActor.set(entry.id, [entry]);
  }
  const originals = [...tables.original.values()];
  return {
    at: universe.now(),
    jobs: onceCommitted(server, 'oracle', (session) =>
      [...tables.stagingJob.keys()].flatMap((id) => jobAggregate(session, id)?.job ?? []),
    ),
    attempts: [...tables.providerAttempt.values()],
    singles: [...tables.imageReview.values(), ...tables.deletionItem.values(), ...tables.startGate.values()],
    texts: new Map(
      [...tables.stagingJob].flatMap(([id, { text }]) => (text === undefined ? [] : [[id, text]])),
    ),
    originalKeys: new Set(originals.flatMap((row) => [row.objectKey, row.providerInputKey])),
    reviewEvents: [...tables.reviewEvent.values()],
    provenance: [...tables.imageReview.keys()].map((imageId) => {
      const record = tables.provenance.get(imageId);
      const told = byActor
        .get(imageId)
        ?.findLast(({ event: { type } }) => type === 'WITHDRAW' || type === 'LIFT');
      return {
        imageId,
        due: false,
        originalImageId: record?.originalImageId ?? null,
        approvedByUserId: record?.approvedByUserId ?? null,
        lastEvent:
          told === undefined
            ? null
            : told.event.type === 'LIFT'
              ? ('LIFTED' as const)
              : ('WITHDRAWN' as const),
      };
    }),
    journal: byActor,
    world: {
      purchases: purchases.ledger.map(({ attemptId, predictionId, journalLength }) => ({
        attemptId,
        predictionId,
        journalPosition: journalLength,
      })),
      cutOff: world.cutOff,
      completeLists: world.completeLists,
      forgottenClaims: world.failover?.forgottenClaims,
      objectKeys: objects.keys,
      queueEntries: new Set(queue.entries()),
    },
  };
}
