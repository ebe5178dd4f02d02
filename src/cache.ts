import { LRUCache } from 'lru-cache';
import type { Clock } from '../supervisors/ports.ts';
import { isOfCaller } from './errors/errors.ts';

export interface CacheOptions<T> {
  readonly clock: Clock;
  /** Values of this age, in milliseconds, are not returned. */
  readonly maxAgeMs: number;
  /** The sum of the sizes of all values; beyond it the least recently used go. */
  readonly maxSize: number;
  /** A whole number above 0. A value larger than `maxEntrySize`, or than `maxSize`, is not cached. */
  readonly sizeOf: (value: T, key: string) => number;
  readonly maxEntrySize?: number;
}

interface Entry<T> {
  readonly value: T;
  readonly since: number;
}

/**
 * The cache of a process: bounded by age and size, with one load at a time for each key. It saves time only; a crash
 * loses nothing.
 */
export function createCache<T extends object>(options: CacheOptions<T>) {
  const { clock, maxAgeMs, maxSize, sizeOf, maxEntrySize = maxSize } = options;
  const entries = new LRUCache<string, Entry<T>>({
    maxSize: Math.max(1, maxSize),
    maxEntrySize: Math.max(1, Math.min(maxEntrySize, maxSize)),
    sizeCalculation: ({ value }, key) => sizeOf(value, key),
  });
  const loading = new Map<string, Entry<Promise<T>>>();
  const isFresh = ({ since }: Entry<unknown>): boolean => {
    const age = clock.now() - since;
    // A clock that was set back proves nothing.
    return age >= 0 && age < maxAgeMs;
  };
  const get = (key: string): T | undefined => {
    const entry = entries.get(key);
    if (entry !== undefined && isFresh(entry)) return entry.value;
    entries.delete(key);
    return undefined;
  };
  /** @param since the age counts from then; before the value was read, where it may change meanwhile */
  const set = (key: string, value: T, since = clock.now()): void => {
    entries.set(key, { value, since });
  };
  /** The result takes the place of the cached value and of a load under way. */
  const replace = <R extends T>(
    key: string,
    result: Promise<R>,
    isKept: (value: R) => boolean,
  ): Promise<R> => {
    const since = clock.now();
    const load = { value: result, since };
    entries.delete(key);
    loading.set(key, load);
    const done = (keep: () => void): void => {
      if (loading.get(key) !== load) return;
      loading.delete(key);
      keep();
    };
    result.then(
      (value) => done(() => isKept(value) && set(key, value, since)),
      // The callers get the error; the next one loads again.
      () => done(() => {}),
    );
    return result;
  };
  return {
    get,
    set,
    replace,
    delete: (key: string): void => void entries.delete(key),
    /**
     * The cached value, or what `load` gives, which concurrent callers share. A load that fails because of its own caller
     * (`isOfCaller`) fails for that one; the others load for themselves.
     * @param isKept whether the value is cached; all are by default
     */
    async load(key: string, load: () => Promise<T>, isKept: (value: T) => boolean = () => true): Promise<T> {
      for (;;) {
        const underWay = loading.get(key);
        if (underWay === undefined || !isFresh(underWay)) return get(key) ?? replace(key, load(), isKept);
        try {
          return await underWay.value;
        } catch (error) {
          if (!isOfCaller(error)) throw error;
        }
      }
    },
    /** The sum of the sizes of all values. */
    get size(): number {
      return entries.calculatedSize;
    },
  };
}
