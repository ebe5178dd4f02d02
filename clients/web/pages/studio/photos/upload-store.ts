import { UPLOADS_DATABASE } from '../../../session/studio-memory.ts';
import type { RoomType } from '../studio-queries.ts';

/**
 * A chosen file until its photo stands in its place; after that, without its bytes, which photo it became, because others
 * of its choice are placed next to it. It survives a reload of the page.
 */
export interface StoredUpload {
  /** The `Idempotency-Key` of every try. */
  readonly key: string;
  readonly personId: string;
  readonly propertyId: string;
  readonly name: string;
  readonly file: Blob;
  readonly roomType: RoomType | null;
  /** The place of the file among those that were chosen. */
  readonly order: number;
  /** Milliseconds since 1970. */
  readonly addedAt: number;
  /** Absent until the photo stands in its place. */
  readonly imageId?: string;
  /** As `ChosenPhoto` has it; absent until then, too. */
  readonly isMain?: boolean;
}

const FILES = 'uploads';

/** Chosen files, in IndexedDB: the browser keeps their bytes on the disk. */
export interface UploadStore {
  all(): Promise<StoredUpload[]>;
  add(upload: StoredUpload): Promise<void>;
  remove(key: string): Promise<void>;
}

/** Its calls fail where the browser keeps nothing, or its disk is full. */
export function openUploadStore(): UploadStore {
  let opened: Promise<IDBDatabase> | null = null;
  const close = (): void => {
    opened = null;
  };
  const open = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open(UPLOADS_DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(FILES, { keyPath: 'key' });
    const database = await promised(request);
    // Signing out, here or in another window, deletes it. The next call creates it again.
    database.onversionchange = () => {
      database.close();
      close();
    };
    database.onclose = close;
    return database;
  };
  const files = async (mode: IDBTransactionMode): Promise<IDBObjectStore> => {
    opened ??= open().catch((error: unknown) => {
      close();
      throw error;
    });
    return (await opened).transaction(FILES, mode).objectStore(FILES);
  };
  return {
    all: async () => promised((await files('readonly')).getAll()),
    async add(upload) {
      await promised((await files('readwrite')).put(upload));
    },
    async remove(key) {
      await promised((await files('readwrite')).delete(key));
    },
  };
}

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
