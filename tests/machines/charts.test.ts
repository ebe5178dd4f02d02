import { describe, expect, test } from 'vitest';
import type { AnyTransitionDefinition } from 'xstate';
import { createTestModel } from 'xstate/graph';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { activityOf, descriptionOf, isFinalState, step } from '../../machines/step.ts';
import { ATTEMPT_ACTIVITIES } from '../../supervisors/activities/catalogue.ts';
import * as catalogues from '../support/machines/event-catalogues.ts';
import {
  EVERY_MACHINE,
  explorationOf,
  leavesOf,
  nameOf,
  nodesOf,
  transitionsOf,
} from '../support/machines/every-machine.ts';

/** Properties of every machine, checked by walking its configuration and every state it can reach. */
const label = ({ source, eventType, target, guard }: AnyTransitionDefinition) =>
  `${nameOf(source)} ${eventType} [${JSON.stringify(guard) ?? ''}] -> ${target?.map(nameOf) ?? 'same'}`;

/**
 * The handling of a first id is written once for all five final states. In these two states the id is always known,
 * so the transition cannot be taken.
 */
const isWrittenForTheOthers = ({ source, guard }: AnyTransitionDefinition) =>
  guard === 'isFirstId' && ['SUCCEEDED', 'DISCARDED'].includes(nameOf(source));

for (const [machine, events] of EVERY_MACHINE)
  describe(machine.id, () => {
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

    test('a final state never changes and emits no effect', () => {
      const { reached } = explorationOf(machine, events);
      for (const { state, context } of reached.filter(({ state }) => isFinalState(machine, state))) {
        expect(activityOf(machine, state)).toBeNull();
        for (const event of events) {
          const decided = step(machine, { state, context }, event);
          if (decided.outcome === 'applied')
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
  });

test('a prediction id never changes once it is known', () => {
  const events = catalogues.PROVIDER_ATTEMPT_EVENTS;
  const { reached } = explorationOf(providerAttemptMachine, events);
  for (const { state, context } of reached) {
    if (context.providerPredictionId === null) continue;
    for (const event of events) {
      const decided = step(providerAttemptMachine, { state, context: context as never }, event);
      if (decided.outcome === 'applied')
        expect(decided.next.context.providerPredictionId).toBe(context.providerPredictionId);
    }
  }
});

test('an attempt whose POST may have been accepted can never be sent again', () => {
  const events = catalogues.PROVIDER_ATTEMPT_EVENTS;
  const { reached } = explorationOf(providerAttemptMachine, events);
  for (const { state, context } of reached.filter((one) => one.state !== 'RESERVED'))
    for (const event of events) {
      const decided = step(providerAttemptMachine, { state, context: context as never }, event);
      if (decided.outcome !== 'applied') continue;
      if (decided.next.state === 'RESERVED') {
        expect(state).toBe('SENT');
        expect(['SEND_REFUSED', 'SEND_WITHDRAWN']).toContain(event.type);
      }
      expect(decided.next.state === 'SENT' && state !== 'SENT').toBe(false);
    }
});

test('every effect that a state emits exists, and every effect is emitted by some state', () => {
  const asked = leavesOf(providerAttemptMachine).map((node) =>
    activityOf(providerAttemptMachine, nameOf(node)),
  );
  expect(new Set(asked.filter((activity) => activity !== null))).toEqual(
    new Set(Object.keys(ATTEMPT_ACTIVITIES)),
  );
});
