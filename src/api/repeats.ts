import { getTRPCErrorFromUnknown } from '@trpc/server';
import superjson, { type SuperJSONResult } from 'superjson';
import type { RequestHeaders } from '../http/request-headers.ts';
import { inputHash, repeatKeyOf } from '../repeats/repeat-key.ts';
import { repeatRuleOf } from '../repeats/repeat-rules.ts';
import type { AnswerForm, RepeatableCall } from '../repeats/repeats.ts';
import { subjectsOf } from '../repeats/subjects.ts';
import { publicErrorOf } from './error-shape.ts';
import { transformer } from './transformer.ts';

/** The call as one that may come again; null without an `Idempotency-Key`, and where keys mean nothing. */
export async function repeatableCallOf(given: {
  readonly path: string;
  readonly type: string;
  readonly ctx: {
    readonly user: { readonly id: string } | null;
    readonly request: { readonly headers: RequestHeaders };
  };
  readonly getRawInput: () => Promise<unknown>;
}): Promise<RepeatableCall | null> {
  const { path, type, ctx } = given;
  const rule = type === 'mutation' ? repeatRuleOf(path) : null;
  if (rule === null || ctx.user === null) return null;
  const key = repeatKeyOf(ctx.request.headers);
  if (key === null) return null;
  const input = await given.getRawInput();
  const subjects = subjectsOf(rule.about, input);
  return { userId: ctx.user.id, operation: path, key, inputHash: inputHash(input), subjects };
}

/** Outputs as they go over the wire, so that a repeat is answered to the byte as the first call was. */
export const OUTPUT_FORM: AnswerForm<unknown> = {
  pack: transformer.serialize,
  unpack: (packed) => superjson.deserialize(packed as SuperJSONResult),
  publicErrorOf: (error) => publicErrorOf(getTRPCErrorFromUnknown(error)),
};
