import { guardUploads, UploadExpired } from '../../persistence/images/upload-guards.ts';
import { PublicError } from '../errors/errors.ts';
import { StorageError } from '../storage/object-storage.ts';
import type { ImageServices } from './services.ts';

/** One object of an upload. */
export interface PhotoObject {
  key: string;
  bytes: Buffer;
  contentType: string;
}

/** Puts them all, or removes those that were put: otherwise the guards would remove them a quarter of an hour later. */
export async function putAll(
  services: Pick<ImageServices, 'storage' | 'logger'>,
  objects: readonly PhotoObject[],
): Promise<void> {
  try {
    for (const { key, bytes, contentType } of objects)
      await services.storage.put(key, bytes, { contentType });
  } catch (error) {
    await removeAll(services, objects);
    throw error;
  }
}

/** Best effort: the guards still name what cannot be removed now. */
export async function removeAll(
  { storage, logger }: Pick<ImageServices, 'storage' | 'logger'>,
  objects: readonly Pick<PhotoObject, 'key'>[],
): Promise<void> {
  for (const { key } of objects) {
    await storage.delete(key).catch((error: unknown) => {
      logger.warn({ err: error, objectKey: key }, 'an abandoned upload could not be removed; the sweep will');
    });
  }
}

/**
 * The error for a failed upload. After an expired one the guards are used up and a put may have landed after the sweep,
 * so the keys are scheduled for deletion once more.
 */
export async function uploadFailed(
  services: Pick<ImageServices, 'pool' | 'storage' | 'clock' | 'logger'>,
  objects: readonly PhotoObject[],
  error: unknown,
): Promise<unknown> {
  if (error instanceof UploadExpired) {
    const at = services.clock.now();
    await guardUploads(services.pool, { keys: objects.map(({ key }) => key), at, dueAt: at });
    await removeAll(services, objects);
    return new PublicError('UPLOAD_EXPIRED', { cause: error });
  }
  return asOutage(error);
}

/** An object store that does not answer is an outage; any other error is returned as it is. */
export function asOutage(error: unknown): unknown {
  const away = error instanceof StorageError && error.kind !== 'missing';
  return away ? new PublicError('SERVICE_UNAVAILABLE', { cause: error }) : error;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The error response when an object that a row names cannot be read. A missing object is NOT_FOUND: it may have been
 * deleted a moment ago; if not, a retry does not help, and an operator must know (`whenLost` logs it). A store that
 * does not answer is worth a retry. Other errors are passed on.
 */
export function readError(error: unknown, whenLost: () => void): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.kind !== 'missing')
    return new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  whenLost();
  return new PublicError('NOT_FOUND', { cause: error });
}
