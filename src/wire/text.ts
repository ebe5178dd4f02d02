import { z } from 'zod';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/**
 * Text from a client, trimmed, at least one character. PostgreSQL cannot hold NUL, and jsonb (the journal) no lone
 * surrogates; both are refused here, as input at fault, with all other control characters.
 */
export function line(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !CONTROL.test(value), 'Control characters are not allowed.');
}

/** The same over several lines. */
export function paragraphs(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine(
      (value) => value.isWellFormed() && !CONTROL_BUT_LINES.test(value),
      'Control characters are not allowed.',
    );
}

/** An id, in the spelling that the database gives it. */
export const uuid = z.guid().toLowerCase();

/** What a procedure takes that needs nothing: nothing, null or an empty object. */
export const noInput = z.strictObject({}).nullish();

/** An instant on the wire (docs/contract.md#clients: dates are ISO strings). */
export const instant = z.iso.datetime();

/** Milliseconds as an instant of the wire. */
export function iso(millis: number): string;
export function iso(millis: number | null): string | null;
export function iso(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

/** The id of the last item of a page, or null when the page was the last; ask for `limit + 1` items. */
export function pageOf<T>(items: T[], limit: number, idOf: (item: T) => string) {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, nextCursor: items.length > limit && last !== undefined ? idOf(last) : null };
}

/** Keyset paging: `cursor` is the `nextCursor` of the page before. */
export const paging = {
  cursor: uuid.nullish(),
  limit: z.int().min(1).max(100).default(50),
};
