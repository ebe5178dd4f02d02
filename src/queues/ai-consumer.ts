import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import type { z } from 'zod';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import type { QueueDelivery } from '../../supervisors/runner/held-job.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { isOutage } from '../errors/outage.ts';
import { createWorkerService, handleEntry, jobEntry, type WorkerServiceOptions } from './consumer.ts';
import { DESCRIBE_LISTING_ENTRY, STAGE_ROOM_ENTRY } from './names.ts';
import { NotUnderstood, type StageRoomBridge } from './stage-room-bridge.ts';

/**
 * The consuming end of `ai{QUEUE_SUFFIX}`, which holds two kinds of entries. Ours carry the id of a description job;
 * PostgreSQL has the rest. Entries of the old release are the only record of their requests, so none is ever lost: a
 * bridged entry leaves the queue, one that must wait for another goes back, and one that cannot be understood stays
 * among the failed entries for an operator, whatever its producer configured.
 */
export interface AiConsumerOptions {
  queue: string;
  connect(): Redis;
  describe(jobId: string, delivery: QueueDelivery): Promise<unknown>;
  bridge: StageRoomBridge;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  mayTake?(): boolean;
  concurrency: number;
}

const LATER_MS = 5_000;
/** After this many failures of ours a message is quarantined. */
const MAX_STARTS = 20;

export function createAiConsumer(options: AiConsumerOptions): Service {
  const { queue, connect, reporter, timers, mayTake, concurrency } = options;
  const descriptions = {
    queue,
    reporter,
    payload: jobEntry,
    async handle({ aiJobId }: z.output<typeof jobEntry>, delivery: QueueDelivery) {
      await options.describe(aiJobId, delivery);
      return null;
    },
  };
  const process: WorkerServiceOptions['process'] = async (job, { token, stop }) => {
    if (job.name === DESCRIBE_LISTING_ENTRY) return handleEntry(descriptions, job, stop);
    if (job.name !== STAGE_ROOM_ENTRY)
      return quarantine(options, job, 'no entry of this queue has this name');
    try {
      await options.bridge({ id: String(job.id), timestamp: job.timestamp, data: job.data });
      return null;
    } catch (error) {
      if (error instanceof NotUnderstood) return quarantine(options, job, error.message);
      const passing = isOutage(error) || databaseFailure(error) !== 'other';
      reporter.problem('an old message could not be bridged now', error, { queue, entry: job.id ?? null });
      if (!passing && job.attemptsStarted >= MAX_STARTS) return quarantine(options, job, 'failed too often');
      await job.moveToDelayed(options.clock.now() + LATER_MS, token);
      throw new DelayedError();
    }
  };
  return createWorkerService({
    queue,
    connect,
    reporter,
    timers,
    process,
    ...(mayTake === undefined ? {} : { mayTake }),
    worker: { concurrency },
  });
}

/** Fails the entry at once and permanently; the queue keeps it. */
function quarantine({ reporter, queue }: AiConsumerOptions, job: Job, why: string): never {
  job.opts.removeOnFail = false;
  reporter.problem('an entry was not understood and is kept among the failed ones', new Error(why), {
    queue,
    entry: job.id ?? null,
    entryName: job.name.slice(0, 64),
  });
  throw new UnrecoverableError(why);
}
