import { WakeableTimer } from '../../../supervisors/concurrency/wakeable-timer.ts';
import type { JobQueue } from '../../../supervisors/ports.ts';
import type { QueueDelivery, QueueOutcome } from '../../../supervisors/runner/held-job.ts';
import type { Random } from '../../support/random.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/**
 * The queue between processes: entries by job id, each held by one consumer at a time. It may lose
 * everything, deliver an entry twice, and detect late that a consumer died with an entry.
 */
export interface DeliveryQueue {
  reachedFrom(process: SimulatedProcess): JobQueue;
  /** Takes entries forever, as many at once as the process has room for. */
  consume(process: SimulatedProcess, consumer: QueueConsumer): void;
  flush(): void;
  /** Ids of the entries in the queue. */
  entries(): string[];
  readonly size: number;
  /** A consumer has died; its entries return to the queue. */
  abandon(process: SimulatedProcess): void;
  /** How often an entry was delivered that the dispatcher had to put back after a flush. */
  readonly flushes: number;
}
interface QueueConsumer {
  concurrency: number;
  handle(jobId: string, delivery: QueueDelivery): Promise<QueueOutcome>;
  settled(jobId: string): Promise<void>;
}

interface Entry {
  jobId: string;
  dueAt: number;
  queuedAt: number;
  attempt: number;
  heldBy: SimulatedProcess | null;
}

/** The time until a dead consumer's entry is delivered again. */
const STALLED_MS = 30_000;
/** The maximum delay of a second delivery of a held entry. */
const TWICE_WITHIN_MS = 60_000;
const REFUSED_MS = [5_000, 120_000] as const;
const REFUSALS = [
  "OOM command not allowed when used memory > 'maxmemory'.",
  "READONLY You can't write against a read only replica.",
];
const LATE_MS = [500, 20_000] as const;
/** Of a consumer whose store refuses: the longest, as src/queues/consumer.ts has it. */
const REST_MS = 5_000;
/** So many deliveries of a job in so short a time are a spin. */
const SPIN = { deliveries: 20, withinMs: 10_000 };
/** A consumer that was not woken looks again after this long at the latest. */
const LOOK_MS = 300_000;

export function createDeliveryQueue(options: {
  universe: Universe;
  random: Random;
  faulty(kind: string): boolean;
  /** A write was refused. */
  refused(): void;
  /** A job is delivered again and again, and nothing comes of it. */
  spins(jobId: string): void;
}): DeliveryQueue {
  const { universe, random, faulty } = options;
  const entries = new Map<string, Entry>();
  let pausedUntil = 0;
  let flushes = 0;
  /** Of consumers waiting for something to do. */
  const idle = new Set<WakeableTimer>();
  const wake = () => {
    for (const bell of idle) bell.wake();
  };

  const add = (jobId: string, delayMs: number) => {
    if (entries.has(jobId)) return;
    const now = universe.now();
    entries.set(jobId, { jobId, dueAt: now + delayMs, queuedAt: now, attempt: 0, heldBy: null });
    wake();
  };
  /** Delivers an entry that a consumer holds to all consumers again. */
  const enqueueAgain = (entry: Entry, afterMs: number) => {
    entry.heldBy = null;
    entry.dueAt = universe.now() + afterMs;
    wake();
  };
  /** Until when every write is refused: the memory is full, or the server became a replica. */
  let refusedUntil = 0;
  const isRefused = (): boolean => {
    const now = universe.now();
    if (faulty('queue-refuses')) refusedUntil = now + random.between(...REFUSED_MS);
    if (now < refusedUntil) options.refused();
    return now < refusedUntil;
  };
  /** A command that writes. Its answer may come late. */
  const write = async (process: SimulatedProcess, label: string, change: () => void): Promise<void> => {
    await process.hop(label);
    if (faulty('queue-away')) throw Object.assign(new Error('queue away'), { code: 'ECONNREFUSED' });
    if (isRefused()) throw Object.assign(new Error(random.pick(REFUSALS)), { name: 'ReplyError' });
    change();
    if (faulty('queue-late')) await process.sleep(random.between(...LATE_MS));
  };
  const deliveries = new Map<string, number[]>();
  const noteDelivery = (jobId: string, at: number) => {
    const recent = [...(deliveries.get(jobId) ?? []), at].slice(-SPIN.deliveries);
    deliveries.set(jobId, recent);
    if (recent.length === SPIN.deliveries && at - (recent[0] ?? at) < SPIN.withinMs) options.spins(jobId);
  };
  const takeDue = (process: SimulatedProcess): Entry | null => {
    const now = universe.now();
    if (pausedUntil > now) return null;
    for (const entry of entries.values()) {
      if (entry.heldBy !== null || entry.dueAt > now) continue;
      entry.heldBy = process;
      entry.attempt += 1;
      noteDelivery(entry.jobId, now);
      if (faulty('delivered-twice'))
        universe.at(now + random.between(0, TWICE_WITHIN_MS), () => {
          if (entries.get(entry.jobId) === entry && entry.heldBy === process) enqueueAgain(entry, 0);
        });
      return entry;
    }
    return null;
  };
  /** The time until the next known entry is due. */
  const untilDue = (): number => {
    let next = universe.now() + LOOK_MS;
    for (const { heldBy, dueAt } of entries.values())
      if (heldBy === null) next = Math.min(next, Math.max(dueAt, pausedUntil));
    return next - universe.now();
  };

  const consumeOne = async (process: SimulatedProcess, consumer: QueueConsumer): Promise<void> => {
    const bell = new WakeableTimer(process);
    while (process.alive) {
      const waitMs = untilDue();
      if (waitMs > 0) {
        idle.add(bell);
        await bell.wait(waitMs);
        idle.delete(bell);
        continue;
      }
      await process.hop('take entry');
      if (isRefused()) {
        await process.sleep(REST_MS);
        continue;
      }
      const entry = takeDue(process);
      // Another consumer was faster.
      if (entry === null) continue;
      const { jobId, attempt, queuedAt } = entry;
      const outcome = await consumer.handle(jobId, { queueAttempt: attempt, queuedAt });
      await process.hop('entry done');
      if (typeof outcome === 'number') {
        pausedUntil = Math.max(pausedUntil, universe.now() + outcome);
        if (entries.get(jobId) === entry && entry.heldBy === process) enqueueAgain(entry, 0);
        continue;
      }
      if (entries.get(jobId) === entry) entries.delete(jobId);
      if (outcome !== 'over') await consumer.settled(jobId);
    }
  };

  return {
    get flushes() {
      return flushes;
    },
    get size() {
      return entries.size;
    },
    entries: () => [...entries.keys()],
    flush() {
      if (entries.size > 0) flushes += 1;
      entries.clear();
    },
    consume(process, consumer) {
      for (let n = 0; n < consumer.concurrency; n += 1) void consumeOne(process, consumer);
    },
    abandon(process) {
      for (const entry of entries.values()) if (entry.heldBy === process) enqueueAgain(entry, STALLED_MS);
    },
    reachedFrom: (process) => ({
      enqueue: (jobIds, { delayMs = 0 } = {}) =>
        write(process, 'enqueue', () => {
          for (const jobId of jobIds) add(jobId, delayMs);
        }),
      remove: (jobId) =>
        write(process, 'dequeue', () => {
          if (entries.get(jobId)?.heldBy === null) entries.delete(jobId);
        }),
      async missing(jobIds) {
        await process.hop('ask queue');
        if (faulty('queue-away')) throw Object.assign(new Error('queue away'), { code: 'ECONNREFUSED' });
        return jobIds.filter((jobId) => !entries.has(jobId));
      },
      pauseStarts: (ms) =>
        write(process, 'pause queue', () => {
          pausedUntil = Math.max(pausedUntil, universe.now() + ms);
        }),
    }),
  };
}
