/** A part of the process whose library is loaded by its first use. */
export interface LoadedOnce<T> {
  (): Promise<T>;
  /** What was loaded, or undefined; it loads nothing itself. */
  loaded(): Promise<T | undefined>;
}

/** @param load imports and opens the part; a failure is not kept, so that the next use tries again */
export function loadedOnce<T>(load: () => Promise<T>): LoadedOnce<T> {
  let part: Promise<T> | undefined;
  const use = () => {
    part ??= load().catch((error: unknown) => {
      part = undefined;
      throw error;
    });
    return part;
  };
  return Object.assign(use, { loaded: async () => part?.catch(() => undefined) });
}
