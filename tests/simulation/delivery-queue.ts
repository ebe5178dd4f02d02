import type { StagingQueue } from '../../supervisors/ports.ts';
import type { Random } from './random.ts';
import type { SimulatedProcess, Universe } from './universe.ts';

/**
 * The queue between processes: entries by job id, each in one consumer's hands at a time. It may forget everything,
 * bring an entry twice, and find out late that a consumer died with an entry in hand.
 */
export interface DeliveryQueue {
  reachedFrom(process: SimulatedProcess): StagingQueue;
  /** Takes entries for ever, as many at once as the process has room for. */
  consume(process: SimulatedProcess, consumer: QueueConsumer): void;
  flush(): void;
  /** Ids that the queue knows. */
  entries(): string[];
  /** A consumer is gone; what it had in hand comes back. */
  abandon(process: SimulatedProcess): void;
  /** How often an entry was delivered that the dispatcher had to put back after a flush. */
  readonly flushes: number;
}
export interface QueueConsumer {
  concurrency: number;
  handle(jobId: string, delivery: { queueAttempt: number; queuedAt: number }): Promise<void>;
  settled(jobId: string): Promise<void>;
}

interface Entry {
  jobId: string;
  dueAt: number;
  queuedAt: number;
  attempt: number;
  heldBy: SimulatedProcess | null;
}

/** How long until a dead consumer's entry is offered again, and between two looks of an idle consumer. */
const STALLED_MS = 30_000;
const LOOK_MS = 1_000;

export function createDeliveryQueue(options: {
  universe: Universe;
  random: Random;
  faulty(kind: string): boolean;
}): DeliveryQueue {
  const { universe, faulty } = options;
  const entries = new Map<string, Entry>();
  let pausedUntil = 0;
  let flushes = 0;
  /** Consumers waiting for something to do. */
  const idle = new Set<AbortController>();
  const ring = () => {
    for (const nap of idle) nap.abort();
  };

  const add = (jobId: string, delayMs: number) => {
    if (entries.has(jobId)) return;
    const now = universe.now();
    entries.set(jobId, { jobId, dueAt: now + delayMs, queuedAt: now, attempt: 0, heldBy: null });
    ring();
  };
  const takeDue = (process: SimulatedProcess): Entry | null => {
    const now = universe.now();
    if (pausedUntil > now) return null;
    for (const entry of entries.values()) {
      const free = entry.heldBy === null || faulty('delivered-twice');
      if (!free || entry.dueAt > now || entry.heldBy === process) continue;
      entry.heldBy = process;
      entry.attempt += 1;
      return entry;
    }
    return null;
  };

  const consumeOne = async (process: SimulatedProcess, consumer: QueueConsumer): Promise<void> => {
    while (process.alive) {
      await process.hop('take entry');
      const entry = takeDue(process);
      if (entry === null) {
        const nap = new AbortController();
        idle.add(nap);
        const next = Math.min(...[...entries.values()].map(({ dueAt }) => dueAt - universe.now()), 60_000);
        await process.sleep(Math.max(LOOK_MS, next), nap.signal);
        idle.delete(nap);
        continue;
      }
      const { jobId, attempt, queuedAt } = entry;
      await consumer.handle(jobId, { queueAttempt: attempt, queuedAt });
      await process.hop('entry done');
      if (entries.get(jobId) === entry) entries.delete(jobId);
      await consumer.settled(jobId);
    }
  };

  return {
    get flushes() {
      return flushes;
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
      for (const entry of entries.values()) {
        if (entry.heldBy !== process) continue;
        entry.heldBy = null;
        entry.dueAt = universe.now() + STALLED_MS;
      }
    },
    reachedFrom: (process) => ({
      async enqueue(jobIds, { delayMs = 0 } = {}) {
        await process.hop('enqueue');
        if (faulty('queue-away')) throw Object.assign(new Error('queue away'), { code: 'ECONNREFUSED' });
        for (const jobId of jobIds) add(jobId, delayMs);
      },
      async remove(jobId) {
        await process.hop('dequeue');
        if (entries.get(jobId)?.heldBy === null) entries.delete(jobId);
      },
      async missing(jobIds) {
        await process.hop('ask queue');
        if (faulty('queue-away')) throw Object.assign(new Error('queue away'), { code: 'ECONNREFUSED' });
        return jobIds.filter((jobId) => !entries.has(jobId));
      },
      async pauseStarts(ms) {
        await process.hop('pause queue');
        pausedUntil = Math.max(pausedUntil, universe.now() + ms);
      },
    }),
  };
}
