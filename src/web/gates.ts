import type { Route } from '../http/message.ts';
import { originFault } from '../http/origin-rule.ts';
import { inRequest } from '../telemetry/request-scope.ts';
import type { RequestLimits } from './request-limits.ts';

/**
 * The routes behind the checks for every client, which run before the body is read: the origin rule, then the
 * request limits. The route formats an error response. Routes marked as ungated skip the checks. All log lines get
 * the request's id.
 */
export function behindGates(
  routes: readonly Route[],
  {
    origins,
    limits,
  }: {
    /** Origins whose pages may change data: this API host's own, and `WEB_ORIGINS`. */
    origins: ReadonlySet<string>;
    /** Null when switched off. */
    limits: RequestLimits | null;
  },
): Route[] {
  return routes.map((route) => ({
    ...route,
    // The origin rule concerns no GET request; but where requests are counted, each one is.
    ready: limits === null || route.isUngated ? route.ready : undefined,
    handler: (request) =>
      inRequest(request.id, async () => {
        if (route.isUngated !== true) {
          const fault = originFault(request, origins);
          if (fault !== null) throw fault;
          await limits?.admit(request);
        }
        return route.handler(request);
      }),
  }));
}
