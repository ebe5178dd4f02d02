import type { Locale, SiteUnits } from '../../../i18n/languages.ts';
import type { Catalog } from './text.ts';
import { createText, type Text } from './text.ts';
import type { WordPart } from './word-parts.ts';

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
  /** Loads what not every page says, once. From then on it is part of the texts. */
  addWords(parts: readonly WordPart[]): Promise<void>;
}

/** @param load reads the texts of a language, those for everyone and these parts; called once for each switch */
export function createLanguage(
  first: {
    readonly locale: Locale;
    readonly catalog: Catalog;
    /** The parts that `catalog` has. */
    readonly parts: readonly WordPart[];
    readonly units: SiteUnits;
  },
  load: (locale: Locale, parts: readonly WordPart[]) => Promise<Catalog>,
): Language {
  let text = createText(first.locale, first.catalog, first.units);
  let shown: Wanted = { locale: first.locale, parts: first.parts, done: Promise.resolve() };
  /** What is shown, or will be as soon as its words are there. */
  let wanted = shown;
  const listeners = new Set<() => void>();
  const show = (locale: Locale, parts: readonly WordPart[]): Promise<void> => {
    const done: Promise<void> = load(locale, parts).then(
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
    wanted = { locale, parts, done };
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
    switchTo: (locale) => (locale === wanted.locale ? wanted.done : show(locale, wanted.parts)),
    addWords(parts) {
      const all = [...new Set([...wanted.parts, ...parts])];
      return all.length === wanted.parts.length ? wanted.done : show(wanted.locale, all);
    },
  };
}

interface Wanted {
  readonly locale: Locale;
  readonly parts: readonly WordPart[];
  readonly done: Promise<void>;
}
