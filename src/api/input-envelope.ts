/**
 * Reads the input of a call as clients write it: `{"json": …, "meta": …}`, with superjson's annotations in `meta`.
 * superjson builds whatever `meta` says before any schema validates it, for example a typed array with a length
 * from the input. None of our inputs has a type that JSON lacks. Only the annotations that clients write by
 * themselves are therefore accepted: `undefined` for a field without a value, and `number` for minus zero, NaN and
 * infinities. Equality annotations are ignored, since the values are present in full. Any other annotation is
 * rejected.
 */
import { PublicError } from '../errors/errors.ts';

/** Limit of a body. Our largest input, a listing with its description, has about 50 KiB. */
export const MAX_INPUT_BYTES = 256 * 1024;
/** Our deepest input has six levels. */
export const MAX_INPUT_DEPTH = 32;
/** Keys and elements. Our largest input, a search by a polygon of 200 points, has about 700. */
export const MAX_INPUT_VALUES = 5_000;
/** Annotations in `meta`, of both kinds together. */
export const MAX_INPUT_NOTES = 1_000;
const MAX_NOTE_PATH = 256;

/**
 * Checks the text of an input before it is parsed. @throws PublicError INVALID_INPUT when it is too deep or too
 * large
 */
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
 * The value of an envelope. It is changed in place, because it was parsed for this call and has no other reference.
 * @throws PublicError INVALID_INPUT that says what is wrong with the envelope or its annotations
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

/** Nothing to apply: the value is present at this path too. It is absent only where a client sent null instead. */
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

/** Paths come from the client; longer ones are not repeated in an error. */
const SHOWN_PATH = /^[a-zA-Z0-9.]{1,64}$/;
const INDEX = /^(?:0|[1-9]\d{0,6})$/;

/**
 * Finds the value at a path of keys and indices; every part of the path must exist. None of our keys contains a dot
 * or a backslash.
 */
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
