/** Short messages over the page, and whether the server can be reached. */
interface Notice {
  readonly id: number;
  /** A key of the catalogs. */
  readonly key: string;
  /** Takes back what the message tells of. */
  readonly undo?: (() => void) | undefined;
}

/** More at once would hide the page. */
const MOST = 3;
const SHOWN_MS = 5_000;
/** Long enough to reach the button. */
const SHOWN_WITH_UNDO_MS = 10_000;

export function createNotices(after: (ms: number, run: () => void) => void) {
  let notices: readonly Notice[] = [];
  let isOffline = false;
  let isOfOther = false;
  let nextId = 1;
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const drop = (id: number) => {
    notices = notices.filter((notice) => notice.id !== id);
    changed();
  };
  return {
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    current: () => notices,
    isOffline: () => isOffline,
    /** Whether the page was loaded again because another person, or no one, is signed in. */
    isOfOther: () => isOfOther,
    setOfOther(value: boolean): void {
      isOfOther = value;
      changed();
    },
    /** Shows a message for a few seconds. The same message is shown once. */
    say(key: string, undo?: () => void): void {
      const notice = { id: nextId, key, undo };
      nextId += 1;
      notices = [...notices.filter((shown) => shown.key !== key), notice].slice(-MOST);
      changed();
      after(undo === undefined ? SHOWN_MS : SHOWN_WITH_UNDO_MS, () => drop(notice.id));
    },
    drop,
    setOffline(value: boolean): void {
      if (isOffline === value) return;
      isOffline = value;
      changed();
    },
  };
}

export type Notices = ReturnType<typeof createNotices>;
