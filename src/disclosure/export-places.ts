import { BoundReached, PublicError } from '../errors/errors.ts';

/** Exports at one time in this process; most of their time they wait for their clients. */
const MOST_AT_ONCE = 4;
const RETRY_AFTER_SECONDS = 30;

/**
 * Who exports now. Always true: a person has at most one export at a time in this process, and all together at most
 * `MOST_AT_ONCE`. A crash ends the exports with the process.
 */
export function createExportPlaces() {
  const exporting = new Set<string>();
  return {
    /**
     * Takes a place for the person; call the result to give it back, once or more often.
     * @throws PublicError EXPORT_RUNNING while the person's last export is not over, SERVICE_UNAVAILABLE when all are taken
     */
    take(userId: string): () => void {
      if (exporting.has(userId)) throw new PublicError('EXPORT_RUNNING');
      if (exporting.size >= MOST_AT_ONCE)
        throw new PublicError('SERVICE_UNAVAILABLE', {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: new BoundReached('too many exports at once'),
        });
      exporting.add(userId);
      let isHeld = true;
      return () => {
        if (isHeld) exporting.delete(userId);
        isHeld = false;
      };
    },
  };
}
