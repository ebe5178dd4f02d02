import { createTranslator } from '../../i18n/translator.ts';
import {
  type LogEntry,
  readLog,
  type WitnessMail,
  witnessMails,
} from '../../persistence/images/provenance-log.ts';
import type { Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { createMailSender, type MailPorts } from './mail-sender.ts';
import { type MailedSite, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

/** Mails each entry of the log of records to the operator's witnesses (docs/contract.md#the-log-of-records). */
export function createWitnessMailSender(ports: MailPorts): Sweeper {
  return createMailSender<WitnessMail>(ports, {
    ...witnessMails,
    name: 'witness-mails',
    what: 'a mail to a witness',
    async compose({ pool, site }, { entry: number, email }) {
      const [entry] = await readLog(pool, { before: number + 1, limit: 1 });
      if (entry?.number !== number) return null;
      return {
        countedFor: null,
        to: email,
        id: `${number}.${entry.head.slice(0, 16)}.witness`,
        news: newsOf(entry, site),
      };
    },
  });
}

/** In the site's language: witnesses have no account. */
function newsOf({ number, day, records, root, head }: LogEntry, site: MailedSite): News {
  const locale = site.defaultLanguage;
  const { t, date } = createTranslator(locale, 'user');
  const onDay = date(new Date(day), { dateStyle: 'long', timeZone: 'UTC' });
  const address = `${siteIn(site, locale)}/provenance/log`;
  return {
    subject: t('mail.witness.subject', { number, day: onDay }),
    locale,
    heading: t('mail.witness.heading', { number, day: onDay }),
    times: [
      t('provenance.log.records', { count: records }),
      `${t('provenance.log.root')}: ${root}`,
      `${t('provenance.log.head')}: ${head}`,
    ],
    note: t('provenance.log.keep'),
    open: { words: t('mail.witness.open'), address },
    settings: { words: t('mail.witness.why'), address },
  };
}
