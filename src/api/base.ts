/** The tRPC instance that every router is built with, and the three kinds of callers. */
import { getTRPCErrorFromUnknown, initTRPC } from '@trpc/server';
import superjson, { type SuperJSONResult } from 'superjson';
import type { SessionUser as AuthUser } from '../auth/session-user.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest } from '../http/message.ts';
import { repeatableCallOf } from '../repeats/repeatable-call.ts';
import { type AnswerForm, type Keep, keepNothing, type Repeats } from '../repeats/repeats.ts';
import { formatError, publicErrorOf } from './error-shape.ts';
import type { ProcedureMeta } from './procedure-meta.ts';
import { transformer } from './transformer.ts';

/** The fields of the signed-in user that procedures need. */
export type SessionUser = Readonly<
  Pick<AuthUser, 'id' | 'sessionId' | 'role' | 'name' | 'email' | 'locale' | 'verifiedAt' | 'isSuspended'>
>;

/** The context of a procedure call. */
export interface RequestContext {
  readonly request: Pick<HttpRequest, 'id' | 'remoteAddress' | 'headers' | 'signal'>;
  /** Null when the caller is unauthenticated. */
  readonly user: SessionUser | null;
  /** Headers to send with the answer, whether the procedure succeeds or not. */
  readonly responseHeaders: Pick<Headers, 'append' | 'set'>;
  readonly repeats: Repeats;
}

const t = initTRPC.context<RequestContext>().meta<ProcedureMeta>().create({
  transformer,
  errorFormatter: formatError,
  // Never depends on NODE_ENV: stack traces must not leave the process.
  isDev: false,
});

export const { router } = t;

/** Any caller, signed in or not. */
export const publicProcedure = t.procedure.meta({ who: 'public' });

/** Outputs in their serialized form, so that a repeated call gets exactly the bytes of the first answer. */
const OUTPUT_FORM: AnswerForm<unknown> = {
  pack: transformer.serialize,
  unpack: (packed) => superjson.deserialize(packed as SuperJSONResult),
  publicErrorOf: (error) => publicErrorOf(getTRPCErrorFromUnknown(error)),
};

/** The signed-in user, when this kind of caller is admitted. @throws PublicError */
type Admission = (user: SessionUser | null) => SessionUser;

function signedIn(user: SessionUser | null): SessionUser {
  if (user === null) throw new PublicError('UNAUTHORIZED');
  return user;
}

function agent(user: SessionUser | null): SessionUser {
  const { role } = signedIn(user);
  if (role !== 'agent') throw new PublicError('AGENT_REQUIRED');
  return signedIn(user);
}

/**
 * Lets in whom `admission` admits; a suspended person changes only what `whileSuspended` marks. A mutation with an `Idempotency-Key` is executed once; a repeat gets the stored
 * answer. `ctx.keepAnswer` stores the answer in the transaction of the work; without a key it does nothing. All of it is
 * one middleware, because each costs every call.
 */
const guardedBy = (who: 'session' | 'agent', admission: Admission) =>
  t.procedure.meta({ who }).use(async (call) => {
    const user = admission(call.ctx.user);
    if (user.isSuspended && call.type === 'mutation' && call.meta?.whileSuspended !== true)
      throw new PublicError('ACCOUNT_SUSPENDED');
    if (call.meta?.needsName === true && user.name === '') throw new PublicError('NAME_REQUIRED');
    const repeatableCall = await repeatableCallOf({
      userId: user.id,
      operation: call.path,
      headers: call.ctx.request.headers,
      input: call.getRawInput,
    });
    const passOn = (keepAnswer: Keep<unknown>) => call.next({ ctx: { user, keepAnswer } });
    if (repeatableCall === null) return passOn(keepNothing);
    let passed: Awaited<ReturnType<typeof passOn>> | null = null;
    const data = await call.ctx.repeats.once<unknown>(repeatableCall, OUTPUT_FORM, async (keep) => {
      passed = await passOn(keep);
      if (!passed.ok) throw passed.error;
      return passed.data;
    });
    // tRPC has no type for an answer that no procedure made; this is the shape that `next` returns on success.
    return passed ?? ({ ok: true, data } as Awaited<ReturnType<typeof passOn>>);
  });

/** Signed-in users; `ctx.user` is not null. Others get UNAUTHORIZED. */
export const sessionProcedure = guardedBy('session', signedIn);

/** Agents. Signed-out callers get UNAUTHORIZED, customers AGENT_REQUIRED. */
export const agentProcedure = guardedBy('agent', agent);
