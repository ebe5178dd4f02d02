import type { Timers } from '../ports.ts';

/**
 * A new signal that also aborts when one of the given signals does. Unlike `AbortSignal.any` it leaves nothing behind
 * on a signal that lives as long as the process: `release` removes its listeners and must be called when the work is
 * over.
 */
export function linkAbort(...sources: readonly AbortSignal[]) {
  const own = new AbortController();
  const links = sources.map((source) => {
    const follow = () => own.abort(source.reason);
    if (source.aborted) follow();
    else source.addEventListener('abort', follow, { once: true });
    return () => source.removeEventListener('abort', follow);
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
      over.abort();
      link.release();
    },
  };
}
