import type { AnyStateMachine } from 'xstate';
import { afterOldCrash } from './crashes.ts';
import { type ActorState, step } from './step.ts';

/** A row of an actor's journal, with the fields that a replay needs. */
export interface ReplayedEntry {
  readonly seq: number;
  readonly event: { type: string; at: number };
  readonly to: string;
}

export interface Replay {
  /** The actor after each replayed entry. */
  readonly states: readonly ActorState<unknown>[];
  /** Why the replay stopped before the last entry; null when it did not. */
  readonly fault: { seq: number; why: string } | null;
}

/**
 * The row that a migration wrote for an actor older than the journal or its machine: its state, and sometimes its
 * context. No machine of today knows the events before it.
 */
const TAKEN_OVER = 'MIGRATED';

/**
 * Runs a whole journal through its machine (invariant I9). After a migration, the replay begins at its last such row,
 * with the row's own context or else the one in `taken`.
 */
export function replayJournal(
  machine: AnyStateMachine,
  entries: readonly ReplayedEntry[],
  { birth, taken }: { birth: ActorState<unknown>; taken: unknown },
): Replay {
  const states: ActorState<unknown>[] = [];
  const takenOverAt = entries.findLastIndex(({ event }) => event.type === TAKEN_OVER);
  let current = birth;
  for (const [index, { event, to, seq }] of entries.entries()) {
    if (index <= takenOverAt) current = { state: to, context: contextOf(event) ?? taken };
    else if (event.type === 'RUNNER_CRASHED' && !('pass' in event))
      current = { state: to, context: afterOldCrash(current.context, { event, to }) };
    else {
      const decided = stepAsThen(machine, current, event);
      if (decided.outcome === 'ignored')
        return { states, fault: { seq, why: `its machine ignores ${event.type} in ${current.state}` } };
      current = decided.next as ActorState<unknown>;
      if (current.state !== to)
        return { states, fault: { seq, why: `it says ${to}, its machine ${current.state}` } };
    }
    states.push(current);
  }
  return { states, fault: null };
}

/**
 * Before `notListedAt` existed, a purchase was lost when its window had passed: the scan behind that decision left
 * nothing in the row or the journal.
 */
function stepAsThen(machine: AnyStateMachine, actor: ActorState<unknown>, event: ReplayedEntry['event']) {
  const context = actor.context as { notListedAt: number | null };
  if (event.type !== 'WINDOW_PASSED' || context.notListedAt !== null)
    return step(machine, actor as never, event as never);
  const seen = { state: actor.state, context: { ...context, notListedAt: event.at } };
  const decided = step(machine, seen as never, event as never);
  if (decided.outcome === 'ignored') return decided;
  const { state, context: after } = decided.next as ActorState<object>;
  return { ...decided, next: { state, context: { ...after, notListedAt: null } } };
}

function contextOf(event: object): unknown {
  return 'context' in event ? event.context : null;
}
