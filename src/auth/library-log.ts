import { APIError } from 'better-auth/api';
import type { Logger } from '../telemetry/logger.ts';

/** better-auth's own lines, through our log and its scrub. */
export function libraryLogger(logger: Logger) {
  return {
    level: 'warn' as const,
    log: (level: 'debug' | 'info' | 'warn' | 'error', message: string, ...details: unknown[]) => {
      const err = details.find((detail) => detail instanceof Error);
      // What is wrong with a request is called an error too; a fault of ours comes with one.
      const shown = level === 'error' && err === undefined ? 'warn' : level;
      logger[shown]({ component: 'better-auth', ...(err ? { err } : {}) }, message);
    },
  };
}

/**
 * Without this the library prints refusals to the console itself, and its router every other failure: past the scrub.
 * @throws APIError in place of such a failure, which is answered with 500
 */
export function logApiError(logger: Logger, error: unknown): void {
  if (error instanceof APIError && error.statusCode < 500) {
    const refusal = { event: 'auth_refused', code: error.body?.code, status: error.statusCode };
    logger.debug(refusal, 'sign-in refused');
    return;
  }
  logger.error({ err: error, event: 'auth_failed' }, 'sign-in request failed');
  if (!(error instanceof APIError)) throw new APIError('INTERNAL_SERVER_ERROR');
}
