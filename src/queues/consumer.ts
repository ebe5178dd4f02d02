import { type Job, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import type { Reporter } from '../../supervisors/ports.ts';
import type { Service } from '../../supervisors/service.ts';

/**
 * The consuming end of one queue as a supervised service. Delivery is at least once and may be wrong in every
 * way (twice, late, forged payload), so the handler is told ids only and looks at the database for the rest.
 * A handler that fails loses the entry, not the work: the sweepers offer it again.
 */
export interface ConsumerOptions<T> {
  queue: string;
  connect(): Redis;
  payload: z.ZodType<T>;
  handle(payload: T, delivery: { queueAttempt: number; queuedAt: number }): Promise<void>;
  /** After the entry has left the queue and its id is free again. */
  settled?(payload: T): Promise<void>;
  reporter: Reporter;
  worker: Pick<WorkerOptions, 'concurrency' | 'limiter'>;
}

/** A dead worker's entry comes back after this; a live one that was slow is delivered twice, which is harmless. */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 3_000;
/** Deploys and crashes must never turn an entry into a failure (protocol-facts 6.3). */
const MAX_STALLED = 1_000_000;

export function createConsumer<T>(options: ConsumerOptions<T>): Service {
  const { queue, reporter } = options;

  const process = async (job: Job) => {
    const payload = options.payload.safeParse(job.data);
    if (!payload.success) {
      reporter.problem('a queue entry was not understood and is dropped', new Error(queue), {
        entry: job.id ?? null,
      });
      return;
    }
    try {
      await options.handle(payload.data, {
        queueAttempt: job.attemptsStarted,
        queuedAt: job.timestamp + (job.opts.delay ?? 0),
      });
    } catch (error) {
      reporter.problem('a queue entry could not be handled; a sweeper will offer it again', error, { queue });
    }
  };

  const settle = async (job: Job) => {
    const payload = options.payload.safeParse(job.data);
    if (!payload.success) return;
    await options
      .settled?.(payload.data)
      .catch((error) =>
        reporter.problem('what follows a queue entry is left to the sweepers', error, { queue }),
      );
  };

  return createWorkerService({ ...options, process, completed: settle });
}

export interface WorkerServiceOptions {
  queue: string;
  connect(): Redis;
  reporter: Reporter;
  /** What it throws becomes the entry's end, as BullMQ has it. */
  process(job: Job, token?: string): Promise<void>;
  completed?(job: Job): Promise<void>;
  worker: Pick<WorkerOptions, 'concurrency' | 'limiter'>;
}

/** A BullMQ worker with this house's locks as a supervised service, for consumers with rules of their own. */
export function createWorkerService(options: WorkerServiceOptions): Service {
  const { queue, reporter, completed } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let worker: Worker | null = null;
  let connection: Redis | null = null;
  return {
    name: `consumer ${queue}`,
    async start() {
      connection = options.connect();
      worker = new Worker(queue, options.process, {
        connection,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: MAX_STALLED,
        ...options.worker,
      });
      worker.on('error', (error) => reporter.problem(`consumer ${queue}`, error));
      if (completed) worker.on('completed', (job) => void completed(job));
    },
    done: () => ended,
    async stop() {
      // Handlers end by themselves (the runner drains first), so close may wait for them.
      await worker?.close();
      connection?.disconnect();
      end();
    },
  };
}

export const jobEntry = z.object({ aiJobId: z.uuid() });
export const searchEntry = z.object({ propertyId: z.uuid() });
export const drainEntry = z.object({}).loose();
