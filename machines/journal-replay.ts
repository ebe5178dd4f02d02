import type { AnyStateMachine } from 'xstate';
import { afterOldCrash } from './crashes.ts';
import { type ActorState, step } from './step.ts';

/** A row of an actor's journal, as far as a replay needs it. */
export interface ReplayedEntry {
  readonly seq: number;
  readonly event: { type: string; at: number };
  readonly to: string;
}

export interface Replay {
  /** The actor after each entry, as far as the replay came. */
  readonly states: readonly ActorState<unknown>[];
  /** Why it ended before the last entry; null when it did not. */
  readonly fault: { seq: number; why: string } | null;
}

/**
 * What a migration wrote for an actor that is older than the journal or than its machine: its state, and sometimes its
 * context. What led there is of no machine that is known any more.
 */
const TAKEN_OVER = 'MIGRATED';

/**
 * Runs a journal through its machine (invariant I9). The entries are all there are, from the first on. What a migration
 * took over begins where its last such row says, with the row's own context or else the one that `taken` gives.
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
 * Until `notListedAt` was kept, a purchase was lost when its window had passed: the scan that had looked for it left
 * nothing in the row and nothing in the journal.
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
