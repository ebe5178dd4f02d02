import { imageReviewMachine, initialImageReview } from '../../machines/image-review.ts';
import { IDS, IMAGE_REVIEW_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { testRules } from './rules.ts';

/** Every transition of docs/charts/image-review.md. */
const reviewed = { ...initialImageReview, reviewedByUserId: IDS.user, reviewedAt: AT };
const originalDeleted = { event: { type: 'ORIGINAL_DELETED', at: AT }, to: 'REMOVED' } as const;

testRules(imageReviewMachine, {
  events: IMAGE_REVIEW_EVENTS,
  usual: {
    PENDING_REVIEW: initialImageReview,
    APPROVED: reviewed,
    REMOVED: initialImageReview,
  },
  rules: {
    PENDING_REVIEW: [
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user },
        to: 'APPROVED',
        context: reviewed,
        effects: [['recordReview', { kind: 'APPROVED', byUserId: IDS.user, reason: null, at: AT }]],
      },
      {
        event: { type: 'REJECT', at: AT, byUserId: IDS.user, reason: 'crooked sofa' },
        to: 'REMOVED',
        effects: [
          ['recordReview', { kind: 'REJECTED', byUserId: IDS.user, reason: 'crooked sofa', at: AT }],
          ['removeImageRow', { at: AT }],
        ],
      },
      originalDeleted,
    ],
    APPROVED: [originalDeleted],
  },
});
