import type { AttemptErrorCode } from '../../machines/failure-classes.ts';
import {
  DISCARD_DELAY_MS,
  MAX_STORAGE_WAIT_MS,
  PREDICTION_FORGOTTEN_MS,
  PUT_TIMEOUT_MS,
} from '../../machines/limits.ts';
import { downloadWait } from '../../machines/provider-attempt-model.ts';
import type { DescriptionDetails, StagingJobDetails } from '../../persistence/actors/rows/job-row.ts';
import type { AttemptMessage, SeenDelivery } from '../actors/messages.ts';
import type { CollectAnswer } from '../ports.ts';
import {
  type ActivityResult,
  type ActivityScope,
  askAbout,
  goOn,
  LOOK_AGAIN,
  sendEvent,
} from './activity.ts';
import { deliverWithRetry } from './deliver-with-retry.ts';
import { inLocalPass } from './local-pass.ts';

/**
 * Fetches what was bought: gets the prediction again (no output URL is ever stored), then checks and records the
 * output. A text is recorded with its job. A picture is downloaded and checked within bounds and put under the
 * attempt's fixed key; then one transaction records it. A crash anywhere repeats the same put under the same key. The
 * put of a worker that lost its lease may arrive after the object was deleted. So a worker that cannot record an object
 * that it may have stored queues the object for deletion, which spares objects that a row needs.
 */
export async function collectOutput(scope: ActivityScope): Promise<ActivityResult> {
  const { attempt, aggregate, signal } = scope;
  const { providerPredictionId } = attempt.context;
  if (providerPredictionId === null) throw new Error(`attempt ${attempt.id} has nothing to collect`);
  const found = await askAbout(scope, providerPredictionId);
  if (signal.aborted) return LOOK_AGAIN;
  // The prediction has succeeded before, so an answer that says otherwise counts as no answer.
  if (found.kind !== 'found' || found.prediction.kind === 'unfinished')
    return waitForProvider(scope, found.kind === 'unavailable' ? found.throttledMs : null);
  if (found.prediction.kind !== 'succeeded') return refuse(scope, 'OUTPUT_UNAVAILABLE');
  const { outputUrl, text } = found.prediction;
  const { job } = aggregate;
  if (job.kind === 'descriptionJob')
    return inLocalPass(scope, 'check-text', () => collectText(scope, text, job.details));
  if (outputUrl === null) return refuse(scope, 'OUTPUT_UNAVAILABLE');
  return inLocalPass(scope, 'collect-output', () => collectPicture(scope, outputUrl, job.details));
}

async function collectText(
  scope: ActivityScope,
  text: string | null,
  details: DescriptionDetails,
): Promise<ActivityResult> {
  const { attempt, aggregate, ports } = scope;
  const verdict = ports.checkText(text, details);
  if (verdict.kind === 'refused') {
    ports.reporter.problem('a description was refused', new Error(verdict.why), { jobId: aggregate.job.id });
    return refuse(scope, verdict.errorCode);
  }
  await sendEvent(scope, { type: 'TEXT_STORED', at: ports.clock.now(), text: verdict.text });
  await ports.checkpoint('after-result-recorded', attempt.id);
  return LOOK_AGAIN;
}

async function collectPicture(
  scope: ActivityScope,
  outputUrl: string,
  { outputFormat, aspectRatio }: StagingJobDetails,
): Promise<ActivityResult> {
  const { attempt, ports, signal } = scope;
  const { objectKey } = attempt.context;
  if (objectKey === null) throw new Error(`attempt ${attempt.id} has no place for its picture`);
  if (aspectRatio === null) throw new Error(`attempt ${attempt.id} asked for no shape`);
  await ports.checkpoint('before-download', attempt.id);
  const wanted = {
    outputUrl,
    objectKey,
    expected: { format: outputFormat, aspectRatio },
  };
  const collected = await ports.collector.collect({ ...wanted, signal }).catch(async (error: unknown) => {
    if (signal.aborted) await scheduleOrphanDeletion(scope, objectKey);
    throw error;
  });
  return record(scope, objectKey, collected);
}

async function record(
  scope: ActivityScope,
  objectKey: string,
  collected: CollectAnswer,
): Promise<ActivityResult> {
  const { attempt, ports, signal } = scope;
  const mayBeThere = collected.kind === 'stored' || collected.kind === 'storage-failed';
  if (signal.aborted) {
    if (mayBeThere) await scheduleOrphanDeletion(scope, objectKey);
    return LOOK_AGAIN;
  }
  const event = { at: ports.clock.now(), jitter: ports.chance.jitter() };
  switch (collected.kind) {
    case 'stored': {
      await ports.checkpoint('after-put', attempt.id);
      const { output } = collected;
      const imageId = ports.chance.id();
      const message = { type: 'OUTPUT_STORED', ...event, imageId, output } as const;
      const told = await sendOrScheduleDeletion(scope, objectKey, message);
      await ports.checkpoint('after-result-recorded', attempt.id);
      return goOn(told);
    }
    case 'refused':
      return refuse(scope, collected.errorCode, collected);
    case 'download-failed':
    case 'output-missing': {
      const failed = { ...event, missing: collected.kind === 'output-missing' };
      await sendEvent(scope, { type: 'DOWNLOAD_FAILED', ...failed });
      return { waitMs: downloadWait(attempt.context, failed) ?? 0 };
    }
    case 'storage-failed': {
      await sendOrScheduleDeletion(scope, objectKey, { type: 'STORAGE_FAILED', ...event });
      const failingMs = event.at - (attempt.context.storageFailingSince ?? event.at);
      return { waitMs: Math.max(ports.pollIntervalMs, Math.min(failingMs, MAX_STORAGE_WAIT_MS)) };
    }
  }
}

/** Sends the event, or schedules the deletion of what may have been stored. */
async function sendOrScheduleDeletion(
  scope: ActivityScope,
  objectKey: string,
  event: AttemptMessage,
): Promise<SeenDelivery> {
  const delivery = await sendEvent(scope, event).catch(async (error: unknown) => {
    await scheduleOrphanDeletion(scope, objectKey);
    throw error;
  });
  if (delivery.outcome !== 'applied') await scheduleOrphanDeletion(scope, objectKey);
  return delivery;
}

/**
 * Queues the deletion of an object that may have been stored without being recorded; the deletion spares it if a row
 * needs it when it is due. Only this process knows of the put, so this waits for the database as long as for the answer
 * to a purchase.
 */
async function scheduleOrphanDeletion(
  { attempt, ports, origin }: ActivityScope,
  objectKey: string,
): Promise<void> {
  await deliverWithRetry(ports, { attemptId: attempt.id }, () => {
    const at = ports.clock.now();
    const notBefore = at + DISCARD_DELAY_MS;
    return ports.actorSystem.transaction(async ({ tx, deliver }) => {
      // The attempt's cancellation has usually queued it already; our put is over before that is due.
      if (await tx.isDeletionQueued({ objectKey, notBefore: at + PUT_TIMEOUT_MS })) return;
      const details = { objectKey, reason: 'STAGED_IMAGE_DELETED' } as const;
      const event = { type: 'CREATED', at, nextAttemptAt: notBefore } as const;
      await deliver({ to: 'newDeletion', id: ports.chance.id(), details, event }, origin);
    });
  });
}

/** `downloadBytes` is null when there was nothing to download; `host` is that of an address that is not allowed. */
async function refuse(
  scope: ActivityScope,
  errorCode: AttemptErrorCode,
  { downloadBytes = null, host }: { downloadBytes?: number | null; host?: string } = {},
): Promise<ActivityResult> {
  const { clock, chance } = scope.ports;
  const why = host === undefined ? {} : { host };
  const event = { at: clock.now(), errorCode, downloadBytes, jitter: chance.jitter(), ...why };
  await sendEvent(scope, { type: 'OUTPUT_REFUSED', ...event });
  return LOOK_AGAIN;
}

/** A provider that does not answer uses up no try; once it must have deleted the output, waiting is useless. */
async function waitForProvider(scope: ActivityScope, throttledMs: number | null): Promise<ActivityResult> {
  const { attempt, ports } = scope;
  const age = ports.clock.now() - (attempt.context.sentAt ?? ports.clock.now());
  if (age >= PREDICTION_FORGOTTEN_MS) return refuse(scope, 'OUTPUT_UNAVAILABLE');
  return { waitMs: Math.max(ports.pollIntervalMs, throttledMs ?? 0) };
}
