import { areaIn, isOfSite } from '../../../i18n/areas.ts';
import { formatTag, type Locale, type SiteUnits } from '../../../i18n/languages.ts';

/**
 * Words, numbers, money, areas and times of one language. The rules are those of `i18n/translator.ts`, without its
 * library: a page loads this before it works, and flat keys with two plural forms need no more.
 */
export type Catalog = Readonly<Record<string, string>>;

type Variables = Readonly<Record<string, string | number>>;

const AREA_KEYS: Readonly<Record<string, string>> = {
  'Square Feet': 'unit.squareFeet',
  'Square Meters': 'unit.squareMeters',
  Acres: 'unit.acres',
  Hectares: 'unit.hectares',
};
/** Acres and hectares are large. */
const LARGE = ['Acres', 'Hectares'];

/** Far more than there are currencies and time zones on a day. */
const MOST_FORMATS = 500;
const formats = new Map<string, unknown>();

/** Making a formatter takes longer than anything else of a page, and the different ones are few. */
function kept<Format>(key: string, make: () => Format): Format {
  const known = formats.get(key) as Format | undefined;
  if (known !== undefined) return known;
  if (formats.size >= MOST_FORMATS) formats.clear();
  const made = make();
  formats.set(key, made);
  return made;
}

/** From here on, cents of a price per area say nothing. */
const LARGE_PRICE = 10;

/** In whole units, small prices in cents. */
const roundedPrice = (price: number): number =>
  price < LARGE_PRICE ? Math.round(price * 100) / 100 : Math.round(price);

export function createText(
  locale: Locale,
  catalog: Catalog,
  { areaUnits, country }: Omit<SiteUnits, 'currency'>,
) {
  const tag = formatTag(locale, country);
  const plurals = kept(`${tag} plurals`, () => new Intl.PluralRules(tag));
  const number = (value: number, options?: Intl.NumberFormatOptions): string =>
    kept(`${tag} number ${JSON.stringify(options)}`, () => new Intl.NumberFormat(tag, options)).format(value);

  /**
   * The message of a key, with `{{name}}` replaced; a numeric `count` picks `_one` or `_other`. A key that is missing
   * is shown as it is: words must never be the reason that a page fails.
   */
  const t = (key: string, variables?: Variables): string => {
    const count = variables?.count;
    const plural = () => (typeof count === 'number' && plurals.select(count) === 'one' ? '_one' : '_other');
    const message = catalog[key] ?? catalog[key + plural()] ?? key;
    if (variables === undefined) return message;
    return message.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = variables[name];
      return value === undefined ? whole : typeof value === 'number' ? number(value) : value;
    });
  };

  const dayTimes = (timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    kept(
      `${tag} ${timeZone} ${JSON.stringify(options)}`,
      () => new Intl.DateTimeFormat(tag, { timeZone, ...options }),
    );

  /** A day and a time in the zone of a place, such as `Tue, Dec 1, 2:00 PM PST`. */
  const zoned = (value: string, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
    dayTimes(timeZone, options).format(new Date(value));

  /** Whole units; cents are shown when there are any. */
  const money = (amount: number, currency: string): string =>
    number(amount, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      maximumFractionDigits: Number.isInteger(amount) ? 0 : 2,
    });
  const writtenArea = (value: number, units: string): string =>
    t(AREA_KEYS[units] ?? units, {
      value: number(value, { maximumFractionDigits: LARGE.includes(units) ? 2 : 0 }),
    });
  /**
   * An area of a record in the site's units, so that homes can be compared.
   * @param units as the API has them: `Square Feet` or `Square Meters`, for lots `Acres` or `Hectares` too
   */
  const area = (value: number, units: string): string =>
    isOfSite(units, areaUnits)
      ? writtenArea(value, units)
      : writtenArea(areaIn(areaUnits, value, units), areaUnits);

  return {
    locale,
    t,
    number,
    money,
    /** Such as `$` or `€`; the code where there is no sign. */
    currencySign: (currency: string): string =>
      new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
    area,
    /** An area that the site itself says, such as that of a filter. */
    siteArea: (value: number): string => writtenArea(value, areaUnits),
    /** The same as it is recorded, where the site shows it in other units; null where it is shown so. */
    recordedArea: (value: number, units: string): string | null =>
      isOfSite(units, areaUnits) ? null : writtenArea(value, units),
    /** The price of a square foot or square meter, whichever the site has. */
    pricePerArea: (
      price: number,
      currency: string,
      of: { readonly area: number; readonly units: string },
    ): string =>
      t(areaUnits === 'Square Meters' ? 'unit.perSquareMeter' : 'unit.perSquareFoot', {
        price: money(roundedPrice(price / areaIn(areaUnits, of.area, of.units)), currency),
      }),
    /** @param share 0.5 is 50 percent */
    percent: (share: number): string => number(share, { style: 'percent', maximumFractionDigits: 1 }),
    /** A day and a time in UTC, for records that people in any zone compare. */
    instant: (value: string): string =>
      zoned(value, 'UTC', {
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
      }),
    date: (value: string): string => zoned(value, 'UTC', { day: 'numeric', month: 'short', year: 'numeric' }),
    /** The zone is always part of it, since a home may be in another one than its visitor. */
    dateTime: (value: string, timeZone: string): string =>
      zoned(value, timeZone, {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
      }),
    time: (value: string, timeZone: string): string =>
      zoned(value, timeZone, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
    /** Both ends on a day in the zone of a place, such as `Sat, Dec 5, 4 – 5 PM PST`. */
    timeRange: (from: string, to: string, timeZone: string): string => {
      const minuteOf = (at: string): number => Number(zoned(at, timeZone, { minute: 'numeric' }));
      const named = { weekday: 'short', day: 'numeric', month: 'short', timeZoneName: 'short' } as const;
      const whole = dayTimes(timeZone, { ...named, hour: 'numeric' });
      // Where a day has 24 hours, an hour alone is no time.
      const isShort = minuteOf(from) + minuteOf(to) === 0 && whole.resolvedOptions().hour12 === true;
      const format = isShort ? whole : dayTimes(timeZone, { ...named, hour: 'numeric', minute: '2-digit' });
      // Server and browser have other kinds of spaces here.
      return format.formatRange(new Date(from), new Date(to)).replaceAll(/[\u2009\u202f]/g, ' ');
    },
    /** Such as `A, B, or C`. */
    anyOf: (parts: readonly string[]): string =>
      kept(`${tag} list`, () => new Intl.ListFormat(tag, { type: 'disjunction' })).format(parts),
    /** @param day such as `2026-11-23` */
    monthName: (day: string): string => zoned(`${day}T12:00:00Z`, 'UTC', { month: 'long', year: 'numeric' }),
    /** @param day such as `2026-11-23` */
    weekday: (day: string): string => zoned(`${day}T12:00:00Z`, 'UTC', { weekday: 'short' }),
    day: (value: string, timeZone: string): string =>
      zoned(value, timeZone, { weekday: 'short', day: 'numeric', month: 'short' }),
  };
}

export type Text = ReturnType<typeof createText>;
