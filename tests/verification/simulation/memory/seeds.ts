import { nearestAspectRatio, padTo } from '../../../../machines/framing.ts';
import { initialImageReview } from '../../../../machines/image-review.ts';
import type { PurchaseKind } from '../../../../machines/purchase-kinds.ts';
import { initialJob } from '../../../../machines/staging-job.ts';
import type { CanonicalRoomType, CanonicalStyle } from '../../../../machines/vocabulary.ts';
import type { StagingJobDetails } from '../../../../persistence/actors/rows/job-row.ts';
import type { Server } from './session.ts';
import type { Original } from './tables.ts';

/** Rows to begin with, committed at once. */
export function seedOriginal(
  { database }: Server,
  id: string,
  photo: Original['photo'] = null,
  room: Pick<Original, 'propertyId' | 'groupId'> = { propertyId: `property of ${id}`, groupId: null },
): Original {
  const original = {
    id,
    ...room,
    objectKey: `originals/${id}.jpg`,
    providerInputKey: `inputs/${id}.jpg`,
    photo,
  };
  database.tables.original.set(id, original);
  return original;
}

export interface NewJob {
  id: string;
  original: Original;
  canonicalStyle: CanonicalStyle;
  createdAt: number;
  groupId?: string | null;
  referenceImageKey?: string | null;
}

/** What jobs of both kinds begin with. */
const begun = <K extends PurchaseKind>(kind: K, { id, createdAt }: { id: string; createdAt: number }) => ({
  kind,
  id,
  version: 0,
  state: 'PENDING.QUEUED',
  context: initialJob(kind),
  lease: null,
  leaseEpoch: 0,
  createdAt,
  heartbeatAt: null,
  quarantined: false,
  quarantinedAt: null,
  localPass: null,
  failures: 0,
});

/** A description job as its request leaves it. */
export function newTextJob(job: { id: string; propertyId: string; createdAt: number }) {
  const { id, propertyId } = job;
  return {
    ...begun('descriptionJob', job),
    details: {
      propertyId,
      requestedByUserId: null,
      locale: 'en' as const,
      facts: {},
      prompt: `Describe it. ${id}`,
      providerModel: 'openai/gpt-5-mini',
    },
    dedupeKey: `description:${propertyId}:en`,
  };
}

function shapeOf({ photo }: Original): Pick<StagingJobDetails, 'framing' | 'aspectRatio' | 'pad'> {
  if (photo === null) return { framing: 'fixed', aspectRatio: '1:1', pad: null };
  const aspectRatio = nearestAspectRatio(photo);
  return { framing: 'photo', aspectRatio, pad: padTo(photo, aspectRatio) };
}

/** The kind of room that agents name for a photo: they disagree, so that no photo is shown as two. */
const roomIn = (style: CanonicalStyle): CanonicalRoomType =>
  style === 'MODERN' ? 'LIVING_ROOM' : 'DINING_ROOM';

/** A job as submission leaves it. */
export function newJob({ id, original, canonicalStyle, createdAt, ...group }: NewJob) {
  return {
    ...begun('stagingJob', { id, createdAt }),
    details: {
      originalImageId: original.id,
      propertyId: original.propertyId,
      requestedByUserId: null,
      canonicalRoomType: roomIn(canonicalStyle),
      canonicalStyle,
      prompt: `Stage this living room in ${canonicalStyle}.`,
      promptVersion: 'room-staging-v2.0',
      providerModel: 'openai/gpt-image-2',
      quality: 'medium',
      ...shapeOf(original),
      outputFormat: 'jpeg' as const,
      outputCompression: 92,
      providerInputKey: original.providerInputKey,
      groupId: group.groupId ?? null,
      referenceImageKey: group.referenceImageKey ?? null,
    },
    dedupeKey: `staging:${original.id}:${canonicalStyle}`,
  };
}

export function seedJob({ database }: Server, job: NewJob): string {
  database.tables.stagingJob.set(job.id, newJob(job));
  return job.id;
}

/** A private staged image of style MODERN. */
export function seedVariant({ database }: Server, id: string, original: Original): string {
  database.tables.imageReview.set(id, {
    kind: 'imageReview',
    id,
    version: 0,
    state: 'PENDING_REVIEW',
    context: initialImageReview,
    propertyId: original.propertyId,
    styledFromId: original.id,
    canonicalStyle: 'MODERN',
    roomType: 'LIVING_ROOM',
    jobId: null,
    objectKey: `staged/${id}.jpg`,
  });
  return id;
}
