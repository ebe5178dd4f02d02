import { describe, expect, test } from 'vitest';
import {
  MAX_TOUR_ROUNDS,
  MAX_TOUR_SLOT_MS,
  MIN_TOUR_SLOT_MS,
  MISMATCH_REPORT_MS,
  TOUR_OUTCOME_PATIENCE_MS,
  TOUR_PROPOSAL_MS,
  TOUR_UNDO_MS,
} from '../../machines/limits.ts';
import { step } from '../../machines/step.ts';
import {
  type TourContext,
  type TourEvent,
  type TourParty,
  tourMachine,
  unrequestedTour,
} from '../../machines/tour.ts';
import { availableTourActions } from '../../machines/tour-actions.ts';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { visitEndedAt } from '../../machines/tour-visit.ts';
import type { OpenTourStatus } from '../../machines/vocabulary.ts';
import { TOUR_EVENTS, TOUR_SLOTS, TOUR_PEOPLE as WHO } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../support/manual-time.ts';
import { type Rule, testRules } from './rules.ts';

/** Every transition of docs/charts/tour.md. */
type TourRule = Rule<TourContext, TourEvent>;
const { first, second } = TOUR_SLOTS;
const third: TourSlot = { startsAt: AT + 5 * 86_400_000, endsAt: AT + 5 * 86_400_000 + MIN_TOUR_SLOT_MS };
const LAST = second.startsAt;

const by = (actor: TourParty, at = AT, note: string | null = null) => ({
  at,
  actor,
  userId: WHO[actor],
  note,
});
const requested = (change: Partial<Extract<TourEvent, { type: 'TOUR_REQUESTED' }>> = {}): TourEvent => ({
  ...by('customer'),
  type: 'TOUR_REQUESTED',
  slots: [first, second],
  onMarket: true,
  agentId: WHO.agent,
  freeSlot: null,
  ...change,
});
const accepted = (actor: TourParty, slot: TourSlot, at = AT): TourEvent => ({
  ...by(actor, at),
  type: 'REQUEST_ACCEPTED',
  slot,
});
const agreed = (actor: TourParty, slot: TourSlot, at = AT): TourEvent => ({
  ...by(actor, at),
  type: 'PROPOSAL_ACCEPTED',
  slot,
});
const proposed = (actor: TourParty, slots: TourSlot[], at = AT): TourEvent => ({
  ...by(actor, at),
  type: 'SLOTS_PROPOSED',
  slots,
});
const plain = (
  type:
    | 'REQUEST_DECLINED'
    | 'PROPOSAL_REFUSED'
    | 'TOUR_CALLED_OFF'
    | 'VISIT_COMPLETED'
    | 'VISIT_MISSED'
    | 'NO_SHOW_CONTESTED',
  actor: TourParty,
  at = AT,
): TourEvent => ({ ...by(actor, at, 'because'), type });
const undone = (at = AT, change: { actor?: TourParty; onMarket?: boolean } = {}): TourEvent => ({
  ...by(change.actor ?? 'agent', at),
  type: 'DECISION_UNDONE',
  onMarket: change.onMarket ?? true,
});
const passed = (at: number): TourEvent => ({ type: 'TIME_PASSED', at, actor: 'system' });
const gone: TourEvent = { type: 'LISTING_LEFT_MARKET', at: AT, actor: 'system' };
const contestRead: TourEvent = { type: 'CONTEST_READ', at: AT, actor: 'system' };
const suspended: TourEvent = { type: 'PARTY_SUSPENDED', at: AT, actor: 'system' };

const asked: TourContext = {
  ...unrequestedTour,
  agentId: WHO.agent,
  slots: [first, second],
  proposedBy: 'customer',
  proposedById: WHO.customer,
  proposalExpiresAt: LAST,
};
const settled = { slots: [], proposedBy: null, proposedById: null, rounds: 0, proposalExpiresAt: null };
const held: TourContext = { ...asked, ...settled, heldSlot: first };
const negotiated: TourContext = {
  ...asked,
  slots: [second],
  proposedBy: 'agent',
  proposedById: WHO.colleague,
  rounds: 1,
  proposalExpiresAt: AT + TOUR_PROPOSAL_MS,
};
const whileHeld = { heldSlot: first, proposalExpiresAt: first.startsAt };
const closed = (
  from: OpenTourStatus,
  closedBy: TourContext['closedBy'],
  reason: string | null = 'because',
) => ({
  closedAt: AT,
  closedBy,
  closedFrom: from,
  reason,
});
const reopened = { closedAt: null, closedBy: null, closedFrom: null, reason: null, undone: true };
const expired = (from: OpenTourStatus, at: number) => ({
  to: 'EXPIRED',
  context: { closedAt: at, closedBy: 'system', closedFrom: from, reason: null } as const,
});
const cancelled = (
  from: OpenTourStatus,
  who: TourContext['closedBy'],
  reason?: string,
): Omit<TourRule, 'event'> => ({
  to: 'CANCELLED',
  context: closed(from, who, reason ?? 'because'),
});
const leftMarket = (from: OpenTourStatus): TourRule => ({
  event: gone,
  ...cancelled(from, 'system', 'LISTING_LEFT_MARKET'),
});
const partySuspended = (from: OpenTourStatus): TourRule => ({
  event: suspended,
  ...cancelled(from, 'system', 'ACCOUNT_SUSPENDED'),
});

const undoRules = (from: OpenTourStatus, given: Partial<TourContext> = {}): TourRule[] => {
  const ended = { ...given, ...closed(from, 'agent') };
  return [
    { event: undone(AT + TOUR_UNDO_MS), when: 'the last moment', given: ended, to: from, context: reopened },
    { event: undone(AT + TOUR_UNDO_MS + 1), when: 'too late', given: ended, to: null },
    { event: undone(AT, { actor: 'customer' }), when: 'by the customer', given: ended, to: null },
    { event: undone(AT, { onMarket: false }), when: 'listing off market', given: ended, to: null },
    { event: undone(), when: 'decided by customer', given: { ...ended, closedBy: 'customer' }, to: null },
    { event: undone(), when: 'for the second time', given: { ...ended, undone: true }, to: null },
    { event: undone(), when: 'by the system', given: { ...ended, closedBy: 'system' }, to: null },
  ];
};

testRules(tourMachine, {
  events: TOUR_EVENTS,
  usual: {
    REQUESTED: asked,
    RESCHEDULE_PROPOSED: negotiated,
    CONFIRMED: held,
    DECLINED: { ...asked, ...closed('REQUESTED', 'agent') },
    CANCELLED: { ...held, ...closed('CONFIRMED', 'agent') },
    COMPLETED: { ...held, ...closed('CONFIRMED', 'agent') },
    NO_SHOW: { ...held, ...closed('CONFIRMED', 'agent') },
    EXPIRED: { ...asked, ...closed('REQUESTED', 'system', null) },
  },
  rules: {
    REQUESTED: [
      { event: requested(), when: 'birth', given: unrequestedTour, to: 'REQUESTED', context: asked },
      {
        event: requested({ freeSlot: second }),
        when: 'auto-confirm',
        given: unrequestedTour,
        to: 'CONFIRMED',
        context: { ...held, heldSlot: second },
      },
      { event: requested(), when: 'again', to: null },
      { event: requested({ onMarket: false }), when: 'off market', given: unrequestedTour, to: null },
      { event: accepted('agent', second), to: 'CONFIRMED', context: { ...settled, heldSlot: second } },
      {
        event: { ...accepted('agent', first), userId: WHO.colleague } as TourEvent,
        when: 'by a colleague',
        to: 'CONFIRMED',
        context: { ...settled, heldSlot: first, agentId: WHO.colleague },
      },
      { event: accepted('customer', first), when: 'own request', to: null },
      { event: accepted('agent', third), when: 'not offered', to: null },
      { event: accepted('agent', first, first.startsAt), when: 'this slot has begun', to: null },
      {
        event: accepted('agent', second, first.startsAt),
        when: 'the other is to come',
        to: 'CONFIRMED',
        context: { ...settled, heldSlot: second },
      },
      {
        event: plain('REQUEST_DECLINED', 'agent'),
        to: 'DECLINED',
        context: closed('REQUESTED', 'agent'),
      },
      { event: plain('REQUEST_DECLINED', 'customer'), when: 'by the customer', to: null },
      {
        event: proposed('agent', [third]),
        to: 'RESCHEDULE_PROPOSED',
        context: {
          slots: [third],
          proposedBy: 'agent',
          proposedById: WHO.agent,
          rounds: 1,
          proposalExpiresAt: AT + TOUR_PROPOSAL_MS,
        },
      },
      { event: proposed('customer', [third]), when: 'by the customer', to: null },
      { event: proposed('agent', [third], LAST), when: 'too late', to: null },
      { event: plain('TOUR_CALLED_OFF', 'customer'), ...cancelled('REQUESTED', 'customer') },
      { event: plain('TOUR_CALLED_OFF', 'agent'), when: 'agents decline', to: null },
      leftMarket('REQUESTED'),
      partySuspended('REQUESTED'),
      { event: passed(LAST - 1), when: 'one slot is to come', to: null },
      { event: passed(LAST), ...expired('REQUESTED', LAST) },
    ],
    RESCHEDULE_PROPOSED: [
      {
        event: agreed('customer', second),
        when: 'the agent who proposed gives the tour',
        to: 'CONFIRMED',
        context: { ...settled, heldSlot: second, agentId: WHO.colleague },
      },
      { event: agreed('agent', second), when: 'own proposal', to: null },
      {
        event: agreed('agent', second),
        when: "the customer's",
        given: { proposedBy: 'customer', proposedById: WHO.customer, ...whileHeld },
        to: 'CONFIRMED',
        context: { ...settled, heldSlot: second, agentId: WHO.agent },
      },
      { event: agreed('customer', first), when: 'not offered', to: null },
      { event: agreed('customer', second, AT + TOUR_PROPOSAL_MS), when: 'too late', to: null },
      {
        event: proposed('customer', [first, third]),
        to: 'RESCHEDULE_PROPOSED',
        context: {
          slots: [first, third],
          proposedBy: 'customer',
          proposedById: WHO.customer,
          rounds: 2,
          proposalExpiresAt: AT + TOUR_PROPOSAL_MS,
        },
      },
      { event: proposed('agent', [third]), when: 'own proposal', to: null },
      {
        event: proposed('customer', [third]),
        when: 'the last round',
        given: { rounds: MAX_TOUR_ROUNDS },
        to: null,
      },
      {
        event: proposed('customer', [third]),
        when: 'the last but one',
        given: { rounds: MAX_TOUR_ROUNDS - 1 },
        to: 'RESCHEDULE_PROPOSED',
        context: {
          slots: [third],
          proposedBy: 'customer',
          proposedById: WHO.customer,
          rounds: MAX_TOUR_ROUNDS,
        },
      },
      {
        event: plain('PROPOSAL_REFUSED', 'customer'),
        to: 'DECLINED',
        context: closed('RESCHEDULE_PROPOSED', 'customer'),
      },
      {
        event: plain('PROPOSAL_REFUSED', 'customer'),
        when: 'a time is held',
        given: whileHeld,
        to: 'CONFIRMED',
        context: settled,
      },
      { event: plain('PROPOSAL_REFUSED', 'agent'), when: 'own proposal', to: null },
      { event: plain('TOUR_CALLED_OFF', 'customer'), ...cancelled('RESCHEDULE_PROPOSED', 'customer') },
      { event: plain('TOUR_CALLED_OFF', 'agent'), ...cancelled('RESCHEDULE_PROPOSED', 'agent') },
      leftMarket('RESCHEDULE_PROPOSED'),
      partySuspended('RESCHEDULE_PROPOSED'),
      { event: passed(AT + TOUR_PROPOSAL_MS - 1), when: 'not yet', to: null },
      { event: passed(AT + TOUR_PROPOSAL_MS), ...expired('RESCHEDULE_PROPOSED', AT + TOUR_PROPOSAL_MS) },
      {
        event: passed(first.startsAt),
        when: 'a time is held',
        given: whileHeld,
        to: 'CONFIRMED',
        context: settled,
      },
    ],
    CONFIRMED: [
      ...(['customer', 'agent'] as const).map(
        (side): TourRule => ({
          event: proposed(side, [second]),
          when: `by the ${side}`,
          to: 'RESCHEDULE_PROPOSED',
          context: {
            slots: [second],
            proposedBy: side,
            proposedById: WHO[side],
            rounds: 1,
            proposalExpiresAt: first.startsAt,
          },
        }),
      ),
      { event: proposed('agent', [second], first.startsAt), when: 'it has begun', to: null },
      { event: plain('TOUR_CALLED_OFF', 'customer'), ...cancelled('CONFIRMED', 'customer') },
      { event: plain('TOUR_CALLED_OFF', 'agent'), ...cancelled('CONFIRMED', 'agent') },
      leftMarket('CONFIRMED'),
      partySuspended('CONFIRMED'),
      ...(['VISIT_COMPLETED', 'VISIT_MISSED'] as const).flatMap((type): TourRule[] => [
        {
          event: plain(type, 'agent', first.startsAt),
          to: type === 'VISIT_COMPLETED' ? 'COMPLETED' : 'NO_SHOW',
          context: { ...closed('CONFIRMED', 'agent'), closedAt: first.startsAt },
        },
        { event: plain(type, 'agent', first.startsAt - 1), when: 'before the start', to: null },
        { event: plain(type, 'customer', first.startsAt), when: 'by the customer', to: null },
      ]),
      {
        event: passed(first.endsAt + TOUR_OUTCOME_PATIENCE_MS - 1),
        when: 'the agent may still tell',
        to: null,
      },
      {
        event: passed(first.endsAt + TOUR_OUTCOME_PATIENCE_MS),
        when: 'nobody told',
        ...expired('CONFIRMED', first.endsAt + TOUR_OUTCOME_PATIENCE_MS),
      },
    ],
    DECLINED: [...undoRules('REQUESTED'), ...undoRules('RESCHEDULE_PROPOSED', negotiated)],
    CANCELLED: [...undoRules('CONFIRMED'), ...undoRules('RESCHEDULE_PROPOSED', negotiated)],
    COMPLETED: undoRules('CONFIRMED'),
    NO_SHOW: [
      ...undoRules('CONFIRMED'),
      {
        event: plain('NO_SHOW_CONTESTED', 'customer', AT + MISMATCH_REPORT_MS),
        when: 'the last moment',
        to: 'NO_SHOW',
        context: { contestedAt: AT + MISMATCH_REPORT_MS },
      },
      {
        event: plain('NO_SHOW_CONTESTED', 'customer', AT + MISMATCH_REPORT_MS + 1),
        when: 'too late',
        to: null,
      },
      { event: plain('NO_SHOW_CONTESTED', 'agent'), when: 'by the agent', to: null },
      {
        event: plain('NO_SHOW_CONTESTED', 'customer'),
        when: 'again',
        given: { contestedAt: AT },
        to: null,
      },
      { event: contestRead, when: 'not contested', to: null },
      {
        event: contestRead,
        given: { contestedAt: AT },
        to: 'NO_SHOW',
        context: { contestReadAt: AT },
      },
      { event: contestRead, when: 'again', given: { contestedAt: AT, contestReadAt: AT }, to: null },
      {
        event: undone(),
        when: 'after it was contested',
        given: { ...closed('CONFIRMED', 'agent'), contestedAt: AT, contestReadAt: AT },
        to: 'CONFIRMED',
        context: { ...reopened, contestedAt: null, contestReadAt: null },
      },
    ],
  },
});

describe('slots that cannot be proposed', () => {
  const { startsAt } = third;
  const named = (endsAt: number): TourSlot => ({ startsAt, endsAt });
  test.each<[string, TourSlot[]]>([
    ['none', []],
    [
      'four',
      [0, 1, 2, 3].map((days) => ({
        startsAt: startsAt + days * 86_400_000,
        endsAt: third.endsAt + days * 86_400_000,
      })),
    ],
    ['one that begins now', [{ startsAt: AT, endsAt: AT + MIN_TOUR_SLOT_MS }]],
    ['one that is too short', [named(startsAt + MIN_TOUR_SLOT_MS - 1)]],
    ['one that is too long', [named(startsAt + MAX_TOUR_SLOT_MS + 1)]],
    ['one that ends before it begins', [named(startsAt - MIN_TOUR_SLOT_MS)]],
    ['one twice', [third, named(startsAt + MAX_TOUR_SLOT_MS)]],
  ])('%s', (_, slots) => {
    const ignored = { outcome: 'ignored' };
    const birth = { state: 'REQUESTED', context: unrequestedTour };
    expect(step(tourMachine, birth, requested({ slots }))).toEqual(ignored);
    expect(step(tourMachine, { state: 'REQUESTED', context: asked }, proposed('agent', slots))).toEqual(
      ignored,
    );
    expect(step(tourMachine, { state: 'CONFIRMED', context: held }, proposed('customer', slots))).toEqual(
      ignored,
    );
  });
  test('the shortest and the longest slot are accepted', () => {
    for (const length of [MIN_TOUR_SLOT_MS, MAX_TOUR_SLOT_MS])
      expect(
        step(
          tourMachine,
          { state: 'REQUESTED', context: unrequestedTour },
          requested({ slots: [named(startsAt + length)] }),
        ),
      ).toMatchObject({ outcome: 'applied' });
  });
});

describe('allowed actions of each side', () => {
  test.each<[string, TourContext, number, string[], string[]]>([
    ['REQUESTED', asked, AT, ['cancel'], ['confirm', 'decline', 'proposeReschedule']],
    ['REQUESTED', asked, first.startsAt, ['cancel'], ['confirm', 'decline', 'proposeReschedule']],
    ['REQUESTED', asked, LAST, ['cancel'], ['decline']],
    [
      'RESCHEDULE_PROPOSED',
      negotiated,
      AT,
      ['proposeReschedule', 'acceptReschedule', 'refuseReschedule', 'cancel'],
      ['cancel'],
    ],
    [
      'RESCHEDULE_PROPOSED',
      { ...negotiated, rounds: MAX_TOUR_ROUNDS },
      AT,
      ['acceptReschedule', 'refuseReschedule', 'cancel'],
      ['cancel'],
    ],
    ['CONFIRMED', held, AT, ['proposeReschedule', 'cancel'], ['proposeReschedule', 'cancel']],
    ['CONFIRMED', held, first.startsAt, ['cancel'], ['cancel', 'complete', 'markNoShow']],
    ['DECLINED', { ...asked, ...closed('REQUESTED', 'agent') }, AT, [], ['undo']],
    ['CANCELLED', { ...held, ...closed('CONFIRMED', 'customer') }, AT, [], []],
    ['COMPLETED', { ...held, ...closed('CONFIRMED', 'agent') }, AT + TOUR_UNDO_MS, [], ['undo']],
    ['NO_SHOW', { ...held, ...closed('CONFIRMED', 'agent') }, AT + TOUR_UNDO_MS + 1, ['contestNoShow'], []],
    ['EXPIRED', { ...asked, ...closed('REQUESTED', 'system') }, AT, [], []],
  ])('%s', (state, context, at, customer, agent) => {
    expect(availableTourActions({ state, context }, { actor: 'customer', at })).toEqual(customer);
    expect(availableTourActions({ state, context }, { actor: 'agent', at })).toEqual(agent);
  });
});

describe('the end of the visit, from which its customer may report pictures', () => {
  const { startsAt, endsAt } = first;
  const ended = (closedBy: TourContext['closedBy'], closedAt: number): TourContext => ({
    ...held,
    closedBy,
    closedAt,
    closedFrom: 'CONFIRMED',
  });
  test.each<[string, string, TourContext, number | null]>([
    ['is the end of the agreed time, although no one said what became of it', 'CONFIRMED', held, endsAt],
    ['also when the time for that ran out', 'EXPIRED', ended('system', endsAt + 1), endsAt],
    ['is when the agent said that it took place', 'COMPLETED', ended('agent', startsAt), startsAt],
    [
      'is not undone by an agent who calls it off once it has begun',
      'CANCELLED',
      ended('agent', startsAt),
      endsAt,
    ],
    ['nor by a listing that leaves the market', 'CANCELLED', ended('system', endsAt + 1), endsAt],
    ['does not come when the agent called it off before', 'CANCELLED', ended('agent', startsAt - 1), null],
    ['nor when the customer called it off', 'CANCELLED', ended('customer', endsAt), null],
    ['nor without an agreed time', 'EXPIRED', { ...asked, closedAt: AT, closedBy: 'system' }, null],
    ['nor after a no-show', 'NO_SHOW', ended('agent', endsAt), null],
    [
      'is the contest of a no-show',
      'NO_SHOW',
      { ...ended('agent', endsAt), contestedAt: endsAt + 9 },
      endsAt + 9,
    ],
  ])('%s', (_, state, context, expected) => {
    expect(visitEndedAt({ state, context }, endsAt + 10)).toBe(expected);
  });
  test('does not come before the agreed time is over', () => {
    expect(visitEndedAt({ state: 'CONFIRMED', context: held }, endsAt - 1)).toBeNull();
  });
});
