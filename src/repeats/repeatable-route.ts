import { asPublicError } from '../http/error-response.ts';
import type { HttpHeader, HttpRequest, HttpResponse } from '../http/message.ts';
import { repeatableCallOf } from './repeatable-call.ts';
import { type AnswerForm, type Keep, keepNothing, type Repeats } from './repeats.ts';

/**
 * Runs a plain route's work once per `Idempotency-Key`; without a key it just runs it. The caller's rights have
 * been checked before. @throws as `Repeats.once`
 */
export async function repeatable(
  { repeats }: { readonly repeats: Repeats },
  { headers }: Pick<HttpRequest, 'headers'>,
  given: Omit<Parameters<typeof repeatableCallOf>[0], 'headers'>,
  work: (keep: Keep<HttpResponse>) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const call = await repeatableCallOf({ ...given, headers });
  return call === null ? work(keepNothing) : repeats.once(call, FORM, work);
}

const FORM: AnswerForm<HttpResponse> = {
  pack: ({ status, headers, body }) => {
    if (typeof body !== 'string') throw new Error('only answers that are text can be kept');
    return { status, headers, body };
  },
  unpack: (packed) => packed as { status: number; headers: HttpHeader[]; body: string },
  publicErrorOf: asPublicError,
};
