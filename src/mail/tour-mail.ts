import { addressLine } from '../../i18n/address-line.ts';
import { formatTag, type Locale } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import { ACCOUNT_DELETED, type TourEvent } from '../../machines/tour.ts';
import type { TourSlot } from '../../machines/tour-slots.ts';
import type { MailKind } from '../../persistence/entities/values.ts';
import type { TourHistoryEntry, TourView } from '../../persistence/listings/tour-queries.ts';
import { threadPath, tourCalendar } from '../wire/tour-calendar.ts';
import { isolated } from './mail-layout.ts';
import { type MailedSite, mailPhoto, siteIn } from './mailed-site.ts';
import type { News } from './news-page.ts';

/** Changes of a tour that are mailed, named like the catalog's keys. */
export const TOUR_NEWS = [
  'requested',
  'proposed',
  'confirmed',
  'agreed',
  'declined',
  'canceled',
  'reopened',
] as const;

/** What a change of a tour tells the other side, and by which switch of the settings it is muted. */
interface TourNews {
  readonly kind: MailKind;
  readonly words: (typeof TOUR_NEWS)[number];
}

const REQUESTED: TourNews = { kind: 'TOUR_REQUESTED', words: 'requested' };
const PROPOSED: TourNews = { kind: 'TOUR_PROPOSED', words: 'proposed' };
const CONFIRMED: TourNews = { kind: 'TOUR_CONFIRMED', words: 'confirmed' };
/** To the side that accepted, and to both when the listing confirmed by itself. */
const AGREED: TourNews = { kind: 'TOUR_CONFIRMED', words: 'agreed' };
const DECLINED: TourNews = { kind: 'TOUR_DECLINED', words: 'declined' };
const CANCELED: TourNews = { kind: 'TOUR_CANCELED', words: 'canceled' };
const REOPENED: TourNews = { kind: 'TOUR_DECLINED', words: 'reopened' };

const NEWS: Partial<Record<TourEvent['type'], TourNews>> = {
  TOUR_REQUESTED: REQUESTED,
  REQUEST_ACCEPTED: CONFIRMED,
  PROPOSAL_ACCEPTED: CONFIRMED,
  SLOTS_PROPOSED: PROPOSED,
  REQUEST_DECLINED: DECLINED,
  PROPOSAL_REFUSED: DECLINED,
  TOUR_CALLED_OFF: CANCELED,
  LISTING_LEFT_MARKET: CANCELED,
  PARTY_SUSPENDED: CANCELED,
  DECISION_UNDONE: REOPENED,
};

/** The mail to a side about a change; null when none is sent. The side that accepts a time gets its calendar file. */
export function newsOf({ event, to }: TourHistoryEntry, side: TourView['side']): TourNews | null {
  if (event.type === 'TOUR_REQUESTED' && to === 'CONFIRMED') return AGREED;
  const news = NEWS[event.type] ?? null;
  if (event.actor !== side) return news;
  return news === CONFIRMED ? AGREED : null;
}

interface TourMailOptions {
  readonly tour: TourView;
  readonly entry: TourHistoryEntry;
  readonly news: TourNews;
  readonly locale: Locale;
  /** The mail address of the reader. */
  readonly reader: string;
  readonly site: MailedSite;
}

/** Why the platform ended a tour, by the event or by the note that stands for it. */
const REASONS: Readonly<Record<string, string>> = {
  [ACCOUNT_DELETED]: 'tour.reason.accountDeleted',
  LISTING_LEFT_MARKET: 'tour.reason.listingLeftMarket',
  PARTY_SUSPENDED: 'tour.reason.accountSuspended',
};

/** The mail in the reader's language (docs/contract.md#mail). Its button leads to the thread. */
export function renderTourMail({ tour, entry, news, locale, reader, site }: TourMailOptions): News {
  const { t } = createTranslator(locale, 'user');
  const { side, timeZone } = tour;
  const other = side === 'customer' ? tour.agentName : tour.customerName;
  const who = other || t('mail.tour.nameless');
  const heading = t(`mail.tour.${news.words}`, { who: isolated(who) });
  const times = timesOf(tour, entry).map((slot) => timeOf(slot, { locale, timeZone, country: site.country }));
  const words = 'note' in entry.event && entry.event.actor !== side ? entry.event.note : null;
  const reason = REASONS[words ?? entry.event.type];
  const base = siteIn(site, locale);
  const home = addressLine(tour);
  // A later change brings its own calendar entry.
  const isLatest = entry.seq === tour.version;
  return {
    subject: t(`mail.tour.${news.words}Subject`, { home }),
    locale,
    heading,
    home,
    photo: mailPhoto(site, { photoId: tour.photoId, words: t('mail.photoOf', { home }) }),
    times,
    note: reason === undefined ? null : t(reason),
    quote: words === null || reason !== undefined ? null : { who: entry.name || who, words },
    open: {
      words: t('mail.tour.open'),
      address: `${base}${threadPath(tour)}`,
    },
    settings: { words: t('mail.tour.settings'), address: `${base}/menu` },
    calendar: isLatest ? tourCalendar(tour, { locale, site, reader }) : null,
  };
}

/** The times that the change is about; the agreed one otherwise. */
function timesOf({ context, state }: TourView, { event, to }: TourHistoryEntry): readonly TourSlot[] {
  if ('slot' in event) return [event.slot];
  if ('slots' in event && !(to === 'CONFIRMED' && state === 'CONFIRMED')) return event.slots;
  return context.heldSlot === null ? [] : [context.heldSlot];
}

/** Both ends in the zone of the home, which is named. */
function timeOf(
  { startsAt, endsAt }: TourSlot,
  {
    locale,
    timeZone,
    country,
  }: { readonly locale: Locale; readonly timeZone: string; readonly country: string },
): string {
  const format = new Intl.DateTimeFormat(formatTag(locale, country), {
    timeZone,
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  return format.formatRange(startsAt, endsAt);
}
