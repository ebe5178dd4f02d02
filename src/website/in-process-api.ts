import { type AnyTRPCRouter, getTRPCErrorFromUnknown } from '@trpc/server';
import type { RequestContext } from '../api/base.ts';
import { callProcedure } from '../api/calls/procedure-call.ts';
import { publicErrorOf } from '../api/error-shape.ts';
import type { PublicError } from '../errors/errors.ts';

/** Rejected by a call: what the browser's client tells of a failed call, under the same names. */
class CallError extends Error {
  readonly httpStatus: number;
  readonly errorCode: string;
  readonly messageKey: string;

  constructor(error: PublicError) {
    super(error.message, { cause: error });
    this.httpStatus = error.httpStatus;
    this.errorCode = error.code;
    this.messageKey = error.messageKey;
  }
}

/** An object that makes what it is asked for. */
const named = <T>(make: (name: string) => T): Readonly<Record<string, T>> =>
  new Proxy({}, { get: (_, name) => make(String(name)) });

type Call = (input?: unknown) => Promise<unknown>;

/**
 * Every procedure as pages call it on the server: `api.search.list(input)`, in this process, with the same checks of
 * input and of rights as over HTTP. Answers are those of the output schemas, before serialization: plain JSON.
 */
export function inProcessApi(
  router: AnyTRPCRouter,
  context: RequestContext,
): Readonly<Record<string, Readonly<Record<string, Call>>>> {
  const callOf =
    (path: string): Call =>
    async (input) => {
      try {
        return await callProcedure(router, { path, ctx: context, rawInput: () => input });
      } catch (error) {
        throw new CallError(publicErrorOf(getTRPCErrorFromUnknown(error)));
      }
    };
  // A page calls a few of a hundred.
  return named((group) => named((name) => callOf(`${group}.${name}`)));
}
