import type { Pool } from 'pg';
import { isLocale, pathIn, type SiteLanguages } from '../../../i18n/languages.ts';
import type { Clock } from '../../../supervisors/ports.ts';
import { found } from '../../errors/found.ts';
import type { HttpResponse, Route } from '../../http/message.ts';
import { ALERT_SWITCH_PATH, type AlertTokens } from './alert-tokens.ts';
import { endAlerts } from './end-alerts.ts';

/**
 * `POST /api/alert-switches/{token}`: ends alerts by mail, by the signed name in the mail alone (RFC 8058). Opening the
 * address changes nothing, because programs open the links of mails by themselves: it leads to the page that asks. That
 * page sends its form here where no script runs (`page`, its language; `all`), and is shown again. A mail program gets no
 * redirect.
 */
export function alertSwitchRoutes({
  pool,
  tokens,
  clock,
  publicBaseUrl,
  site,
}: {
  readonly pool: Pool;
  readonly tokens: AlertTokens;
  readonly clock: Clock;
  readonly publicBaseUrl: string;
  readonly site: SiteLanguages;
}): Route[] {
  const path = `${ALERT_SWITCH_PATH}/:token`;
  const toPage = (token: string, locale = site.defaultLanguage, done = ''): HttpResponse => {
    const query = `token=${encodeURIComponent(token)}${done}`;
    const location = `${publicBaseUrl}${pathIn(site, '/unsubscribe', locale)}?${query}`;
    return { status: 303, headers: [...NOT_KEPT, ['location', location]], body: '' };
  };
  return [
    {
      methods: ['POST'],
      path,
      bodyLimit: 1024,
      handler: async (request) => {
        const { token = '' } = request.params;
        const form = new URLSearchParams((await request.body()).toString());
        const page = form.get('page');
        const read = tokens.read(token);
        if (read === null && isLocale(page)) return toPage(token, page, '&done=no');
        const topic = found(read);
        const all = form.get('all') === '1';
        await endAlerts(pool, all ? { userId: topic.userId, about: 'ALL' } : topic, clock.now());
        if (isLocale(page)) return toPage(token, page, all ? '&done=all' : '&done=1');
        return { status: 200, headers: NOT_KEPT, body: '' };
      },
    },
    {
      methods: ['GET'],
      path,
      bodyLimit: 1024,
      handler: async ({ params: { token = '' } }) => {
        found(tokens.read(token));
        return toPage(token);
      },
    },
  ];
}

const NOT_KEPT: readonly (readonly [string, string])[] = [['cache-control', 'no-store']];
