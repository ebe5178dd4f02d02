/**
 * Work that several requests wait for is done once. Always true: one piece of work per key at a time; it is aborted
 * when the last of those who wait has gone, and not before. A crash loses only those who wait.
 */
export interface SharedWork<T> {
  /** The result of the work under this key, begun by the first who asks. Rejects with the signal's reason if it aborts first. */
  join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Pieces of work under way. */
  readonly size: number;
}

interface Piece<T> {
  result: Promise<T>;
  abort: AbortController;
  waiting: number;
}

export function createSharedWork<T>(): SharedWork<T> {
  const pieces = new Map<string, Piece<T>>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<T>): Piece<T> => {
    const abort = new AbortController();
    const piece: Piece<T> = { abort, waiting: 0, result: work(abort.signal) };
    pieces.set(key, piece);
    const done = () => {
      if (pieces.get(key) === piece) pieces.delete(key);
    };
    piece.result.then(done, done);
    return piece;
  };

  return {
    join(key, signal, work) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const piece = pieces.get(key) ?? begin(key, work);
      piece.waiting += 1;
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          reject(signal.reason);
          piece.waiting -= 1;
          if (piece.waiting > 0) return;
          // Whoever comes now must not join work that is being given up.
          if (pieces.get(key) === piece) pieces.delete(key);
          piece.abort.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        piece.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
    get size() {
      return pieces.size;
    },
  };
}
