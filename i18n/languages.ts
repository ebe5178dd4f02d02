import type { LivingAreaUnits } from './areas.ts';

/** The languages and units of a site, and how its addresses name the languages. */

export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

/** What an operator offers (docs/contract.md#languages-and-units). */
export interface SiteLanguages {
  /** Each has a catalog. */
  readonly languages: readonly Locale[];
  /** One of them: its addresses have no prefix. */
  readonly defaultLanguage: Locale;
}

/** What a site's prices, areas and addresses are written in (docs/contract.md#languages-and-units). */
export interface SiteUnits {
  /** ISO 4217. */
  readonly currency: string;
  readonly areaUnits: LivingAreaUnits;
  /** ISO 3166. */
  readonly country: string;
}

/** Names the language that a person has chosen. */
export const LANGUAGE_COOKIE = 'language';

/** Whether a text names a language that has catalogs. */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}

const PREFIX = new RegExp(`^/(${LOCALES.join('|')})(?=/|$)`);

/** What a language's addresses begin with: nothing for the default one, such as `/es` for the others. */
export const prefixOf = (
  { defaultLanguage }: Pick<SiteLanguages, 'defaultLanguage'>,
  locale: Locale,
): string => (locale === defaultLanguage ? '' : `/${locale}`);

/** The address of a page in a language. */
export const pathIn = (
  languages: Pick<SiteLanguages, 'defaultLanguage'>,
  path: string,
  locale: Locale,
): string => {
  const prefix = prefixOf(languages, locale);
  return prefix !== '' && path === '/' ? prefix : prefix + path;
};

/** The language of an address. */
export function localeOfPath(
  { defaultLanguage }: Pick<SiteLanguages, 'defaultLanguage'>,
  pathname: string,
): Locale {
  const named = PREFIX.exec(pathname)?.[1];
  return isLocale(named) ? named : defaultLanguage;
}

/** The address of the same page inside the router, without its language. A page has no address that begins like one. */
export const withoutLocale = (pathname: string): string => pathname.replace(PREFIX, '') || '/';

/** The language of a person on a site that may not offer it. */
export const spoken = ({ languages, defaultLanguage }: SiteLanguages, locale: Locale): Locale =>
  languages.includes(locale) ? locale : defaultLanguage;

/** The offered language that an `Accept-Language` header likes best; the default one when it names none. */
export function preferredLocale(site: SiteLanguages, acceptLanguage: string | null | undefined): Locale {
  const wishes = (acceptLanguage ?? '').split(',').map((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const quality = Number(
      parameters
        .find((p) => p.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? '1',
    );
    return { language: tag.split('-')[0], quality: Number.isFinite(quality) ? quality : 0 };
  });
  const liked = wishes.filter(({ quality }) => quality > 0).toSorted((a, b) => b.quality - a.quality);
  const first = liked
    .map(({ language }) => language)
    .find((language) => site.languages.some((one) => one === language));
  return isLocale(first) ? first : site.defaultLanguage;
}

/** Regions whose ways to write numbers and days both servers and browsers know; the first is for all other countries. */
const REGIONS: Record<Locale, readonly string[]> = {
  en: ['US', 'GB', 'CA', 'AU', 'IE', 'NZ'],
  es: ['MX', 'ES', 'AR', 'CL', 'CO', 'PE', 'UY'],
};

/** How numbers and days are written in a language on a site of a country, such as `es-ES`. */
export function formatTag(locale: Locale, country: string): string {
  const regions = REGIONS[locale];
  return `${locale}-${regions.includes(country) ? country : regions[0]}`;
}
