import { imageReviewMachine, initialImageReview } from '../../machines/image-review.ts';
import { MAX_WITHDRAWALS } from '../../machines/limits.ts';
import { WITHDRAWERS, type WithdrawnBy } from '../../machines/vocabulary.ts';
import { IDS, IMAGE_REVIEW_EVENTS } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { testRules } from './rules.ts';

/** Every transition of docs/charts/image-review.md. */
const reviewed = { ...initialImageReview, reviewedByUserId: IDS.user, reviewedAt: AT };
const withdrawnBy = (by: WithdrawnBy) => ({ ...reviewed, withdrawnAt: AT, withdrawnBy: by, withdrawals: 1 });
const lift = (
  by: 'AGENT' | 'OPERATOR',
  read: { superseded?: boolean; roomDiffers?: boolean; photoAltered?: boolean } = {},
) => ({ type: 'LIFT', at: AT, by, superseded: false, roomDiffers: false, ...read }) as const;
/** What the open reports of the picture are told. */
const upheld = ['settleReports', { event: { type: 'PICTURE_WITHDRAWN', at: AT, byUserId: null } }] as const;
const closed = ['settleReports', { event: { type: 'WITHDRAWAL_LIFTED', at: AT } }] as const;
const withdraw = (by: WithdrawnBy) => ({ type: 'WITHDRAW', at: AT, by }) as const;
const shownAgain = { withdrawnAt: null, withdrawnBy: null };
const originalDeleted = { event: { type: 'ORIGINAL_DELETED', at: AT }, to: 'REMOVED' } as const;
const publicDeleted = {
  ...originalDeleted,
  effects: [['settleReports', { event: { type: 'PICTURE_DELETED', at: AT } }] as const],
};

testRules(imageReviewMachine, {
  events: IMAGE_REVIEW_EVENTS,
  usual: {
    PENDING_REVIEW: initialImageReview,
    APPROVED: reviewed,
    WITHDRAWN: withdrawnBy('AGENT'),
    REMOVED: initialImageReview,
  },
  rules: {
    PENDING_REVIEW: [
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false },
        to: 'APPROVED',
        context: reviewed,
        effects: [
          ['recordReview', { kind: 'APPROVED', byUserId: IDS.user, reason: null, at: AT }],
          ['recordProvenance', { at: AT }],
        ],
      },
      {
        event: {
          type: 'APPROVE',
          at: AT,
          byUserId: IDS.user,
          roomDiffers: false,
          inBulk: true,
          geometryMoved: true,
        },
        when: 'one of several, and the room moved',
        to: null,
      },
      {
        event: {
          type: 'APPROVE',
          at: AT,
          byUserId: IDS.user,
          roomDiffers: false,
          inBulk: true,
          geometryMoved: null,
        },
        when: 'one of several, and not compared yet',
        to: null,
      },
      {
        event: {
          type: 'APPROVE',
          at: AT,
          byUserId: IDS.user,
          roomDiffers: false,
          inBulk: true,
          geometryMoved: false,
        },
        when: 'one of several',
        to: 'APPROVED',
        context: reviewed,
        effects: ['recordReview', 'recordProvenance'],
      },
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false, geometryMoved: true },
        when: 'by itself, and the room moved',
        to: 'APPROVED',
        context: reviewed,
        effects: ['recordReview', 'recordProvenance'],
      },
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: true },
        when: 'another room is shown',
        to: null,
      },
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false, photoAltered: true },
        when: 'the photo was altered',
        to: null,
      },
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false, approvedWithdrawn: true },
        when: 'reports withdrew the one that this person approved',
        to: null,
      },
      {
        event: { type: 'APPROVE', at: AT, byUserId: IDS.user, roomDiffers: false, approvedWithdrawn: true },
        when: 'the same, with consent',
        given: { consentedAt: AT },
        to: 'APPROVED',
        context: { ...reviewed, consentedAt: AT },
        effects: ['recordReview', 'recordProvenance'],
      },
      { event: { type: 'APPROVAL_CONSENTED', at: AT }, to: 'PENDING_REVIEW', context: { consentedAt: AT } },
      {
        event: { type: 'APPROVAL_CONSENTED', at: AT },
        when: 'again',
        given: { consentedAt: AT },
        to: null,
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
    APPROVED: [
      ...WITHDRAWERS.map((by) => ({
        event: withdraw(by),
        when: by,
        to: 'WITHDRAWN',
        context: { withdrawnAt: AT, withdrawnBy: by, withdrawals: 1 },
        effects: by === 'REPORTS' ? [] : [upheld],
      })),
      {
        event: withdraw('AGENT'),
        given: { withdrawals: MAX_WITHDRAWALS },
        when: 'once too often',
        to: 'WITHDRAWN',
        context: { withdrawnAt: AT, withdrawnBy: 'AGENT', withdrawals: MAX_WITHDRAWALS },
        effects: [upheld],
      },
      {
        event: { type: 'REPORTS_DISMISSED', at: AT },
        to: 'APPROVED',
        effects: [['settleReports', { event: { type: 'REPORTS_DISMISSED', at: AT } }]],
      },
      publicDeleted,
    ],
    WITHDRAWN: [
      // The time of the withdrawal stays: the picture was hidden all the while.
      ...WITHDRAWERS.flatMap((before, rank) =>
        WITHDRAWERS.map((by, other) => ({
          event: withdraw(by),
          given: { withdrawnBy: before },
          when: `${by} after ${before}`,
          to: other > rank ? 'WITHDRAWN' : null,
          context: { withdrawnBy: by },
          effects: by === 'OPERATOR' && other > rank ? [upheld] : [],
        })),
      ),
      { event: lift('AGENT'), when: 'its own', to: 'APPROVED', context: shownAgain },
      ...(['REPORTS', 'OPERATOR'] as const).map((by) => ({
        event: lift('AGENT'),
        given: { withdrawnBy: by },
        when: `an agent, of ${by}`,
        to: null,
      })),
      ...WITHDRAWERS.map((by) => ({
        event: lift('OPERATOR'),
        given: { withdrawnBy: by },
        when: `an operator, of ${by}`,
        to: 'APPROVED',
        context: shownAgain,
        effects: [closed],
      })),
      {
        event: lift('AGENT'),
        given: { withdrawals: MAX_WITHDRAWALS },
        when: 'an agent, after too many',
        to: null,
      },
      {
        event: lift('OPERATOR'),
        given: { withdrawals: MAX_WITHDRAWALS },
        when: 'an operator, after too many',
        to: 'APPROVED',
        context: shownAgain,
        effects: [closed],
      },
      ...(['AGENT', 'OPERATOR'] as const).map((by) => ({
        event: lift(by, { superseded: true }),
        when: `${by}, submitted again`,
        to: null,
      })),
      ...(['AGENT', 'OPERATOR'] as const).map((by) => ({
        event: lift(by, { roomDiffers: true }),
        when: `${by}, and another room is shown`,
        to: null,
      })),
      ...(['AGENT', 'OPERATOR'] as const).map((by) => ({
        event: lift(by, { photoAltered: true }),
        when: `${by}, and the photo was altered`,
        to: null,
      })),
      publicDeleted,
    ],
  },
});
