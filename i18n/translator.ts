import { createInstance, type i18n } from 'i18next';
import agentEn from './agent/en.json' with { type: 'json' };
import agentEs from './agent/es.json' with { type: 'json' };
import { type SiteWords, wordsOfSite } from './site-words.ts';
import userEn from './user/en.json' with { type: 'json' };
import userEs from './user/es.json' with { type: 'json' };

export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];
/** Customers' and agents' apps have a catalog each. */
export type Audience = 'user' | 'agent';
export type Catalog = Readonly<Record<string, string>>;
type MessageVariables = Readonly<Record<string, string | number>>;

const CATALOGS: Record<Audience, Record<Locale, Catalog>> = {
  user: { en: userEn, es: userEs },
  agent: { en: agentEn, es: agentEs },
};

/** For programs that serve no site. */
const NO_SITE: SiteWords = { name: 'Proscenium', messages: {} };

/** Numbers and dates follow this tag; `es` is Mexican Spanish (docs/contract.md#message-catalogs). */
const FORMAT_TAGS: Record<Locale, string> = { en: 'en-US', es: 'es-MX' };

export interface Translator {
  readonly locale: Locale;
  /** True when the catalog holds the key, or its plural forms. */
  has(key: string): boolean;
  /**
   * The message with `{{name}}` replaced by `variables.name`; a numeric `count` picks `_one` or `_other`. Numbers
   * are formatted for the locale. A key missing in Spanish falls back to English, one missing altogether to itself:
   * words must never be the reason that an answer fails. A variable that was not given stays visible.
   */
  t(key: string, variables?: MessageVariables): string;
  number(value: number, options?: Intl.NumberFormatOptions): string;
  date(value: Date, options?: Intl.DateTimeFormatOptions): string;
}

/** The catalog as it is in the file, for the sync script and tests. */
export function catalog(audience: Audience, locale: Locale): Catalog {
  return CATALOGS[audience][locale];
}

/** i18next over one audience's catalogs, read as they are written: flat keys, `{{name}}`, no HTML. */
function engine(audience: Audience, site: SiteWords): i18n {
  const { en, es } = CATALOGS[audience];
  const instance = createInstance();
  void instance.init({
    resources: {
      en: { translation: wordsOfSite(en, site, 'en') },
      es: { translation: wordsOfSite(es, site, 'es') },
    },
    fallbackLng: 'en',
    initAsync: false,
    keySeparator: false,
    nsSeparator: false,
    // Mails escape what they show; logs and apps must not.
    interpolation: { escapeValue: false },
  });
  return instance;
}

const enginesOf = (site: SiteWords): Record<Audience, i18n> => ({
  user: engine('user', site),
  agent: engine('agent', site),
});
let speaking = { site: NO_SITE, engines: enginesOf(NO_SITE) };

/**
 * From now on every translator of this process speaks for a site. A role calls it once, before it does anything: a
 * process has one site, as it has one environment.
 */
export function speakFor(site: SiteWords): void {
  speaking = { site, engines: enginesOf(site) };
}

/** The name of the site that this process speaks for. */
export const siteName = (): string => speaking.site.name;

/** Words for one locale and audience (docs/contract.md#message-catalogs). */
export function createTranslator(locale: Locale, audience: Audience): Translator {
  const tag = FORMAT_TAGS[locale];
  const messages = CATALOGS[audience][locale];
  const number = (value: number, options?: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(tag, options).format(value);
  const shown = (value: string | number): string => (typeof value === 'number' ? number(value) : value);
  return {
    locale,
    number,
    has: (key) => Object.hasOwn(messages, key) || Object.hasOwn(messages, `${key}_other`),
    date: (value, options) => new Intl.DateTimeFormat(tag, options).format(value),
    t: (key, variables = {}) => {
      const { count } = variables;
      // Under `replace`, no variable can be taken for an option of the library, such as `context` or `lng`.
      const replace = Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, shown(value)]),
      );
      return speaking.engines[audience].t(key, {
        lng: locale,
        replace,
        ...(typeof count === 'number' ? { count } : {}),
      });
    },
  };
}

/** The supported locale an `Accept-Language` header likes best; English when it names none. */
export function preferredLocale(acceptLanguage: string | null | undefined): Locale {
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
  return (
    LOCALES.find((locale) => locale === liked.find(({ language }) => isLocale(language))?.language) ?? 'en'
  );
}

/** Whether a text names a supported locale. */
export function isLocale(value: unknown): value is Locale {
  return LOCALES.some((locale) => locale === value);
}
