import type { StandbyConfirmation } from '../../persistence/database/standby-confirmation.ts';
import { PublicError } from '../errors/errors.ts';
import type { Route } from '../http/message.ts';

/** When the standby may have caught up. */
const RETRY_AFTER_SECONDS = 5;

/**
 * With CLAIM_DURABILITY=standby: routes whose answer to a request that makes something less public or less permitted is
 * given only when a standby has what was decided, so that no failover makes a withdrawn picture public again. Unconfirmed,
 * the decision stands on this server and the answer is NOT_YET_DURABLE; the same request again confirms. This holds for
 * whatever the request is answered, because the decision may be of an earlier try.
 */
export function withDurableAnswers(
  routes: readonly Route[],
  confirmation: Pick<StandbyConfirmation, 'server' | 'confirm'>,
): Route[] {
  return routes.map(({ lessens, ...route }) =>
    lessens === undefined
      ? route
      : {
          ...route,
          lessens,
          async handler(request) {
            if (!lessens(request)) return route.handler(request);
            const server = await confirmation.server();
            const [answer] = await Promise.allSettled([route.handler(request)]);
            // Another server than before says nothing about what was committed on that one.
            const confirmed = server === null ? null : await confirmation.confirm();
            if (confirmed === null || confirmed.server !== server)
              throw new PublicError('NOT_YET_DURABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
            if (answer.status === 'rejected') throw answer.reason;
            return answer.value;
          },
        },
  );
}
