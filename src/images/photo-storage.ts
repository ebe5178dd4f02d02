import { GrowthLimitReached } from '../../persistence/growth/growth-counts.ts';
import { guardUploads, UploadExpired, type UploadGuards } from '../../persistence/images/upload-guards.ts';
import { PublicError } from '../errors/errors.ts';
import { StorageError } from '../storage/object-storage.ts';
import type { ImageServices } from './services.ts';

/** One object of an upload. */
interface PhotoObject {
  key: string;
  bytes: Buffer;
  contentType: string;
}

/** Best effort: the guards still contain the keys of objects that cannot be removed now. */
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

type StoringPorts = Pick<ImageServices, 'pool' | 'storage' | 'clock' | 'logger'>;

/**
 * Stores the objects of an upload: persist, then act. The keys are guarded in the database, then the objects are
 * put, then `record` stores their row and removes the guards in one transaction. A failure or crash in between
 * leaves no row, and only objects that are in the deletion outbox. When `record` rejects, by null or false, the
 * objects are removed at once.
 */
export async function storeObjects<T>(
  services: StoringPorts,
  objects: readonly PhotoObject[],
  record: (guards: UploadGuards) => Promise<T>,
): Promise<T> {
  const { pool, clock } = services;
  try {
    const guards = await guardUploads(pool, { keys: objects.map(({ key }) => key), at: clock.now() });
    await putAll(services, objects);
    const recorded = await record(guards);
    if (recorded === null || recorded === false) await removeAll(services, objects);
    return recorded;
  } catch (error) {
    throw await uploadFailed(services, objects, error);
  }
}

/**
 * Puts all objects. On failure it removes those already put; otherwise the guards would remove them a quarter of an
 * hour later.
 */
async function putAll(services: StoringPorts, objects: readonly PhotoObject[]): Promise<void> {
  try {
    for (const { key, bytes, contentType } of objects)
      await services.storage.put(key, bytes, { contentType });
  } catch (error) {
    await removeAll(services, objects);
    throw error;
  }
}

/**
 * The error for a failed upload. After an expired upload the guards are used up, and a put may have landed after
 * the sweep, so the keys are scheduled for deletion once more.
 */
async function uploadFailed(
  services: StoringPorts,
  objects: readonly PhotoObject[],
  error: unknown,
): Promise<unknown> {
  if (error instanceof UploadExpired) {
    const at = services.clock.now();
    await guardUploads(services.pool, { keys: objects.map(({ key }) => key), at, dueAt: at });
    await removeAll(services, objects);
    return new PublicError('UPLOAD_EXPIRED', { cause: error });
  }
  // Only the row is missing, so the objects can go at once.
  if (error instanceof GrowthLimitReached) await removeAll(services, objects);
  return asOutage(error);
}

/** An object store that does not answer is an outage; any other error is returned unchanged. */
export function asOutage(error: unknown): unknown {
  const away = error instanceof StorageError && error.kind !== 'missing';
  return away ? new PublicError('SERVICE_UNAVAILABLE', { cause: error }) : error;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * The error response when the object of a row cannot be read. A missing object is NOT_FOUND. It may have been
 * deleted a moment ago; otherwise a retry does not help, and an operator must act (`whenLost` logs it). An object
 * store that does not answer is worth a retry. Other errors are passed on.
 */
export function readError(error: unknown, whenLost: () => void): unknown {
  if (!(error instanceof StorageError)) return error;
  if (error.kind !== 'missing')
    return new PublicError('SERVICE_UNAVAILABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: error });
  whenLost();
  return new PublicError('NOT_FOUND', { cause: error });
}
