import { setup } from 'xstate';
import { asData, type EffectParams, emitterFor } from './effects.ts';

/**
 * The review of one staged image (`property_images.reviewStatus`). It owns whether a person has reviewed the result and
 * whether the public may see it: only a person moves it out of PENDING_REVIEW. Always true: exactly one APPROVED event
 * per approved image; a REJECTED event before the row is deleted; of a simultaneous approve and reject exactly one
 * wins, because both lock the image row. Source: docs/charts/image-review.md, docs/contract.md#review.
 */
export interface ImageReviewContext {
  reviewedByUserId: string | null;
  reviewedAt: number | null;
}

export type ImageReviewEvent =
  | { type: 'APPROVE'; at: number; byUserId: string }
  | { type: 'REJECT'; at: number; byUserId: string; reason: string | null }
  | { type: 'ORIGINAL_DELETED'; at: number };

export const initialImageReview: ImageReviewContext = { reviewedByUserId: null, reviewedAt: null };

const machineSetup = setup({
  types: { context: {} as ImageReviewContext, events: {} as ImageReviewEvent },
  actions: {
    recordReview: asData<EffectParams['recordReview']>,
    removeImageRow: asData<EffectParams['removeImageRow']>,
  },
});
const emit = emitterFor<ImageReviewContext, ImageReviewEvent>();

const noteReviewer = machineSetup.assign({
  reviewedByUserId: ({ event }) => reviewerOf(event),
  reviewedAt: ({ event }) => event.at,
});
const recordApproved = emit('recordReview', ({ event }) => ({
  kind: 'APPROVED',
  byUserId: reviewerOf(event),
  reason: null,
  at: event.at,
}));
const recordRejected = emit('recordReview', ({ event }) => ({
  kind: 'REJECTED',
  byUserId: reviewerOf(event),
  reason: event.type === 'REJECT' ? event.reason : null,
  at: event.at,
}));
const removeRow = emit('removeImageRow', ({ event }) => ({ at: event.at }));

export const imageReviewMachine = machineSetup.createMachine({
  id: 'imageReview',
  context: initialImageReview,
  initial: 'PENDING_REVIEW',
  states: {
    PENDING_REVIEW: {
      description: 'Private: only authorized agents of the property see it.',
      on: {
        APPROVE: { target: 'APPROVED', actions: [noteReviewer, recordApproved] },
        REJECT: { target: 'REMOVED', actions: [recordRejected, removeRow] },
        ORIGINAL_DELETED: 'REMOVED',
      },
    },
    APPROVED: {
      description: 'Public, with the disclosure label.',
      on: { ORIGINAL_DELETED: 'REMOVED' },
    },
    REMOVED: { type: 'final', description: 'The row is gone; its object is queued for deletion.' },
  },
});

function reviewerOf(event: ImageReviewEvent): string {
  if ('byUserId' in event) return event.byUserId;
  throw new Error(`${event.type} has no reviewer`);
}
