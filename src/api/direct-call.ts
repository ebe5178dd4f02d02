/**
 * Calls a procedure: its guards, input schemas, resolver and output schema, in their declared order. tRPC's own caller
 * takes the same steps, but copies all options twice for each of them and waits several times in between, which took
 * half of a call. Its answers are the same (the test of plain calls compares them), with two limits: schemas that
 * are asynchronous are not supported, and a guard can change nothing but the context.
 */
import { type AnyTRPCProcedure, getTRPCErrorFromUnknown, TRPCError } from '@trpc/server';
import { type Guard, type GuardResult, type Schema, type Step, stepsOf } from './router-procedures.ts';

export interface DirectCall {
  readonly path: string;
  readonly ctx: object;
  /** Read only when a procedure asks for its signal. */
  readonly request: { readonly signal: AbortSignal };
  /** The input before any schema. @throws the error of reading it */
  rawInput(): unknown;
}

/** May throw at once, too. */
type Run = (call: DirectCall, ctx: object, input: unknown) => unknown;

const callers = new WeakMap<AnyTRPCProcedure, Run>();

/** The procedure's output. @throws the errors of its guards, schemas and resolver */
export async function callDirectly(procedure: AnyTRPCProcedure, call: DirectCall): Promise<unknown> {
  const run = callers.get(procedure) ?? callerOf(procedure);
  callers.set(procedure, run);
  return run(call, call.ctx, undefined);
}

function callerOf(procedure: AnyTRPCProcedure): Run {
  const { steps, resolver } = stepsOf(procedure);
  const innermost: Run = (call, ctx, input) => resolver(new CallOptions(procedure, call, { ctx, input }));
  return steps.reduceRight((inner, step) => around(procedure, step, inner), innermost);
}

function around(procedure: AnyTRPCProcedure, step: Step, inner: Run): Run {
  if (step.kind === 'guard') return guarded(procedure, step.guard, inner);
  return step.kind === 'input' ? withInput(step.schema, inner) : withOutput(step.schema, inner);
}

function withInput(schema: Schema, inner: Run): Run {
  return (call, ctx, earlier) => {
    const raw = call.rawInput();
    let input: unknown;
    try {
      input = schema.parse(raw);
    } catch (cause) {
      throw new TRPCError({ code: 'BAD_REQUEST', cause });
    }
    return inner(call, ctx, isRecord(earlier) && isRecord(input) ? { ...earlier, ...input } : input);
  };
}

function withOutput(schema: Schema, inner: Run): Run {
  return async (call, ctx, input) => {
    const data = await inner(call, ctx, input);
    try {
      return schema.parse(data);
    } catch (cause) {
      throw new TRPCError({ code: 'INTERNAL_SERVER_ERROR', message: 'Output validation failed', cause });
    }
  };
}

function guarded(procedure: AnyTRPCProcedure, guard: Guard, inner: Run): Run {
  return async (call, ctx, input) => {
    const next = async (changed?: { readonly ctx?: object }): Promise<GuardResult> => {
      try {
        const data = await inner(call, changed?.ctx === undefined ? ctx : { ...ctx, ...changed.ctx }, input);
        return { ok: true, data };
      } catch (cause) {
        return { ok: false, error: getTRPCErrorFromUnknown(cause) };
      }
    };
    const result = await guard(new CallOptions(procedure, call, { ctx, input, next }));
    if (!result.ok) throw result.error;
    return result.data;
  };
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What guards and resolvers are given, under tRPC's names. */
class CallOptions {
  readonly batchIndex = 0;
  readonly ctx: object;
  readonly input: unknown;
  readonly next: unknown;
  readonly #procedure: AnyTRPCProcedure;
  readonly #call: DirectCall;

  constructor(
    procedure: AnyTRPCProcedure,
    call: DirectCall,
    given: { readonly ctx: object; readonly input: unknown; readonly next?: unknown },
  ) {
    this.#procedure = procedure;
    this.#call = call;
    this.ctx = given.ctx;
    this.input = given.input;
    this.next = given.next;
  }

  get path(): string {
    return this.#call.path;
  }

  get type(): string {
    return this.#procedure._def.type;
  }

  get meta(): unknown {
    return this.#procedure._def.meta;
  }

  get signal(): AbortSignal {
    return this.#call.request.signal;
  }

  get getRawInput(): () => Promise<unknown> {
    return async () => this.#call.rawInput();
  }
}
