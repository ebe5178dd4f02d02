import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { initialImageReview } from '../../../machines/image-review.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { AttemptMessage } from '../../../supervisors/actors/messages.ts';
import { seedOriginal, seedRoomGroup } from '../../support/database/seed.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { asMessage } from '../../support/worlds/job-driver.ts';
import type { GroupModel } from './staging-model.ts';
import type { WalkWorld } from './walk-world.ts';

const OUTPUT = { bytes: 9, width: 1024, height: 1024, format: 'jpeg', checksum: 'ab'.repeat(32) };

/**
 * A group of the walked photo and another one of the same room, whose picture waits for its review: the second input of
 * the walk's jobs from its approval on, as long as it is there (docs/contract.md#room-groups). Its job is over before
 * the walk begins.
 */
export async function newGroupOf(
  { host, actorSystem, agents: [agent] }: WalkWorld,
  { propertyId, imageId }: { propertyId: string; imageId: string },
): Promise<GroupModel> {
  const other = await seedOriginal(host.pool, { propertyId });
  const groupId = await seedRoomGroup(host.pool, { propertyId, imageIds: [imageId, other.imageId] });
  const assignments = [{ originalImageId: other.imageId, roomType: 'LIVING_ROOM', style: 'MODERN' }];
  const { data } = await agent.mutate('ai.submitRoomStaging', { groupId, assignments });
  const jobId: string = data.results[0].aiJobId;
  const [attemptId, pictureId] = [randomUUID(), randomUUID()];
  const taken = await createPostgresActorStore(host.pool).acquireLease({
    jobId,
    owner: 'node-a',
    at: AT,
    ttlMs: 60_000,
  });
  if (taken === null) throw new Error(`no lease of job ${jobId}`);
  const origin = { by: 'worker:node-a', lease: taken.lease };
  const started = {
    type: 'WORKER_STARTED',
    at: AT,
    enabled: true,
    attemptId,
    queueAttempt: 1,
    waitedMs: 1,
  } as const;
  await actorSystem.deliver({ to: 'stagingJob', id: jobId, event: asMessage(started) }, origin);
  const objectKey = `staged/${attemptId}.jpg`;
  const told: AttemptMessage[] = [
    { type: 'SEND_CLAIMED', at: AT, token: randomUUID() },
    { type: 'PREDICTION_CREATED', at: AT, predictionId: `${attemptId}-p`, providerStatus: 'starting' },
    { type: 'PREDICTION_SUCCEEDED', at: AT, providerStatus: 'succeeded', objectKey },
    { type: 'OUTPUT_STORED', at: AT, jitter: 0, imageId: pictureId, output: OUTPUT },
  ];
  for (const one of told) {
    const { outcome } = await actorSystem.deliver(
      { to: 'providerAttempt', id: attemptId, event: one },
      origin,
    );
    expect([one.type, outcome]).toEqual([one.type, 'applied']);
  }
  return {
    id: groupId,
    style: 'MODERN',
    other: { id: other.imageId, keys: [other.objectKey, other.providerInputKey] },
    picture: {
      id: pictureId,
      version: 1,
      state: 'PENDING_REVIEW',
      context: initialImageReview,
      style: 'MODERN',
      jobId,
      objectKey,
    },
  };
}
