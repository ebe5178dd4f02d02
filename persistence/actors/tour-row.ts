import type { ActorState } from '../../machines/step.ts';
import type { TourActor as TourActorName, TourContext, TourParty } from '../../machines/tour.ts';
import type { OpenTourStatus, TourKind } from '../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../database/instants.ts';
import type { TourActor } from './actor-store.ts';

/** One row of `tours`: status is the state value, the rest its context and what was fixed at request. */
export interface TourRow {
  id: string;
  customerId: string;
  propertyId: string;
  agentId: string;
  kind: TourKind;
  note: string | null;
  status: string;
  proposedSlots: { startsAt: string; endsAt: string }[];
  proposedBy: TourParty | null;
  proposedById: string | null;
  rounds: number;
  proposalExpiresAt: Instant | null;
  heldStartsAt: Instant | null;
  heldEndsAt: Instant | null;
  reason: string | null;
  closedAt: Instant | null;
  closedBy: TourActorName | null;
  closedFrom: OpenTourStatus | null;
  version: number;
  createdAt: Instant;
}

const NAMES = [
  'id',
  'customerId',
  'propertyId',
  'agentId',
  'kind',
  'note',
  'status',
  'proposedSlots',
  'proposedBy',
  'proposedById',
  'rounds',
  'proposalExpiresAt',
  'heldStartsAt',
  'heldEndsAt',
  'reason',
  'closedAt',
  'closedBy',
  'closedFrom',
  'version',
  'createdAt',
];
/** The columns under an alias of the table. */
export const tourColumns = (alias: string): string => NAMES.map((name) => `${alias}."${name}"`).join(', ');

export function tourFromRow(row: TourRow): TourActor {
  return {
    kind: 'tour',
    id: row.id,
    version: row.version,
    state: row.status,
    context: {
      agentId: row.agentId,
      slots: row.proposedSlots.map(({ startsAt, endsAt }) => ({
        startsAt: toMillis(startsAt),
        endsAt: toMillis(endsAt),
      })),
      heldSlot:
        row.heldStartsAt === null || row.heldEndsAt === null
          ? null
          : { startsAt: toMillis(row.heldStartsAt), endsAt: toMillis(row.heldEndsAt) },
      proposedBy: row.proposedBy,
      proposedById: row.proposedById,
      rounds: row.rounds,
      proposalExpiresAt: toMillis(row.proposalExpiresAt),
      reason: row.reason,
      closedAt: toMillis(row.closedAt),
      closedBy: row.closedBy,
      closedFrom: row.closedFrom,
    },
    details: {
      customerId: row.customerId,
      propertyId: row.propertyId,
      kind: row.kind,
      note: row.note,
      createdAt: toMillis(row.createdAt),
    },
  };
}

/** The columns for a state, in the order of UPDATE_TOUR's parameters after id, version and at. */
export function tourValues({ state, context }: ActorState<TourContext>): unknown[] {
  return [
    state,
    context.agentId,
    JSON.stringify(
      context.slots.map(({ startsAt, endsAt }) => ({ startsAt: toDate(startsAt), endsAt: toDate(endsAt) })),
    ),
    context.proposedBy,
    context.proposedById,
    context.rounds,
    toDate(context.proposalExpiresAt),
    toDate(context.heldSlot?.startsAt ?? null),
    toDate(context.heldSlot?.endsAt ?? null),
    context.reason,
    toDate(context.closedAt),
    context.closedBy,
    context.closedFrom,
  ];
}
