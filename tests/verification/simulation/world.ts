import type { PurchaseKind } from '../../../machines/purchase-kinds.ts';
import type { CompleteList } from '../../../ops/invariants/pipeline-state.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import type {
  InputPreparer,
  PredictionLister,
  PredictionPages,
  Provider,
  PurchaseLister,
  Reporter,
} from '../../../supervisors/ports.ts';
import type { LeaseKeeper } from '../../../supervisors/runner/lease-keeper.ts';
import type { TakeTurn } from '../../../supervisors/sweepers/prediction-scanner.ts';
import { createIds, createRandom, type Random } from '../../support/random.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts';
import { createFailover, type Failover } from './failover.ts';
import { createFaults, type FaultKind, type Faults } from './faults.ts';
import { watchLeases } from './lease-watch.ts';
import { createMemoryLeases } from './memory/memory-leases.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { dropLostReference } from './memory/second-inputs.ts';
import { createServer, dropConnections, type Server } from './memory/session.ts';
import { createObjectWorld, type ObjectWorld } from './object-world.ts';
import { createProviderWorld, type ProviderWorld, type Purchase } from './provider.ts';
import { watchScans } from './scans.ts';
import { wrongSecondInput } from './second-inputs.ts';
import { createUniverse, type SimulatedProcess, type Universe } from './universe.ts';

/** Everything outside the processes of one run, and the record of what happened. */
export interface World {
  readonly universe: Universe;
  readonly random: Random;
  readonly server: Server;
  readonly queue: DeliveryQueue;
  readonly objects: ObjectWorld;
  readonly purchases: ProviderWorld;
  readonly faults: Faults;
  readonly coverage: Coverage;
  /** Null in seeds with one server, which never forgets. */
  readonly failover: Failover | null;
  /** Violations found at the moment they happen. */
  readonly breaches: string[];
  newId(): string;
  note(line: string): void;
  readonly timeline: string[];
  newProcess(name: string): SimulatedProcess;
  /** With leases for jobs of the kind; pictures when none is named. */
  storeOf(process: SimulatedProcess, kind?: PurchaseKind): ActorStore;
  /** With a record of the lost leases that processes learned of, for I31. */
  watched(process: SimulatedProcess, keeper: LeaseKeeper): LeaseKeeper;
  provider(process: SimulatedProcess, enabled: boolean): Provider;
  inputs(process: SimulatedProcess): InputPreparer;
  lister(process: SimulatedProcess): PredictionLister & PredictionPages;
  /** Its list with what each purchase names. */
  purchasesOf(process: SimulatedProcess): PurchaseLister;
  readonly completeLists: readonly CompleteList[];
  /** The turn for a scan of the provider's list, as the database gives it. */
  takeTurn(process: SimulatedProcess): TakeTurn;
  /** A turn that is no scan. */
  takePlainTurn(process: SimulatedProcess): TakeTurn;
  /** Whether that turn would be given now. */
  mayTakeTurn(turn: Parameters<TakeTurn>[0]): boolean;
  reporter(name: string): Reporter;
  /** Attempts whose create was in flight when their process ended. */
  readonly cutOff: ReadonlySet<string>;
  /** Jobs whose row cannot be read for the time being. */
  readonly poisoned: Set<string>;
  /** Processes that were sent SIGTERM. */
  readonly stopOrdered: Set<SimulatedProcess>;
  nudge(jobId: string): void;
  onNudge: (jobId: string) => void;
  onCallback: (purchase: Purchase) => void;
  onHostRefused: (objectKey: string) => void;
  onDeath: (process: SimulatedProcess) => void;
  onTerminate: (process: SimulatedProcess) => void;
}

/** What a worker calls skewed, and what it cannot know of the database's clock. */
const CLOCK_TOLERANCE_MS = 4_000;

/** Until a create has its connection. */
const SEND_WAITS_MS = [1_000, 240_000] as const;

/** Seeds whose database has a standby. */
const SHARE_WITH_STANDBY = 0.4;

/** Monday morning, so that virtual instants read well. */
export const START = Date.UTC(2026, 0, 5, 8);

export interface WorldOptions {
  seed: number;
  suppressed: ReadonlySet<number>;
  calm: boolean;
}

export function createWorld({ seed, suppressed, calm }: WorldOptions): World {
  const random = createRandom(seed);
  const noted: { at: number; line: string }[] = [];
  const newId = createIds(random.stream('ids'));
  const inFlight = new Map<SimulatedProcess, Set<string>>();
  const cutOff = new Set<string>();
  const note = (line: string) => {
    noted.push({ at: universe.now(), line });
  };
  const faults = createFaults({
    random: random.stream('faults'),
    suppressed,
    calm,
    now: () => universe.now(),
    note,
    terminate: (process) => world.onTerminate(process),
  });
  const universe = createUniverse({
    random: random.stream('hops'),
    start: START,
    maxHopMs: 20,
    faultOf(hop) {
      leases.beforeHop(hop.process);
      const fate = faults.faultOf(hop);
      if (fate.kind === 'silence') coverage.see('query without an answer');
      return fate;
    },
  });
  const coverage = createCoverage();
  const breaches: string[] = [];
  const leases = watchLeases({
    breach: (line) => void breaches.push(line),
    takenFromTheLiving: () => coverage.see('lease taken over from a living holder'),
  });
  const hasStandby = random.stream('has a standby').chance(SHARE_WITH_STANDBY);
  const server = createServer({
    now: universe.now,
    newId,
    takenOver: leases.takenOver,
    mayForget: hasStandby,
    committed: (commit) => failover?.committed(commit),
    after: (ms, what) => universe.at(universe.now() + ms, what),
  });
  const inject = (kind: string) => faults.inject(kind as FaultKind);
  const queue = createDeliveryQueue({
    universe,
    random: random.stream('queue'),
    faulty: inject,
    refused: () => coverage.see('write that Redis refuses'),
    spins: (jobId) => void breaches.push(`I26 entries of job ${jobId} go round and round`),
  });
  const purchases = createProviderWorld({
    universe,
    random: random.stream('provider'),
    newId,
    faulty: inject,
    journalLength: () => server.database.journal.length,
    callback: (purchase) => world.onCallback(purchase),
    hasObject: (key) => objects.keys.has(key),
    unreadable: () => coverage.see('second input gone before the provider read it'),
    terminate: (process) => world.onTerminate(process),
  });
  const objects = createObjectWorld({
    universe,
    random: random.stream('objects'),
    faulty: inject,
    onDelete: (key) => {
      const { imageReview, original, providerAttempt } = server.database.tables;
      const needed =
        [...imageReview.values()].some((image) => image.objectKey === key) ||
        [...original.values()].some((row) => row.objectKey === key || row.providerInputKey === key) ||
        [...providerAttempt.values()].some((a) => a.state === 'COLLECTING' && a.context.objectKey === key);
      if (needed && !failover?.doubtfulKeys.has(key))
        breaches.push(`I20 ${key} was deleted while a row needs it`);
    },
    decoderLost: () => coverage.see('decoder lost'),
    hostRefused: (key) => world.onHostRefused(key),
    duringPut: (key) => coverage.note('collecting', key),
  });

  const failover = hasStandby
    ? createFailover({
        server,
        universe,
        random: random.stream('failover'),
        faults,
        coverage,
        cutOff,
        ledger: () => purchases.ledger,
        note,
        breach: (line) => void breaches.push(line),
        replaced: leases.forget,
      })
    : null;
  const scans = watchScans(universe, (breach) => void breaches.push(breach));
  const world: World = {
    universe,
    random: random.stream('world'),
    server,
    queue,
    objects,
    purchases,
    faults,
    coverage,
    failover,
    breaches,
    cutOff,
    newId,
    note,
    // Most runs are never shown.
    get timeline() {
      return noted.map(({ at, line }) => `${new Date(at).toISOString().slice(11, 23)} ${line}`);
    },
    poisoned: new Set<string>(),
    stopOrdered: new Set(),
    newProcess(name) {
      const process = universe.process({
        name,
        onDeath: () => {
          note(`${name} died`);
          const flying = inFlight.get(process) ?? new Set();
          for (const attemptId of flying) cutOff.add(attemptId);
          if (flying.size > 0) coverage.see('crash between SENT and the answer');
          dropConnections(server, name);
          queue.abandon(process);
          world.onDeath(process);
        },
      });
      return process;
    },
    storeOf(process, kind = 'stagingJob') {
      const connection = {
        server,
        owner: process.name,
        hop: (label: string) => process.hop(`db: ${label}`),
      };
      const store = { ...createMemoryStore(connection), ...createMemoryLeases(connection, kind) };
      return {
        ...store,
        readJob: (jobId) => {
          if (world.poisoned.has(jobId)) return Promise.reject(new Error(`row of ${jobId} cannot be read`));
          return store.readJob(jobId);
        },
        renewLeases: async (request) => {
          const answer = await store.renewLeases(request);
          coverage.see('renewal that skips a locked row', answer.locked.length);
          return answer;
        },
        quarantine: async (request) => {
          await store.quarantine(request);
          coverage.see('quarantine entered');
        },
      };
    },
    watched: leases.watched,
    provider(process, enabled) {
      const provider = purchases.reachedFrom(process);
      return {
        ...provider,
        create: async (request) => {
          if (inject('send-waits')) await process.sleep(random.stream('sends').between(...SEND_WAITS_MS));
          if (!request.mayBuy()) return { kind: 'withheld' };
          if (world.stopOrdered.has(process))
            breaches.push(`I28 a create for ${request.attemptId} after the order to stop`);
          if (Math.abs(faults.clockOffset(process)) > CLOCK_TOLERANCE_MS)
            breaches.push(`I44 a create for ${request.attemptId} by a worker with a wrong clock`);
          if (!enabled) breaches.push(`I7 a create for ${request.attemptId} while the flag is off`);
          const { job } = request.aggregate;
          const wrong =
            job.kind === 'stagingJob' ? wrongSecondInput(server.database, request.attemptId, job) : null;
          if (wrong !== null) breaches.push(wrong);
          const flying = inFlight.get(process) ?? new Set();
          inFlight.set(process, flying.add(request.attemptId));
          failover?.posted();
          note(`${process.name} POST for ${short(request.attemptId)}`);
          const answer = await provider.create(request);
          flying.delete(request.attemptId);
          note(`${process.name} POST answered ${answer.kind} for ${short(request.attemptId)}`);
          return answer;
        },
      };
    },
    inputs: (process) => ({
      prepare: async () => 'impossible',
      async dropLostReference(held) {
        const connection = {
          server,
          owner: process.name,
          hop: (label: string) => process.hop(`db: ${label}`),
        };
        const dropped = await dropLostReference(connection, held);
        if (dropped) coverage.see('second input dropped before the purchase');
        return dropped;
      },
    }),
    purchasesOf: purchases.purchasesFrom,
    lister: (process) => scans.watched(process, purchases.reachedFrom(process)),
    takeTurn: (process) => scans.takenBy(process),
    takePlainTurn: scans.plain,
    mayTakeTurn: (turn) => scans.isFree(turn, universe.now()),
    completeLists: scans.completeLists,
    reporter: (name) => ({
      report: (jobId, { event }) => note(`${name} reports ${event} of ${short(jobId)}`),
      alert: ({ kind, id }, { alert }) => note(`${name} alerts ${alert} of ${kind} ${short(id)}`),
      transition(kind, event, outcome) {
        if (outcome === 'stale') coverage.see('stale epoch refused');
        note(`${name} ${outcome} ${kind} ${event}`);
      },
      count(counter, by = 1) {
        if (counter === 'polls_listed') coverage.see('poll answered by the list', by);
        if (counter === 'dispatcher_repairs' && queue.flushes > 0)
          coverage.see('sweep re-delivering after FLUSHALL', by);
      },
      problem: (what, error) => note(`${name} problem: ${what}: ${String(error)}`),
    }),
    nudge(jobId) {
      if (!inject('nudge-lost')) universe.at(universe.now() + 5, () => world.onNudge(jobId));
    },
    onNudge() {},
    onCallback() {},
    onHostRefused() {},
    onDeath() {},
    onTerminate() {},
  };
  return world;
}

export const short = (id: string): string => id.slice(0, 8);
