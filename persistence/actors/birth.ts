import { type Created, firstState } from '../../machines/step.ts';
import { ACTOR_KINDS, type ActorKind, type ContextOf, type InputOf } from './actor-kinds.ts';
import type { Birth, JournalEntry, Newborn } from './actor-store.ts';

/**
 * A new actor in the first state of its machine, with its first journal row. The event is the machine's input.
 * Deletions that a trigger enqueues have no such row, because a trigger cannot run the machine.
 */
export function birthOf<K extends ActorKind>(
  { kind, id, event }: { kind: K; id: string; event: Created & Omit<InputOf<K>, 'kind'> },
  signature: Pick<JournalEntry, 'by' | 'note'>,
): Birth<Newborn<K>> {
  const { state, context } = firstState(ACTOR_KINDS[kind].machine, { ...event, kind });
  return {
    actor: { kind, id, version: 1, state, context: context as ContextOf<K> },
    entry: { kind, id, seq: 1, event, from: null, to: state, leaseEpoch: null, ...signature },
  };
}
