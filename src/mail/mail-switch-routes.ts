import type { Pool } from 'pg';
import { muteMails } from '../../persistence/accounts/muted-mails.ts';
import { found } from '../errors/found.ts';
import type { Route } from '../http/message.ts';
import { type MailSwitches, SWITCH_PATH } from './mail-switches.ts';

/**
 * `POST /api/mail-switches/{name}`: switches a kind of mail off, by the signed name in the mail alone (RFC 8058). Opening
 * the address changes nothing, because programs open the links of mails by themselves: it leads to the menu, where every
 * kind has its switch.
 */
export function mailSwitchRoutes({
  pool,
  switches,
  publicBaseUrl,
}: {
  readonly pool: Pool;
  readonly switches: MailSwitches;
  readonly publicBaseUrl: string;
}): Route[] {
  const path = `${SWITCH_PATH}/:name`;
  return [
    {
      methods: ['POST'],
      path,
      bodyLimit: 1024,
      handler: async ({ params }) => {
        await muteMails(pool, found(switches.read(params.name ?? '')));
        return { status: 200, headers: NOT_KEPT, body: '' };
      },
    },
    {
      methods: ['GET'],
      path,
      bodyLimit: 1024,
      handler: async ({ params }) => {
        found(switches.read(params.name ?? ''));
        return { status: 303, headers: [...NOT_KEPT, ['location', `${publicBaseUrl}/menu`]], body: '' };
      },
    },
  ];
}

const NOT_KEPT: readonly (readonly [string, string])[] = [['cache-control', 'no-store']];
