import type { Locale } from '../../../i18n/translator.ts';
import type { Catalog } from './text.ts';
import { createText, type Text } from './text.ts';

/** Words for everybody, or those of the studio beside them. */
export type Audience = 'user' | 'agent';

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
  /** Loads what only agents read, once. From then on it is part of the texts. */
  addAgentWords(): Promise<void>;
}

/** @param load reads the texts of a language for an audience; called once for each switch */
export function createLanguage(
  first: { readonly locale: Locale; readonly catalog: Catalog; readonly audience: Audience },
  load: (locale: Locale, audience: Audience) => Promise<Catalog>,
): Language {
  let { audience } = first;
  let text = createText(first.locale, first.catalog);
  const listeners = new Set<() => void>();
  const show = async (locale: Locale): Promise<void> => {
    text = createText(locale, await load(locale, audience));
    for (const changed of listeners) changed();
  };
  return {
    get text() {
      return text;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async switchTo(locale) {
      if (locale !== text.locale) await show(locale);
    },
    async addAgentWords() {
      if (audience === 'agent') return;
      audience = 'agent';
      await show(text.locale);
    },
  };
}

const SPANISH = '/es';

/** The language of an address. */
export const localeOfPath = (pathname: string): Locale =>
  pathname === SPANISH || pathname.startsWith(`${SPANISH}/`) ? 'es' : 'en';

/** Who reads the page at an address. */
export const audienceOfPath = (pathname: string): Audience =>
  /^\/studio(?:\/|$)/.test(withoutLocale(pathname)) ? 'agent' : 'user';

/** The address of the same page inside the router, without its language. */
export const withoutLocale = (pathname: string): string =>
  localeOfPath(pathname) === 'es' ? pathname.slice(SPANISH.length) || '/' : pathname;

/** The address of a page in a language. */
export const inLocale = (pathname: string, locale: Locale): string =>
  locale === 'es' ? (pathname === '/' ? SPANISH : SPANISH + pathname) : pathname;
