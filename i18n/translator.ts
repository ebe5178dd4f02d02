import agentEn from './agent/en.json' with { type: 'json' };
import agentEs from './agent/es.json' with { type: 'json' };
import userEn from './user/en.json' with { type: 'json' };
import userEs from './user/es.json' with { type: 'json' };

export const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];
/** Customers' and agents' apps have a catalog each. */
export type Audience = 'user' | 'agent';
export type Catalog = Readonly<Record<string, string>>;
export type MessageVariables = Readonly<Record<string, string | number>>;

const CATALOGS: Record<Audience, Record<Locale, Catalog>> = {
  user: { en: userEn, es: userEs },
  agent: { en: agentEn, es: agentEs },
};

/** Numbers and dates follow this tag; `es` is Mexican Spanish (platform.md, Client message catalogs). */
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

function find(messages: Catalog, key: string): string | undefined {
  return Object.hasOwn(messages, key) ? messages[key] : undefined;
}

/** Words for one locale and audience (platform.md, Client message catalogs). */
export function createTranslator(locale: Locale, audience: Audience): Translator {
  const tag = FORMAT_TAGS[locale];
  const messages = CATALOGS[audience][locale];
  const english = CATALOGS[audience].en;
  const plurals = new Intl.PluralRules(tag);

  const template = (key: string, variables: MessageVariables): string => {
    const { count } = variables;
    const suffix = typeof count === 'number' && plurals.select(count) === 'one' ? '_one' : '_other';
    const keys = typeof count === 'number' ? [key + suffix, key] : [key];
    for (const source of [messages, english]) {
      for (const candidate of keys) {
        const message = find(source, candidate);
        if (message !== undefined) return message;
      }
    }
    return key;
  };
  const number = (value: number, options?: Intl.NumberFormatOptions): string =>
    new Intl.NumberFormat(tag, options).format(value);
  return {
    locale,
    number,
    has: (key) => [key, `${key}_other`].some((candidate) => find(messages, candidate) !== undefined),
    date: (value, options) => new Intl.DateTimeFormat(tag, options).format(value),
    t: (key, variables = {}) =>
      template(key, variables).replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
        const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
        if (value === undefined) return placeholder;
        return typeof value === 'number' ? number(value) : value;
      }),
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
