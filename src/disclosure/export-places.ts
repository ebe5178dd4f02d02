import type { Clock } from '../../supervisors/ports.ts';
import { BoundReached, PublicError } from '../errors/errors.ts';

/** Exports at one time in this process; most of their time they wait for their clients. */
const MOST_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 30;
/** A client that takes less keeps its place only while no one else wants it: about 1 Mbit/s. */
const SLOWEST_BYTES_PER_SECOND = 128 * 1024;
/** For a network that stops for a moment. */
const GRACE_MS = 15_000;

/** The place of an export. */
export interface ExportPlace {
  /** The stream, whose pieces are counted as the client takes them. */
  watched(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void>;
  /** Once or more often. */
  giveBack(): void;
}

interface Holder {
  readonly end: () => void;
  /** When a piece that is not yet taken is too late; null while none waits for the client. */
  lateAt: number | null;
}

/**
 * Who exports now. Always true: a person has at most one export at a time in this process, and all together at most
 * `MOST_AT_ONCE`. A slow client loses its place to a person who wants one. A crash ends the exports with the process.
 */
export function createExportPlaces(clock: Clock) {
  const exporting = new Map<string, Holder>();
  const firstLate = () => [...exporting].find(([, { lateAt }]) => lateAt !== null && lateAt <= clock.now());
  return {
    /**
     * Takes a place for the person.
     * @param end ends the export because its place was given away
     * @throws PublicError EXPORT_RUNNING while the person's last export is not over, SERVICE_UNAVAILABLE when all are taken
     */
    take(userId: string, end: () => void): ExportPlace {
      if (exporting.has(userId)) throw new PublicError('EXPORT_RUNNING');
      if (exporting.size >= MOST_AT_ONCE) {
        const late = firstLate();
        if (late === undefined)
          throw new PublicError('SERVICE_UNAVAILABLE', {
            retryAfterSeconds: RETRY_AFTER_SECONDS,
            cause: new BoundReached('too many exports at once'),
          });
        exporting.delete(late[0]);
        late[1].end();
      }
      const holder: Holder = { end, lateAt: null };
      exporting.set(userId, holder);
      return {
        async *watched(pieces) {
          for await (const piece of pieces) {
            holder.lateAt = clock.now() + GRACE_MS + (piece.length / SLOWEST_BYTES_PER_SECOND) * 1_000;
            yield piece;
            holder.lateAt = null;
          }
        },
        giveBack() {
          if (exporting.get(userId) === holder) exporting.delete(userId);
        },
      };
    },
  };
}
