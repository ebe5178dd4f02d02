import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { CANONICAL_STYLES } from '../../machines/vocabulary.ts';

export const REVIEW_EVENT_KINDS = ['APPROVED', 'REJECTED'] as const;
export type ReviewEventKind = (typeof REVIEW_EVENT_KINDS)[number];

/** What was decided about a staged picture; a snapshot that survives the picture, and is never changed. */
export const PropertyImageReviewEventEntity = defineEntity({
  name: 'PropertyImageReviewEvent',
  tableName: 'property_image_review_events',
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    kind: p.enum(REVIEW_EVENT_KINDS).nativeEnumName('property_image_review_event_kind'),
    imageId: p.uuid(),
    propertyId: p.uuid().nullable(),
    styledFromId: p.uuid().nullable(),
    canonicalStyle: p.enum(CANONICAL_STYLES).nativeEnumName('canonical_style').nullable(),
    aiJobId: p.uuid().nullable(),
    actorUserId: p.uuid().nullable(),
    objectKey: p.text().nullable(),
    reason: p.text().nullable(),
    at: p.datetime(),
  },
});
export type PropertyImageReviewEvent = InferEntity<typeof PropertyImageReviewEventEntity>;
