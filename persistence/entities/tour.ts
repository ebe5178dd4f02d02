import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { TOUR_STATUSES } from '../../machines/vocabulary.ts';

export const TOUR_KINDS = ['IN_PERSON', 'VIRTUAL'] as const;
export type TourKind = (typeof TOUR_KINDS)[number];

export const TOUR_ACTORS = ['customer', 'agent', 'system'] as const;

/** One tour of a listing with a customer (machines/tour.ts). */
export const TourEntity = defineEntity({
  name: 'Tour',
  tableName: 'tours',
  properties: {
    id: p.uuid().primary(),
    customerId: p.uuid(),
    propertyId: p.uuid(),
    /** The owner at request, then the agent who agreed to the held time. */
    agentId: p.uuid(),
    kind: p.enum(TOUR_KINDS).nativeEnumName('tour_kind'),
    /** What the customer said with the request. */
    note: p.text().nullable(),
    status: p.enum(TOUR_STATUSES).nativeEnumName('tour_status'),
    /** `[{ startsAt, endsAt }]`, ISO instants; empty when nothing is on the table. */
    proposedSlots: p.json<unknown>().default('[]'),
    proposedBy: p.text().nullable(),
    proposedById: p.uuid().nullable(),
    rounds: p.integer().default(0),
    proposalExpiresAt: p.datetime().nullable(),
    heldStartsAt: p.datetime().nullable(),
    heldEndsAt: p.datetime().nullable(),
    reason: p.text().nullable(),
    closedAt: p.datetime().nullable(),
    closedBy: p.text().nullable(),
    closedFrom: p.enum(TOUR_STATUSES).nativeEnumName('tour_status').nullable(),
    version: p.integer().default(0),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export type Tour = InferEntity<typeof TourEntity>;
