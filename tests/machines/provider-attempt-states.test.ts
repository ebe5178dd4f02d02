import { expect, test } from 'vitest';
import { providerAttemptMachine } from '../../machines/provider-attempt.ts';
import { activityOf, step } from '../../machines/step.ts';
import { ATTEMPT_ACTIVITIES } from '../../supervisors/activities/catalogue.ts';
import { PROVIDER_ATTEMPT_EVENTS } from '../support/machines/event-catalogues.ts';
import { explorationOf, leavesOf, nameOf } from '../support/machines/every-machine.ts';

/** What holds in every state that an attempt can reach. */
test('a prediction id never changes once it is known', () => {
  const events = PROVIDER_ATTEMPT_EVENTS;
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
  const events = PROVIDER_ATTEMPT_EVENTS;
  const { reached } = explorationOf(providerAttemptMachine, events);
  for (const { state, context } of reached.filter((one) => one.state !== 'RESERVED'))
    for (const event of events) {
      const decided = step(providerAttemptMachine, { state, context: context as never }, event);
      if (decided.outcome !== 'applied') continue;
      if (decided.next.state === 'RESERVED') {
        const ways = ['SENT SEND_REFUSED', 'SENT SEND_WITHDRAWN', 'UNCONFIRMED CLAIM_DISPROVED'];
        expect(ways).toContain(`${state} ${event.type}`);
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
