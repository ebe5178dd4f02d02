import type { z } from 'zod';

export type SafelyParsed<T> =
  | { readonly success: true; readonly data: T }
  | { readonly success: false; readonly error: z.ZodError | null };

/**
 * `schema.safeParse`, which is not safe of itself: zod compares the `length` of whatever has one, also of an object, and
 * that throws for `{"length": {"toString": 1}}`. `error` is null then. For input that does not pass through tRPC, which
 * catches what a schema throws.
 */
export function safelyParsed<T>(schema: z.ZodType<T>, value: unknown): SafelyParsed<T> {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof TypeError) return { success: false, error: null };
    throw error;
  }
}
