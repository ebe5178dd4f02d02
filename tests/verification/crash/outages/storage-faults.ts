import { type Ruling, storageErrorOf } from '../../../support/platform/gates.ts';

/** What happens to requests to the store. */
export type StorageFault =
  | 'fair'
  | 'unavailable'
  | 'denied'
  | 'slow'
  | 'put acknowledged and lost'
  | 'delete acknowledged and lost';

/**
 * The faults of the object store, the same for every worker; a test sets them and counts the requests that met them.
 */
export interface StorageFaults {
  before(method: string, path: string): Promise<Ruling>;
  change(to: StorageFault): void;
  /** Requests that met a fault since the last change. */
  met(): number;
  /** Keys whose deletion was acknowledged and not done. */
  readonly lostDeletions: ReadonlySet<string>;
}

const SLOW_MS = 400;
const ACKNOWLEDGED: Ruling = { status: 200, headers: { etag: '"0123456789abcdef0123456789abcdef"' } };

export function createStorageFaults(bucket: string): StorageFaults {
  let now: StorageFault = 'fair';
  let met = 0;
  const lostDeletions = new Set<string>();
  const keyOf = (path: string) => decodeURIComponent(path.split('?')[0] ?? '').replace(`/${bucket}/`, '');
  const isResult = (method: string, path: string) => method === 'PUT' && path.includes('/staged/');
  const rule = (method: string, path: string): Ruling | 'wait' => {
    switch (now) {
      case 'fair':
        return 'pass';
      case 'slow':
        return 'wait';
      case 'unavailable':
        return storageErrorOf('unavailable');
      case 'denied':
        return isResult(method, path) ? storageErrorOf('denied') : 'pass';
      case 'put acknowledged and lost':
        return isResult(method, path) ? ACKNOWLEDGED : 'pass';
      case 'delete acknowledged and lost':
        if (method !== 'DELETE') return 'pass';
        lostDeletions.add(keyOf(path));
        return { status: 204 };
    }
  };
  return {
    lostDeletions,
    met: () => met,
    change(to) {
      now = to;
      met = 0;
    },
    async before(method, path) {
      const ruling = rule(method, path);
      if (ruling !== 'pass') met += 1;
      if (ruling !== 'wait') return ruling;
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      return 'pass';
    },
  };
}
