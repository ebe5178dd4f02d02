import { z } from 'zod';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_LINES = /[^\P{Cc}\t\n\r]/u;
/** A character that a reader sees. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/**
 * Text from a client, trimmed, at least one character. PostgreSQL cannot store NUL, and jsonb (the journal) cannot
 * store lone surrogates. Both are rejected here as invalid input, with all other control characters.
 */
const text = (max: number, forbidden: RegExp) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !forbidden.test(value), 'Control characters are not allowed.');

/** Embeddings, overrides and isolates. The marks LRM, RLM and ALM, which editors of Arabic and Hebrew insert, are none. */
const TURNS_DIRECTION = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * Text that others read. Characters that turn the direction of writing would also turn what follows the text on a page,
 * and a text without a visible character shows nothing.
 */
const shown = (max: number, forbidden: RegExp) =>
  text(max, forbidden)
    .refine((value) => !TURNS_DIRECTION.test(value), 'Changes of the writing direction are not allowed.')
    .refine((value) => VISIBLE.test(value), 'It has no visible character.');

/** What a person searches for. */
export const searchText = (max: number) => text(max, CONTROL);
/** Text of one line. */
export const line = (max: number) => shown(max, CONTROL);
/** A name or an address of one line: strangers read it next to other people's texts, so it has no link and no mark. */
export const plainLine = (max: number) =>
  line(max)
    .refine((value) => !/\p{Bidi_Control}/u.test(value), 'Marks of the writing direction are not allowed.')
    .refine((value) => !value.includes('://'), 'Links are not allowed.');
/** Text over several lines. */
export const paragraphs = (max: number) => shown(max, CONTROL_BUT_LINES);

/** An id, spelled as in the database. */
export const uuid = z.guid().toLowerCase();

/** The input of a procedure without parameters: absent, null or an empty object. */
export const noInput = z.strictObject({}).nullish();

/** An instant on the wire (docs/contract.md#clients: dates are ISO strings). */
export const instant = z.iso.datetime();

/** Milliseconds as an instant of the wire. */
export function iso(millis: number): string;
export function iso(millis: number | null): string | null;
export function iso(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toISOString();
}

/** Only the values of the schema's fields: a value that the view does not declare never gets into it. */
export function viewOf<S extends z.ZodObject>(schema: S, values: z.output<S>): z.output<S> {
  return Object.fromEntries(Object.keys(schema.shape).map((name) => [name, values[name]])) as z.output<S>;
}

/** The number of items on a page. */
export const pageLimit = z.int().min(1).max(100).default(50);

/** Keyset paging: `cursor` is the `nextCursor` of the previous page. */
export const paging = { cursor: uuid.nullish(), limit: pageLimit };

export const pageOutput = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

/** A page of the `limit + 1` items that were read, and the cursor of its last item when there are more. */
export function pageOf<T>(items: T[], limit: number, cursorOf: (item: T) => string) {
  const page = items.slice(0, limit);
  const last = page.at(-1);
  return { items: page, nextCursor: items.length > limit && last !== undefined ? cursorOf(last) : null };
}
