import { expect, test } from 'vitest';
import type { AnyEventObject, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { createTestModel } from 'xstate/graph';
import { activityOf, descriptionOf, isFinalState, step } from '../../machines/step.ts';
import {
  explorationOf,
  leavesOf,
  nameOf,
  nodesOf,
  transitionsOf,
} from '../support/machines/every-machine.ts';

const label = ({ source, eventType, target, guard }: AnyTransitionDefinition) =>
  `${nameOf(source)} ${eventType} [${JSON.stringify(guard) ?? ''}] -> ${target?.map(nameOf) ?? 'same'}`;

/**
 * The handling of a first id is written once for all five final states. In these two states the id is always known,
 * so the transition cannot be taken.
 */
const isWrittenForTheOthers = ({ source, guard }: AnyTransitionDefinition) =>
  guard === 'isFirstId' && ['SUCCEEDED', 'DISCARDED'].includes(nameOf(source));

/** Properties of every machine, checked by walking its configuration and every state it can reach. */
export function testProperties(machine: AnyStateMachine, events: readonly AnyEventObject[]): void {
  test('every state can be reached', () => {
    expect(
      leavesOf(machine)
        .map(nameOf)
        .filter((name) => !explorationOf(machine, events).names.has(name)),
    ).toEqual([]);
  });

  test('every transition can be taken', () => {
    const { taken } = explorationOf(machine, events);
    const never = transitionsOf(machine).filter((one) => !taken.has(one) && !isWrittenForTheOthers(one));
    expect(never.map(label)).toEqual([]);
  });

  test('the catalogue names every event and nothing else', () => {
    const handled = new Set(transitionsOf(machine).map(({ eventType }) => eventType));
    expect(new Set(events.map(({ type }) => type))).toEqual(handled);
  });

  test('every state has a one-sentence description', () => {
    for (const node of leavesOf(machine))
      expect(descriptionOf(machine, nameOf(node))).toMatch(/^[A-Z][^.]+\.$/);
  });

  test('is a pure root: no transition invokes, spawns or delays anything, or runs an action', () => {
    for (const node of nodesOf(machine.root)) {
      expect([node.invoke, node.after, node.entry, node.exit, node.always ?? []]).toEqual([
        [],
        [],
        [],
        [],
        [],
      ]);
      expect(['atomic', 'compound', 'final']).toContain(node.type);
    }
    expect(machine.implementations.actors).toEqual({});
    expect(machine.implementations.delays).toEqual({});
    expect(() => createTestModel(machine)).not.toThrow();
  });
  testReached(machine, events);
}

/** What holds in every state and context that the events reach. */
function testReached(machine: AnyStateMachine, events: readonly AnyEventObject[]): void {
  test('a final state never changes, except for an operator who has a refused picture collected', () => {
    const { reached } = explorationOf(machine, events);
    for (const { state, context } of reached.filter(({ state }) => isFinalState(machine, state))) {
      expect(activityOf(machine, state)).toBeNull();
      for (const event of events) {
        const decided = step(machine, { state, context }, event);
        if (decided.outcome === 'applied' && event.type !== 'COLLECT_ASKED')
          expect([event.type, decided.next.state]).toEqual([event.type, state]);
      }
    }
  });

  test('never mutates the state that is passed in', () => {
    const { reached } = explorationOf(machine, events);
    for (const { state, context } of reached.slice(0, 200)) {
      const before = structuredClone(context);
      for (const event of events) step(machine, { state, context: Object.freeze(context) }, event);
      expect(context).toEqual(before);
    }
  });
}
