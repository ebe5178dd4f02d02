import type { HttpRequest, Route } from '../http/message.ts';
import { originFault } from '../http/origin-rule.ts';
import { inRequest } from '../telemetry/request-scope.ts';
import type { RequestLimits } from './request-limits.ts';

export interface Gates {
  /** Origins whose pages may change something: this API host's own, and `WEB_ORIGINS`. */
  origins: ReadonlySet<string>;
  /** Null when switched off. */
  limits: RequestLimits | null;
}

/**
 * The routes behind what every client passes first, before its body is read: the origin rule, then the request
 * limits. An error response is worded by the route. Routes that say so pass ungated. All log lines get the request's id.
 */
export function behindGates(routes: readonly Route[], gates: Gates): Route[] {
  return routes.map((route) => ({
    ...route,
    handler: (request) =>
      inRequest(request.id, async () => {
        if (route.isUngated !== true) await pass(gates, request);
        return route.handler(request);
      }),
  }));
}

async function pass({ origins, limits }: Gates, request: HttpRequest): Promise<void> {
  const fault = originFault(request, origins);
  if (fault !== null) throw fault;
  await limits?.admit(request);
}
