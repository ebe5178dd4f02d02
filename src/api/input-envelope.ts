/**
 * The input of a call as clients write it, `{"json": …, "meta": …}` with superjson's notes in `meta`, read so that
 * nothing is built which no schema asked for. superjson itself builds whatever `meta` says (a typed array as long as a
 * number in the input, for one) before any schema looks. No input of ours has a type that JSON lacks, so of its notes only
 * those are taken that a client writes by itself: `undefined` for a field that was given none, and `number` for minus zero and what
 * is no number. Equalities say nothing new, since the values stand in full. What else is noted is refused.
 */
import { PublicError } from '../errors/errors.ts';

/** Of a body. The largest input of ours, a listing with its description, has some 50 KiB. */
export const MAX_INPUT_BYTES = 256 * 1024;
/** The deepest input of ours nests six times. */
export const MAX_INPUT_DEPTH = 32;
/** Keys and elements; the largest input of ours, a search by a polygon of 200 points, has about 700. */
export const MAX_INPUT_VALUES = 5_000;
/** Notes in `meta`, of both kinds together. */
export const MAX_INPUT_NOTES = 1_000;
const MAX_NOTE_PATH = 256;

/** Looks at the text of an input before it is parsed. @throws PublicError INVALID_INPUT when it is too deep or too much */
export function checkInputText(text: string): void {
  let [depth, values] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === '{' || sign === '[') [depth, values] = [depth + 1, values + 1];
    else if (sign === '}' || sign === ']') depth -= 1;
    else if (sign === ',') values += 1;
    if (depth > MAX_INPUT_DEPTH) throw refused('_', `Nest at most ${MAX_INPUT_DEPTH} levels.`);
    if (values > MAX_INPUT_VALUES) throw refused('_', `Send at most ${MAX_INPUT_VALUES} keys and elements.`);
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/**
 * The value that an envelope holds. It is changed in place: it was parsed for this call, and nothing else refers to it.
 * @throws PublicError INVALID_INPUT that says what is wrong with the envelope or its notes
 */
export function readEnvelope(payload: unknown): unknown {
  if (!isRecord(payload) || !Object.hasOwn(payload, 'json'))
    throw refused('json', 'Put the input under this key: {"json": input}.');
  const { json, meta } = payload;
  return meta === undefined || meta === null ? json : withNotes(json, meta);
}

type Keyed = Record<string | number, unknown>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const META_KEYS = new Set(['values', 'referentialEqualities', 'v']);

function withNotes(json: unknown, meta: unknown): unknown {
  if (!isRecord(meta)) throw refused('meta', 'Leave it out: the input is plain JSON.');
  const unknown = Object.keys(meta).some((key) => !META_KEYS.has(key));
  if (unknown || (meta.v !== undefined && meta.v !== 1))
    throw refused('meta', 'Only values, referentialEqualities and v, which is 1, are taken here.');
  const { values = {}, referentialEqualities: equalities = {} } = meta;
  if (!isRecord(equalities)) throw refused('meta.referentialEqualities', IN_FULL);
  const equal = Object.entries(equalities).flatMap(([path, others]) => [path, others].flat());
  const noted = isRecord(values) ? Object.entries(values) : [];
  if (equal.length + noted.length > MAX_INPUT_NOTES)
    throw refused('meta', `Send at most ${MAX_INPUT_NOTES} notes.`);
  for (const path of equal) checkEqual(json, path);
  for (const [path, note] of noted) {
    const { parent, key } = placeOf(json, path, 'meta.values');
    parent[key] = notedValue(note, parent[key], path);
  }
  return isRecord(values) ? json : notedValue(values, json, '');
}

const IN_FULL = 'Send every value in full wherever it occurs.';

/** The value stands there as well, so there is nothing to do; it does not where a client sent null instead of it. */
function checkEqual(json: unknown, path: unknown): void {
  if (typeof path !== 'string') throw refused('meta.referentialEqualities', IN_FULL);
  const { parent, key } = placeOf(json, path, 'meta.referentialEqualities');
  if (parent[key] === null) throw refused('meta.referentialEqualities', IN_FULL);
}

const NO_NUMBERS: ReadonlySet<unknown> = new Set(['-0', 'NaN', 'Infinity', '-Infinity']);

/** @param path of the value in the input; empty for the whole of it */
function notedValue(note: unknown, value: unknown, path: string): unknown {
  const type: unknown = Array.isArray(note) && note.length === 1 ? note[0] : null;
  if (type === 'undefined' && value === null) return undefined;
  if (type === 'number' && NO_NUMBERS.has(value)) return Number(value);
  const field = SHOWN_PATH.test(path) ? `meta.values.${path}` : 'meta.values';
  throw refused(field, 'Send this as plain JSON. Only ["undefined"] and ["number"] are taken here.');
}

/** Paths come from the client; longer ones are of no use. */
const SHOWN_PATH = /^[a-zA-Z0-9.]{1,64}$/;
const INDEX = /^(?:0|[1-9]\d{0,6})$/;

/** Where a path of keys and indices leads to; every part of it is there. No key of ours has a dot or a backslash in it. */
function placeOf(json: unknown, path: string, field: string): { parent: Keyed; key: string } {
  const keys = path.length > MAX_NOTE_PATH ? [] : path.split('.');
  let [here, parent, last]: [unknown, Keyed | null, string] = [json, null, ''];
  for (const key of keys) {
    if (!holds(here, key)) throw refused(field, 'It names a place that the input does not have.');
    [parent, last, here] = [here, key, here[key]];
  }
  if (parent === null) throw refused(field, `A path has at most ${MAX_NOTE_PATH} characters.`);
  return { parent, key: last };
}

function holds(value: unknown, key: string): value is Keyed {
  if (Array.isArray(value)) return INDEX.test(key) && Number(key) < value.length;
  return isRecord(value) && Object.hasOwn(value, key);
}

function refused(field: string, message: string): PublicError {
  return new PublicError('INVALID_INPUT', { fields: { [field]: [message] } });
}
