import type { FieldMessages } from './errors.ts';

/** Names that superjson refuses. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  /** Of an object with keys that its schema does not know. */
  readonly keys?: unknown;
}

const UNKNOWN_KEY = 'There is no such field. Leave it out.';
/** A client that has fixed these finds the rest. */
const MAX_ISSUES = 100;
/** Names come from the client; more of them, or longer ones, are of no use. */
const MAX_UNKNOWN_KEYS = 20;
const MAX_KEY_LENGTH = 64;

function isIssue(value: unknown): value is Issue {
  if (typeof value !== 'object' || value === null) return false;
  return typeof Reflect.get(value, 'message') === 'string' && Array.isArray(Reflect.get(value, 'path'));
}

/** Messages by field of a failed input schema (zod's issues), or null when the error is something else. */
export function fieldsOf(cause: unknown): FieldMessages | null {
  if (!(cause instanceof Error)) return null;
  const issues: unknown = Reflect.get(cause, 'issues');
  if (!Array.isArray(issues)) return null;
  const fields: Record<string, string[]> = Object.create(null);
  for (const issue of issues.slice(0, MAX_ISSUES).filter(isIssue)) {
    for (const { path, message } of messagesOf(issue)) {
      const field = path.map(String).join('.') || '_';
      fields[field] = [...(fields[field] ?? []), message];
    }
  }
  return fields;
}

const isShown = (name: string): boolean =>
  name.length <= MAX_KEY_LENGTH && name.isWellFormed() && !FORBIDDEN_KEYS.has(name);

/** An issue about unknown keys is one message at each of them; any other stays as it is. */
function messagesOf(issue: Issue): Issue[] {
  if (!Array.isArray(issue.keys)) return [issue];
  const names = issue.keys.slice(0, MAX_UNKNOWN_KEYS).map(String);
  const shown = new Set(names.map((name) => (isShown(name) ? name : '_')));
  return [...shown].map((name) => ({ path: [...issue.path, name], message: UNKNOWN_KEY }));
}
