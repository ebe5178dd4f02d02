import { LANGUAGE_COOKIE, type Locale } from '../../../i18n/languages.ts';

/**
 * What the browser keeps for the site: the only file that uses its storage. Storage may be blocked, full or emptied at any
 * time, so nothing here fails and nothing may depend on a write. What could not be written lasts as long as the document.
 */
export type Keeper = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** As long as the longest value that has to outlast a document. */
const PROBE = 'x'.repeat(64);

/** @param storage throws where the browser gives none to this site */
export function createKeeper(storage: () => Keeper) {
  const unwritten = new Map<string, string>();
  const tried = <T>(work: (storage: Keeper) => T): T | null => {
    try {
      return work(storage());
    } catch {
      // Blocked or full: the memory of this document has to do.
      return null;
    }
  };
  const write = (key: string, text: string): boolean =>
    tried((own) => {
      own.setItem(key, text);
      return true;
    }) ?? false;
  return {
    getItem: (key: string): string | null => unwritten.get(key) ?? tried((own) => own.getItem(key)),
    setItem(key: string, text: string): void {
      unwritten.delete(key);
      if (write(key, text)) return;
      unwritten.set(key, text);
      // An older value must not come back with the next document.
      tried((own) => own.removeItem(key));
    },
    removeItem(key: string): void {
      unwritten.delete(key);
      tried((own) => own.removeItem(key));
    },
    /** Whether what is written now will be there for the next document. */
    isLasting(): boolean {
      const isWritten = write('probe', PROBE);
      tried((own) => own.removeItem('probe'));
      return isWritten;
    },
  };
}

/** For all documents of the site. */
export const kept = createKeeper(() => localStorage);
/** For this tab. */
export const keptForTab = createKeeper(() => sessionStorage);

/** The JSON that is kept under a key; null where nothing is, or what no release has written. */
export function readJson(keeper: Pick<Keeper, 'getItem'>, key: string): unknown {
  try {
    return JSON.parse(keeper.getItem(key) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Whether the browser takes cookies of this site, of which the session is one. `navigator.cookieEnabled` is true in a
 * Chromium that blocks them.
 */
export function takesCookies(): boolean {
  try {
    // biome-ignore-start lint/suspicious/noDocumentCookie: the other interface exists only behind https
    document.cookie = 'probe=1; path=/; samesite=lax';
    const isTaken = document.cookie.includes('probe=1');
    document.cookie = 'probe=; path=/; max-age=0';
    // biome-ignore-end lint/suspicious/noDocumentCookie: as above
    return isTaken;
  } catch {
    return false;
  }
}

/** In seconds: a year. */
const LANGUAGE_LASTS = 31_536_000;

/** For the server, which has to know where the first page begins (docs/contract.md#languages-and-units). */
export function keepLanguage(locale: Locale): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the other interface exists only behind https
    document.cookie = `${LANGUAGE_COOKIE}=${locale}; path=/; max-age=${LANGUAGE_LASTS}; samesite=lax${secure}`;
  } catch {
    // Cookies are blocked: the language lasts as long as the addresses that are open.
  }
}

/** Records on the disk, such as files. Where the browser keeps none there are none. */
export interface KeptRecords<T> {
  all(): Promise<readonly T[]>;
  add(record: T): Promise<void>;
  remove(key: string): Promise<void>;
}

/** A database with one table, whose records have a `key`. It is opened when it is first used. */
export function keptRecords<T>(database: string, table: string): KeptRecords<T> {
  let opened: Promise<IDBDatabase> | null = null;
  const close = (): void => {
    opened = null;
  };
  const open = async (): Promise<IDBDatabase> => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'key' });
    const connection = await promised(request);
    // Signing out, here or in another window, deletes it. The next call creates it again.
    connection.onversionchange = () => {
      connection.close();
      close();
    };
    connection.onclose = close;
    return connection;
  };
  const run = async <R>(
    mode: IDBTransactionMode,
    work: (records: IDBObjectStore) => IDBRequest<R>,
  ): Promise<R | null> => {
    try {
      opened ??= open();
      return await promised(work((await opened).transaction(table, mode).objectStore(table)));
    } catch {
      // Blocked, full or deleted meanwhile.
      close();
      return null;
    }
  };
  return {
    all: async () => (await run('readonly', (records) => records.getAll() as IDBRequest<T[]>)) ?? [],
    async add(record) {
      await run('readwrite', (records) => records.put(record));
    },
    async remove(key) {
      await run('readwrite', (records) => records.delete(key));
    },
  };
}

/** Deletes such a database, once no window has it open any more. */
export function forgetRecords(database: string): void {
  try {
    indexedDB.deleteDatabase(database);
  } catch {
    // Without storage there is none.
  }
}

function promised<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
