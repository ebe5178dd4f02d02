/**
 * Distinguishes a fault of ours from an outage of the database, the key-value store or the object store. Errors
 * come wrapped in each other; they are recognized by code, SQLSTATE and class name along the chain of causes. The
 * difference matters to the caller: after an outage, a retry is worthwhile.
 */

import {
  causesOf,
  databaseFailure,
  isOfDeletedAccount,
  isOfSuspendedAccount,
} from '../../persistence/database/database-failure.ts';
import { GrowthLimitReached } from '../../persistence/growth/growth-counts.ts';
import { PublicError } from './errors.ts';
import { StorageError } from './storage-error.ts';

/** What clients and caches are asked to wait after an outage; most last a few seconds. */
const OUTAGE_RETRY_SECONDS = 5;

/** Messages of ioredis while the store is unavailable or slow. Most come without a code. */
const KV_MESSAGES =
  /^connection is closed|^stream isn't writeable|max retries per request|^command timed out|^socket timeout|^all sentinels are/i;

/**
 * With these codes the store answers but rejects every command: it is full, a replica, without its primary or enough replicas,
 * cannot save, is busy or loading, or its password has changed. A script's error may have the code further behind.
 */
const KV_REFUSAL =
  /(?:^|: -?)(?:OOM|READONLY|MISCONF|MASTERDOWN|NOREPLICAS|BUSY|LOADING|NOAUTH|WRONGPASS|UNBLOCKED) /;

/** ioredis repeats what its first command on a connection was answered. */
const READY_CHECK = /^ready check failed: /i;

/** True when the database, the key-value store or the object store cannot be reached, or rejects every command. */
export function isOutage(error: unknown): boolean {
  if (databaseFailure(error) === 'unavailable') return true;
  return causesOf(error).some(
    (cause) =>
      (cause instanceof StorageError && cause.kind === 'transient') ||
      cause.name === 'MaxRetriesPerRequestError' ||
      ((cause.name === 'ReplyError' || READY_CHECK.test(cause.message)) && isRefusal(cause)) ||
      KV_MESSAGES.test(cause.message),
  );
}

/** An aborted transaction says nothing itself; its commands' errors say why. */
function isRefusal(reply: Error & { previousErrors?: readonly Error[] }): boolean {
  return [reply, ...(reply.previousErrors ?? [])].some(({ message }) => KV_REFUSAL.test(message));
}

/**
 * SQLSTATEs of transactions that PostgreSQL rolled back without a fault of theirs: serialization, deadlock, lock
 * timeout.
 */
const ROLLED_BACK = new Set(['40001', '40P01', '55P03']);

/** True when the database was too busy for the request; a retry may succeed. */
function isOverload(error: unknown): boolean {
  return causesOf(error).some((cause) => 'code' in cause && ROLLED_BACK.has(String(cause.code)));
}

/**
 * The public error for a thrown value: a `PublicError` anywhere along its causes, `QUOTA_REACHED` for a limit of what
 * a person may add, `SERVICE_UNAVAILABLE` for an outage or overload, null for a fault of ours (which the edge masks and logs).
 */
export function publicErrorFrom(error: unknown): PublicError | null {
  const found = causesOf(error).find((cause) => cause instanceof PublicError);
  if (found) return found;
  const limited = causesOf(error).find((cause) => cause instanceof GrowthLimitReached);
  if (limited) return quotaReached(limited);
  // The account was deleted after this caller's session was read.
  if (isOfDeletedAccount(error)) return new PublicError('UNAUTHORIZED', { cause: error });
  if (isOfSuspendedAccount(error)) return new PublicError('ACCOUNT_SUSPENDED', { cause: error });
  if (!isOutage(error) && !isOverload(error)) return null;
  return new PublicError('SERVICE_UNAVAILABLE', { cause: error, retryAfterSeconds: OUTAGE_RETRY_SECONDS });
}

function quotaReached({ shortage }: GrowthLimitReached): PublicError {
  const { limit, used, resetsAt, at } = shortage;
  return new PublicError('QUOTA_REACHED', {
    quota: { limit, used, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() },
    ...(resetsAt === null ? { messageKey: 'quota.full' } : { retryAfterSeconds: (resetsAt - at) / 1000 }),
  });
}
