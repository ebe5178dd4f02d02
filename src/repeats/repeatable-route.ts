import type { PublicError } from '../errors/errors.ts';
import { asPublicError } from '../http/error-response.ts';
import type { HttpHeader, HttpRequest, HttpResponse } from '../http/message.ts';
import { inputHash, repeatKeyOf } from './repeat-key.ts';
import { repeatRuleOf } from './repeat-rules.ts';
import { type AnswerForm, type Keep, keepNothing, type Repeats } from './repeats.ts';
import { subjectsOf } from './subjects.ts';

export interface RouteCall {
  readonly userId: string;
  /** Method and path, as in the table of rules. */
  readonly operation: string;
  /** Everything that the client sent; read only with a key. A file is identified by its hash. */
  readonly input: () => unknown;
}

/**
 * Runs a plain route's work once for each `Idempotency-Key`; without a key it just runs it. The caller's rights were
 * checked before. @throws as `Repeats.once`
 */
export function repeatable(
  { repeats }: { readonly repeats: Repeats },
  { headers }: Pick<HttpRequest, 'headers'>,
  { userId, operation, input }: RouteCall,
  work: (keep: Keep<HttpResponse>) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const key = repeatKeyOf(headers);
  const rule = repeatRuleOf(operation);
  if (key === null || rule === null) return work(keepNothing);
  const given = input();
  const subjects = subjectsOf(rule.about, given);
  return repeats.once({ userId, operation, key, inputHash: inputHash(given), subjects }, FORM, work);
}

const FORM: AnswerForm<HttpResponse> = {
  pack: ({ status, headers, body }) => {
    if (typeof body !== 'string') throw new Error('only answers that are text can be kept');
    return { status, headers, body };
  },
  unpack: (packed) => packed as { status: number; headers: HttpHeader[]; body: string },
  publicErrorOf: (error): PublicError => asPublicError(error),
};
