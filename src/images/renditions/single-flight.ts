/**
 * Single flight: requests for the same key share one piece of work. Always true: one piece of work per key at a time,
 * aborted only when the last waiting request has gone.
 */
export interface Joining {
  /** The waiting client. */
  client: string;
  signal: AbortSignal;
}

/** @param clients the clients that wait for it now; the list changes meanwhile. */
export type Work<T> = (given: { signal: AbortSignal; clients: readonly string[] }) => Promise<T>;

interface Piece<T> {
  result: Promise<T>;
  abort: AbortController;
  clients: string[];
}

export function createSingleFlight<T>() {
  const pieces = new Map<string, Piece<T>>();

  const begin = (key: string, client: string, work: Work<T>): Piece<T> => {
    const abort = new AbortController();
    const clients = [client];
    const piece: Piece<T> = { abort, clients, result: work({ signal: abort.signal, clients }) };
    pieces.set(key, piece);
    const done = () => {
      if (pieces.get(key) === piece) pieces.delete(key);
    };
    piece.result.then(done, done);
    return piece;
  };

  return {
    /**
     * The result of the work under this key, which the first caller starts. Rejects with the signal's reason if the
     * signal aborts first.
     */
    join(key: string, { client, signal }: Joining, work: Work<T>): Promise<T> {
      if (signal.aborted) return Promise.reject(signal.reason);
      const joined = pieces.get(key);
      joined?.clients.push(client);
      const piece = joined ?? begin(key, client, work);
      return new Promise<T>((resolve, reject) => {
        const leave = () => {
          reject(signal.reason);
          piece.clients.splice(piece.clients.indexOf(client), 1);
          if (piece.clients.length > 0) return;
          // A new caller must not join work that is being aborted.
          if (pieces.get(key) === piece) pieces.delete(key);
          piece.abort.abort(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        piece.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
      });
    },
  };
}
