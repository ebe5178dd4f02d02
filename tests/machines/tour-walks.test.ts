import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_TOUR_ROUNDS, TOUR_UNDO_MS } from '../../machines/limits.ts';
import { type ActorState, step } from '../../machines/step.ts';
import { type TourContext, type TourEvent, tourMachine, unrequestedTour } from '../../machines/tour.ts';
import { availableTourActions, TOUR_ACTIONS, type TourAction } from '../../machines/tour-actions.ts';
import type { TourSlot } from '../../machines/tour-slots.ts';
import { TOUR_PEOPLE } from '../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH } from '../support/manual-time.ts';

/** Long random walks of a tour. The invariants must hold after every step, whichever side acts and when. */
const HOUR = 3_600_000;
const OPEN = ['REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED'];

interface Word {
  /** Most steps are actions that the side is offered; `index` chooses one of them. */
  guided: boolean;
  index: number;
  type: TourEvent['type'];
  side: 'customer' | 'agent';
  colleague: boolean;
  waitHours: number;
  /** Index into the offered actions, or into times of the walk's own choice. */
  pick: number;
  slots: { inHours: number; hours: number }[];
  flag: boolean;
}
const word: fc.Arbitrary<Word> = fc.record({
  guided: fc.nat(9).map((digit) => digit > 1),
  index: fc.nat(20),
  type: fc.constantFrom<TourEvent['type']>(
    ...Object.values(TOUR_ACTIONS),
    ...(['SLOTS_PROPOSED', 'SLOTS_PROPOSED', 'PROPOSAL_ACCEPTED', 'TIME_PASSED', 'TOUR_REQUESTED'] as const),
    'LISTING_LEFT_MARKET',
    'PARTY_SUSPENDED',
  ),
  side: fc.constantFrom('customer', 'agent'),
  colleague: fc.boolean(),
  waitHours: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(0, 0.1, 1) },
    { weight: 1, arbitrary: fc.integer({ min: 2, max: 60 }) },
  ),
  pick: fc.integer({ min: 0, max: 3 }),
  slots: fc.array(
    fc.record({ inHours: fc.integer({ min: -1, max: 120 }), hours: fc.constantFrom(0.1, 1, 2, 5) }),
    { maxLength: 4 },
  ),
  flag: fc.boolean(),
});

/** One of the offered actions. Actions that end a tour are chosen less often than others. */
function offeredType({ index, flag }: Word, offered: readonly TourAction[]): TourEvent['type'] | null {
  const leadsOn = offered.filter((action) => !['decline', 'cancel', 'refuseReschedule'].includes(action));
  const choice = flag || index % 4 > 0 ? leadsOn : offered;
  if (choice.length === 0) return 'TIME_PASSED';
  const action = choice[index % choice.length];
  return action === undefined ? null : TOUR_ACTIONS[action];
}

function eventOf(word: Word, tour: ActorState<TourContext>, at: number): TourEvent {
  const { context } = tour;
  const offered = availableTourActions(tour, { actor: word.side, at });
  const slots: TourSlot[] = word.slots.map(({ inHours, hours }) => ({
    startsAt: at + inHours * HOUR,
    endsAt: at + (inHours + hours) * HOUR,
  }));
  const userId =
    word.side === 'customer'
      ? TOUR_PEOPLE.customer
      : word.colleague
        ? TOUR_PEOPLE.colleague
        : TOUR_PEOPLE.agent;
  const by = { at, actor: word.side, userId, note: null };
  const type = (word.guided ? offeredType(word, offered) : null) ?? word.type;
  if (word.guided && type === 'SLOTS_PROPOSED') {
    const startsAt = at + (1 + word.index * 5) * HOUR;
    return { ...by, type, slots: [{ startsAt, endsAt: startsAt + HOUR }] };
  }
  switch (type) {
    case 'TOUR_REQUESTED': {
      const freeSlot = word.flag ? (slots[0] ?? null) : null;
      return { ...by, type, slots, onMarket: true, agentId: TOUR_PEOPLE.agent, freeSlot };
    }
    case 'REQUEST_ACCEPTED':
    case 'PROPOSAL_ACCEPTED':
      return {
        ...by,
        type,
        slot: context.slots[word.pick % (word.guided ? Math.max(1, context.slots.length) : 4)] ??
          slots[0] ?? { startsAt: at, endsAt: at },
      };
    case 'SLOTS_PROPOSED':
      return { ...by, type, slots };
    case 'DECISION_UNDONE':
      return { ...by, type, onMarket: word.flag };
    case 'LISTING_LEFT_MARKET':
    case 'PARTY_SUSPENDED':
    case 'TIME_PASSED':
    case 'CONTEST_READ':
      return { type, at, actor: 'system' };
    default:
      return { ...by, type };
  }
}

function checkState({ state, context }: ActorState<TourContext>): void {
  expect(context.rounds).toBeLessThanOrEqual(MAX_TOUR_ROUNDS);
  expect(context.slots.length).toBeLessThanOrEqual(3);
  // A slot is held exactly in the states that follow an agreement.
  if (['CONFIRMED', 'COMPLETED', 'NO_SHOW'].includes(state)) expect(context.heldSlot).not.toBeNull();
  if (['REQUESTED', 'DECLINED'].includes(state)) expect(context.heldSlot).toBeNull();
  // Slots are proposed exactly while an answer is awaited, or were awaited until the end.
  const onTable = context.slots.length > 0;
  if (OPEN.includes(state)) expect(onTable).toBe(state !== 'CONFIRMED');
  expect(onTable).toBe(context.proposedBy !== null);
  expect(onTable).toBe(context.proposalExpiresAt !== null);
  if (state === 'REQUESTED') expect([context.proposedBy, context.rounds]).toEqual(['customer', 0]);
  if (state === 'RESCHEDULE_PROPOSED') expect(context.rounds).toBeGreaterThan(0);
  if (state === 'RESCHEDULE_PROPOSED' && context.heldSlot)
    expect(context.proposalExpiresAt).toBeLessThanOrEqual(context.heldSlot.startsAt);
  const ended = !OPEN.includes(state);
  expect([context.closedAt !== null, context.closedBy !== null, context.closedFrom !== null]).toEqual([
    ended,
    ended,
    ended,
  ]);
  expect(context.agentId).not.toBe(TOUR_PEOPLE.customer);
}

function checkMove(before: ActorState<TourContext>, event: TourEvent, after: ActorState<TourContext>): void {
  const agreed = event.type === 'REQUEST_ACCEPTED' || event.type === 'PROPOSAL_ACCEPTED';
  if (agreed) {
    expect(event.actor).not.toBe(before.context.proposedBy);
    expect(before.context.slots).toContainEqual(event.slot);
    expect(event.slot.startsAt).toBeGreaterThan(event.at);
    expect(after.context.heldSlot).toEqual(event.slot);
  }
  if (event.type === 'SLOTS_PROPOSED' && before.state !== 'CONFIRMED')
    expect(event.actor).not.toBe(before.context.proposedBy);
  // The held slot changes only by an agreement or by the first request.
  if (!agreed && event.type !== 'TOUR_REQUESTED')
    expect(after.context.heldSlot).toEqual(before.context.heldSlot);
  if (event.type === 'NO_SHOW_CONTESTED' || event.type === 'CONTEST_READ') {
    expect([before.state, after.state]).toEqual(['NO_SHOW', 'NO_SHOW']);
  } else if (!OPEN.includes(before.state)) {
    expect(event.type).toBe('DECISION_UNDONE');
    expect(before.context.closedBy).toBe('agent');
    expect(event.at - (before.context.closedAt ?? 0)).toBeLessThanOrEqual(TOUR_UNDO_MS);
    expect(after.state).toBe(before.context.closedFrom);
  }
}

test('every random walk of a tour keeps the invariants', () => {
  const lives = { steps: 0, undone: 0, agreed: 0, rounds: 0 };
  fc.assert(
    fc.property(fc.array(word, { minLength: 40, maxLength: 60 }), (words) => {
      let at = MANUAL_EPOCH;
      const slots = [
        { startsAt: at + 30 * HOUR, endsAt: at + 31 * HOUR },
        { startsAt: at + 90 * HOUR, endsAt: at + 92 * HOUR },
      ];
      const by = { actor: 'customer', userId: TOUR_PEOPLE.customer, note: null, at } as const;
      const born = step(
        tourMachine,
        { state: 'REQUESTED', context: unrequestedTour },
        { ...by, type: 'TOUR_REQUESTED', slots, onMarket: true, agentId: TOUR_PEOPLE.agent, freeSlot: null },
      );
      if (born.outcome === 'ignored') throw new Error('not born');
      let tour: ActorState<TourContext> = born.next;
      for (const word of words) {
        at += word.waitHours * HOUR;
        const event = eventOf(word, tour, at);
        const actor = word.side;
        const offered = availableTourActions(tour, { actor, at });
        const decided = step(tourMachine, tour, event);
        const action = Object.entries(TOUR_ACTIONS).find(([, type]) => type === event.type)?.[0];
        if (decided.outcome === 'ignored') continue;
        if (action) expect(offered).toContain(action as TourAction);
        checkMove(tour, event, decided.next);
        tour = decided.next;
        checkState(tour);
        lives.steps += 1;
        lives.rounds = Math.max(lives.rounds, tour.context.rounds);
        if (event.type === 'DECISION_UNDONE') lives.undone += 1;
        if (event.type.endsWith('ACCEPTED')) lives.agreed += 1;
      }
    }),
    { numRuns: 250 },
  );
  // The walks must have reached these states.
  expect(lives.steps).toBeGreaterThan(500);
  expect(lives.rounds).toBeGreaterThan(2);
  expect(Math.min(lives.undone, lives.agreed)).toBeGreaterThan(5);
});
