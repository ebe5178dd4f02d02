import type { Locale } from '../../../i18n/translator.ts';

export type Catalog = Readonly<Record<string, string>>;

/** The words of one language, and how it writes numbers. */
export interface Text {
  readonly locale: Locale;
  t(key: string, variables?: Readonly<Record<string, string | number>>): string;
}

const TAGS: Record<Locale, string> = { en: 'en-US', es: 'es-MX' };

export function createText(locale: Locale, catalog: Catalog): Text {
  const numbers = new Intl.NumberFormat(TAGS[locale]);
  const plurals = new Intl.PluralRules(TAGS[locale]);
  return {
    locale,
    t(key, variables = {}) {
      const { count } = variables;
      const form =
        typeof count === 'number' ? `${key}_${plurals.select(count) === 'one' ? 'one' : 'other'}` : key;
      const message = catalog[form] ?? catalog[key] ?? key;
      return message.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
        const value = variables[name];
        return value === undefined ? whole : typeof value === 'number' ? numbers.format(value) : value;
      });
    },
  };
}
