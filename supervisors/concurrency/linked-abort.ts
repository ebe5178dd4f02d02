/**
 * A new signal that also aborts when one of the given signals does. Unlike `AbortSignal.any` it leaves nothing behind
 * on a signal that lives as long as the process: `release` removes its listeners and must be called when the work is
 * over.
 */
export interface LinkedAbort {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Ends the link; the own signal stays as it is. */
  release(): void;
}

export function linkAbort(...sources: readonly AbortSignal[]): LinkedAbort {
  const own = new AbortController();
  const links = sources.map((source) => {
    const follow = () => own.abort(source.reason);
    if (source.aborted) follow();
    else source.addEventListener('abort', follow, { once: true });
    return () => source.removeEventListener('abort', follow);
  });
  return {
    signal: own.signal,
    abort: (reason) => own.abort(reason),
    release() {
      for (const unlink of links) unlink();
    },
  };
}
