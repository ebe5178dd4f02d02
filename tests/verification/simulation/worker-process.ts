import { SERVER_SETTLE_MS } from '../../../machines/limits.ts';
import { PURCHASE_KIND_NAMES, type PurchaseKind } from '../../../machines/purchase-kinds.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { createDatabaseClock } from '../../../persistence/database/database-clock.ts';
import type { AwaitedPurchase } from '../../../persistence/jobs/awaited-purchases.ts';
import { isOutage } from '../../../src/errors/outage.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { Semaphore } from '../../../supervisors/concurrency/semaphore.ts';
import type { Checkpoint, Clock, InTurn, Reporter, TextCheck } from '../../../supervisors/ports.ts';
import { JobRunner } from '../../../supervisors/runner/job-runner.ts';
import { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import { enqueueRetry } from '../../../supervisors/runner/next-entry.ts';
import type { Service } from '../../../supervisors/supervision/service.ts';
import { Supervisor } from '../../../supervisors/supervision/supervisor.ts';
import { drainDeletions } from '../../../supervisors/sweepers/deletion-drain.ts';
import { createDispatcher, createRescuer } from '../../../supervisors/sweepers/dispatcher.ts';
import { watchPauseSwitch } from '../../../supervisors/sweepers/pause-switch-watch.ts';
import { PollDesk } from '../../../supervisors/sweepers/poll-desk.ts';
import { type ScannerPorts, scanInTurn } from '../../../supervisors/sweepers/prediction-scanner.ts';
import {
  createPurchaseCheck,
  type PurchaseCheckPorts,
} from '../../../supervisors/sweepers/purchase-check.ts';
import { createSweeper } from '../../../supervisors/sweepers/sweeper.ts';
import { untilWorthwhile, WORK } from './idle-sweeps.ts';
import { awaitedIn } from './memory/memory-awaited.ts';
import { standingsIn } from './memory/memory-standings.ts';
import { lookAtServer } from './memory/server-identity.ts';
import { Session } from './memory/session.ts';
import type { SimulatedProcess } from './universe.ts';
import type { World } from './world.ts';

/**
 * A worker as src/worker/tree.ts composes it: the real lease keepers, runners, dispatchers and adopters of both kinds of
 * jobs and the real drain under the real supervisors, over simulated time, database, queue, provider and storage.
 */
export interface WorkerProcess {
  process: SimulatedProcess;
  nudge(jobId: string): void;
  /** SIGTERM. */
  stop(): void;
}

const CONCURRENCY = 2;
/** Any poll, so that the list answers some in many runs. A scan is followed by a rest, in which polls are GETs. */
const LIST_FROM = 1;
/** Less than the number of jobs in some scenarios, so that the rate delays some of them. */
const STARTS_PER_MINUTE = 3;
const SWEEP_MS = { dispatch: 20_000, rescue: 10_000, drain: 30_000, poll: 10_000, scan: 4_000 };
const LEASE = { ttlMs: 30_000, heartbeatMs: 10_000 };
/** Between two looks at the database, and where another server may take its place. */
const LOOK_MS = 60_000;
const LOOK_FOR_ALL_MS = 8_000;
const GRACE_MS = 10_000;
const AFTER_GRACE_MS = 1_500;
const INTENSITY = { restarts: 5, withinMs: 60_000 };

export function startWorker(
  world: World,
  { name, enabled }: { name: string; enabled: boolean },
): WorkerProcess {
  const process = world.newProcess(name);
  const reporter = world.reporter(name);
  const store = world.storeOf(process);
  const chance = { id: world.newId, jitter: () => world.random.next() };
  const queue = world.queue.reachedFrom(process);
  const nudges = { publish: (jobId: string) => world.nudge(jobId) };
  const clock = createDatabaseClock({
    monotonic: process.now,
    machine: () => process.now() + world.faults.clockOffset(process),
  });
  const look = async () => {
    await process.hop('db: look');
    const now = process.now();
    const session = new Session(world.server, process.name);
    const sight = lookAtServer(session);
    const pauseSwitch = session.read('startGate', PAUSE_SWITCH_ID);
    session.commit();
    await process.hop('db: looked');
    if (clock.isSkewed()) world.coverage.see('worker with a wrong clock');
    return { now, sight, pauseSwitch };
  };
  const time = { clock, timers: process };
  const queues = { stagingJob: queue, descriptionJob: queue };
  const actorSystem = createActorSystem({ store, queues, nudges, reporter, ...time, chance });
  const checkpoint: Checkpoint = async (point, subjectId) => {
    await process.hop(`at ${point}`);
    if (world.faults.inject('runner-bug')) throw new Error(`a bug at ${point} of ${subjectId}`);
  };
  const provider = world.provider(process, enabled);
  const { server, failover } = world;
  const confirmation = failover?.confirmation(process) ?? null;
  const effects = {
    actorSystem,
    queues,
    chance,
    reporter,
    checkpoint,
    ...time,
    localWork: new Semaphore(),
    provider,
    polls: new PollDesk({
      get: provider.get,
      list: world.lister(process),
      takeTurn: world.takeTurn(process),
      listFrom: LIST_FROM,
      pollIntervalMs: SWEEP_MS.poll,
      reporter,
      ...time,
    }),
    inputs: world.inputs(process),
    collector: world.objects.collector(process),
    checkText,
    pollIntervalMs: SWEEP_MS.poll,
    ...(confirmation === null
      ? {}
      : { confirmClaim: async () => (await confirmation.confirm())?.isTrusted === true }),
  };
  const lookMs = failover === null ? LOOK_MS : LOOK_FOR_ALL_MS;
  const pauseSwitch = watchPauseSwitch({
    look: () => clock.learn(look),
    actorSystem,
    reporter,
    node: name,
    intervalMs: lookMs,
    idleMs: lookMs,
    looksForAll: () => true,
    clock,
    timers: untilWorthwhile(process, () => WORK.look(server, pauseSwitch.isOpen())),
  });
  const startsAllowed = () =>
    enabled && pauseSwitch.isOpen() && !clock.isSkewed() && (confirmation?.isHopeful() ?? true);
  const runners: Partial<Record<PurchaseKind, JobRunner>> = {};
  const running = (kind: PurchaseKind): JobRunner => {
    const runner = runners[kind];
    if (runner === undefined) throw new Error(`${name} does not run a ${kind} yet`);
    return runner;
  };
  const jobsTree = (kind: PurchaseKind): Service => {
    const store = world.storeOf(process, kind);
    const sweep = { store, reporter, startsAllowed, isOutage, ...time };
    let leases: LeaseKeeper;
    return new Supervisor({
      name: kind,
      strategy: 'rest_for_one',
      intensity: INTENSITY,
      reporter,
      ...time,
      children: [
        {
          name: 'lease-keeper',
          create: () => {
            const keeper = new LeaseKeeper({ store, reporter, owner: name, timings: LEASE, ...time });
            leases = world.watched(process, keeper);
            return leases;
          },
        },
        {
          name: 'job-runner',
          create: () => {
            const runner = new JobRunner({
              ...effects,
              kind,
              store,
              leases,
              startsAllowed,
              refreshStarts: pauseSwitch.refresh,
              concurrency: CONCURRENCY,
              startsPerMinute: kind === 'stagingJob' ? STARTS_PER_MINUTE : null,
            });
            runners[kind] = runner;
            return runner;
          },
        },
        {
          name: 'dispatcher',
          create: () =>
            createDispatcher({
              ...sweep,
              queue,
              intervalMs: SWEEP_MS.dispatch,
              kind,
              inTurn: everyTurn,
              timers: untilWorthwhile(process, () =>
                WORK.dispatcher(server.database.tables, kind, process.now(), enabled),
              ),
            }),
        },
        {
          name: 'rescuer',
          create: () =>
            createRescuer({
              ...sweep,
              runner: running(kind),
              // Each simulated worker sweeps at its own interval.
              callOthers: async () => {},
              intervalMs: SWEEP_MS.rescue,
              timers: untilWorthwhile(process, () =>
                WORK.rescuer(server.database.tables, kind, process.now(), enabled),
              ),
            }),
        },
      ],
    });
  };
  const tree = new Supervisor({
    name: 'worker',
    strategy: 'one_for_one',
    intensity: INTENSITY,
    reporter,
    ...time,
    children: [
      {
        name: 'pause-switch',
        create: () => {
          const service = pauseSwitch.service();
          return {
            ...service,
            async start() {
              while (!clock.isKnown()) await clock.learn(look);
              await service.start();
            },
          };
        },
      },
      ...PURCHASE_KIND_NAMES.map((kind) => ({ name: kind, create: () => jobsTree(kind) })),
      {
        name: 'drain',
        create: () => drain(world, { process, clock, actorSystem, reporter }),
      },
      {
        name: 'prediction-scanner',
        create: () => scanner(world, { process, clock, actorSystem, reporter }),
      },
      ...(failover === null
        ? []
        : [
            {
              name: 'purchase-check',
              create: () => purchaseCheck(world, { process, clock, actorSystem, reporter, store, provider }),
            },
          ]),
    ],
  });
  const die = (why: string) => {
    world.note(`${name} ${why}`);
    process.kill();
  };
  tree.done().then(
    () => die('has stopped'),
    () => die('gave up'),
  );
  tree.start().then(
    () =>
      world.queue.consume(process, {
        concurrency: CONCURRENCY,
        handle: (jobId, delivery) =>
          running(server.database.tables.stagingJob.get(jobId)?.kind ?? 'stagingJob').startFromQueue(
            jobId,
            delivery,
          ),
        settled: (jobId) => enqueueRetry({ store, queue, clock }, jobId).catch(() => {}),
      }),
    () => die('could not start'),
  );
  /** As src/role/process.ts does it: one deadline, and soon after it the process is gone, whatever hangs. */
  const stop = () => {
    world.stopOrdered.add(process);
    const deadline = new AbortController();
    void process.sleep(GRACE_MS).then(() => deadline.abort());
    void process.sleep(GRACE_MS + AFTER_GRACE_MS).then(() => die('was cut off'));
    void tree.stop(deadline.signal);
  };
  const nudge = (jobId: string) => {
    for (const runner of Object.values(runners)) runner.nudge(jobId);
  };
  return { process, nudge, stop };
}

/** Whether the provider has written anything. */
const checkText: TextCheck = (text) =>
  text === null
    ? { kind: 'refused', errorCode: 'DESCRIPTION_EMPTY', why: 'no text' }
    : { kind: 'good', text };

/** Each worker sweeps without turns, because turns only save work. */
const everyTurn: InTurn = (_, work) => work({ prolong: async () => true });

function drain(
  world: World,
  given: { process: SimulatedProcess; clock: Clock; actorSystem: ActorSystem; reporter: Reporter },
): Service {
  const { process, clock, actorSystem, reporter } = given;
  const ports = {
    actorSystem,
    reporter,
    clock,
    node: process.name,
    deleter: world.objects.deleter(process),
    chance: { id: world.newId, jitter: () => world.random.next() },
    checkpoint: (point: string) => process.hop(`at ${point}`),
  };
  /** A schedule drains in the platform, not the start of a worker. */
  let isScheduled = false;
  return createSweeper({
    name: 'drain',
    intervalMs: SWEEP_MS.drain,
    reporter,
    isOutage,
    timers: untilWorthwhile(process, () => WORK.drain(world.server.database.tables, process.now())),
    async sweep(draining) {
      if (isScheduled) await drainDeletions(ports, { draining, forced: new AbortController().signal });
      isScheduled = true;
    },
  });
}

function scanner(
  world: World,
  given: { process: SimulatedProcess; clock: Clock; actorSystem: ActorSystem; reporter: Reporter },
): Service {
  const { process, clock, actorSystem, reporter } = given;
  const { server } = world;
  const ports: ScannerPorts = {
    actorSystem,
    reporter,
    clock,
    timers: process,
    node: process.name,
    lister: world.lister(process),
    takeTurn: world.takeTurn(process),
    awaited: () => readAwaited(world, process),
  };
  return createSweeper({
    name: 'prediction-scanner',
    intervalMs: SWEEP_MS.scan,
    reporter,
    isOutage,
    timers: untilWorthwhile(process, () =>
      WORK.scanner(server.database.tables, process.now(), world.mayTakeTurn),
    ),
    sweep: (signal) => scanInTurn(ports, signal),
  });
}

async function readAwaited({ server }: World, process: SimulatedProcess): Promise<AwaitedPurchase[]> {
  await process.hop('db: read awaited');
  const awaited = awaitedIn(server.database.tables);
  await process.hop('db: awaited read');
  return awaited;
}

function purchaseCheck(
  world: World,
  given: { process: SimulatedProcess; clock: Clock; reporter: Reporter } & Pick<
    PurchaseCheckPorts,
    'actorSystem' | 'store' | 'provider'
  >,
): Service {
  const { process } = given;
  const { server } = world;
  return createPurchaseCheck({
    ...given,
    node: process.name,
    purchases: world.purchasesOf(process),
    awaited: () => readAwaited(world, process),
    async standings(purchases) {
      await process.hop('db: read standings');
      const standings = standingsIn(server.database.tables, purchases);
      await process.hop('db: standings read');
      return standings;
    },
    takeTurn: world.takePlainTurn(process),
    chance: { id: world.newId },
    intervalMs: SWEEP_MS.scan,
    settleMs: SERVER_SETTLE_MS,
    timers: untilWorthwhile(process, () => WORK.purchaseCheck(server.database.tables, process.now())),
  });
}
