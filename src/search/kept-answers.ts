import { isWide } from '../../persistence/search/cell-levels.ts';
import type { SearchIndex } from '../../persistence/search/postgres-search-index.ts';
import type { MapAnswer, MapQuestion } from '../../persistence/search/search-grid.ts';
import type { Criteria, ListQuestion } from '../../persistence/search/search-index.ts';
import type { Clock } from '../../supervisors/ports.ts';

/**
 * Maps and totals of wide areas, kept for a second: a crowd that asks the same costs one query. Who asks while the
 * query runs gets its answer. Only answers about many listings are kept; fewer are counted anew each time, so a person who
 * changes a listing finds it at once wherever single listings can be told apart. The listings of a list are never kept.
 * A list's total is that of the last map of the same area. Lost with the process, which costs time only.
 */
export interface KeptLimits {
  /** From the start of the query. A listing that is no longer public is on no map after this time. */
  readonly freshMs: number;
  /** Answers with fewer listings are not kept. */
  readonly many: number;
  /** Memory: the marks of all kept maps, about 200 bytes each; a total counts as one. */
  readonly marks: number;
}
const LIMITS: KeptLimits = { freshMs: 1_000, many: 5_000, marks: 50_000 };

interface Kept<T> {
  readonly answer: Promise<T>;
  readonly until: number;
  /** 0 until it is known. */
  marks: number;
}

export function keepWideAnswers(index: SearchIndex, clock: Clock, limits = LIMITS): SearchIndex {
  const maps = createKept<MapAnswer>(clock, limits, ({ clusters, pins }) => clusters.length + pins.length);
  const totals = createKept<{ total: number }>(clock, limits, () => 1);
  return {
    ...index,
    async map(question: MapQuestion) {
      const { criteria, box, zoom } = question;
      const within = { ...criteria, areas: [...criteria.areas, { box }] };
      if (!isWide(within.areas)) return index.map(question);
      const key = keyOf(within);
      return maps.ask(`${zoom} ${key}`, () => totals.note(key, index.map(question)));
    },
    async list(question: ListQuestion, known: number | null = null) {
      const { criteria } = question;
      if (known !== null || !isWide(criteria.areas)) return index.list(question, known);
      const count = async () => ({ total: await index.count(criteria) });
      const { total } = await totals.ask(keyOf(criteria), count);
      return index.list(question, total);
    },
  };
}

/** The same for the same listings: a box that is named twice is one. What a second changes is within the bound. */
function keyOf({ at: _at, areas, ...filters }: Criteria): string {
  const boxes = new Set(areas.map((area) => JSON.stringify(area)));
  return JSON.stringify([filters, [...boxes].sort()]);
}

function createKept<T extends { readonly total: number }>(
  clock: Clock,
  limits: KeptLimits,
  marksOf: (answer: T) => number,
) {
  /** In the order in which they were made, which is the order in which they become old. */
  const kept = new Map<string, Kept<T>>();
  let marks = 0;
  const forget = (key: string, entry: Kept<T>): void => {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    marks -= entry.marks;
  };
  const makeRoom = (): void => {
    for (const [key, entry] of kept) {
      if (entry.until > clock.now() && marks <= limits.marks) return;
      forget(key, entry);
    }
  };
  const note = <A extends T>(key: string, answer: Promise<A>): Promise<A> => {
    const before = kept.get(key);
    if (before !== undefined) forget(key, before);
    const entry: Kept<T> = { answer, until: clock.now() + limits.freshMs, marks: 0 };
    kept.set(key, entry);
    answer.then(
      (given) => {
        if (given.total < limits.many) return forget(key, entry);
        if (kept.get(key) !== entry) return;
        entry.marks = marksOf(given);
        marks += entry.marks;
      },
      // The caller gets the error; the next one asks again.
      () => forget(key, entry),
    );
    return answer;
  };
  return {
    ask(key: string, query: () => Promise<T>): Promise<T> {
      makeRoom();
      return kept.get(key)?.answer ?? note(key, query());
    },
    note,
  };
}
