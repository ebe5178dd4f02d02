import type { SiteApi } from '../api/site-api.ts';
import type { Keeper } from '../site/keeper.ts';
import type { HomeMarks, MarkedHomes } from '../site/site.ts';
import { HOME_MARKS, type KeptEntry, keepList, keptList } from './kept-of-person.ts';

/**
 * The homes that have been seen, hidden, or marked for comparing, kept on the device. Of a person who is signed in the server
 * keeps them too (`homes.merge`), but for the comparison. What the server has not heard of yet is `unsent`; after a failure
 * the next change or the next page sends it.
 */
interface Unsent {
  readonly seen: readonly string[];
  readonly hidden: readonly string[];
  readonly restored: readonly string[];
}

/** One for each person, and one of visitors. */
interface MarksRecord extends HomeMarks {
  readonly personId: string | null;
  readonly unsent: Unsent;
}

const MOST = { seen: 500, hidden: 200, restored: 200 } as const;
const MOST_COMPARED = 4;

const NO_MARKS: HomeMarks = { seen: [], hidden: [], compared: [] };
const NOTHING: Unsent = { seen: [], hidden: [], restored: [] };

const idsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id): id is string => typeof id === 'string') : [];

function recordIn(entry: KeptEntry): MarksRecord {
  const { personId, unsent, seen, hidden, compared } = entry;
  const {
    seen: newSeen,
    hidden: newHidden,
    restored,
  } = (unsent ?? {}) as Partial<Record<keyof Unsent, unknown>>;
  return {
    personId: typeof personId === 'string' ? personId : null,
    seen: idsIn(seen),
    hidden: idsIn(hidden),
    compared: idsIn(compared),
    unsent: { seen: idsIn(newSeen), hidden: idsIn(newHidden), restored: idsIn(restored) },
  };
}

const first = (id: string, ids: readonly string[], most: number): readonly string[] =>
  [id, ...ids.filter((other) => other !== id)].slice(0, most);
const without = (ids: readonly string[], gone: readonly string[]): readonly string[] =>
  ids.filter((id) => !gone.includes(id));

const isEmpty = ({ seen, hidden, compared, unsent }: MarksRecord): boolean =>
  [seen, hidden, compared, unsent.restored].every(({ length }) => length === 0);

interface HomeMarksOptions {
  readonly keeper: Keeper;
  /** Whose page it is: an id, null for no one, undefined while that is not known. */
  readonly person: () => string | null | undefined;
  readonly merge: SiteApi['homes']['merge'];
}

export function createHomeMarks({ keeper, person, merge }: HomeMarksOptions): MarkedHomes {
  const listeners = new Set<() => void>();
  let shown: { readonly text: string | null; readonly record: MarksRecord } | null = null;
  let isSending = false;
  let exchangedFor: string | null = null;

  const read = (): MarksRecord => {
    const personId = person() ?? null;
    const text = keeper.getItem(HOME_MARKS);
    if (shown !== null && shown.text === text && shown.record.personId === personId) return shown.record;
    const entry = keptList(keeper, HOME_MARKS).find((one) => one.personId === personId);
    const record = entry === undefined ? { ...NO_MARKS, personId, unsent: NOTHING } : recordIn(entry);
    shown = { text, record };
    return record;
  };
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  const write = (record: MarksRecord): void => {
    const others = keptList(keeper, HOME_MARKS).filter(({ personId }) => personId !== record.personId);
    keepList(keeper, HOME_MARKS, isEmpty(record) ? others : [record, ...others]);
    tell();
  };

  /** Sends what the server has not heard, and takes what it knows of other devices. */
  const exchange = async (personId: string): Promise<void> => {
    const { unsent } = read();
    const { seen, hidden, restored } = unsent;
    const known = await merge({ seen: [...seen], hidden: [...hidden], restored: [...restored] });
    exchangedFor = personId;
    const now = read();
    // Another person is signed in by now, or no one.
    if (now.personId !== personId) return;
    const left: Unsent = {
      seen: without(now.unsent.seen, seen),
      hidden: without(now.unsent.hidden, hidden),
      restored: without(now.unsent.restored, restored),
    };
    write({
      ...now,
      seen: [...left.seen, ...without(known.seen, left.seen)].slice(0, MOST.seen),
      hidden: [...left.hidden, ...without(known.hidden, [...left.hidden, ...left.restored])].slice(
        0,
        MOST.hidden,
      ),
      unsent: left,
    });
  };
  const send = async (): Promise<void> => {
    if (isSending) return;
    isSending = true;
    try {
      for (let own = read(); own.personId !== null && isDue(own); own = read()) await exchange(own.personId);
    } catch {
      // The marks are on the device. The next change or the next page sends them.
    } finally {
      isSending = false;
    }
  };
  const isDue = ({ personId, unsent: { seen, hidden, restored } }: MarksRecord): boolean =>
    exchangedFor !== personId || seen.length + hidden.length + restored.length > 0;
  const change = (next: (record: MarksRecord) => Partial<MarksRecord>): void => {
    const record = read();
    const { unsent = record.unsent, ...marks } = next(record);
    // What a visitor keeps is new to the server as a whole (`forgetOthers`).
    write({ ...record, ...marks, unsent: record.personId === null ? NOTHING : unsent });
    void send();
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: (): HomeMarks => read(),
    refresh(): void {
      tell();
      void send();
    },
    see(id: string): void {
      if (read().seen[0] === id) return;
      change(({ seen, unsent }) => ({
        seen: first(id, seen, MOST.seen),
        unsent: { ...unsent, seen: first(id, unsent.seen, MOST.seen) },
      }));
    },
    hide(id: string): void {
      change(({ hidden, compared, unsent }) => ({
        hidden: first(id, hidden, MOST.hidden),
        compared: without(compared, [id]),
        unsent: {
          ...unsent,
          hidden: first(id, unsent.hidden, MOST.hidden),
          restored: without(unsent.restored, [id]),
        },
      }));
    },
    restore(ids: readonly string[]): void {
      change(({ hidden, unsent }) => ({
        hidden: without(hidden, ids),
        unsent: {
          ...unsent,
          hidden: without(unsent.hidden, ids),
          restored: [...ids, ...without(unsent.restored, ids)].slice(0, MOST.restored),
        },
      }));
    },
    compare(id: string, isCompared: boolean): boolean {
      const others = without(read().compared, [id]);
      if (isCompared && others.length >= MOST_COMPARED) return false;
      change(() => ({ compared: isCompared ? [...others, id] : others }));
      return true;
    },
    compareNone(): void {
      change(() => ({ compared: [] }));
    },
  };
}
