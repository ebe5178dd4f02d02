import { BoundReached } from '../errors/errors.ts';
import type { HttpFault, HttpLogger } from '../http/message.ts';
import type { CrashReports } from './crash-reports.ts';

/**
 * Logs and captures each fault once. Outages are only logged, because they have alarms. When a page that many visitors
 * wait for fails, all of them get the same error: that is one fault.
 */
export function createFaultReport({
  logger,
  crashReports,
}: {
  readonly logger: Pick<HttpLogger, 'warn' | 'error'>;
  readonly crashReports: Pick<CrashReports, 'capture'>;
}): (fault: HttpFault) => void {
  const reported = new WeakSet<WeakKey>();
  return ({ error, requestId, method, route, headers }) => {
    const cause = error.cause ?? error;
    if (error.code === 'MAINTENANCE') return;
    if (cause instanceof BoundReached || (typeof cause === 'object' && reported.has(cause))) return;
    if (typeof cause === 'object') reported.add(cause);
    const fields = { requestId, method, route, code: error.code, err: cause };
    if (error.httpStatus === 503) return logger.warn(fields, 'request refused: part of the system is away');
    logger.error(fields, 'request failed');
    crashReports.capture(cause, { requestId, method, route, headers });
  };
}
