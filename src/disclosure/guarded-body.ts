/**
 * A response body that runs `over` once it was read to its end, failed or was given up, also before its first read: the
 * `finally` of a generator that was never started does not run.
 */
export function guardedBody(
  pieces: AsyncGenerator<Uint8Array, void>,
  over: () => void,
): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        try {
          const piece = await pieces.next();
          if (piece.done === true) over();
          return piece;
        } catch (error) {
          over();
          throw error;
        }
      },
      async return() {
        // A generator that is working answers only when its work is over; `over` ends that work.
        over();
        await pieces.return();
        return { done: true, value: undefined };
      },
    }),
  };
}
