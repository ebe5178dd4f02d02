import { PublicError } from '../errors.ts';
import { StorageError } from './storage-error.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * What a client is told when an object that a row names cannot be read. A lost one is not found: it may have been
 * deleted a moment ago, and if not, asking again does not bring it back, while an operator must hear of it
 * (`whenLost` logs it). A store that does not answer is worth asking again. Anything else stays what it is.
 */
export function readRefusal(error: unknown, whenLost: () => void): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.kind !== 'missing')
    return new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  whenLost();
  return new PublicError('NOT_FOUND', { cause: error });
}
