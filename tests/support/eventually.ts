export interface Eventually {
  /** Completes the sentence "waited for …". */
  what: string;
  timeoutMs?: number;
  intervalMs?: number;
}

/**
 * Calls `look` until it returns something other than false, null or undefined, and returns that. A throwing `look`
 * counts as "not yet". The only place where tests wait.
 * @throws Error saying what was waited for, how long, and what the last look saw
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  { what, timeoutMs = 45_000, intervalMs = 25 }: Eventually,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const seen = await look();
      if (seen !== false && seen !== null && seen !== undefined)
        return seen as NonNullable<Exclude<T, false>>;
      last = seen;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= deadline) {
      const cause = last instanceof Error ? { cause: last } : {};
      const saw = last instanceof Error ? last.message : String(last);
      throw new Error(`waited ${timeoutMs} ms for ${what}; the last look saw: ${saw}`, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
