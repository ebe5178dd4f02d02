import type { ImageReviewContext } from '../../machines/image-review.ts';
import type { ActorState } from '../../machines/step.ts';
import type { CanonicalStyle } from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { ImageReviewActor } from './actor-store.ts';

/** A staged row of `property_images`: reviewStatus is the state value; REMOVED is the row's absence. */
export interface ImageRow {
  id: string;
  propertyId: string;
  styledFromId: string;
  canonicalStyle: CanonicalStyle | null;
  aiJobId: string | null;
  objectKey: string;
  reviewStatus: string;
  reviewedByUserId: string | null;
  reviewedAt: Instant | null;
  version: number;
}

export const IMAGE_COLUMNS = `
  id, "propertyId", "styledFromId", "canonicalStyle", "aiJobId", "objectKey", "reviewStatus",
  "reviewedByUserId", "reviewedAt", version`;

export function imageFromRow(row: ImageRow): ImageReviewActor {
  return {
    kind: 'imageReview',
    id: row.id,
    version: row.version,
    state: row.reviewStatus,
    context: { reviewedByUserId: row.reviewedByUserId, reviewedAt: toMillis(row.reviewedAt) },
    propertyId: row.propertyId,
    styledFromId: row.styledFromId,
    canonicalStyle: row.canonicalStyle,
    jobId: row.aiJobId,
    objectKey: row.objectKey,
  };
}

/** The columns for a state, in the order of UPDATE_IMAGE's parameters after id and version. */
export function imageColumns({ state, context }: ActorState<ImageReviewContext>): unknown[] {
  return [state, context.reviewedByUserId, toDate(context.reviewedAt)];
}
