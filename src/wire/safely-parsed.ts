import type { z } from 'zod';

export type SafelyParsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: z.ZodError | null };

/**
 * `schema.safeParse` that never throws. zod's own compares the `length` of any value that has one, even of an
 * object, and throws for `{"length": {"toString": 1}}`; `error` is null then. For input that does not pass through
 * tRPC, which catches such errors.
 */
export function safelyParsed<T>(schema: z.ZodType<T>, value: unknown): SafelyParsed<T> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof TypeError) return { success: false, error: null };
    throw error;
  }
}
