import { TOUR_OUTCOME_PATIENCE_MS } from '../../../machines/limits.ts';
import { type TourContext, tourMachine } from '../../../machines/tour.ts';
import type { TourSlot } from '../../../machines/tour-slots.ts';
import { TOUR_STATUSES, type TourKind } from '../../../machines/vocabulary.ts';
import { type Instant, toDate, toMillis } from '../../database/instants.ts';
import {
  type ActorKindDefinition,
  fixed,
  instant,
  plain,
  record,
  rowsOfTable,
  type StoredActor,
  type Wait,
  type WaitClock,
} from '../actor-kind.ts';

export interface TourActor extends StoredActor<'tour', TourContext> {
  details: TourDetails;
}
/** The details of a tour, fixed by the request. */
export interface TourDetails {
  customerId: string;
  propertyId: string;
  kind: TourKind;
  note: string | null;
  createdAt: number;
}

/** One row of `tours`. */
export const tourKind: ActorKindDefinition<TourActor, typeof tourMachine> = {
  kind: 'tour',
  machine: tourMachine,
  file: 'tour',
  effects: [],
  keptIn: '`tours.status`',
  rows: rowsOfTable<TourActor>('tour', {
    table: 'tours',
    context: {
      agentId: plain,
      slots: {
        names: ['proposedSlots'],
        read: (slots: { startsAt: string; endsAt: string }[]) =>
          slots.map(({ startsAt, endsAt }) => slotOf(startsAt, endsAt)),
        write: (slots: TourSlot[]) => [
          JSON.stringify(
            slots.map(({ startsAt, endsAt }) => ({ startsAt: toDate(startsAt), endsAt: toDate(endsAt) })),
          ),
        ],
      },
      heldSlot: {
        names: ['heldStartsAt', 'heldEndsAt'],
        read: (startsAt: Instant | null, endsAt: Instant | null) =>
          startsAt === null || endsAt === null ? null : slotOf(startsAt, endsAt),
        write: (slot: TourSlot | null) => [toDate(slot?.startsAt ?? null), toDate(slot?.endsAt ?? null)],
      },
      proposedBy: plain,
      proposedById: plain,
      rounds: plain,
      proposalExpiresAt: instant,
      reason: plain,
      closedAt: instant,
      closedBy: plain,
      closedFrom: plain,
      undone: plain,
      contestedAt: instant,
      contestReadAt: instant,
    },
    beside: {
      details: fixed(
        record<TourDetails>({
          customerId: plain,
          propertyId: plain,
          kind: plain,
          note: plain,
          createdAt: instant,
        }),
      ),
    },
    stamps: ['updatedAt'],
    bornAt: ['updatedAt'],
    refuse: refuseTourWrite,
  }),
  // The journal is the tour's history for both sides.
  keepsJournal: true,
  list: {
    status: { column: 't.status', type: 'tour_status', values: TOUR_STATUSES },
    createdAt: 't."createdAt"',
    columns: { propertyId: 't."propertyId"' },
    narrow: {
      property: (id) => `t."propertyId" = ${id}`,
      awaitsOperator: 't."contestedAt" IS NOT NULL AND t."contestReadAt" IS NULL',
    },
    failed: [],
  },
  label: { one: 'Tour', many: 'Tours' },
  foundBy: { tour: 'id' },
  page: {
    beside: {
      contest: `(SELECT j.event ->> 'note' FROM actor_transitions j WHERE j."actorKind" = 'tour' AND j."actorId" = t.id
        AND j."eventType" = 'NO_SHOW_CONTESTED' ORDER BY j.seq DESC LIMIT 1)`,
    },
    createdAt: 't."createdAt"',
    facts: ({ context, details: { propertyId, customerId, kind } }, { contest }) => ({
      Listing: { listing: propertyId },
      'Kind of visit': kind,
      Customer: { code: `user:${customerId}` },
      Agent: context.agentId === null ? 'none' : { code: `user:${context.agentId}` },
      'No-show contested': context.contestedAt === null ? null : { instant: context.contestedAt },
      // What people wrote is shown only when an operator must judge it.
      ...(context.contestedAt === null
        ? null
        : {
            'Agent says': { foreign: context.reason ?? 'The customer did not come.' },
            'Customer says': { foreign: contest ?? 'I came.' },
          }),
    }),
    wait: waitOf,
  },
};

const slotOf = (startsAt: Instant, endsAt: Instant): TourSlot => ({
  startsAt: toMillis(startsAt),
  endsAt: toMillis(endsAt),
});

function waitOf({ state, context }: TourActor, { at, when }: WaitClock): Wait | null {
  const until = context.proposalExpiresAt === null ? '' : ` until ${when(context.proposalExpiresAt)}`;
  switch (state) {
    case 'REQUESTED':
      return { word: 'agent', sentence: `Waits for the agent's answer${until}.`, person: false };
    case 'RESCHEDULE_PROPOSED': {
      const other = context.proposedBy === 'agent' ? 'customer' : 'agent';
      return { word: other, sentence: `Waits for the ${other}'s answer${until}.`, person: false };
    }
    case 'CONFIRMED': {
      const { heldSlot } = context;
      if (heldSlot === null) return null;
      if (heldSlot.startsAt > at)
        return {
          word: 'visit',
          sentence: `Waits for the visit at ${when(heldSlot.startsAt)}.`,
          person: false,
        };
      const end = when(heldSlot.endsAt + TOUR_OUTCOME_PATIENCE_MS);
      const sentence = `Waits for the agent to tell what became of the visit, until ${end}.`;
      return { word: 'agent', sentence, person: false };
    }
    case 'NO_SHOW':
      if (context.contestedAt === null || context.contestReadAt !== null) return null;
      return {
        word: 'operator',
        sentence: 'The customer says that they came: waits for an operator to read both versions.',
        person: true,
      };
    default:
      return null;
  }
}

/**
 * The write conflicts: the agent's calendar holds that time, the customer has an open tour of that listing, or one of
 * them deleted their account.
 */
export class TourConflictError extends Error {
  override readonly name = 'TourConflictError';
  readonly reason: 'slot-taken' | 'already-open' | 'person-gone';
  constructor(reason: TourConflictError['reason']) {
    super(`the tour cannot be written: ${reason}`);
    this.reason = reason;
  }
}

const CONFLICT_OF_CONSTRAINT: Record<string, TourConflictError['reason']> = {
  tours_held_slots_do_not_overlap: 'slot-taken',
  tours_one_open_uidx: 'already-open',
  tours_updated_refuse_tombstones: 'person-gone',
};

/** Throws constraint failures as `TourConflictError`, because a retry of the same write would fail again. */
function refuseTourWrite(error: unknown): never {
  const constraint = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  const reason = CONFLICT_OF_CONSTRAINT[constraint];
  throw reason === undefined ? error : new TourConflictError(reason);
}
