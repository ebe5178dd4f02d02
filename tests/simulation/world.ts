import type { ActorStore, ActorTransaction } from '../../persistence/actor-store.ts';
import type { Provider, Reporter } from '../../supervisors/ports.ts';
import { createDeliveryQueue, type DeliveryQueue } from './delivery-queue.ts';
import { createFaults, type FaultKind, type Faults } from './faults.ts';
import { createMemoryStore } from './memory/memory-store.ts';
import { sessionOf } from './memory/memory-transaction.ts';
import { createServer, dropConnections, type Server } from './memory/session.ts';
import type { Receipt } from './memory/tables.ts';
import { createObjectWorld, type ObjectWorld } from './object-world.ts';
import { createProviderWorld, type ProviderWorld, type Purchase } from './provider.ts';
import { createIds, createRandom, type Random } from './random.ts';
import { createSightings, type Sightings } from './sightings.ts';
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
  readonly sightings: Sightings;
  /** Breaches that are seen at the moment they happen. */
  readonly breaches: string[];
  newId(): string;
  note(line: string): void;
  readonly timeline: string[];
  newProcess(name: string): SimulatedProcess;
  storeOf(process: SimulatedProcess): ActorStore;
  provider(process: SimulatedProcess, enabled: boolean): Provider;
  reporter(name: string): Reporter;
  insertReceipt(process: SimulatedProcess, tx: ActorTransaction, receipt: Receipt): Promise<boolean>;
  /** Jobs whose row cannot be read for the time being. */
  readonly poisoned: Set<string>;
  nudge(jobId: string): void;
  onNudge: (jobId: string) => void;
  onCallback: (purchase: Purchase) => void;
  onDeath: (process: SimulatedProcess) => void;
  onTerminate: (process: SimulatedProcess) => void;
}

/** Monday morning, so that virtual instants read well. */
export const START = Date.UTC(2026, 0, 5, 8);

export interface WorldOptions {
  seed: number;
  suppressed: ReadonlySet<number>;
  calm: boolean;
}

export function createWorld({ seed, suppressed, calm }: WorldOptions): World {
  const random = createRandom(seed);
  const timeline: string[] = [];
  const newId = createIds(random.stream('ids'));
  const inFlight = new Map<SimulatedProcess, number>();
  const note = (line: string) => {
    const at = new Date(universe.now()).toISOString().slice(11, 23);
    timeline.push(`${at} ${line}`);
  };
  const faults = createFaults({
    ...{ random: random.stream('faults'), suppressed, calm, note },
    terminate: (process) => world.onTerminate(process),
  });
  const universe = createUniverse({
    ...{ random: random.stream('hops'), start: START, maxHopMs: 20, mishap: faults.mishap },
  });
  const server = createServer({ now: universe.now, newId });
  const strikes = (kind: string) => faults.strikes(kind as FaultKind);
  const queue = createDeliveryQueue({ universe, random: random.stream('queue'), faulty: strikes });
  const sightings = createSightings();
  const breaches: string[] = [];
  const purchases = createProviderWorld({
    ...{ universe, random: random.stream('provider'), newId, faulty: strikes },
    journalLength: () => server.database.journal.length,
    callback: (purchase) => world.onCallback(purchase),
  });
  const objects = createObjectWorld({
    ...{ universe, random: random.stream('objects'), faulty: strikes },
    onDelete: (key) => {
      const { imageReview, original, providerAttempt } = server.database.tables;
      const needed =
        [...imageReview.values()].some((image) => image.objectKey === key) ||
        [...original.values()].some((row) => row.objectKey === key || row.providerInputKey === key) ||
        [...providerAttempt.values()].some((a) => a.state === 'COLLECTING' && a.context.objectKey === key);
      if (needed) breaches.push(`I20 ${key} was deleted while a row needs it`);
    },
    duringPut: (key) => sightings.note('collecting', key),
  });

  const world: World = {
    ...{ universe, random: random.stream('world'), server, queue, objects, purchases, faults, sightings },
    ...{ breaches, newId, note, timeline, poisoned: new Set<string>() },
    newProcess(name) {
      const process = universe.process({
        name,
        onDeath: () => {
          note(`${name} died`);
          if ((inFlight.get(process) ?? 0) > 0) sightings.see('crash between SENT and the answer');
          dropConnections(server, name);
          queue.abandon(process);
          world.onDeath(process);
        },
      });
      return process;
    },
    storeOf(process) {
      const store = createMemoryStore({
        server,
        owner: process.name,
        hop: (label) => process.hop(`db: ${label}`),
      });
      return {
        ...store,
        readJob: (jobId) => {
          if (world.poisoned.has(jobId)) return Promise.reject(new Error(`row of ${jobId} cannot be read`));
          return store.readJob(jobId);
        },
        quarantine: async (request) => {
          await store.quarantine(request);
          sightings.see('quarantine entered');
        },
      };
    },
    provider(process, enabled) {
      const provider = purchases.reachedFrom(process);
      return {
        ...provider,
        create: async (request) => {
          if (!enabled) breaches.push(`I7 a create for ${request.attemptId} while the flag is off`);
          inFlight.set(process, (inFlight.get(process) ?? 0) + 1);
          note(`${process.name} POST for ${short(request.attemptId)}`);
          const answer = await provider.create(request);
          inFlight.set(process, (inFlight.get(process) ?? 1) - 1);
          note(`${process.name} POST answered ${answer.kind} for ${short(request.attemptId)}`);
          return answer;
        },
      };
    },
    reporter: (name) => ({
      report: (jobId, { event }) => note(`${name} reports ${event} of ${short(jobId)}`),
      alert: ({ kind, id }, { alert }) => note(`${name} alerts ${alert} of ${kind} ${short(id)}`),
      transition(kind, event, outcome) {
        if (outcome === 'stale') sightings.see('stale epoch refused');
        note(`${name} ${outcome} ${kind} ${event}`);
      },
      count(counter, by = 1) {
        if (counter === 'dispatcher_repairs' && queue.flushes > 0)
          sightings.see('sweep re-delivering after FLUSHALL', by);
      },
      problem: (what, error) => note(`${name} problem: ${what}: ${String(error)}`),
    }),
    async insertReceipt(process, tx, receipt) {
      await process.hop('db: insert receipt');
      const session = sessionOf(tx);
      await session.lock(`receipt ${receipt.id}`);
      const known = session.read('receipt', receipt.id) !== null;
      if (known) sightings.see('duplicate webhook ignored');
      else session.write('receipt', receipt.id, receipt);
      return !known;
    },
    nudge(jobId) {
      if (!strikes('nudge-lost')) universe.at(universe.now() + 5, () => world.onNudge(jobId));
    },
    ...{ onNudge() {}, onCallback() {}, onDeath() {}, onTerminate() {} },
  };
  return world;
}

export const short = (id: string): string => id.slice(0, 8);
