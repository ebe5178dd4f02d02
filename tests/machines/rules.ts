import { describe, expect, test } from 'vitest';
import type { AnyStateMachine, ContextFrom, EventFromLogic } from 'xstate';
import type { Effect } from '../../machines/effects.ts';
import { type ActorState, isFinalState, step } from '../../machines/step.ts';
import { leavesOf, movesOf, nameOf } from '../support/machines/every-machine.ts';
import { testProperties } from './chart-properties.ts';

/** One row of the table that a machine is tested against. */
export interface Rule<C, E> {
  event: E;
  /** Context that differs from the state's usual context. */
  given?: Partial<C>;
  /** The condition as text. */
  when?: string;
  /** The next state, or null when the event is ignored. */
  to: string | null;
  /** The context fields that change; all others stay. */
  context?: Partial<C>;
  /** Effects in their order: a type, or a type with some of its parameters. */
  effects?: readonly (Effect['type'] | readonly [Effect['type'], Record<string, unknown>])[];
}

/**
 * Tests every row, and tests that each state ignores every event that has no row for it. `usual` gives the usual
 * context of each state.
 */
export function testRules<M extends AnyStateMachine>(
  machine: M,
  {
    rules,
    usual,
    events,
  }: {
    rules: Record<string, readonly Rule<ContextFrom<M>, EventFromLogic<M>>[]>;
    usual: Record<string, ContextFrom<M>>;
    events: readonly EventFromLogic<M>[];
  },
): void {
  for (const [state, context] of Object.entries(usual)) {
    const rows = rules[state] ?? [];
    describe(state, () => {
      for (const rule of rows) {
        const title = [rule.event.type, rule.when && `(${rule.when})`, '->', rule.to ?? 'ignored'].filter(
          Boolean,
        );
        test(title.join(' '), () => expectRule(machine, { state, context }, rule));
      }
      test('ignores everything else', () => {
        const known = new Set(rows.map(({ event }) => event.type));
        for (const event of events)
          if (!known.has(event.type))
            expect([event, step(machine, { state, context }, event)]).toEqual([
              event,
              { outcome: 'ignored' },
            ]);
      });
    });
  }
  testProperties(machine, events);
  test('has a row for each state', () => {
    expect(Object.keys(usual).sort()).toEqual(leavesOf(machine).map(nameOf).sort());
  });
  test('in every context that can be reached, every event leads where the rows say, and nowhere else', () => {
    const listed = new Set(
      Object.entries(rules).flatMap(([state, rows]) =>
        rows.map(({ event, to }) => `${state} ${event.type} ${to ?? '-'}`),
      ),
    );
    const { taken, ignored } = movesOf(machine, events);
    expect([...taken].sort()).toEqual([...listed].filter((line) => !line.endsWith(' -')).sort());
    // An event that some rows apply is ignored only where a row says so.
    const applied = new Set([...taken].map((line) => line.replace(/ \S+$/, ' -')));
    expect([...ignored].filter((line) => applied.has(line) && !listed.has(line))).toEqual([]);
  });
}

function expectRule<M extends AnyStateMachine>(
  machine: M,
  { state, context }: ActorState<ContextFrom<M>>,
  rule: Rule<ContextFrom<M>, EventFromLogic<M>>,
): void {
  const given: object = { ...(context as object), ...rule.given };
  const decided = step(machine, { state, context: given as ContextFrom<M> }, rule.event);
  if (rule.to === null) {
    expect(decided).toEqual({ outcome: 'ignored' });
    return;
  }
  if (decided.outcome === 'ignored') throw new Error(`${rule.event.type} was ignored in ${state}`);
  expect(decided.next.state).toBe(rule.to);
  expect(decided.final).toBe(isFinalState(machine, rule.to));
  expect(decided.next.context).toEqual({ ...given, ...rule.context });
  const expected = (rule.effects ?? []).map((effect) => (typeof effect === 'string' ? [effect, {}] : effect));
  expect(decided.effects.map(({ type }) => type)).toEqual(expected.map(([type]) => type));
  for (const [index, [, params]] of expected.entries())
    expect(decided.effects[index]?.params).toMatchObject(params as object);
}
