import { z } from 'zod';
import type { FieldMessages } from './errors.ts';

/** Names that superjson rejects. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const UNKNOWN_KEY = 'There is no such field. Leave it out.';
/** A client that has fixed these gets the rest with its next call. */
const MAX_ISSUES = 100;
/** Names come from the client; more or longer ones are not repeated. */
const MAX_UNKNOWN_KEYS = 20;
const MAX_KEY_LENGTH = 64;

/** Messages by field of an input that its schema rejected; null for any other error. */
export function fieldsOf(cause: unknown): FieldMessages | null {
  if (!(cause instanceof z.core.$ZodError)) return null;
  const fields: Record<string, string[]> = Object.create(null);
  for (const { path, message } of cause.issues.slice(0, MAX_ISSUES).flatMap(messagesOf)) {
    const field = path.map(String).join('.') || '_';
    fields[field] = [...(fields[field] ?? []), message];
  }
  return fields;
}

const isShown = (name: string): boolean =>
  name.length <= MAX_KEY_LENGTH && name.isWellFormed() && !FORBIDDEN_KEYS.has(name);

/** An issue about unknown keys becomes one message per key; any other issue stays as it is. */
function messagesOf(issue: z.core.$ZodIssue): Pick<z.core.$ZodIssue, 'path' | 'message'>[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  const names = issue.keys.slice(0, MAX_UNKNOWN_KEYS);
  const shown = new Set(names.map((name) => (isShown(name) ? name : '_')));
  return [...shown].map((name) => ({ path: [...issue.path, name], message: UNKNOWN_KEY }));
}
