import { formatTag, type Locale, pathIn } from '../../../i18n/languages.ts';
import type { Site } from '../site/site.ts';
import { type FirstPicture, preloadOf } from './first-picture.ts';

export interface PageHead {
  readonly title: string;
  readonly description?: string;
  /** The page's address inside the router, without language and query. */
  readonly path: string;
  /** The absolute address of a real photo. */
  readonly image?: string | undefined;
  readonly firstPicture?: FirstPicture | null | undefined;
  /** Structured data for search engines (schema.org). */
  readonly data?: object;
  /** Pages of a person are for no one's index. */
  readonly isPrivate?: boolean;
}

/** What a page says about itself in its head: to tabs, search engines, and people with whom it is shared. */
export function pageHead({ language, settings, account }: Site, page: PageHead) {
  const { locale, t } = language.text;
  const name = t('common.name');
  const title = page.title === '' ? name : `${page.title} · ${name}`;
  const at = (other: Locale): string => settings.origin + pathIn(settings.site, page.path, other);
  const { languages, defaultLanguage, country } = settings.site;
  const description = page.description ?? t('discovery.lead');
  if (page.isPrivate) return { meta: [{ title }, { name: 'robots', content: 'noindex' }] };
  return {
    meta: [
      { title },
      { name: 'description', content: description },
      { property: 'og:title', content: title },
      { property: 'og:description', content: description },
      { property: 'og:type', content: 'website' },
      { property: 'og:site_name', content: name },
      { property: 'og:url', content: at(locale) },
      { property: 'og:locale', content: ogLocale(locale, country) },
      ...languages
        .filter((other) => other !== locale)
        .map((other) => ({ property: 'og:locale:alternate', content: ogLocale(other, country) })),
      ...(page.image === undefined
        ? []
        : [
            { property: 'og:image', content: page.image },
            { name: 'twitter:card', content: 'summary_large_image' },
          ]),
    ],
    links: [
      // A hint for the document alone: in the browser the picture is asked for at once.
      ...preloadOf(account === null ? (page.firstPicture ?? null) : null),
      { rel: 'canonical', href: at(locale) },
      ...(languages.length === 1
        ? []
        : [
            ...languages.map((other) => ({ rel: 'alternate', hrefLang: other, href: at(other) })),
            { rel: 'alternate', hrefLang: 'x-default', href: at(defaultLanguage) },
          ]),
    ],
    scripts: page.data === undefined ? [] : [{ type: 'application/ld+json', children: inScript(page.data) }],
  };
}

/** As OpenGraph writes a language, such as `en_US`. */
const ogLocale = (locale: Locale, country: string): string => formatTag(locale, country).replace('-', '_');

/** JSON that a script element can hold: no text of a listing can end the element. */
const inScript = (value: object): string => JSON.stringify(value).replaceAll('<', '\\u003c');
