import type { Pool } from 'pg';
import type { Clock } from '../../../supervisors/ports.ts';
import { found } from '../../errors/found.ts';
import type { Route } from '../../http/message.ts';
import { ALERT_SWITCH_PATH, type AlertTokens } from './alert-tokens.ts';
import { endAlerts } from './end-alerts.ts';

/**
 * `POST /api/alert-switches/{token}`: ends alerts by mail, by the signed name in the mail alone (RFC 8058). Opening the
 * address changes nothing, because programs open the links of mails by themselves: it leads to the page that asks.
 */
export function alertSwitchRoutes({
  pool,
  tokens,
  clock,
  publicBaseUrl,
}: {
  readonly pool: Pool;
  readonly tokens: AlertTokens;
  readonly clock: Clock;
  readonly publicBaseUrl: string;
}): Route[] {
  const path = `${ALERT_SWITCH_PATH}/:token`;
  return [
    {
      methods: ['POST'],
      path,
      bodyLimit: 1024,
      handler: async ({ params }) => {
        await endAlerts(pool, found(tokens.read(params.token ?? '')), clock.now());
        return { status: 200, headers: NOT_KEPT, body: '' };
      },
    },
    {
      methods: ['GET'],
      path,
      bodyLimit: 1024,
      handler: async ({ params: { token = '' } }) => {
        found(tokens.read(token));
        const location = `${publicBaseUrl}/unsubscribe?token=${encodeURIComponent(token)}`;
        return { status: 303, headers: [...NOT_KEPT, ['location', location]], body: '' };
      },
    },
  ];
}

const NOT_KEPT: readonly (readonly [string, string])[] = [['cache-control', 'no-store']];
