import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';

/**
 * The router's procedures by their dotted paths. tRPC keeps them in one flat record, which its types do not show; only
 * this file relies on it.
 */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, AnyTRPCProcedure>> {
  return router._def.procedures;
}

/** The procedure of a path that a client sent. Names that every object inherits are not procedures. */
export function procedureOf(router: AnyTRPCRouter, path: string): AnyTRPCProcedure | undefined {
  const procedures = proceduresOf(router);
  return Object.hasOwn(procedures, path) ? procedures[path] : undefined;
}
