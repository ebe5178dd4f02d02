import type { Pool } from 'pg';
import { noteLastWrite } from '../../persistence/accounts/last-writes.ts';
import type { SessionCookies } from '../auth/session-cookie.ts';
import type { Route } from '../http/message.ts';
import type { Logger } from '../telemetry/logger.ts';

/**
 * Routes after whose changes the caller's session knows how far the log had come: every process then shows the person
 * their own writes. Also after a failure, because a part may have been committed. Before the answer is sent, so the next
 * request finds it.
 */
export function notingLastWrites(
  routes: readonly Route[],
  {
    pool,
    sessionCookies,
    logger,
  }: { pool: Pool; sessionCookies: Pick<SessionCookies, 'signed'>; logger: Logger },
): Route[] {
  const note = async (cookies: string | null | undefined) => {
    const tokens = sessionCookies.signed(cookies).map(({ token }) => token);
    if (tokens.length === 0) return;
    // What was done is done. The person may see something up to a second old, like everyone.
    await noteLastWrite(pool, tokens).catch((error: unknown) =>
      logger.warn({ err: error }, 'a write was not noted with its session'),
    );
  };
  return routes.map((route) => ({
    ...route,
    async handler(request) {
      const changes = !READING.includes(request.method) && route.changesNothing?.(request) !== true;
      if (!changes) return route.handler(request);
      try {
        return await route.handler(request);
      } finally {
        await note(request.headers.get('cookie'));
      }
    },
  }));
}

const READING = ['GET', 'HEAD', 'OPTIONS'];
