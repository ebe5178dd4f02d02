/**
 * superjson as both ends of the wire speak it. Answers have a short way for values that JSON holds as they are, which
 * nearly all of ours are: those come out as superjson would write them, without its walk. Anything else is superjson's.
 * Inputs are never given to it: it builds whatever a client says (`input-envelope.ts`).
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

/** False also for what occurs twice: superjson says so, and the other end makes it one value again. */
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
  // Over the holes, too, which are undefined.
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
