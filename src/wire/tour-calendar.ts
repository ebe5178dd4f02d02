import { addressLine, wholeAddress } from '../../i18n/address-line.ts';
import { type Locale, pathIn, type SiteLanguages } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { TourView } from '../../persistence/listings/tour-queries.ts';
import { type CalendarFile, calendarFile } from './calendar-file.ts';

/** Where the entry leads to. */
export type CalendarSite = Pick<SiteLanguages, 'defaultLanguage'> & { readonly origin: string };

/**
 * The agreed time as a calendar file. A tour keeps one UID, with its version as SEQUENCE. Null when there is no agreed time
 * to add or to cancel.
 * @param reader the mail address of the side that gets it
 */
export function tourCalendar(
  tour: TourView,
  { locale, site, reader }: { locale: Locale; site: CalendarSite; reader: string },
): CalendarFile | null {
  const { heldSlot } = tour.context;
  const isCanceled = tour.state === 'CANCELLED';
  if (heldSlot === null || !(isCanceled || ['CONFIRMED', 'RESCHEDULE_PROPOSED'].includes(tour.state)))
    return null;
  return calendarFile(
    {
      ...heldSlot,
      id: tour.id,
      version: tour.version,
      changedAt: tour.history.at(-1)?.event.at ?? tour.details.createdAt,
      isCanceled,
      summary: createTranslator(locale, 'user').t('tour.calendarSummary', { address: addressLine(tour) }),
      location: wholeAddress(tour),
      url: site.origin + pathIn(site, threadPath(tour), locale),
      attendees: isCanceled ? [reader] : [],
    },
    'Tours',
  );
}

/** Where the site shows a tour to both of its sides. */
export const threadPath = ({ details: { propertyId, customerId } }: Pick<TourView, 'details'>): string =>
  `/inbox/${propertyId}/${customerId}`;
