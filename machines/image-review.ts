import { setup } from 'xstate';
import { asData, type EffectParams, emitterFor } from './effects.ts';
import { MAX_WITHDRAWALS } from './limits.ts';
import { WITHDRAWERS, type WithdrawnBy } from './vocabulary.ts';

/**
 * The review of one staged image (`property_images.reviewStatus` and `withdrawnAt`). It owns whether a person has
 * reviewed the result and whether the public may see it: only a person moves it out of PENDING_REVIEW. Always true:
 * exactly one APPROVED event and one provenance record per approved image, also while it is withdrawn; a REJECTED event
 * before the row is deleted; of a simultaneous approve and reject exactly one wins, because both lock the image row; who
 * approved a picture that reports withdrew does not approve the next one of its photo and style alone.
 * Source: docs/charts/image-review.md, docs/contract.md#review, docs/contract.md#withdrawing.
 */
export interface ImageReviewContext {
  reviewedByUserId: string | null;
  reviewedAt: number | null;
  /** When the public last lost sight of it; null unless it is withdrawn. */
  withdrawnAt: number | null;
  withdrawnBy: WithdrawnBy | null;
  /** How often it was withdrawn, counted up to MAX_WITHDRAWALS. */
  withdrawals: number;
  /** When an operator consented to an approval that would need a second person; null without a consent. */
  consentedAt: number | null;
}

export type ImageReviewEvent =
  | {
      type: 'APPROVE';
      at: number;
      byUserId: string;
      /** Set for one of several that a person approves with one decision. */
      inBulk?: boolean;
      /**
       * For one of several: the comparison with the original says that the room's geometry moved; null before it is
       * compared (docs/contract.md#drift).
       */
      geometryMoved?: boolean | null;
      /** A picture of the same photo that the public sees shows it as another kind of room. */
      roomDiffers: boolean;
      /** Set when the same person approved a picture of this photo and style that reports withdrew. */
      approvedWithdrawn?: boolean;
      /** Set when the photo was declared altered: it is no unaltered photo that the public could compare. */
      photoAltered?: boolean;
    }
  | { type: 'APPROVAL_CONSENTED'; at: number }
  | { type: 'REPORTS_DISMISSED'; at: number }
  | { type: 'REJECT'; at: number; byUserId: string; reason: string | null }
  | {
      type: 'WITHDRAW';
      at: number;
      by: WithdrawnBy;
      /** The agent who withdraws it. */
      byUserId?: string;
    }
  | {
      type: 'LIFT';
      at: number;
      by: Exclude<WithdrawnBy, 'REPORTS'>;
      /** The same photo and style was submitted again. */
      superseded: boolean;
      /** As for APPROVE. */
      roomDiffers: boolean;
      /** As for APPROVE. */
      photoAltered?: boolean;
    }
  | { type: 'ORIGINAL_DELETED'; at: number };

export const initialImageReview: ImageReviewContext = {
  reviewedByUserId: null,
  reviewedAt: null,
  withdrawnAt: null,
  withdrawnBy: null,
  withdrawals: 0,
  consentedAt: null,
};

const machineSetup = setup({
  types: { context: {} as ImageReviewContext, events: {} as ImageReviewEvent },
  actions: {
    recordReview: asData<EffectParams['recordReview']>,
    recordProvenance: asData<EffectParams['recordProvenance']>,
    settleReports: asData<EffectParams['settleReports']>,
    removeImageRow: asData<EffectParams['removeImageRow']>,
  },
  guards: {
    /**
     * A room that seems to have moved, or that is not compared yet, needs a separate look, one photo is never shown as
     * two kinds of room, and after buyers have objected a second person looks. Nothing that was made of an altered photo
     * is shown.
     */
    mayBeApproved: ({ context, event }) =>
      event.type === 'APPROVE' &&
      !event.roomDiffers &&
      !event.photoAltered &&
      !(event.inBulk && event.geometryMoved !== false) &&
      !(event.approvedWithdrawn && context.consentedAt === null),
    isNotConsented: ({ context }) => context.consentedAt === null,
    byReports: ({ event }) => event.type === 'WITHDRAW' && event.by === 'REPORTS',
    /** The agent cannot lift a withdrawal by reports. */
    reportsOutrank: ({ context, event }) =>
      event.type === 'WITHDRAW' && event.by === 'REPORTS' && context.withdrawnBy === 'AGENT',
    /** The withdrawal is from then on of the higher rank, who alone may lift it; so operators decide about reports. */
    outranks: ({ context, event }) =>
      event.type === 'WITHDRAW' &&
      context.withdrawnBy !== null &&
      WITHDRAWERS.indexOf(event.by) > WITHDRAWERS.indexOf(context.withdrawnBy),
    agentMayLift: ({ context, event }) =>
      event.type === 'LIFT' &&
      event.by === 'AGENT' &&
      !event.superseded &&
      !event.roomDiffers &&
      !event.photoAltered &&
      context.withdrawnBy === 'AGENT' &&
      context.withdrawals < MAX_WITHDRAWALS,
    operatorMayLift: ({ event }) =>
      event.type === 'LIFT' &&
      event.by === 'OPERATOR' &&
      !event.superseded &&
      !event.roomDiffers &&
      !event.photoAltered,
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
const recordProvenance = emit('recordProvenance', ({ event }) => ({ at: event.at }));
const noteWithdrawn = machineSetup.assign({
  withdrawnAt: ({ event }) => event.at,
  withdrawnBy: ({ event }) => withdrawerOf(event),
  withdrawals: ({ context }) => Math.min(context.withdrawals + 1, MAX_WITHDRAWALS),
});
const noteWithdrawer = machineSetup.assign({ withdrawnBy: ({ event }) => withdrawerOf(event) });
const noteLifted = machineSetup.assign({ withdrawnAt: null, withdrawnBy: null });
/** A person withdrew it: no one need answer its reports any more. Reports that withdraw it stay open. */
const upholdReports = emit('settleReports', ({ event }) => ({
  event: {
    type: 'PICTURE_WITHDRAWN',
    at: event.at,
    byUserId: event.type === 'WITHDRAW' ? (event.byUserId ?? null) : null,
  },
}));
const closeReports = emit('settleReports', ({ event }) => ({
  event: { type: 'WITHDRAWAL_LIFTED', at: event.at },
}));
const noteConsent = machineSetup.assign({ consentedAt: ({ event }) => event.at });
const dismissReports = emit('settleReports', ({ event }) => ({
  event: { type: 'REPORTS_DISMISSED', at: event.at },
}));
const endReports = emit('settleReports', ({ event }) => ({
  event: { type: 'PICTURE_DELETED', at: event.at },
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
        APPROVE: {
          target: 'APPROVED',
          guard: 'mayBeApproved',
          actions: [noteReviewer, recordApproved, recordProvenance],
        },
        APPROVAL_CONSENTED: { guard: 'isNotConsented', actions: noteConsent },
        REJECT: { target: 'REMOVED', actions: [recordRejected, removeRow] },
        ORIGINAL_DELETED: 'REMOVED',
      },
    },
    APPROVED: {
      description: 'Public, with the disclosure label.',
      on: {
        WITHDRAW: [
          { target: 'WITHDRAWN', guard: 'byReports', actions: noteWithdrawn },
          { target: 'WITHDRAWN', actions: [noteWithdrawn, upholdReports] },
        ],
        REPORTS_DISMISSED: { actions: dismissReports },
        ORIGINAL_DELETED: { target: 'REMOVED', actions: endReports },
      },
    },
    WITHDRAWN: {
      description: 'Approved, but hidden from the public until the withdrawal is lifted.',
      on: {
        WITHDRAW: [
          { target: 'WITHDRAWN', guard: 'reportsOutrank', actions: noteWithdrawer },
          { target: 'WITHDRAWN', guard: 'outranks', actions: [noteWithdrawer, upholdReports] },
        ],
        LIFT: [
          { target: 'APPROVED', guard: 'agentMayLift', actions: noteLifted },
          { target: 'APPROVED', guard: 'operatorMayLift', actions: [noteLifted, closeReports] },
        ],
        ORIGINAL_DELETED: { target: 'REMOVED', actions: endReports },
      },
    },
    REMOVED: { type: 'final', description: 'The row is gone; its object is queued for deletion.' },
  },
});

function withdrawerOf(event: ImageReviewEvent): WithdrawnBy {
  if (event.type === 'WITHDRAW') return event.by;
  throw new Error(`${event.type} withdraws nothing`);
}

function reviewerOf(event: ImageReviewEvent): string {
  if (event.type === 'APPROVE' || event.type === 'REJECT') return event.byUserId;
  throw new Error(`${event.type} has no reviewer`);
}
