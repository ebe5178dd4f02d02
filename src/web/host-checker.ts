import { createTranslator } from '../../i18n/translator.ts';
import { endHostCheck, type HostFindings, takeHostCheck } from '../../persistence/console/host-checks.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WebConfig } from '../config/config.ts';
import type { MailPorts } from '../mail/mail-sender.ts';
import { MailUnavailable } from '../mail/mailer.ts';
import type { News } from '../mail/news-page.ts';
import { isTimeout, within } from '../time.ts';

type MapSettings = Pick<WebConfig, 'mapStyleUrl' | 'mapPmtilesUrl'>;
type CheckedSettings = MapSettings & Pick<WebConfig, 'push'>;

const MAP_MS = 5_000;

/**
 * Does what operators ask on the console (docs/contract.md#is-it-ready), each once: mails them, and fetches the
 * beginning of the map's background.
 */
export function createHostChecker(ports: MailPorts & { readonly config: CheckedSettings }): Sweeper {
  const { pool, mailer, clock, site, config } = ports;
  const mailProblem = async (to: string, id: string): Promise<string | null> => {
    try {
      await mailer.sendNews({ to, id: `${id}.check`, news: checkNews(site.origin) });
      return null;
    } catch (error) {
      if (!(error instanceof MailUnavailable)) throw error;
      return error.reason;
    }
  };
  return createSweeper({
    ...ports,
    name: 'host-checks',
    async sweep(draining) {
      while (!draining.aborted) {
        const check = await takeHostCheck(pool, clock.now());
        if (check === null) return;
        const { id, email } = check;
        const findings = {
          mail: await mailProblem(email, id),
          ...(await mapFindings(config)),
          push: config.push === null ? ('off' as const) : ('on' as const),
        };
        await endHostCheck(pool, { id, findings, at: clock.now() });
      }
    },
  });
}

async function mapFindings({
  mapStyleUrl,
  mapPmtilesUrl,
}: MapSettings): Promise<Pick<HostFindings, 'map' | 'mapSource'>> {
  const url = mapStyleUrl ?? mapPmtilesUrl;
  const mapSource = url === null ? 'built-in' : mapStyleUrl === null ? 'pmtiles' : 'style';
  return { map: url === null ? null : await fetchProblem(url), mapSource };
}

/** As a browser begins to read it. */
async function fetchProblem(url: string): Promise<string | null> {
  try {
    const { status, body } = await within(MAP_MS, (signal) =>
      fetch(url, { signal, headers: { range: 'bytes=0-126' } }),
    );
    await body?.cancel();
    return status === 200 || status === 206 ? null : `HTTP ${status}`;
  } catch (error) {
    if (isTimeout(error)) return 'TIMEOUT';
    const { cause } = error as Error;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : 'UNREACHABLE';
  }
}

/** In English, as the console. */
function checkNews(origin: string): News {
  const { t } = createTranslator('en', 'user');
  return {
    subject: t('mail.test.subject'),
    locale: 'en',
    heading: t('mail.test.heading'),
    open: { words: t('mail.test.open'), address: origin },
    settings: { words: t('mail.test.why'), address: origin },
  };
}
