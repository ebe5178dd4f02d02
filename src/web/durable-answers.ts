import { type DurablePorts, durably } from '../../persistence/standbys/confirmation.ts';
import { PublicError } from '../errors/errors.ts';
import type { Route } from '../http/message.ts';

/** When the standby may have caught up. */
const RETRY_AFTER_SECONDS = 5;

/**
 * With CLAIM_DURABILITY=standby: a request that makes something less public or less permitted is answered only once a
 * standby has the decision, so that no failover makes a withdrawn picture public again. Unconfirmed, the decision stands
 * on this server and the answer is NOT_YET_DURABLE; repeating the request confirms it.
 */
export function withDurableAnswers(routes: readonly Route[], ports: DurablePorts): Route[] {
  return routes.map((route) => {
    const { lessens } = route;
    if (lessens === undefined) return route;
    return {
      ...route,
      async handler(request) {
        if (!lessens(request)) return route.handler(request);
        const { result, isDurable } = await durably(ports, () => route.handler(request));
        if (!isDurable) throw new PublicError('NOT_YET_DURABLE', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        if (result.status === 'rejected') throw result.reason;
        return result.value;
      },
    };
  });
}
