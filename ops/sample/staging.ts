import { randomUUID } from 'node:crypto';
import { createPostgresActorStore, inTransaction } from '../../persistence/actors/postgres-actor-store.ts';
import { lockOriginal, submitFor } from '../../persistence/jobs/staging-submissions.ts';
import { SAMPLE_MODEL } from '../../persistence/sample/sample-town.ts';
import type { Message } from '../../supervisors/actors/messages.ts';
import { applied, deliver, HOUR, MINUTE, type Town } from './loading.ts';
import type { PlannedPhoto, StagedEnd } from './town.ts';

interface StagedToAdd {
  readonly imageId: string;
  readonly agentId: string;
  readonly photo: PlannedPhoto;
  readonly style: PlannedPhoto['staged'][number]['style'];
  readonly end: StagedEnd;
  readonly at: number;
}

/** A job from its submission to its end, a second or more between two events. */
export async function addStaged(town: Town, staged: StagedToAdd): Promise<void> {
  const { pool, storage, actors } = town;
  const { agentId, photo, style, end, at } = staged;
  const jobId = await submit(town, staged);
  if (end === 'CANCELED') {
    await deliver(
      actors,
      { to: 'stagingJob', id: jobId, event: { type: 'CANCEL_ASKED', at: at + 1_000 } },
      `user:${agentId}`,
    );
    return;
  }
  const attemptId = randomUUID();
  const taken = await createPostgresActorStore(pool).acquireLease({
    jobId,
    owner: SAMPLE_MODEL,
    at: town.now(),
    ttlMs: HOUR,
  });
  if (taken === null) throw new Error('a job of the sample is held by another process');
  const origin = { by: `worker:${SAMPLE_MODEL}`, lease: taken.lease };
  const tell = (message: Message) => applied(actors.deliver(message, origin));
  await tell({
    to: 'stagingJob',
    id: jobId,
    event: {
      type: 'WORKER_STARTED',
      at: at + 1_000,
      enabled: true,
      attemptId,
      queueAttempt: 1,
      waitedMs: 1_000,
      startsPerMinute: null,
    },
  });
  const toAttempt = (event: Extract<Message, { to: 'providerAttempt' }>['event']) =>
    tell({ to: 'providerAttempt', id: attemptId, event });
  await toAttempt({ type: 'SEND_CLAIMED', at: at + 2_000, token: randomUUID() });
  const predictionId = `sample-${attemptId}`;
  await toAttempt({ type: 'PREDICTION_CREATED', at: at + 3_000, predictionId, providerStatus: 'starting' });
  if (end === 'FAILED') {
    await toAttempt({
      type: 'PREDICTION_FAILED',
      at: at + 30_000,
      errorCode: 'PROVIDER_MODERATION',
      jitter: 0,
      providerStatus: 'failed',
    });
    return;
  }
  const { bytes, ...output } = await town.drawings(photo.picture, style);
  const objectKey = `staged/${attemptId}.jpg`;
  await toAttempt({ type: 'PREDICTION_SUCCEEDED', at: at + 30_000, providerStatus: 'succeeded', objectKey });
  await storage.put(objectKey, bytes, { contentType: 'image/jpeg' });
  const imageId = randomUUID();
  await toAttempt({
    type: 'OUTPUT_STORED',
    at: at + 32_000,
    jitter: 0,
    imageId,
    output: { ...output, bytes: bytes.length },
  });
  await review(town, { imageId, agentId, end, at: at + 10 * MINUTE });
}

async function review(
  { actors }: Town,
  { imageId, agentId, end, at }: { imageId: string; agentId: string; end: StagedEnd; at: number },
): Promise<void> {
  if (end === 'WAITING_FOR_REVIEW') return;
  const tell = (event: Extract<Message, { to: 'imageReview' }>['event']) =>
    deliver(actors, { to: 'imageReview', id: imageId, event }, `user:${agentId}`);
  if (end === 'REJECTED')
    return tell({ type: 'REJECT', at, byUserId: agentId, reason: 'The sofa hides the fireplace.' });
  await tell({ type: 'APPROVE', at, byUserId: agentId });
  if (end === 'WITHDRAWN') await tell({ type: 'WITHDRAW', at: at + HOUR, by: 'AGENT', byUserId: agentId });
}

async function submit({ pool }: Town, staged: StagedToAdd): Promise<string> {
  const { imageId: originalImageId, agentId, photo, style, at } = staged;
  const jobId = randomUUID();
  if (!('room' in photo.picture)) throw new Error('only rooms are staged');
  const { room } = photo.picture;
  await inTransaction(pool, async (client) => {
    const original = await lockOriginal(client, originalImageId);
    if (original === null) throw new Error('a photo of the sample is gone');
    await submitFor(
      client,
      {
        aiJobId: jobId,
        originalImageId,
        requestedByUserId: agentId,
        canonicalRoomType: room,
        canonicalStyle: style,
        styleModifier: null,
        submittedStyle: style,
        legacyStyle: null,
        prompt: 'Drawn for the sample town. No model was asked.',
        promptVersion: SAMPLE_MODEL,
        providerModel: SAMPLE_MODEL,
        quality: 'medium',
        framing: 'photo',
        aspectRatio: '3:2',
        outputFormat: 'jpeg',
        outputCompression: 88,
        at,
      },
      original,
    );
  });
  return jobId;
}
