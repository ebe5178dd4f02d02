import { type ImageReviewContext, imageReviewMachine } from '../../../machines/image-review.ts';
import {
  type CanonicalRoomType,
  type CanonicalStyle,
  REVIEW_STATUSES,
  type ReviewStatus,
} from '../../../machines/vocabulary.ts';
import type { Instant } from '../../database/instants.ts';
import { isShownVariant } from '../../database/listing-visibility.ts';
import { acknowledgedReports, OBJECTED_IDS } from '../../database/objections.ts';
import { otherRoomShown } from '../../database/shown-rooms.ts';
import { stagedStyleColumns, stagedStyleJoin } from '../../database/staged-style.ts';
import {
  type ActorKindDefinition,
  fixed,
  instant,
  plain,
  rowsOfTable,
  type StoredActor,
  under,
} from '../actor-kind.ts';

export interface ImageReviewActor extends StoredActor<'imageReview', ImageReviewContext> {
  propertyId: string;
  styledFromId: string;
  canonicalStyle: CanonicalStyle | null;
  roomType: CanonicalRoomType | null;
  jobId: string | null;
  objectKey: string;
}

/** A staged row of `property_images`; REMOVED is the row's absence. */
export const imageReviewKind: ActorKindDefinition<ImageReviewActor, typeof imageReviewMachine> = {
  kind: 'imageReview',
  machine: imageReviewMachine,
  file: 'image-review',
  effects: ['recordReview', 'recordProvenance', 'settleReports', 'removeImageRow'],
  keptIn: '`property_images."reviewStatus"` and `"withdrawnAt"`',
  rows: rowsOfTable<ImageReviewActor>('imageReview', {
    table: 'property_images',
    base: 't."isStyled"',
    // A withdrawn picture keeps its review status, which says that a person approved it.
    state: {
      names: ['reviewStatus'],
      alsoFrom: ['withdrawnAt'],
      read: (status: ReviewStatus, withdrawnAt: Instant | null) =>
        withdrawnAt === null ? status : 'WITHDRAWN',
      write: (state) => [state === 'WITHDRAWN' ? 'APPROVED' : state],
    },
    stateName: `CASE WHEN t."withdrawnAt" IS NULL THEN t."reviewStatus"::text ELSE 'WITHDRAWN' END`,
    context: {
      reviewedByUserId: plain,
      reviewedAt: instant,
      withdrawnAt: instant,
      withdrawnBy: plain,
      withdrawals: plain,
      consentedAt: instant,
    },
    beside: {
      propertyId: fixed(plain),
      styledFromId: fixed(plain),
      canonicalStyle: fixed(plain),
      roomType: fixed(plain),
      jobId: fixed(under('aiJobId', plain)),
      objectKey: fixed(plain),
    },
    bornAt: ['createdAt'],
    gone: 'REMOVED',
  }),
  list: {
    status: {
      // As in the index that the lists use; the state's own expression casts an enum, which no index may.
      column: `(CASE WHEN t."withdrawnAt" IS NOT NULL THEN 'WITHDRAWN'
        WHEN t."reviewStatus" = 'APPROVED' THEN 'APPROVED' ELSE 'PENDING_REVIEW' END)`,
      type: 'text',
      values: [...REVIEW_STATUSES, 'WITHDRAWN'],
    },
    createdAt: 't."createdAt"',
    columns: { propertyId: 't."propertyId"', jobId: 't."aiJobId"' },
    narrow: {
      property: (id) => `t."propertyId" = ${id}`,
      awaitsOperator: `t.id = ANY (ARRAY(${OBJECTED_IDS}))`,
      // An array is looked up by index; a join with a table that has no statistics may read all images.
      roomDiffers: `t.id = ANY (ARRAY(SELECT "stagedImageId" FROM room_differences)) AND ${isShownVariant('t')} AND ${otherRoomShown('t')}`,
    },
    failed: [],
  },
  label: { one: 'Image review', many: 'Image reviews' },
  foundBy: { image: 'id', 'object key': 'objectKey' },
  page: {
    beside: {
      legacyStyle: `(SELECT style."legacyStyle" FROM (SELECT ${stagedStyleColumns('v')}
        FROM property_images v ${stagedStyleJoin('v')} WHERE v.id = t.id) style)`,
      acknowledged: acknowledgedReports('t'),
    },
    createdAt: 't."createdAt"',
    facts: (
      { id, state, propertyId, styledFromId, jobId, canonicalStyle, objectKey, context },
      { legacyStyle, acknowledged },
    ) => ({
      Listing: { listing: propertyId },
      Original: { image: styledFromId },
      'Made by':
        jobId === null ? 'a release before jobs had rows' : { actor: { kind: 'stagingJob', id: jobId } },
      Style: styleWords(canonicalStyle, legacyStyle),
      Object: { code: objectKey },
      Withdrawn:
        context.withdrawnAt === null
          ? null
          : { instant: context.withdrawnAt, note: `by ${context.withdrawnBy}` },
      Objections: objectionWords(acknowledged),
      Record: state === 'PENDING_REVIEW' ? null : { record: id },
      'Consent to approve': context.consentedAt === null ? null : { instant: context.consentedAt },
    }),
    wait: ({ state, context: { withdrawnBy } }) => {
      if (state === 'PENDING_REVIEW')
        return { word: 'review', sentence: "Waits for the agent's review.", person: false };
      return state === 'WITHDRAWN' && withdrawnBy === 'REPORTS'
        ? {
            word: 'operator',
            sentence: 'Withdrawn by reports: waits for an operator to decide.',
            person: true,
          }
        : null;
    },
  },
};

/** `SCANDINAVIAN (japandi)`: the style, and the old name that the client sent. */
export function styleWords(canonicalStyle: string | null, legacyStyle: string | null): string {
  if (canonicalStyle === null) return legacyStyle ?? 'a legacy style';
  return legacyStyle === null ? canonicalStyle : `${canonicalStyle} (${legacyStyle})`;
}

/** The acknowledged reports of a picture and of all pictures that its approver approved, which count until an operator decides. */
function objectionWords({ ofPicture, ofAgent }: { ofPicture: number; ofAgent: number }): string | null {
  if (ofPicture === 0 && ofAgent === 0) return null;
  return `${ofPicture} acknowledged reports of it within a year, ${ofAgent} of its approver's pictures within a month`;
}
