import { QueryClient } from '@tanstack/react-query';
import { createRequestHandler, getSsrStatus, RouterServer } from '@tanstack/react-router/ssr/server';
import { renderToString } from 'react-dom/server';
import agentEn from '../../i18n/agent/en.json' with { type: 'json' };
import agentEs from '../../i18n/agent/es.json' with { type: 'json' };
import { type Locale, localeOfPath } from '../../i18n/languages.ts';
import { wordsOfSite } from '../../i18n/site-words.ts';
import en from '../../i18n/user/en.json' with { type: 'json' };
import es from '../../i18n/user/es.json' with { type: 'json' };
import type { PublicSite } from '../../src/site/site.ts';
import type { PageRequest, PublicSiteSettings, SiteRenderer } from '../../src/website/renderer.ts';
import type { SiteApi } from './api/site-api.ts';
import { PAGE_TRAITS } from './app/page-traits.ts';
import { createSiteRouter } from './app/router.tsx';
import { allParts } from './primitives/later.tsx';
import { createNotices } from './site/notices.ts';
import type { WrittenOnce } from './site/site.ts';
import { createLanguage } from './words/language.ts';
import type { Catalog } from './words/text.ts';
import { partsOfPath, type WordPart } from './words/word-parts.ts';

/** Renders pages on the server: the module that `src/website/` loads. */

/** Made when the site is built, from the list of files of the client build. */
declare const CLIENT: {
  readonly written: WrittenOnce;
  /** For each page and catalog, the scripts that it needs besides those of every page. */
  readonly scripts: Readonly<Record<string, readonly string[]>>;
};

/** Whole, unlike those of the browser. */
const CATALOGS: Record<'user' | 'agent', Record<Locale, Catalog>> = {
  user: { en, es },
  agent: { en: agentEn, es: agentEs },
};

/** A process has one site: its words are made once for each catalog. */
const ofSite = new WeakMap<Catalog, { readonly site: PublicSite; readonly words: Catalog }>();

function wordsOf({ site }: PublicSiteSettings, parts: readonly WordPart[], locale: Locale): Catalog {
  const catalog = CATALOGS[parts.includes('studio') ? 'agent' : 'user'][locale];
  const known = ofSite.get(catalog);
  if (known?.site === site) return known.words;
  const words = wordsOfSite(catalog, site, locale);
  ofSite.set(catalog, { site, words });
  return words;
}

/** The pages of the route table. */
export const pages: SiteRenderer['pages'] = Object.entries(PAGE_TRAITS).map(([path, traits]) => ({
  path: path.replaceAll('$', ':'),
  isPublic: traits.isPublic ?? false,
  shownBy: traits.shownBy ?? (() => ''),
  freshSeconds: traits.freshSeconds ?? null,
  webAssembly: traits.webAssembly ?? false,
}));

export const render: SiteRenderer['render'] = async ({
  url,
  api,
  texts,
  nonce,
  settings,
  styles,
  signal,
}: PageRequest) => {
  const { pathname } = new URL(url);
  const locale = localeOfPath(settings.site, pathname);
  const parts = partsOfPath(pathname);
  const catalog = wordsOf(settings, parts, locale);
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, gcTime: Number.POSITIVE_INFINITY } },
  });
  const site = {
    api: api as SiteApi,
    queries,
    language: createLanguage({ locale, parts, catalog, units: settings.site }, async (other, whose) =>
      wordsOf(settings, whose, other),
    ),
    settings,
    texts,
    notices: createNotices(() => {}),
    written: { ...CLIENT.written, styles: CLIENT.written.styles + styles },
    account: null,
    marks: null,
    person: null,
    sender: null,
  };
  const handle = createRequestHandler({
    // The router reads these two. A whole request would follow the signal with a controller of its own.
    request: { url, signal } as Request,
    createRouter: () => createSiteRouter(site, nonce === null ? {} : { nonce }),
  });
  // Kept outside the response: a body would make bytes of the text, and text of the bytes.
  let html = '';
  let failure: { readonly error: unknown } | undefined;
  let renderedMs = 0;
  try {
    const { status, headers } = await handle(async ({ router, responseHeaders }) => {
      const failed = router.state.matches.find((match) => match.status === 'error');
      if (failed !== undefined) failure = { error: failed.error };
      const page = fileOf(router.state.matches.at(-1)?.fullPath);
      for (const script of new Set(
        [...catalogsOf(parts, locale), page ?? ''].flatMap((name) => CLIENT.scripts[name] ?? []),
      ))
        responseHeaders.append('link', `<${script}>; rel=modulepreload; fetchpriority=low`);
      await allParts();
      const since = performance.now();
      html = `<!DOCTYPE html>${renderToString(<RouterServer router={router} />)}`;
      renderedMs = performance.now() - since;
      return new Response(null, { status: getSsrStatus(router), headers: responseHeaders });
    });
    const page = { status, headers: [...headers], html, renderedMs };
    return failure === undefined ? page : { ...page, failure };
  } finally {
    queries.clear();
  }
};

/** Null where the address is no page's. */
const fileOf = (path = ''): string | null => (PAGE_TRAITS as PagesByPath)[path]?.file ?? null;
type PagesByPath = Readonly<Partial<Record<string, (typeof PAGE_TRAITS)['/']>>>;

/** The catalogs of a page, by their names among the scripts. */
const catalogsOf = (parts: readonly WordPart[], locale: Locale): string[] => [
  locale,
  ...parts.map((part) => `${part}-${locale}`),
];
