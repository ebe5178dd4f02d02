import { z } from 'zod';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;

/**
 * Text from a client, trimmed, at least one character. PostgreSQL cannot hold NUL, and jsonb (the journal) no lone
 * surrogates; both are refused here, as input at fault, with all other control characters.
 */
const text = (max: number, forbidden: RegExp) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !forbidden.test(value), 'Control characters are not allowed.');

/** Text of one line. */
export const line = (max: number) => text(max, CONTROL);
/** The same over several lines. */
export const paragraphs = (max: number) => text(max, CONTROL_BUT_LINES);

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

/** The values of the schema's fields and nothing else: what a view does not name never becomes a part of it. */
export function viewOf<S extends z.ZodObject>(schema: S, values: z.output<S>): z.output<S> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, values[name]])) as z.output<S>;
}

/** How many items a page may have. */
export const pageLimit = z.int().min(1).max(100).default(50);

/** Keyset paging: `cursor` is the `nextCursor` of the page before. */
export const paging = { cursor: uuid.nullish(), limit: pageLimit };

export const pageOutput = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** A page of `limit + 1` items that were asked for, and the cursor of its last when there is more. */
export function pageOf<T>(items: T[], limit: number, cursorOf: (item: T) => string) {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, nextCursor: items.length > limit && last !== undefined ? cursorOf(last) : null };
}
