import { addressLine, wholeAddress } from '../../i18n/address-line.ts';
import { type Locale, pathIn, type SiteLanguages } from '../../i18n/languages.ts';
import { createTranslator, siteName } from '../../i18n/translator.ts';
import type { TourView } from '../../persistence/listings/tour-queries.ts';

/** Octets of a content line without its line break (RFC 5545 section 3.1). */
const LINE_OCTETS = 75;

export interface CalendarFile {
  /** What a calendar does with the entry (RFC 5546). */
  readonly method: 'PUBLISH' | 'CANCEL';
  readonly text: string;
}

/** Where the entry leads to. */
type CalendarSite = Pick<SiteLanguages, 'defaultLanguage'> & { readonly origin: string };

/**
 * The agreed time as a calendar file (RFC 5545), in UTC. A tour keeps one UID, with its version as SEQUENCE, so
 * that a calendar replaces its entry. Null when there is no agreed time to add or to cancel.
 * @param reader the mail address of the side that gets it
 */
export function tourCalendar(
  tour: TourView,
  { locale, site, reader }: { locale: Locale; site: CalendarSite; reader: string },
): CalendarFile | null {
  const { origin } = site;
  const { heldSlot } = tour.context;
  const called = tour.state === 'CANCELLED';
  if (heldSlot === null || !(called || ['CONFIRMED', 'RESCHEDULE_PROPOSED'].includes(tour.state)))
    return null;
  const { host, hostname } = new URL(origin);
  const method = called ? 'CANCEL' : 'PUBLISH';
  const summary = createTranslator(locale, 'user').t('tour.calendarSummary', { address: addressLine(tour) });
  const changedAt = tour.history.at(-1)?.event.at ?? tour.details.createdAt;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escaped(siteName())}//Tours//EN`,
    `METHOD:${method}`,
    'BEGIN:VEVENT',
    `UID:${tour.id}@${host}`,
    `DTSTAMP:${utc(changedAt)}`,
    `SEQUENCE:${tour.version}`,
    `STATUS:${called ? 'CANCELLED' : 'CONFIRMED'}`,
    `DTSTART:${utc(heldSlot.startsAt)}`,
    `DTEND:${utc(heldSlot.endsAt)}`,
    `SUMMARY:${escaped(summary)}`,
    `LOCATION:${escaped(wholeAddress(tour))}`,
    `URL:${origin}${pathIn(site, threadPath(tour), locale)}`,
    `ORGANIZER:mailto:no-reply@${hostname}`,
    // A published entry has none.
    ...(called ? [`ATTENDEE:mailto:${reader}`] : []),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return { method, text: lines.map((line) => `${folded(line)}\r\n`).join('') };
}

/** Where the site shows a tour to both of its sides. */
export const threadPath = ({ details: { propertyId, customerId } }: Pick<TourView, 'details'>): string =>
  `/inbox/${propertyId}/${customerId}`;

/** `20260115T120000Z` */
function utc(instant: number): string {
  return new Date(instant).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n|\r|\n/g, '\\n');
}

/** Never splits a character. */
function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  for (const character of line) {
    if (Buffer.byteLength(piece + character) > LINE_OCTETS) {
      pieces.push(piece);
      // The space at the start of a continuation line counts.
      piece = ' ';
    }
    piece += character;
  }
  return [...pieces, piece].join('\r\n');
}
