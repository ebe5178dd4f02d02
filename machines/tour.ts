import { setup } from 'xstate';
import {
  MAX_TOUR_ROUNDS,
  MAX_TOUR_SLOTS,
  MISMATCH_REPORT_MS,
  TOUR_OUTCOME_PATIENCE_MS,
  TOUR_PROPOSAL_MS,
  TOUR_UNDO_MS,
} from './limits.ts';
import { haveDistinctStarts, isSameSlot, lastStart, slotFault, type TourSlot } from './tour-slots.ts';
import type { OpenTourStatus } from './vocabulary.ts';

/**
 * One tour of one listing with one customer (`tours`). It owns which side must act next, which time is held in the
 * agent's calendar, and when the tour is over. Always true: a side never accepts its own proposal; a negotiation has at
 * most five rounds; an agreed time stays held while another one is negotiated; an agent's decision can be undone for
 * fifteen minutes, and once in the life of a tour; a customer may contest a no-show, which changes no state. A database
 * constraint keeps the held times of an agent from overlapping. Times and people come with the events. Source:
 * docs/charts/tour.md.
 */
export interface TourContext {
  /** Who gives the tour: the owner at request, then the agent who agreed to the held time. */
  agentId: string | null;
  /** The offered slots: the request's, or those of the open proposal. */
  slots: readonly TourSlot[];
  /** The agreed time. Kept when the tour ends, so that both sides see it. */
  heldSlot: TourSlot | null;
  /** The side that made the open proposal; the other side must answer. */
  proposedBy: TourParty | null;
  proposedById: string | null;
  /** Proposals since the last agreement. */
  rounds: number;
  /** No side can answer after this instant. */
  proposalExpiresAt: number | null;
  /** Why it ended: the text of the person who ended it, or LISTING_LEFT_MARKET, ACCOUNT_DELETED or ACCOUNT_SUSPENDED. */
  reason: string | null;
  closedAt: number | null;
  closedBy: TourActor | null;
  /** The status that an undo restores. */
  closedFrom: OpenTourStatus | null;
  /** Whether a decision was undone, which is possible once. */
  undone: boolean;
  /** When the customer said, against a no-show, that they came; null when they did not say so. */
  contestedAt: number | null;
  /** When an operator had read both versions; null before, and without a contest. */
  contestReadAt: number | null;
}

export type TourParty = 'customer' | 'agent';
type TourActor = TourParty | 'system';

interface ByParty {
  at: number;
  actor: TourParty;
  userId: string;
  note: string | null;
}
interface BySystem {
  at: number;
  actor: 'system';
}
/** `onMarket`, `agentId` and `freeSlot` are read in the deciding transaction. */
export type TourEvent =
  | (ByParty & {
      type: 'TOUR_REQUESTED';
      slots: readonly TourSlot[];
      onMarket: boolean;
      agentId: string;
      /** The first free slot if the listing confirms automatically, else null. */
      freeSlot: TourSlot | null;
    })
  | (ByParty & { type: 'REQUEST_ACCEPTED' | 'PROPOSAL_ACCEPTED'; slot: TourSlot })
  | (ByParty & { type: 'SLOTS_PROPOSED'; slots: readonly TourSlot[] })
  | (ByParty & { type: 'REQUEST_DECLINED' | 'PROPOSAL_REFUSED' | 'TOUR_CALLED_OFF' })
  | (ByParty & { type: 'VISIT_COMPLETED' | 'VISIT_MISSED' | 'NO_SHOW_CONTESTED' })
  | (ByParty & { type: 'DECISION_UNDONE'; onMarket: boolean })
  | (BySystem & { type: 'LISTING_LEFT_MARKET' | 'PARTY_SUSPENDED' })
  | (BySystem & { type: 'TIME_PASSED' | 'CONTEST_READ' });

/** `reason` of a tour whose listing left the market. */
const LISTING_LEFT_MARKET = 'LISTING_LEFT_MARKET';
/** `reason` of a tour after an operator has suspended one of its people, or the owner of the listing. */
const ACCOUNT_SUSPENDED = 'ACCOUNT_SUSPENDED';
/** `note` and `reason` of a tour whose customer or agent has deleted their account. */
export const ACCOUNT_DELETED = 'ACCOUNT_DELETED';

/** The context before TOUR_REQUESTED; no row has it. */
export const unrequestedTour: TourContext = {
  agentId: null,
  slots: [],
  heldSlot: null,
  proposedBy: null,
  proposedById: null,
  rounds: 0,
  proposalExpiresAt: null,
  reason: null,
  closedAt: null,
  closedBy: null,
  closedFrom: null,
  undone: false,
  contestedAt: null,
  contestReadAt: null,
};

interface GuardArgs {
  context: TourContext;
  event: TourEvent;
}
const isAgent = ({ event }: GuardArgs): boolean => event.actor === 'agent';
const isParty = ({ event }: GuardArgs): boolean => event.actor !== 'system';
const isOther = (args: GuardArgs): boolean => isParty(args) && args.event.actor !== args.context.proposedBy;
const isAnswerable = ({ context, event }: GuardArgs): boolean =>
  context.proposalExpiresAt !== null && event.at < context.proposalExpiresAt;
const namesOfferedSlot = ({ context, event }: GuardArgs): boolean =>
  'slot' in event &&
  event.slot.startsAt > event.at &&
  context.slots.some((offered) => isSameSlot(offered, event.slot));
const namesValidSlots = ({ event }: GuardArgs): boolean =>
  'slots' in event &&
  event.slots.length >= 1 &&
  event.slots.length <= MAX_TOUR_SLOTS &&
  haveDistinctStarts(event.slots) &&
  event.slots.every((slot) => slotFault(slot, event.at) === null);
const isFirstRequest = (args: GuardArgs): boolean =>
  args.event.type === 'TOUR_REQUESTED' &&
  args.event.onMarket &&
  args.context.slots.length === 0 &&
  namesValidSlots(args);
const isBeforeStart = ({ context, event }: GuardArgs): boolean =>
  context.heldSlot !== null && event.at < context.heldSlot.startsAt;
const mayUndo = ({ context, event }: GuardArgs): boolean =>
  event.type === 'DECISION_UNDONE' &&
  event.actor === 'agent' &&
  event.onMarket &&
  !context.undone &&
  context.closedBy === 'agent' &&
  context.closedAt !== null &&
  event.at <= context.closedAt + TOUR_UNDO_MS;
const mayContest = ({ context, event }: GuardArgs): boolean =>
  event.actor === 'customer' &&
  context.contestedAt === null &&
  context.closedAt !== null &&
  event.at <= context.closedAt + MISMATCH_REPORT_MS;

const machineSetup = setup({
  types: { context: {} as TourContext, events: {} as TourEvent },
  guards: {
    someSlotIsFree: (args) =>
      isFirstRequest(args) && args.event.type === 'TOUR_REQUESTED' && args.event.freeSlot !== null,
    isFirstRequest,
    agentAcceptsOfferedSlot: (args) => isAgent(args) && isAnswerable(args) && namesOfferedSlot(args),
    isAgent,
    agentProposes: (args) => isAgent(args) && isAnswerable(args) && namesValidSlots(args),
    isCustomer: ({ event }) => event.actor === 'customer',
    proposalExpired: ({ context, event }) =>
      context.proposalExpiresAt !== null && event.at >= context.proposalExpiresAt,
    proposalExpiredWithHeldSlot: ({ context, event }) =>
      context.heldSlot !== null &&
      context.proposalExpiresAt !== null &&
      event.at >= context.proposalExpiresAt,
    otherPartyAcceptsOfferedSlot: (args) => isOther(args) && isAnswerable(args) && namesOfferedSlot(args),
    otherPartyCounters: (args) =>
      isOther(args) && isAnswerable(args) && args.context.rounds < MAX_TOUR_ROUNDS && namesValidSlots(args),
    otherPartyRefusesWithHeldSlot: (args) => isOther(args) && args.context.heldSlot !== null,
    otherPartyRefuses: isOther,
    isParty,
    partyProposesBeforeStart: (args) => isParty(args) && isBeforeStart(args) && namesValidSlots(args),
    agentAfterStart: (args) => isAgent(args) && !isBeforeStart(args),
    nobodyToldTheOutcome: ({ context, event }) =>
      context.heldSlot !== null && event.at >= context.heldSlot.endsAt + TOUR_OUTCOME_PATIENCE_MS,
    mayContest,
    isContested: ({ context }) => context.contestedAt !== null && context.contestReadAt === null,
    wasRequested: (args) => mayUndo(args) && args.context.closedFrom === 'REQUESTED',
    wasProposed: (args) => mayUndo(args) && args.context.closedFrom === 'RESCHEDULE_PROPOSED',
    wasConfirmed: (args) => mayUndo(args) && args.context.closedFrom === 'CONFIRMED',
  },
  actions: {},
});

const settled = {
  slots: [],
  proposedBy: null,
  proposedById: null,
  rounds: 0,
  proposalExpiresAt: null,
} satisfies Partial<TourContext>;

const noteRequest = machineSetup.assign(({ event }) =>
  event.type === 'TOUR_REQUESTED'
    ? {
        agentId: event.agentId,
        slots: event.slots,
        proposedBy: 'customer' as const,
        proposedById: event.userId,
        proposalExpiresAt: lastStart(event.slots),
      }
    : {},
);
const noteAutoConfirmed = machineSetup.assign(({ event }) =>
  event.type === 'TOUR_REQUESTED' ? { ...settled, agentId: event.agentId, heldSlot: event.freeSlot } : {},
);
/** When the customer agrees, the tour is given by the agent who proposed; when an agent agrees, by that agent. */
const noteAgreed = machineSetup.assign(({ context, event }) =>
  'slot' in event
    ? {
        ...settled,
        heldSlot: event.slot,
        agentId: event.actor === 'agent' ? event.userId : context.proposedById,
      }
    : {},
);
const noteProposal = machineSetup.assign(({ context, event }) =>
  event.type === 'SLOTS_PROPOSED'
    ? {
        slots: event.slots,
        proposedBy: event.actor,
        proposedById: event.userId,
        rounds: context.rounds + 1,
        // Not later than the held time, because both sides must know by then where to be.
        proposalExpiresAt: Math.min(
          event.at + TOUR_PROPOSAL_MS,
          lastStart(event.slots),
          context.heldSlot?.startsAt ?? Number.POSITIVE_INFINITY,
        ),
      }
    : {},
);
const noteKeptSlot = machineSetup.assign(settled);
function reasonOf(event: TourEvent): string | null {
  if (event.type === 'LISTING_LEFT_MARKET') return LISTING_LEFT_MARKET;
  if (event.type === 'PARTY_SUSPENDED') return ACCOUNT_SUSPENDED;
  return 'note' in event ? event.note : null;
}
/** Keeps the slots and the proposal, so that an undo restores them. */
const noteEndFrom = (closedFrom: OpenTourStatus) =>
  machineSetup.assign(({ event }) => ({
    closedAt: event.at,
    closedBy: event.actor,
    closedFrom,
    reason: reasonOf(event),
  }));
const noteUndone = machineSetup.assign({
  closedAt: null,
  closedBy: null,
  closedFrom: null,
  reason: null,
  undone: true,
  contestedAt: null,
  contestReadAt: null,
});
const noteContested = machineSetup.assign({ contestedAt: ({ event }) => event.at });
const noteContestRead = machineSetup.assign({ contestReadAt: ({ event }) => event.at });

const cancelFrom = (from: OpenTourStatus) => ({ target: 'CANCELLED', actions: noteEndFrom(from) }) as const;
const backToRequest = { target: 'REQUESTED', guard: 'wasRequested', actions: noteUndone } as const;
const backToProposal = { target: 'RESCHEDULE_PROPOSED', guard: 'wasProposed', actions: noteUndone } as const;
const backToHeldSlot = { target: 'CONFIRMED', guard: 'wasConfirmed', actions: noteUndone } as const;

export const tourMachine = machineSetup.createMachine({
  id: 'tour',
  context: unrequestedTour,
  initial: 'REQUESTED',
  states: {
    REQUESTED: {
      description: 'The customer named up to three times and waits for an agent of the listing.',
      on: {
        TOUR_REQUESTED: [
          { target: 'CONFIRMED', guard: 'someSlotIsFree', actions: noteAutoConfirmed },
          { guard: 'isFirstRequest', actions: noteRequest },
        ],
        REQUEST_ACCEPTED: { target: 'CONFIRMED', guard: 'agentAcceptsOfferedSlot', actions: noteAgreed },
        REQUEST_DECLINED: { target: 'DECLINED', guard: 'isAgent', actions: noteEndFrom('REQUESTED') },
        SLOTS_PROPOSED: { target: 'RESCHEDULE_PROPOSED', guard: 'agentProposes', actions: noteProposal },
        TOUR_CALLED_OFF: { ...cancelFrom('REQUESTED'), guard: 'isCustomer' },
        LISTING_LEFT_MARKET: cancelFrom('REQUESTED'),
        PARTY_SUSPENDED: cancelFrom('REQUESTED'),
        TIME_PASSED: { target: 'EXPIRED', guard: 'proposalExpired', actions: noteEndFrom('REQUESTED') },
      },
    },
    RESCHEDULE_PROPOSED: {
      description: 'One side named other times and waits for the other; a time agreed before stays held.',
      on: {
        PROPOSAL_ACCEPTED: {
          target: 'CONFIRMED',
          guard: 'otherPartyAcceptsOfferedSlot',
          actions: noteAgreed,
        },
        SLOTS_PROPOSED: { guard: 'otherPartyCounters', actions: noteProposal },
        PROPOSAL_REFUSED: [
          { target: 'CONFIRMED', guard: 'otherPartyRefusesWithHeldSlot', actions: noteKeptSlot },
          { target: 'DECLINED', guard: 'otherPartyRefuses', actions: noteEndFrom('RESCHEDULE_PROPOSED') },
        ],
        TOUR_CALLED_OFF: { ...cancelFrom('RESCHEDULE_PROPOSED'), guard: 'isParty' },
        LISTING_LEFT_MARKET: cancelFrom('RESCHEDULE_PROPOSED'),
        PARTY_SUSPENDED: cancelFrom('RESCHEDULE_PROPOSED'),
        TIME_PASSED: [
          { target: 'CONFIRMED', guard: 'proposalExpiredWithHeldSlot', actions: noteKeptSlot },
          { target: 'EXPIRED', guard: 'proposalExpired', actions: noteEndFrom('RESCHEDULE_PROPOSED') },
        ],
      },
    },
    CONFIRMED: {
      description: 'The time is agreed and held in the calendar of the agent.',
      on: {
        SLOTS_PROPOSED: {
          target: 'RESCHEDULE_PROPOSED',
          guard: 'partyProposesBeforeStart',
          actions: noteProposal,
        },
        TOUR_CALLED_OFF: { ...cancelFrom('CONFIRMED'), guard: 'isParty' },
        LISTING_LEFT_MARKET: cancelFrom('CONFIRMED'),
        PARTY_SUSPENDED: cancelFrom('CONFIRMED'),
        VISIT_COMPLETED: {
          target: 'COMPLETED',
          guard: 'agentAfterStart',
          actions: noteEndFrom('CONFIRMED'),
        },
        VISIT_MISSED: { target: 'NO_SHOW', guard: 'agentAfterStart', actions: noteEndFrom('CONFIRMED') },
        TIME_PASSED: {
          target: 'EXPIRED',
          guard: 'nobodyToldTheOutcome',
          actions: noteEndFrom('CONFIRMED'),
        },
      },
    },
    DECLINED: {
      tags: 'closed',
      description:
        'One side said no before any time was agreed; an agent may take back their own no for a while.',
      on: { DECISION_UNDONE: [backToRequest, backToProposal] },
    },
    CANCELLED: {
      tags: 'closed',
      description:
        'One side called it off, the listing left the market, or an operator suspended someone; the reason says which.',
      on: { DECISION_UNDONE: [backToProposal, backToHeldSlot] },
    },
    COMPLETED: {
      tags: 'closed',
      description: 'The agent says that the tour took place.',
      on: { DECISION_UNDONE: backToHeldSlot },
    },
    NO_SHOW: {
      tags: 'closed',
      description: 'The agent says that the customer did not come, and the customer may contest that.',
      on: {
        DECISION_UNDONE: backToHeldSlot,
        NO_SHOW_CONTESTED: { guard: 'mayContest', actions: noteContested },
        CONTEST_READ: { guard: 'isContested', actions: noteContestRead },
      },
    },
    EXPIRED: {
      type: 'final',
      tags: 'closed',
      description: 'Time ran out: nothing was agreed, or no outcome was reported.',
    },
  },
});
