/**
 * The only access to the bucket: originals, provider copies and staged results. It holds connections and no state,
 * so a crash loses at most the answer to a call in flight. Keys are chosen before a put, so a repeated put is
 * harmless. Every call ends within its timeout, retries at most once, and fails with a classified StorageError.
 */
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { StorageError, storageErrorFrom } from '../errors/storage-error.ts';
import { loadedOnce } from '../loaded-once.ts';
import { limitTime } from '../time.ts';

export { StorageError } from '../errors/storage-error.ts';

export interface ObjectStorageSettings {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  bucket: string;
  /** Timeout of a call that sets none, in milliseconds. */
  timeoutMs?: number;
}

interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** The first try and one retry; the callers' back-off covers longer failures. */
const MAX_TRIES = 2;
/** The limit of the signature scheme: seven days. */
const MAX_PRESIGN_SECONDS = 604_800;

/** The SDK is loaded by the first call: it is a large part of a process that has not used the store yet. */
function openStore(settings: ObjectStorageSettings, timeoutMs: number) {
  return loadedOnce(async () => {
    const sdk = await import('@aws-sdk/client-s3');
    const client = new sdk.S3Client({
      endpoint: settings.endpoint,
      region: settings.region,
      credentials: { accessKeyId: settings.accessKeyId, secretAccessKey: settings.secretAccessKey },
      forcePathStyle: true,
      maxAttempts: MAX_TRIES,
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: timeoutMs },
      // Several S3-compatible stores do not support the newer default checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
    return { sdk, client };
  });
}

/** Streams passed to `keep` stay under the timeout until they are closed. */
type Attempt<T> = (abortSignal: AbortSignal, keep: (stream: Readable) => void) => Promise<T>;

/** Runs one call with its timeout and converts every error into a StorageError. */
function bounded(defaultTimeoutMs: number) {
  return async <T>(operation: string, options: CallOptions, attempt: Attempt<T>): Promise<T> => {
    const { signal, release } = limitTime(options.timeoutMs ?? defaultTimeoutMs, options.signal);
    const kept: Readable[] = [];
    try {
      return await attempt(signal, (stream) => kept.push(stream.once('close', release)));
    } catch (error) {
      options.signal?.throwIfAborted();
      throw signal.aborted
        ? new StorageError('transient', 'TIMEOUT', operation)
        : storageErrorFrom(error, operation);
    } finally {
      if (kept.length === 0) release();
    }
  };
}

export type ObjectStorage = ReturnType<typeof createObjectStorage>;

/**
 * Opens no connection itself: the first call connects (docs/contract.md#settings). Every method throws
 * StorageError, or the signal's reason when the caller's own signal aborted it.
 */
export function createObjectStorage(settings: ObjectStorageSettings) {
  const timeoutMs = settings.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const store = openStore(settings, timeoutMs);
  const call = bounded(timeoutMs);
  const Bucket = settings.bucket;

  const openObject = async (Key: string, abortSignal: AbortSignal) => {
    const { sdk, client } = await store();
    const answer = await client.send(new sdk.GetObjectCommand({ Bucket, Key }), { abortSignal });
    const contentType = answer.ContentType ?? 'application/octet-stream';
    return { stream: answer.Body as Readable, contentType, size: answer.ContentLength ?? 0 };
  };
  const bucketExists = async (abortSignal: AbortSignal): Promise<boolean> => {
    const { sdk, client } = await store();
    try {
      await client.send(new sdk.HeadBucketCommand({ Bucket }), { abortSignal });
      return true;
    } catch (error) {
      // HEAD answers have no code, so a missing bucket looks like a missing object.
      if (storageErrorFrom(error, 'check').kind === 'missing') return false;
      throw error;
    }
  };
  const requireBucket = async (operation: string, abortSignal: AbortSignal): Promise<void> => {
    if (!(await bucketExists(abortSignal))) throw new StorageError('needs-person', 'NoSuchBucket', operation);
  };

  return {
    put: (Key: string, bytes: Buffer, options: CallOptions & { contentType: string }): Promise<void> =>
      call('put', options, async (abortSignal) => {
        const content = { Body: bytes, ContentType: options.contentType, ContentLength: bytes.length };
        const { sdk, client } = await store();
        await client.send(new sdk.PutObjectCommand({ Bucket, Key, ...content }), { abortSignal });
      }),
    /** The whole object in memory. */
    get: (key: string, options: CallOptions = {}) =>
      call('get', options, async (abortSignal) => {
        const { stream, contentType } = await openObject(key, abortSignal);
        const bytes = await buffer(stream);
        return { bytes, contentType, size: bytes.length };
      }),
    /**
     * The object as a stream, which fails with its own error when the connection breaks; destroy it when it is not
     * read to the end. The timeout covers the whole reading: the abort signal also ends a body that is still being
     * read.
     */
    open: (key: string, options: CallOptions = {}) =>
      call('open', options, async (abortSignal, keep) => {
        const opened = await openObject(key, abortSignal);
        keep(opened.stream);
        return opened;
      }),
    /** False only when the bucket exists; a missing bucket is an error. */
    exists: (Key: string, options: CallOptions = {}): Promise<boolean> =>
      call('exists', options, async (abortSignal) => {
        const { sdk, client } = await store();
        try {
          await client.send(new sdk.HeadObjectCommand({ Bucket, Key }), { abortSignal });
          return true;
        } catch (error) {
          if (storageErrorFrom(error, 'exists').kind !== 'missing') throw error;
          await requireBucket('exists', abortSignal);
          return false;
        }
      }),
    /** A missing object counts as deleted (docs/contract.md#deleting-objects). */
    delete: (Key: string, options: CallOptions = {}): Promise<void> =>
      call('delete', options, async (abortSignal) => {
        const { sdk, client } = await store();
        try {
          await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), { abortSignal });
        } catch (error) {
          if (storageErrorFrom(error, 'delete').kind !== 'missing') throw error;
        }
      }),
    /**
     * A GET address that works without credentials for this many seconds: a secret, never to be logged or stored.
     * `downloadName` (letters, digits, dot, dash, underscore) is the file name in the answer.
     */
    async presignGet(Key: string, seconds: number, { downloadName }: { downloadName?: string } = {}) {
      if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_PRESIGN_SECONDS) {
        throw new RangeError(`a presigned address lives 1 to ${MAX_PRESIGN_SECONDS} seconds`);
      }
      if (downloadName !== undefined && !/^[\w.-]{1,128}$/.test(downloadName)) {
        throw new RangeError('a download name holds letters, digits, dots, dashes and underscores only');
      }
      const ResponseContentDisposition = downloadName && `inline; filename="${downloadName}"`;
      return call('presign', {}, async () => {
        const [{ sdk, client }, { getSignedUrl }] = await Promise.all([
          store(),
          import('@aws-sdk/s3-request-presigner'),
        ]);
        const command = new sdk.GetObjectCommand({ Bucket, Key, ResponseContentDisposition });
        return getSignedUrl(client, command, { expiresIn: seconds });
      });
    },
    /** Keys with the prefix in the store's order, fetched one page at a time. */
    async *list(Prefix: string, options: CallOptions = {}): AsyncGenerator<string, void> {
      let ContinuationToken: string | undefined;
      do {
        const { sdk, client } = await store();
        const command = new sdk.ListObjectsV2Command({ Bucket, Prefix, ContinuationToken });
        const page = await call('list', options, (abortSignal) => client.send(command, { abortSignal }));
        for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
    },
    /** Resolves when the bucket answers; for readiness. */
    check: (options: CallOptions = {}): Promise<void> =>
      call('check', options, (abortSignal) => requireBucket('check', abortSignal)),
    /** Creates the bucket unless it is there. */
    ensureBucket: (options: CallOptions = {}): Promise<void> =>
      call('ensureBucket', options, async (abortSignal) => {
        if (await bucketExists(abortSignal)) return;
        try {
          const { sdk, client } = await store();
          await client.send(new sdk.CreateBucketCommand({ Bucket }), { abortSignal });
        } catch (error) {
          // Another process may have created it in between.
          if (!(await bucketExists(abortSignal))) throw error;
        }
      }),
    close: async () => (await store.loaded())?.client.destroy(),
  };
}
