import type { Timers } from '../ports.ts';

/** One listener of each signal serves all its followers: a signal goes through all its listeners to add one. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

function tellFollowers(this: AbortSignal): void {
  for (const each of [...(followers.get(this) ?? [])]) each();
}

function follow(source: AbortSignal, follower: () => void): () => void {
  const all = followers.get(source) ?? new Set();
  followers.set(source, all);
  if (all.size === 0) source.addEventListener('abort', tellFollowers, { once: true });
  all.add(follower);
  return () => {
    if (!all.delete(follower) || all.size > 0) return;
    source.removeEventListener('abort', tellFollowers);
    followers.delete(source);
  };
}

/**
 * A new signal that also aborts when one of the given signals does. Unlike `AbortSignal.any` it leaves nothing behind
 * on a signal that lives as long as the process: `release` ends its links and must be called when the work is over.
 */
export function linkAbort(...sources: readonly AbortSignal[]) {
  const own = new AbortController();
  const links = sources.map((source) => {
    const abort = () => own.abort(source.reason);
    if (!source.aborted) return follow(source, abort);
    abort();
    return () => {};
  });
  return {
    signal: own.signal,
    abort: (reason?: unknown): void => own.abort(reason),
    /** Ends the link; the new signal stays as it is. */
    release(): void {
      for (const unlink of links) unlink();
    },
  };
}

export type LinkedAbort = ReturnType<typeof linkAbort>;

/** As `linkAbort`, and aborted when the time is up. */
export function abortAfter(timers: Timers, ms: number, ...sources: readonly AbortSignal[]): LinkedAbort {
  const link = linkAbort(...sources);
  const over = new AbortController();
  void timers.sleep(ms, over.signal).then(() => {
    if (!over.signal.aborted) link.abort();
  });
  return {
    ...link,
    release() {
      // Without a reason, an exception with its stack is made, which no one reads.
      over.abort('over');
      link.release();
    },
  };
}
