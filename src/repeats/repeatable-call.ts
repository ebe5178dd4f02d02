import { createHash } from 'node:crypto';
import type { CallSubjects } from '../../persistence/accounts/idempotency-keys.ts';
import { PublicError } from '../errors/errors.ts';
import type { RequestHeaders } from '../http/request-headers.ts';
import { uuid } from '../wire/text.ts';
import { type RepeatSubject, repeatRuleOf } from './repeat-rules.ts';

export interface RepeatableCall {
  readonly userId: string;
  readonly operation: string;
  readonly key: string;
  readonly inputHash: string;
  readonly subjects: CallSubjects;
}

/** The call with its key and hash; null without an `Idempotency-Key`, and for calls that ignore keys. */
export async function repeatableCallOf(given: {
  readonly userId: string;
  /** A procedure, or method and path, as in the table of rules. */
  readonly operation: string;
  readonly headers: RequestHeaders;
  /** Everything that the client sent; called only with a key. A file is represented by its hash. */
  readonly input: () => unknown;
}): Promise<RepeatableCall | null> {
  const { userId, operation, headers } = given;
  const rule = repeatRuleOf(operation);
  const key = rule === null ? null : repeatKeyOf(headers);
  if (rule === null || key === null) return null;
  const input = await given.input();
  return { userId, operation, key, inputHash: inputHash(input), subjects: subjectsOf(rule.about, input) };
}

const HEADER = 'idempotency-key';
const KEY = /^[ -~]{1,255}$/;
const SAY = 'The Idempotency-Key must be 1 to 255 printable ASCII characters, and sent once.';

/** The key of a call; null without one. @throws PublicError INVALID_INPUT */
export function repeatKeyOf(headers: RequestHeaders): string | null {
  const key = headers.get(HEADER);
  if (key === undefined) return null;
  if (headers.isRepeated(HEADER) || !KEY.test(key)) throw new PublicError('INVALID_INPUT', { message: SAY });
  return key;
}

/** Equal for inputs with the same JSON, whatever the order of their fields. @throws PublicError INVALID_INPUT */
export function inputHash(input: unknown): string {
  return createHash('sha256').update(canonical(input)).digest('hex');
}

/** The hash of a file's bytes, which represents the file in an input. */
export const fileHash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function canonical(input: unknown): string {
  try {
    return JSON.stringify(input, sorted) ?? '';
  } catch (cause) {
    // A value that JSON cannot represent is not a valid input of any procedure.
    throw new PublicError('INVALID_INPUT', { cause });
  }
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The ids in an input, read before any schema has validated it: values that are not ids are skipped. */
function subjectsOf(about: RepeatSubject, input: unknown): CallSubjects {
  const given = fieldsOf(input);
  const nothing = { propertyIds: [], imageIds: [], jobIds: [], reportIds: [], tourId: null };
  switch (about) {
    case 'own':
      return nothing;
    case 'listing':
      return { ...nothing, propertyIds: ids([given.propertyId]) };
    case 'image':
      return { ...nothing, imageIds: ids([given.imageId]) };
    case 'images':
      return { ...nothing, imageIds: ids(listOf(given.imageIds)) };
    case 'assignments': {
      const originals = listOf(given.assignments).map((one) => fieldsOf(one).originalImageId);
      return { ...nothing, imageIds: ids(originals) };
    }
    case 'job':
      return { ...nothing, jobIds: ids([given.aiJobId]) };
    case 'report':
      return { ...nothing, reportIds: ids([given.reportId]) };
    case 'tour':
      return { ...nothing, tourId: ids([given.tourId])[0] ?? null };
  }
}

/** The procedures reject longer lists. */
const MAX_LISTED = 50;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_LISTED) : []);

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const ids = (values: readonly unknown[]): string[] =>
  values.flatMap((value) => {
    const id = uuid.safeParse(value);
    return id.success ? [id.data] : [];
  });
