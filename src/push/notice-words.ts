import type { Pool } from 'pg';
import { addressLine } from '../../i18n/address-line.ts';
import type { Locale } from '../../i18n/languages.ts';
import { prefixOf } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import { tourOfSide } from '../../persistence/listings/tour-queries.ts';
import { noticedThread } from '../../persistence/messages/message-mails.ts';
import type { NoticeWords, PushNotice } from '../../persistence/push/push-notices.ts';
import { type MailedSite, readerOf } from '../mail/mailed-site.ts';
import { newsOf } from '../mail/tour-mail.ts';
import { threadPath } from '../wire/tour-calendar.ts';

interface Told {
  readonly pool: Pool;
  readonly site: MailedSite;
  readonly userId: string;
}

/**
 * What a notice says to a person: one line without names and without what was written, since a locked screen shows it to
 * anyone. Null when there is nothing left to tell: it was read, or the person sees its subject no more.
 */
export async function wordsOf(told: Told, notice: PushNotice): Promise<NoticeWords | null> {
  const { pool, site, userId } = told;
  const reader = await readerOf({ pool, site }, userId);
  if (reader === null || notice.kind === 'ALERT') return null;
  const { locale } = reader;
  const said =
    notice.kind === 'TOUR' ? await tourWords(told, notice, locale) : await messageWords(told, notice, locale);
  return said && { ...said, path: prefixOf(site, locale) + said.path };
}

async function tourWords(
  { pool, userId }: Told,
  { subjectId: tourId, seq }: PushNotice,
  locale: Locale,
): Promise<NoticeWords | null> {
  const customers = await tourOfSide(pool, { tourId, side: 'customer' });
  if (customers === null) return null;
  const side = customers.details.customerId === userId ? 'customer' : 'agent';
  if (side === 'agent' && customers.context.agentId !== userId) return null;
  const entry = customers.history.find((one) => one.seq === Number(seq));
  // Who did it knows it.
  const news = entry === undefined || entry.event.actor === side ? null : newsOf(entry, side);
  if (news === null) return null;
  const { t } = createTranslator(locale, 'user');
  return {
    line: t(`mail.tour.${news.words}Subject`, { home: addressLine(customers) }),
    path: threadPath(customers),
  };
}

async function messageWords(
  { pool, userId }: Told,
  { subjectId: threadId, seq }: PushNotice,
  locale: Locale,
): Promise<NoticeWords | null> {
  const thread = await noticedThread(pool, { threadId, userId, seq });
  if (thread === null) return null;
  const { t } = createTranslator(locale, 'user');
  return {
    line: t('mail.message.subject', { home: addressLine(thread) }),
    path: `/inbox/${thread.propertyId}/${thread.customerId}`,
  };
}
