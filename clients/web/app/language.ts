import type { Locale } from '../../../i18n/translator.ts';
import type { Catalog } from './text.ts';
import { createText, type Text } from './text.ts';

/**
 * The language of the pages. The address decides it: Spanish stands under `/es`, English at the root. Pages inside the
 * router have the same addresses in both.
 */
export interface Language {
  readonly text: Text;
  /** Calls `changed` after every switch; the function returned ends that. */
  subscribe(changed: () => void): () => void;
  /** Loads the other language's texts and shows them. */
  switchTo(locale: Locale): Promise<void>;
}

/** @param load reads the texts of a language; called once for each switch */
export function createLanguage(
  first: { readonly locale: Locale; readonly catalog: Catalog },
  load: (locale: Locale) => Promise<Catalog>,
): Language {
  let text = createText(first.locale, first.catalog);
  const listeners = new Set<() => void>();
  return {
    get text() {
      return text;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async switchTo(locale) {
      if (locale === text.locale) return;
      text = createText(locale, await load(locale));
      for (const changed of listeners) changed();
    },
  };
}

const SPANISH = '/es';

/** The language of an address. */
export const localeOfPath = (pathname: string): Locale =>
  pathname === SPANISH || pathname.startsWith(`${SPANISH}/`) ? 'es' : 'en';

/** The address of the same page inside the router, without its language. */
export const withoutLocale = (pathname: string): string =>
  localeOfPath(pathname) === 'es' ? pathname.slice(SPANISH.length) || '/' : pathname;

/** The address of a page in a language. */
export const inLocale = (pathname: string, locale: Locale): string =>
  locale === 'es' ? (pathname === '/' ? SPANISH : SPANISH + pathname) : pathname;
