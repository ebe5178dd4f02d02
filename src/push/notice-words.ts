import type { Pool } from 'pg';
import { addressLine } from '../../i18n/address-line.ts';
import type { Locale } from '../../i18n/languages.ts';
import { prefixOf } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import { alertOfNotice } from '../../persistence/alerts/due-alerts.ts';
import { tourOfSide } from '../../persistence/listings/tour-queries.ts';
import { noticedThread } from '../../persistence/messages/message-mails.ts';
import type { PushNotice } from '../../persistence/push/push-notices.ts';
import { alertSubject } from '../mail/alerts/alert-mail.ts';
import { alertNow } from '../mail/alerts/alert-now.ts';
import { type MailedSite, readerOf } from '../mail/mailed-site.ts';
import { newsOf } from '../mail/tour-mail.ts';
import type { SearchTerms } from '../search/criteria.ts';
import { threadPath } from '../wire/tour-calendar.ts';

interface NoticeContext {
  readonly pool: Pool;
  readonly site: MailedSite;
  readonly userId: string;
  /** Of saved searches that name none. */
  readonly units: SearchTerms['site'];
  readonly at: number;
}

interface NoticeWords {
  /** One line, in the person's language, which anyone may read on a locked screen. */
  readonly line: string;
  /** On the site, such as `/es/searches`. */
  readonly path: string;
}

/**
 * What a notice says to a person: one line without names and without what was written, since a locked screen shows it to
 * anyone. Null when there is nothing left to tell: it was read, or the person sees its subject no more.
 */
export async function wordsOf(context: NoticeContext, notice: PushNotice): Promise<NoticeWords | null> {
  const { pool, site, userId } = context;
  const reader = await readerOf({ pool, site }, userId);
  if (reader === null) return null;
  const { locale } = reader;
  const said = await WORDS[notice.kind](context, notice, locale);
  return said && { ...said, path: prefixOf(site, locale) + said.path };
}

async function tourWords(
  { pool, userId }: NoticeContext,
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
  { pool, userId }: NoticeContext,
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

async function alertWords(
  { pool, userId, units, at }: NoticeContext,
  { subjectId, seq }: PushNotice,
  locale: Locale,
): Promise<NoticeWords | null> {
  const alertId = await alertOfNotice(pool, { userId, subjectId, at: Number(seq) });
  const alert = alertId === null ? null : await alertNow(pool, alertId, { at, site: units });
  if (!alert?.channels.includes('PUSH')) return null;
  return {
    line: alertSubject(alert, createTranslator(locale, 'user')),
    path: alert.search === null ? '/favorites' : '/searches',
  };
}

const WORDS = { TOUR: tourWords, MESSAGE: messageWords, ALERT: alertWords };
