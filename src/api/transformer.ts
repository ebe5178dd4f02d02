/**
 * The superjson transformer of the API. Values that JSON represents exactly, which nearly all answers are, take a
 * shortcut: the output equals superjson's, without its walk over the value. Any other value goes through superjson.
 * Inputs never do, because it builds whatever a client annotates (`input-envelope.ts`).
 */
import superjson, { type SuperJSONResult } from 'superjson';
import { FORBIDDEN_KEYS } from '../errors/input-fields.ts';
import { readEnvelope } from './input-envelope.ts';

export const transformer = {
  serialize(value: unknown): SuperJSONResult {
    return isPlainJson(value, new Set())
      ? { json: value as SuperJSONResult['json'] }
      : superjson.serialize(value);
  },
  deserialize: readEnvelope,
};

/** False also for a value that occurs twice: superjson annotates that, and the client makes it one object again. */
function isPlainJson(value: unknown, seen: Set<object>): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object' || seen.has(value)) return false;
  seen.add(value);
  return Array.isArray(value)
    ? isPlainArray(value, seen)
    : isPlainObject(value) && isPlainRecord(value, seen);
}

function isPlainArray(value: readonly unknown[], seen: Set<object>): boolean {
  // Includes array holes, which read as undefined.
  for (const item of value) if (!isPlainJson(item, seen)) return false;
  return true;
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isPlainRecord(value: object, seen: Set<object>): boolean {
  for (const key in value) {
    if (FORBIDDEN_KEYS.has(key) || !isPlainJson(value[key as keyof typeof value], seen)) return false;
  }
  return !('toJSON' in value);
}
