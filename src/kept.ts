import type { Clock } from '../supervisors/ports.ts';

/**
 * Answers about many listings, kept for a moment: a crowd that asks the same costs one query. Who asks while the query
 * runs gets its answer. Lost with the process, which costs time only.
 */
export interface KeptLimits {
  /** From the start of the query. */
  readonly freshMs: number;
  /** Answers about fewer listings are not kept. */
  readonly many: number;
  /** The sum of the sizes of all kept answers. */
  readonly size: number;
}

interface Kept<T> {
  readonly answer: Promise<T>;
  readonly until: number;
  /** 0 until it is known. */
  size: number;
}

export function createKept<T extends { readonly total: number }>(
  clock: Clock,
  limits: KeptLimits,
  sizeOf: (answer: T) => number,
) {
  /** In the order in which they were made, which is the order in which they become old. */
  const kept = new Map<string, Kept<T>>();
  let held = 0;
  const forget = (key: string, entry: Kept<T>): void => {
    if (kept.get(key) !== entry) return;
    kept.delete(key);
    held -= entry.size;
  };
  const makeRoom = (): void => {
    for (const [key, entry] of kept) {
      if (entry.until > clock.now() && held <= limits.size) return;
      forget(key, entry);
    }
  };
  const note = <A extends T>(key: string, answer: Promise<A>): Promise<A> => {
    const before = kept.get(key);
    if (before !== undefined) forget(key, before);
    const entry: Kept<T> = { answer, until: clock.now() + limits.freshMs, size: 0 };
    kept.set(key, entry);
    answer.then(
      (given) => {
        if (given.total < limits.many) return forget(key, entry);
        if (kept.get(key) !== entry) return;
        entry.size = sizeOf(given);
        held += entry.size;
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
