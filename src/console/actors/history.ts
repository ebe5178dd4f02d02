import type { Pool } from 'pg';
import { type Replay, replayJournal } from '../../../machines/journal-replay.ts';
import type { ActorState } from '../../../machines/step.ts';
import { ACTOR_KINDS, type ActorKind, definitionOf } from '../../../persistence/actors/actor-kinds.ts';
import { type JournalStep, journalSteps } from '../../../persistence/console/journal.ts';

/** An actor's journal, replayed by its machine. Step 0 is the initial state; step n is the result of entry n. */
export interface History {
  entries: readonly JournalStep[];
  /** The state at each step. */
  states: readonly string[];
  /** The context after each step; shorter when the replay stopped, empty when it cannot begin. */
  contexts: readonly Readonly<Record<string, unknown>>[];
  /** Why not every step can be replayed, in a sentence; null when all can. */
  gap: string | null;
}

/** More than any actor has had. It keeps a page readable, and a runaway journal cannot slow the worker down. */
const MAX_ENTRIES = 1_000;

export interface HistoryOf {
  kind: ActorKind;
  id: string;
  /** From the row; null when only the journal is left. */
  actor: (ActorState<object> & { version: number }) | null;
}

export async function readHistory(pool: Pool, of: HistoryOf): Promise<History> {
  const { kind, id } = of;
  const read = await journalSteps(pool, { kind, id, limit: MAX_ENTRIES + 1 });
  return historyOf(of, read.slice(0, MAX_ENTRIES), read.length > MAX_ENTRIES);
}

/** Pure, so that tests can cover every kind of incomplete history. */
export function historyOf(of: HistoryOf, entries: readonly JournalStep[], truncated = false): History {
  const { kind, actor } = of;
  const replay = replayJournal(ACTOR_KINDS[kind].machine, entries, {
    kind,
    context: actor?.context ?? null,
  });
  const { birth } = replay;
  const [first] = entries;
  const begin = first?.from ?? (first === undefined ? (actor?.state ?? birth.state) : birth.state);
  const states = [begin, ...entries.map(({ to }) => to)];
  const common = { entries, states };
  const isWhole =
    entries.every(({ seq }, index) => seq === index + 1) &&
    (entries.length > 0 || (actor?.version ?? 0) === 0);
  // Where other writers increase the version too, the entries always have gaps.
  if (!isWhole && definitionOf(kind).sharesVersion !== true)
    return {
      ...common,
      contexts: [],
      gap: 'Older rows of its journal were pruned, so it cannot be replayed.',
    };
  const contexts = [birth, ...replay.states].map(({ context }) => context as Record<string, unknown>);
  return { ...common, contexts, gap: gapOf(replay, truncated) };
}

function gapOf({ fault }: Replay, truncated: boolean): string | null {
  if (fault !== null) return `The replay ends before entry ${fault.seq}: ${fault.why}.`;
  return truncated ? `Only its first ${MAX_ENTRIES} entries are shown.` : null;
}

export const lastStep = ({ entries }: History): number => entries.length;

/** The step in an address, limited to the existing ones; null means the last. */
export function stepOf(history: History, text: string | undefined): number {
  const last = lastStep(history);
  const step = Number(text);
  return text === undefined || text === '' || !Number.isInteger(step)
    ? last
    : Math.min(Math.max(step, 0), last);
}

/** Names of the fields that a step changed, with their previous values. */
export function changedAt(
  history: History,
  step: number,
): { name: string; before: unknown; after: unknown }[] {
  const before = history.contexts[step - 1];
  const after = history.contexts[step];
  if (before === undefined || after === undefined) return [];
  return Object.keys(after)
    .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => ({ name, before: before[name], after: after[name] }));
}
