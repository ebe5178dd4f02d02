import { type Job, WaitingError, Worker, type WorkerOptions } from 'bullmq';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { Semaphore } from '../../supervisors/concurrency/semaphore.ts';
import type { Reporter, Timers } from '../../supervisors/ports.ts';
import type { QueueDelivery, QueueOutcome } from '../../supervisors/runner/held-job.ts';
import { endedBy, type Service, type StopSignals } from '../../supervisors/supervision/service.ts';
import { CLOSE_MS } from './redis.ts';

/**
 * The consuming end of one queue as a supervised service. Delivery is at least once and may be wrong in every way
 * (twice, late, forged payload), so the handler gets ids only and reads the rest from the database. If a handler fails,
 * the entry is lost but not the work: the sweepers enqueue it again.
 */
export interface ConsumerOptions<T> {
  queue: string;
  connect(): Redis;
  payload: z.ZodType<T>;
  /** An entry that must go back is at the front of the queue again. */
  handle(payload: T, delivery: QueueDelivery, stop: StopSignals): Promise<QueueOutcome>;
  /** Called after the entry has left the queue and its id is free again, if anything may follow. */
  settled?(payload: T): Promise<void>;
  reporter: Reporter;
  timers: Timers;
  /** While false no entry is taken, which leaves it to other workers. Default: always true. */
  mayTake?(): boolean;
  worker: Pick<WorkerOptions, 'concurrency' | 'limiter'>;
}

/**
 * The entry of a dead worker returns after this time. The entry of a slow worker is delivered twice, which is
 * harmless.
 */
const LOCK_MS = 6_000;
const STALLED_CHECK_MS = 3_000;
/** The wait after the first refusal of the store, and the longest one: as long as a sweeper waits. */
const FIRST_REST_MS = 250;
const LONGEST_REST_MS = 5_000;
/** Between two looks whether entries may be taken again. */
const NOT_ALLOWED_MS = 1_000;
/** Deploys and crashes must never fail an entry (docs/provider.md#bullmq-and-redis). */
const MAX_STALLED = 1_000_000;

export function createConsumer<T>(options: ConsumerOptions<T>): Service {
  const { queue, reporter, settled } = options;
  const completed = async (job: Job) => {
    const payload = options.payload.safeParse(job.data);
    if (!payload.success) return;
    await settled?.(payload.data).catch((error) =>
      reporter.problem('what follows a queue entry is left to the sweepers', error, { queue }),
    );
  };
  return createWorkerService({
    ...options,
    process: (job, { stop }) => handleEntry(options, job, stop),
    completed,
  });
}

/** Never throws: an entry stands for a row, and the sweepers enqueue lost entries again. */
export async function handleEntry<T>(
  { queue, reporter, payload, handle }: Pick<ConsumerOptions<T>, 'queue' | 'reporter' | 'payload' | 'handle'>,
  job: Job,
  stop: StopSignals,
): Promise<QueueOutcome> {
  const read = payload.safeParse(job.data);
  if (!read.success) {
    reporter.problem('a queue entry was not understood and is dropped', new Error(queue), {
      entry: job.id ?? null,
    });
    return null;
  }
  try {
    const queuedAt = job.timestamp + (job.opts.delay ?? 0);
    return await handle(read.data, { queueAttempt: job.attemptsStarted, queuedAt }, stop);
  } catch (error) {
    reporter.problem('a queue entry could not be handled; a sweeper will offer it again', error, { queue });
    return null;
  }
}

export interface WorkerServiceOptions
  extends Pick<ConsumerOptions<unknown>, 'queue' | 'connect' | 'reporter' | 'timers' | 'mayTake' | 'worker'> {
  /** A throw ends the entry as BullMQ defines; the result is that of `ConsumerOptions.handle`. */
  process(job: Job, given: { token: string | undefined; stop: StopSignals }): Promise<QueueOutcome>;
  /** Not for an entry that is over. */
  completed?(job: Job): Promise<void>;
}

/** BullMQ's worker retries a rejected fetch immediately, forever. This one backs off. */
class PatientWorker extends Worker {
  #refusals = 0;
  readonly #rest: (refusals: number) => Promise<void>;
  readonly #untilAllowed: () => Promise<void>;

  constructor(
    queue: string,
    process: (job: Job, token?: string) => Promise<unknown>,
    {
      rest,
      untilAllowed,
      ...options
    }: WorkerOptions & { rest(refusals: number): Promise<void>; untilAllowed(): Promise<void> },
  ) {
    super(queue, process, { ...options, autorun: false });
    this.#rest = rest;
    this.#untilAllowed = untilAllowed;
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    await this.#untilAllowed();
    try {
      const job = await super.moveToActive(token, name);
      this.#refusals = 0;
      return job;
    } catch (error) {
      await this.delay();
      throw error;
    }
  }

  /** Without a time it is the wait after a refusal. */
  override async delay(...[ms, abort]: Parameters<Worker['delay']>): Promise<void> {
    if (ms !== undefined) return super.delay(ms, abort);
    this.#refusals += 1;
    await this.#rest(this.#refusals);
  }
}

/**
 * A BullMQ worker with this project's lock times as a supervised service, for consumers with additional rules. When
 * it stops, it takes no more entries; an entry being fetched goes back into the queue. Entries still running at the
 * deadline are abandoned: the queue delivers them again when their lock has expired.
 */
export function createWorkerService(options: WorkerServiceOptions): Service {
  const { queue, reporter, completed } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const draining = new AbortController();
  const forced = new AbortController();
  const stop: StopSignals = { draining: draining.signal, forced: forced.signal };
  const inHand = new Semaphore();
  let worker: Worker | null = null;
  let connection: Redis | null = null;
  let closing: Promise<void> = Promise.resolve();

  const rest = (refusals: number) =>
    options.timers.sleep(Math.min(FIRST_REST_MS * 2 ** (refusals - 1), LONGEST_REST_MS), draining.signal);
  /** Also ends when this worker stops; an entry that is fetched then goes back into the queue. */
  const untilAllowed = async (): Promise<void> => {
    while (options.mayTake?.() === false && !draining.signal.aborted)
      await options.timers.sleep(NOT_ALLOWED_MS, draining.signal);
  };
  /** A worker whose first command was refused is of no use any more, so another one is opened. */
  const open = async (): Promise<void> => {
    for (let refusals = 0; !draining.signal.aborted; refusals += 1) {
      if (refusals > 0) await rest(refusals);
      if (draining.signal.aborted) return;
      connection = options.connect();
      const opened = new PatientWorker(queue, process, {
        connection,
        lockDuration: LOCK_MS,
        stalledInterval: STALLED_CHECK_MS,
        maxStalledCount: MAX_STALLED,
        ...options.worker,
        rest,
        untilAllowed,
      });
      worker = opened;
      opened.on('error', (error) => reporter.problem(`consumer ${queue}`, error));
      opened.on('completed', (job, outcome) => {
        if (outcome !== 'over') void completed?.(job);
      });
      try {
        await opened.waitUntilReady();
        return await opened.run();
      } catch (error) {
        if (draining.signal.aborted) return;
        reporter.problem(`consumer ${queue} opens again`, error);
        await endedBy(opened.close(true), AbortSignal.timeout(CLOSE_MS));
        connection.disconnect();
      }
    }
  };
  const process = async (job: Job, token?: string): Promise<'over' | null> => {
    if (draining.signal.aborted) {
      await job.moveToWait(token);
      throw new WaitingError();
    }
    const over = inHand.enter();
    try {
      const outcome = await options.process(job, { token, stop });
      if (typeof outcome !== 'number') return outcome;
      await worker?.rateLimit(outcome);
      throw Worker.RateLimitError();
    } finally {
      over();
    }
  };
  const stopClaiming = (): void => {
    if (draining.signal.aborted) return;
    draining.abort();
    // Takes no more entries, and resolves when the running ones have finished.
    closing = worker?.close() ?? closing;
    closing.catch((error) => reporter.problem(`consumer ${queue}`, error));
  };
  return {
    name: `consumer ${queue}`,
    async start() {
      void open();
    },
    done: () => ended,
    stopClaiming,
    async stop(deadline) {
      stopClaiming();
      await endedBy(inHand.below(1), deadline);
      forced.abort();
      // A store that is down never answers, so this wait is bounded.
      await endedBy(closing, AbortSignal.timeout(CLOSE_MS));
      connection?.disconnect();
      end();
    },
  };
}

export const jobEntry = z.object({ aiJobId: z.uuid() });
export const searchEntry = z.object({ propertyId: z.uuid() });
export const drainEntry = z.object({}).loose();
