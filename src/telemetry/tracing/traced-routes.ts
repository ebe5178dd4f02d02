import { asPublicError } from '../../http/error-response.ts';
import type { Route } from '../../http/message.ts';
import type { Tracing } from './tracing.ts';

/** Probes: requested every few seconds and not traced. */
const UNTRACED_PATHS = new Set(['/healthz', '/readyz']);

/**
 * Each request to a route becomes a separate trace, from its head to the answer, including the gates; requests
 * without a route are not traced. A client's `traceparent` is ignored: otherwise clients would choose which
 * requests are recorded, and could write into other traces. Paths and queries are never shown, only the route's
 * pattern.
 */
export function tracedRoutes(routes: readonly Route[], tracing: Tracing): readonly Route[] {
  if (!tracing.isOn) return routes;
  return routes.map((route) => (UNTRACED_PATHS.has(route.path) ? route : tracedRoute(route, tracing)));
}

function tracedRoute(route: Route, tracing: Tracing): Route {
  return {
    ...route,
    ready: undefined,
    handler: (request) => {
      const operation = route.operation?.(request) ?? null;
      const part = {
        name: `${request.method} ${operation ?? route.path}`,
        attributes: {
          'http.request.method': request.method,
          'http.route': route.path,
          'rpc.method': operation,
          'proscenium.request.id': request.id,
        },
        isFailure: (error: unknown) => statusOf(error) >= 500,
      };
      return tracing.request(part, async (span) => {
        const status = (value: number) => span.note({ 'http.response.status_code': value });
        try {
          const response = await route.handler(request);
          status(response.status);
          if (response.status >= 500) span.fail();
          return response;
        } catch (error) {
          status(statusOf(error));
          throw error;
        }
      });
    },
  };
}

function statusOf(error: unknown): number {
  return asPublicError(error).httpStatus;
}
