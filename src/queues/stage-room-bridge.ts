import type { Pool } from 'pg';
import { materialiseLegacyMessage } from '../../persistence/jobs/legacy-messages.ts';
import type { Chance, Clock, JobQueue } from '../../supervisors/ports.ts';
import type { WorkerConfig } from '../config/config.ts';
import { renderPrompt } from '../prompts/staging-prompt.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type LegacyEntry, messageKey, readStageRoomMessage } from './stage-room-message.ts';

/**
 * The legacy bridge of one release (docs/contract.md#old-stage-room-messages): each old `stage-room` message becomes a
 * durable ROOM_STAGING job, with the provider inputs of this worker's own environment, and is enqueued in `ai-staging`.
 * The flag is not read: it stops clients and purchases, but the old release has accepted these messages; the job waits
 * in PENDING until the flag is on. A message about a deleted original is finished with a log line, and nothing is
 * bought.
 */
export type StageRoomBridge = (entry: LegacyEntry) => Promise<void>;

/** The entry can never become a job: a person must examine it. */
export class NotUnderstood extends Error {
  override readonly name = 'NotUnderstood';
}

/** For audit only: an invalid time must not keep a message from its job. */
function instantOf(timestamp: number): string {
  const date = new Date(timestamp);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}

export function createStageRoomBridge(ports: {
  pool: Pool;
  queue: Pick<JobQueue, 'enqueue'>;
  clock: Clock;
  chance: Chance;
  logger: Logger;
  providerInputs: WorkerConfig['providerInputs'];
}): StageRoomBridge {
  const { pool, queue, clock, chance, logger } = ports;
  const { model, ...inputs } = ports.providerInputs;
  return async (entry) => {
    const read = readStageRoomMessage(entry.data);
    if (read.kind === 'unknown') throw new NotUnderstood(read.why);
    const { style, submittedStyle, metadata, ...message } = read.message;
    const made = await materialiseLegacyMessage(pool, {
      ...message,
      aiJobId: chance.id(),
      messageKey: messageKey(entry),
      metadata: { ...metadata, queueEntry: entry.id, queuedAt: instantOf(entry.timestamp) },
      canonicalStyle: style.canonical,
      styleModifier: style.modifier,
      submittedStyle,
      legacyStyle: style.isAlias ? submittedStyle : null,
      render: (roomType) => renderPrompt({ roomType, style: style.canonical, modifier: style.modifier }),
      providerModel: model,
      ...inputs,
      at: clock.now(),
    });
    if (made.outcome === 'room-unknown') throw new NotUnderstood('roomType: neither said nor known');
    if (made.outcome === 'not-original') throw new NotUnderstood('imageId: a staged image');
    const disposition = made.outcome === 'submitted' ? made.disposition : made.outcome;
    const jobId = 'aiJobId' in made ? made.aiJobId : null;
    const event = 'legacy_message';
    logger.info(
      { event, entry: entry.id, originalImageId: message.originalImageId, disposition, jobId },
      event,
    );
    if (disposition !== 'ENQUEUED' || jobId === null) return;
    await queue.enqueue([jobId]).catch((error: unknown) => {
      logger.warn({ err: error, jobId }, 'a queue entry could not be made; the dispatcher will');
    });
  };
}
