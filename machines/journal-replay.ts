import type { AnyStateMachine } from 'xstate';
import { afterOldCrash } from './crashes.ts';
import { type ActorState, firstState, step } from './step.ts';

/** A row of an actor's journal, with the fields that a replay needs. */
export interface ReplayedEntry {
  readonly seq: number;
  readonly event: { type: string; at: number };
  readonly to: string;
}

export interface Replay {
  /** The actor before its first entry, or at its birth. */
  readonly birth: ActorState<unknown>;
  /** The actor after each replayed entry. */
  readonly states: readonly ActorState<unknown>[];
  /** Why the replay stopped before the last entry; null when it did not. */
  readonly fault: { seq: number; why: string } | null;
}

/**
 * The event of the journal row that a migration wrote for an actor older than the journal or its machine. The row has
 * the state and sometimes the context. Today's machines cannot replay the events before it.
 */
const TAKEN_OVER = 'MIGRATED';

/** The actor's row, for values that the journal does not have. */
export interface ReplayedRow {
  readonly kind: string;
  /** Null when the row is gone. */
  readonly context: object | null;
}

/**
 * Replays a whole journal through its machine (invariant I9). After a migration, the replay begins at the last row that
 * a migration wrote, with the context of that row. If that row has none, the context is that of the actor's row.
 *
 * `reached` has the states that earlier replays of the journal came to, by entry, and gets those of this one: a journal
 * that has grown is replayed from where it ended then. A journal without a birth row is not kept in it, because its
 * states follow from the actor's row too.
 */
export function replayJournal(
  machine: AnyStateMachine,
  entries: readonly ReplayedEntry[],
  row: ReplayedRow,
  reached: WeakMap<ReplayedEntry, ActorState<unknown>> = new WeakMap(),
): Replay {
  const [first] = entries;
  const birth = (first && reached.get(first)) ?? birthOf(machine, entries, row);
  const taken = row.context ?? birth.context;
  const states: ActorState<unknown>[] = [];
  const takenOverAt = entries.findLastIndex(({ event }) => event.type === TAKEN_OVER);
  const isKept = takenOverAt < 0 && first?.event.type === 'CREATED';
  let current = birth;
  for (const [index, entry] of entries.entries()) {
    const { event, to, seq } = entry;
    const known = reached.get(entry);
    if (known !== undefined) current = known;
    else if (index <= takenOverAt) current = { state: to, context: contextOf(event, birth) ?? taken };
    else if (event.type === 'RUNNER_CRASHED' && !('pass' in event))
      current = { state: to, context: afterOldCrash(current.context, { event, to }) };
    else {
      const born = index === 0 && event.type === 'CREATED';
      const decided = born
        ? ({ outcome: 'applied', next: birth } as const)
        : stepAsThen(machine, current, entry);
      if (decided.outcome === 'ignored')
        return {
          birth,
          states,
          fault: { seq, why: `its machine ignores ${event.type} in ${current.state}` },
        };
      current = decided.next as ActorState<unknown>;
      if (current.state !== to)
        return { birth, states, fault: { seq, why: `it says ${to}, its machine ${current.state}` } };
    }
    if (isKept) reached.set(entry, current);
    states.push(current);
  }
  return { birth, states, fault: null };
}

/**
 * Actors of older releases have no birth row, nor have deletions that a trigger or an upload enqueues: their first
 * state is that of the actor's row. A deletion counts as due at its first event, because its row has only the time of
 * the latest try.
 */
function birthOf(
  machine: AnyStateMachine,
  [first]: readonly ReplayedEntry[],
  { kind, context }: ReplayedRow,
): ActorState<unknown> {
  if (first?.event.type === 'CREATED') return firstState(machine, { ...first.event, kind });
  const { nextAttemptAt = Number.POSITIVE_INFINITY } = (context ?? {}) as { nextAttemptAt?: number };
  const dueBy = Math.min(nextAttemptAt, first?.event.at ?? nextAttemptAt);
  return firstState(machine, { ...context, kind, nextAttemptAt: dueBy });
}

/**
 * Events that older releases decided otherwise: storage that refused for ten minutes ended an attempt, and a callback
 * noted a second prediction, as the list does.
 */
function asToday(event: ReplayedEntry['event'], to: string): ReplayedEntry['event'] {
  if (event.type !== 'STORAGE_FAILED' || to !== 'FAILED') return event;
  return { ...event, type: 'OUTPUT_REFUSED', errorCode: 'STORAGE_UNAVAILABLE' } as typeof event;
}

/**
 * Before `notListedAt` existed, a purchase was lost as soon as its window had passed. The scan behind that decision
 * left nothing in the row or the journal.
 */
function stepAsThen(machine: AnyStateMachine, actor: ActorState<unknown>, { event, to }: ReplayedEntry) {
  const context = actor.context as { notListedAt: number | null };
  if (event.type !== 'WINDOW_PASSED' || context.notListedAt !== null) {
    const decided = step(machine, actor as never, asToday(event, to) as never);
    if (decided.outcome === 'applied' || event.type !== 'CALLBACK_RECEIVED') return decided;
    return step(machine, actor as never, { ...event, type: 'PREDICTION_FOUND' } as never);
  }
  const seen = { state: actor.state, context: { ...context, notListedAt: event.at } };
  const decided = step(machine, seen as never, event as never);
  if (decided.outcome === 'ignored') return decided;
  const { state, context: after } = decided.next as ActorState<object>;
  return { ...decided, next: { state, context: { ...after, notListedAt: null } } };
}

/** Fields that are younger than the row have their first value. */
function contextOf(event: object, birth: ActorState<unknown>): unknown {
  return 'context' in event ? { ...(birth.context as object), ...(event.context as object) } : null;
}
