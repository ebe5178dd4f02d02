import { PublicError } from '../errors/errors.ts';
import { StorageError } from '../errors/storage-error.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * The error response when an object that a row names cannot be read. A missing object is NOT_FOUND: it may have been
 * deleted a moment ago; if not, a retry does not help, and an operator must know (`whenLost` logs it). A store that
 * does not answer is worth a retry. Other errors are passed on.
 */
export function readRefusal(error: unknown, whenLost: () => void): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.kind !== 'missing')
    return new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  whenLost();
  return new PublicError('NOT_FOUND', { cause: error });
}
