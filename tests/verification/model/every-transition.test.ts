import { describe, expect, test } from 'vitest';
import type { AnyEventObject, AnyStateMachine } from 'xstate';
import { TOUR_UNDO_MS } from '../../../machines/limits.ts';
import { step } from '../../../machines/step.ts';
import type { TourEvent } from '../../../machines/tour.ts';
import { TOUR_PEOPLE, TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { EVERY_MACHINE, explorationOf, leavesOf, nameOf } from '../../support/machines/every-machine.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { TRANSITION_TABLES, type TransitionTable } from './transition-tables.ts';

/**
 * Sends every event to every state of every machine, in every context that `xstate/graph` reaches; the
 * results are exactly those of the table. A missing guard shows as an event that is no longer ignored, a
 * wrong target as a state that the table does not have.
 */
const { first } = TOUR_SLOTS;
const by = (actor: 'customer' | 'agent', at = AT) => ({ at, actor, userId: TOUR_PEOPLE[actor], note: null });
const MONTH_LATER = AT + 30 * 86_400_000;
/** Events that must be rejected; the catalogue has only events that lead to a state. */
const REFUSED: Readonly<Record<string, readonly TourEvent[]>> = {
  tour: [
    { ...by('customer'), type: 'REQUEST_ACCEPTED', slot: first },
    { ...by('agent', first.startsAt), type: 'REQUEST_ACCEPTED', slot: first },
    { ...by('customer'), type: 'REQUEST_DECLINED' },
    { ...by('agent'), type: 'SLOTS_PROPOSED', slots: [] },
    { ...by('agent', first.startsAt), type: 'PROPOSAL_ACCEPTED', slot: first },
    { ...by('agent'), type: 'VISIT_COMPLETED' },
    { ...by('agent'), type: 'VISIT_MISSED' },
    { ...by('customer'), type: 'DECISION_UNDONE', onMarket: true },
    { ...by('agent'), type: 'DECISION_UNDONE', onMarket: false },
    { ...by('agent', MONTH_LATER + TOUR_UNDO_MS), type: 'DECISION_UNDONE', onMarket: true },
    { at: AT, actor: 'system', type: 'TIME_PASSED' },
  ],
};

function tableOf(machine: AnyStateMachine, catalogue: readonly AnyEventObject[]): TransitionTable {
  const found = new Map(leavesOf(machine).map((leaf) => [nameOf(leaf), new Map<string, Set<string>>()]));
  const events = [...catalogue, ...(REFUSED[machine.id] ?? [])];
  for (const actor of explorationOf(machine, catalogue).reached)
    for (const event of events) {
      const row = found.get(actor.state);
      if (row === undefined) throw new Error(`${actor.state} is not a state of ${machine.id}`);
      const decided = step(machine, actor as never, event as never);
      const to = decided.outcome === 'ignored' ? '-' : decided.next.state;
      row.set(event.type, (row.get(event.type) ?? new Set()).add(to));
    }
  const told = (row: Map<string, Set<string>>) =>
    [...row].flatMap(([type, to]) =>
      to.size === 1 && to.has('-') ? [] : [[type, [...to].sort().join(' ')]],
    );
  return Object.fromEntries([...found].map(([state, row]) => [state, Object.fromEntries(told(row))]));
}

describe.each(EVERY_MACHINE)('$id', (machine, catalogue) => {
  const expected = TRANSITION_TABLES[machine.id] ?? {};
  test('every state handles every event as the table says', () => {
    expect(tableOf(machine, catalogue)).toEqual(expected);
  });

  test('every state can be reached', () => {
    const { names } = explorationOf(machine, catalogue);
    expect([...names].sort()).toEqual(Object.keys(expected).sort());
  });
});

test('every machine is tested', () => {
  expect(EVERY_MACHINE.map(([{ id }]) => id).sort()).toEqual(Object.keys(TRANSITION_TABLES).sort());
});
