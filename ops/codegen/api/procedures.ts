import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { proceduresOf } from '../../../src/api/calls/procedures.ts';
import type { Guard, OwnErrorCode, ProcedureMeta } from '../../../src/api/procedure-meta.ts';
import { createAppRouter } from '../../../src/api/routers/app.ts';
import type { Services } from '../../../src/api/services.ts';

/** One procedure, as the router declares it. */
export interface ProcedureInfo {
  /** `users.getMe` */
  readonly path: string;
  readonly kind: 'query' | 'mutation';
  readonly who: Guard;
  /** In addition to the common ones and those of `who`; sorted. */
  readonly errors: readonly OwnErrorCode[];
  /** `noInput` when it takes no input. */
  readonly input: z.ZodType;
  readonly output: z.ZodType;
}

/**
 * Every procedure of the API host, by path, read from the router itself, so that none can be missing. A procedure
 * without a declared caller or output is an error here and in the tests.
 * @throws Error that names the procedure and what is missing
 */
export function readProcedures(router: AnyTRPCRouter = createAppRouter(inertServices())): ProcedureInfo[] {
  return Object.entries(proceduresOf(router))
    .map(([path, procedure]) => factsOf(path, procedure))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function factsOf(path: string, { _def }: AnyTRPCProcedure): ProcedureInfo {
  const { type: kind, meta, inputs } = _def as typeof _def & { inputs: unknown[] };
  if (kind === 'subscription') throw new Error(`${path}: subscriptions are not part of this API`);
  const { who, errors = [] } = (meta ?? {}) as ProcedureMeta;
  if (who === undefined) throw new Error(`${path}: build it from a procedure of src/api/base.ts`);
  // tRPC's types do not show the output parser.
  const output: unknown = Reflect.get(_def, 'output');
  if (!(output instanceof z.ZodType)) throw new Error(`${path}: declare its .output() with a zod schema`);
  if (inputs.length > 1) throw new Error(`${path}: declare one .input(), not ${inputs.length}`);
  const [input] = inputs;
  if (!(input instanceof z.ZodType))
    throw new Error(`${path}: declare its .input() with a zod schema, noInput when it takes nothing`);
  return { path, kind, who, errors: [...new Set(errors)].toSorted(), input, output };
}

/** Replacement for texts: routers may parse an address while they are created. */
const NOWHERE = 'http://nowhere.invalid';

/** Replacement for all services that routers get: it can be destructured, called and read, and does nothing. */
export function inertServices(): Services {
  const inert: object = new Proxy(() => {}, {
    get(_target, key) {
      if (key === Symbol.toPrimitive) return () => NOWHERE;
      return typeof key === 'symbol' || key === 'then' ? undefined : inert;
    },
    apply: () => inert,
  });
  return inert as Services;
}
