/**
 * Tells a fault of ours from a part of the system being away: the database, the key-value store, the object store.
 * Errors come wrapped in each other; they are recognised by code, SQLSTATE and class name along the chain of causes.
 * What the caller should do differs: an outage is worth repeating.
 */
import {
  causesOf,
  databaseFailure,
  isOfDeletedAccount,
} from '../../persistence/database/database-failure.ts';
import { PublicError } from './errors.ts';
import { StorageError } from './storage-error.ts';

/** What ioredis raises when the store is away, slow or still loading, mostly without any code. */
const KV_MESSAGES =
  /^connection is closed|^stream isn't writeable|max retries per request|^command timed out|^LOADING /i;

/** True when the database, the key-value store or the object store cannot be reached. */
export function isOutage(error: unknown): boolean {
  if (databaseFailure(error) === 'unavailable') return true;
  return causesOf(error).some(
    (cause) =>
      (cause instanceof StorageError && cause.kind === 'transient') ||
      cause.name === 'MaxRetriesPerRequestError' ||
      KV_MESSAGES.test(cause.message),
  );
}

/** SQLSTATE of what PostgreSQL rolled back although nothing is wrong with it: serialization, deadlock, lock timeout. */
const ROLLED_BACK = new Set(['40001', '40P01', '55P03']);

/** True when the database was too busy for the request, and the same again may well work. */
function isOverload(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && ROLLED_BACK.has(String(cause.code)));
}

/**
 * The error that a thrown value stands for: a `PublicError` anywhere along its causes, `SERVICE_UNAVAILABLE` for an
 * outage or overload, null for a fault of ours (which the edge masks and logs).
 */
export function publicErrorFrom(error: unknown): PublicError | null {
  const found = causesOf(error).find((cause) => cause instanceof PublicError);
  if (found) return found;
  // A caller whose session was read just before.
  if (isOfDeletedAccount(error)) return new PublicError('UNAUTHORIZED', { cause: error });
  if (!isOutage(error) && !isOverload(error)) return null;
  return new PublicError('SERVICE_UNAVAILABLE', { cause: error });
}
