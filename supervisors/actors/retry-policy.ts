import { StaleActorError } from '../../persistence/actors/actor-store.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import type { Timers } from '../ports.ts';

/**
 * Which failures of a transaction are worth repeating: conflicts that the database resolved against us. Nothing was
 * written, so a repeat is safe. A lost connection is not repeated here, because the commit may have succeeded; the
 * caller reads again.
 */
const MAX_TRIES = 6;
const BASE_WAIT_MS = 5;

export async function withRetries<T>(
  ports: { timers: Timers; chance: { jitter(): number } },
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries >= MAX_TRIES || !isConflict(error)) throw error;
      await ports.timers.sleep(BASE_WAIT_MS * 2 ** tries * (1 + ports.chance.jitter()));
    }
  }
}

/** Ends by itself: the database is away, or another transaction holds a lock that we need. */
export function isTemporary(error: unknown): boolean {
  const failure = databaseFailure(error);
  return failure === 'unavailable' || failure === 'conflict';
}

/** Lost a race inside the database: newer version, deadlock, serialization, a lock time-out, or a unique index. */
export function isConflict(error: unknown): boolean {
  return isPassingConflict(error) || databaseFailure(error) === 'duplicate';
}

/** A conflict that ends with the other writer. A unique index may conflict forever. */
export function isPassingConflict(error: unknown): boolean {
  return error instanceof StaleActorError || databaseFailure(error) === 'conflict';
}
