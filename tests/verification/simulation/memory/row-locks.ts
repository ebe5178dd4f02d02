/**
 * Row locks of the in-memory database, as PostgreSQL has them: exclusive, first come first served, held to
 * the end of the session's transaction. A wait that would close a cycle fails at once with PostgreSQL's own
 * code, and one that takes too long with that of `lock_timeout`.
 */
export interface RowLocks {
  /** Resolves when the owner holds the row; at once when it already does. Rejects with 40P01 on a deadlock, or 55P03. */
  take(owner: object, row: string): Promise<void>;
  /** Takes the row only if it is free. */
  tryTake(owner: object, row: string): boolean;
  /** Releases all rows of the owner, and cancels its waits. */
  releaseAll(owner: object): void;
  /** The server is gone, and all locks with it. Who waits gets the row, but no longer has a session. */
  dropAll(): void;
}

interface Waiter {
  owner: object;
  resolve(): void;
}

/** As persistence/database/database.ts has it. */
const LOCK_TIMEOUT_MS = 5_000;

/** Without `after` there is no time limit. */
export function createRowLocks(after: (ms: number, what: () => void) => void = () => {}): RowLocks {
  const holders = new Map<string, object>();
  const waiters = new Map<string, Waiter[]>();
  const waitsFor = new Map<object, string>();

  const wouldDeadlock = (owner: object, row: string): boolean => {
    let next: string | undefined = row;
    while (next !== undefined) {
      const holder = holders.get(next);
      if (holder === undefined) return false;
      if (holder === owner) return true;
      next = waitsFor.get(holder);
    }
    return false;
  };

  const release = (row: string) => {
    const next = waiters.get(row)?.shift();
    if (next === undefined) {
      holders.delete(row);
      waiters.delete(row);
      return;
    }
    holders.set(row, next.owner);
    waitsFor.delete(next.owner);
    next.resolve();
  };

  const stopWaiting = (owner: object) => {
    const row = waitsFor.get(owner);
    if (row === undefined) return;
    waitsFor.delete(owner);
    waiters.set(row, waiters.get(row)?.filter((waiter) => waiter.owner !== owner) ?? []);
  };

  return {
    take(owner, row) {
      const holder = holders.get(row);
      if (holder === owner) return Promise.resolve();
      if (holder === undefined) {
        holders.set(row, owner);
        return Promise.resolve();
      }
      if (wouldDeadlock(owner, row))
        return Promise.reject(Object.assign(new Error(`deadlock detected at ${row}`), { code: '40P01' }));
      waitsFor.set(owner, row);
      return new Promise((resolve, reject) => {
        const waiter = { owner, resolve };
        waiters.set(row, [...(waiters.get(row) ?? []), waiter]);
        after(LOCK_TIMEOUT_MS, () => {
          if (!waiters.get(row)?.includes(waiter)) return;
          stopWaiting(owner);
          reject(
            Object.assign(new Error(`canceling statement due to lock timeout at ${row}`), { code: '55P03' }),
          );
        });
      });
    },
    tryTake(owner, row) {
      const holder = holders.get(row);
      if (holder !== undefined && holder !== owner) return false;
      holders.set(row, owner);
      return true;
    },
    releaseAll(owner) {
      stopWaiting(owner);
      for (const [row, holder] of holders) if (holder === owner) release(row);
    },
    dropAll() {
      const left = [...waiters.values()].flat();
      holders.clear();
      waiters.clear();
      waitsFor.clear();
      for (const { resolve } of left) resolve();
    },
  };
}
