import type { Readable } from 'node:stream';

/**
 * A stream from the object store as a response body. A body that is never read is released too: the stream's own
 * iterator would keep the connection to the store open until its timeout. A failure before the first read is thrown
 * by that read; it does not end the process.
 */
export function objectBody(stream: Readable): AsyncIterable<Uint8Array> {
  stream.on('error', () => {});
  return {
    [Symbol.asyncIterator]() {
      const pieces: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
      return {
        next: () => pieces.next(),
        async return() {
          stream.destroy();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
