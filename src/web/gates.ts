import { createTranslator } from '../../i18n/translator.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpLogger, HttpRequest, HttpResponse, Route } from '../http/message.ts';
import { originFault, saidOrigin } from '../http/origin-rule.ts';
import { createRejectionLog } from '../limits/rejection-log.ts';
import { inRequest } from '../telemetry/request-scope.ts';
import type { RequestLimits } from './request-limits.ts';

/** What clients and search engines are asked to wait. */
const CLOSED_RETRY_SECONDS = 300;

/**
 * The routes behind the checks for every client, which run before the body is read: whether the site is down for
 * maintenance, the origin rule, then the request limits. The route formats an error response. Routes marked as ungated skip the checks. All log lines get
 * the request's id.
 */
export function behindGates(
  routes: readonly Route[],
  {
    origins,
    limits,
    isClosed = false,
    logger,
    monotonicMs = () => performance.now(),
  }: {
    /** Origins whose pages may change data: this API host's own, and `WEB_ORIGINS`. */
    origins: ReadonlySet<string>;
    /** Null when switched off. */
    limits: RequestLimits | null;
    /** Down for maintenance (docs/contract.md#maintenance). */
    isClosed?: boolean;
    logger: Pick<HttpLogger, 'warn'>;
    /** Milliseconds on a clock that never goes back. */
    monotonicMs?: () => number;
  },
): Route[] {
  // Usually PUBLIC_BASE_URL is wrong, and no one can sign in.
  const refused = createRejectionLog(logger, monotonicMs, 'a page of another origin was refused');
  const admitted = (route: Route, request: HttpRequest): Promise<HttpResponse> => {
    if (route.isUngated === true) return route.handler(request);
    if (isClosed)
      throw new PublicError('MAINTENANCE', {
        message: createTranslator('en', 'user').t('errors.maintenance'),
        retryAfterSeconds: CLOSED_RETRY_SECONDS,
      });
    const fault = originFault(request, origins);
    if (fault?.code === 'INVALID_ORIGIN')
      refused.note(fault.code, { code: fault.code, origin: saidOrigin(request), expected: [...origins] });
    if (fault !== null) throw fault;
    return limits === null
      ? route.handler(request)
      : limits.admit(request).then(() => route.handler(request));
  };
  return routes.map((route) => ({
    ...route,
    // The origin rule concerns no GET request; but where requests are counted, each one is.
    ready: (limits === null && !isClosed) || route.isUngated ? route.ready : undefined,
    handler: (request) => inRequest(request.id, () => admitted(route, request)),
  }));
}
