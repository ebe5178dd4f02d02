import { type Locale, type SiteUnits, withoutLocale } from '../../../i18n/languages.ts';
import type { Catalog } from './text.ts';
import { createText, type Text } from './text.ts';

/** Texts for everyone, and in addition those of the studio or of a provenance page, which is a separate document. */
export type Audience = 'user' | 'agent' | 'provenance';

/**
 * The language of the pages. The address decides it: the site's default language has no prefix. Pages inside the router
 * have the same addresses in all languages.
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
  first: {
    readonly locale: Locale;
    readonly catalog: Catalog;
    readonly audience: Audience;
    readonly units: SiteUnits;
  },
  load: (locale: Locale, audience: Audience) => Promise<Catalog>,
): Language {
  let text = createText(first.locale, first.catalog, first.units);
  let shown: Wanted = { locale: first.locale, audience: first.audience, done: Promise.resolve() };
  /** What is shown, or will be as soon as its words are there. */
  let wanted = shown;
  const listeners = new Set<() => void>();
  const show = (locale: Locale, audience: Audience): Promise<void> => {
    const done: Promise<void> = load(locale, audience).then(
      (catalog) => {
        // A later wish counts, whichever words come first.
        if (wanted.done !== done) return wanted.done;
        text = createText(locale, catalog, first.units);
        shown = wanted;
        for (const changed of listeners) changed();
      },
      (error: unknown) => {
        if (wanted.done === done) wanted = shown;
        throw error;
      },
    );
    wanted = { locale, audience, done };
    return done;
  };
  return {
    get text() {
      return text;
    },
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    switchTo: (locale) => (locale === wanted.locale ? wanted.done : show(locale, wanted.audience)),
    addAgentWords: () => (wanted.audience === 'agent' ? wanted.done : show(wanted.locale, 'agent')),
  };
}

interface Wanted {
  readonly locale: Locale;
  readonly audience: Audience;
  readonly done: Promise<void>;
}

/** Who reads the page at an address. */
export function audienceOfPath(pathname: string): Audience {
  const path = withoutLocale(pathname);
  if (hasOwnPolicy(path)) return 'provenance';
  return /^\/studio(?:\/|$)/.test(path) ? 'agent' : 'user';
}

/** Whether a page inside the router has a policy of its own: what may run is decided by its document. */
export const hasOwnPolicy = (path: string): boolean => path.startsWith('/provenance/');
