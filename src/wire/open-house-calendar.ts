import { addressLine, wholeAddress } from '../../i18n/address-line.ts';
import { type Locale, pathIn } from '../../i18n/languages.ts';
import { createTranslator } from '../../i18n/translator.ts';
import type { PublicOpenHouse } from '../../persistence/listings/open-houses.ts';
import { calendarFile } from './calendar-file.ts';
import type { CalendarSite } from './tour-calendar.ts';

/** An open house as a calendar file, which also takes a canceled one out of the calendar. */
export function openHouseCalendar(
  house: PublicOpenHouse,
  { locale, site }: { locale: Locale; site: CalendarSite },
): string {
  const { t } = createTranslator(locale, 'user');
  return calendarFile(
    {
      ...house,
      id: house.openHouseId,
      isCanceled: house.canceledAt !== null,
      summary: t('openHouse.calendarSummary', { address: addressLine(house) }),
      location: wholeAddress(house),
      url: site.origin + pathIn(site, `/properties/${house.propertyId}`, locale),
      attendees: [],
    },
    'OpenHouses',
  ).text;
}
