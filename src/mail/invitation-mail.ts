import { spoken } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { MailedInvitation } from '../../persistence/accounts/agent-invitations.ts';
import { isolated } from './mail-layout.ts';
import { type MailedSite, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

/** The mail that invites an agent. The secret follows the `#`, so it reaches no server's log. */
export function renderInvitationMail({
  invitation: { from, officeName: office, locale: chosen, expiresAt },
  secret,
  site,
}: {
  readonly invitation: MailedInvitation;
  readonly secret: string;
  readonly site: MailedSite;
}): News {
  const locale = spoken(site, chosen);
  const { t, date } = createTranslator(locale, 'user');
  const base = siteIn(site, locale);
  const day = date(new Date(expiresAt), { dateStyle: 'long', timeZone: 'UTC' });
  return {
    subject: t('mail.invitation.subject', { office }),
    locale,
    heading: from
      ? t('mail.invitation.fromColleague', { from: isolated(from), office: isolated(office) })
      : t('mail.invitation.fromOffice', { office: isolated(office) }),
    note: t('mail.invitation.note', { day }),
    open: { words: t('mail.invitation.open'), address: `${base}/invitation#${secret}` },
    settings: { words: t('mail.invitation.unexpected'), address: `${base}/contact` },
  };
}
