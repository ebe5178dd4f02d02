import type { AnyTRPCProcedure, AnyTRPCRouter, TRPCError } from '@trpc/server';

/**
 * What tRPC's types do not show of a router: its procedures in one flat record, and the steps of each. Only this file
 * relies on it.
 */

/** The router's procedures by their dotted paths. */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, AnyTRPCProcedure>> {
  return router._def.procedures;
}

/** The procedure of a path that a client sent. Names that every object inherits are not procedures. */
export function procedureOf(router: AnyTRPCRouter, path: string): AnyTRPCProcedure | undefined {
  const procedures = proceduresOf(router);
  return Object.hasOwn(procedures, path) ? procedures[path] : undefined;
}

/** Zod's, as far as a call needs it. */
export interface Schema {
  /** @throws the schema's error */
  parse(value: unknown): unknown;
}

/** What runs around the rest of a procedure. It may add to the context, and gives the result of `next` or one like it. */
export type Guard = (options: unknown) => Promise<GuardResult>;
export type GuardResult =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly error: TRPCError };

export type Step =
  | { readonly kind: 'guard'; readonly guard: Guard }
  | { readonly kind: 'input' | 'output'; readonly schema: Schema };

interface Definition {
  readonly middlewares: readonly (Guard & { readonly _type?: string })[];
  readonly inputs: readonly Schema[];
  readonly output?: Schema;
  readonly resolver: (options: unknown) => unknown;
}

/** The steps of a procedure from the outside in, and its resolver. @throws Error for a step of another kind */
export function stepsOf(procedure: AnyTRPCProcedure): {
  readonly steps: readonly Step[];
  readonly resolver: (options: unknown) => unknown;
} {
  const definition: object = procedure._def;
  const { middlewares, inputs, output, resolver } = definition as Definition;
  const schemas = inputs.values();
  // The last middleware is the one that calls the resolver.
  const steps = middlewares.slice(0, -1).map((guard): Step => {
    if (guard._type === undefined) return { kind: 'guard', guard };
    const schema = guard._type === 'input' ? schemas.next().value : output;
    if ((guard._type !== 'input' && guard._type !== 'output') || schema === undefined)
      throw new Error(`A procedure has a step that no caller knows: ${guard._type}`);
    return { kind: guard._type, schema };
  });
  return { steps, resolver };
}
