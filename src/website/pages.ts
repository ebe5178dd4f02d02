/**
 * The pages of the site as routes. Public pages are rendered for no one, whatever cookie comes: the same bytes for
 * everyone, which any cache may keep. Pages for one person are rendered as that person and kept by no one.
 */
import { randomBytes } from 'node:crypto';
import {
  isLocale,
  LANGUAGE_COOKIE,
  LOCALES,
  type Locale,
  pathIn,
  preferredLocale,
  prefixOf,
  type SiteLanguages,
} from '../../i18n/languages.ts';
import { createTranslator, siteName } from '../../i18n/translator.ts';
import type { RequestContext } from '../api/base.ts';
import type { AppRouter } from '../api/routers/app.ts';
import { cookiePairs } from '../auth/cookie-header.ts';
import { PublicError } from '../errors/errors.ts';
import { PAGE_CACHING, surrogateKeys } from '../http/complete-answer.ts';
import { errorHeaders, withFault } from '../http/error-response.ts';
import type { HttpHeader, HttpRequest, HttpResponse, Route } from '../http/message.ts';
import { RequestHeaders } from '../http/request-headers.ts';
import { clientOf } from '../limits/client-network.ts';
import type { Repeats } from '../repeats/repeats.ts';
import { acceptsEncoding } from './assets.ts';
import { inProcessApi } from './in-process-api.ts';
import { type PagePolicy, pageHeaders } from './page-headers.ts';
import type { Page, PublicSiteSettings, SitePage } from './renderer.ts';
import { publicErrorOf, type Rendering } from './rendering.ts';

export interface PagesOptions {
  readonly rendering: Rendering;
  readonly router: AppRouter;
  /** A text of the operator by its name. */
  readonly texts: (name: string) => Promise<string>;
  /** The context of the caller of a request, for pages of a person. */
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
  }) => Promise<RequestContext>;
  readonly repeats: Repeats;
  readonly settings: PublicSiteSettings;
  /** The site's own styles. */
  readonly styles: string;
  readonly policy: PagePolicy;
}

const NOT_KEPT: HttpHeader[] = [['cache-control', 'no-store']];
const HTML: HttpHeader = ['content-type', 'text/html; charset=utf-8'];

/** An address that no page has, so that all unknown addresses share one answer. */
const UNKNOWN_ADDRESS = '/not-found';
const NOT_FOUND_PAGE = { freshSeconds: null, webAssembly: false };

export function pageRoutes(options: PagesOptions): Route[] {
  const { rendering, settings } = options;
  const { pages } = rendering;
  const ofLanguage = (locale: Locale): Route[] => {
    const isDefault = locale === settings.site.defaultLanguage;
    const route = (path: string, work: PageWork['work']): Route => ({
      methods: ['GET'],
      path: pathIn(settings.site, path, locale),
      // Programs get JSON where no page is.
      varies: path === '/*' ? ['Accept', 'Accept-Encoding'] : ['Accept-Encoding'],
      errorResponse: (error) => plainPage(options, error, locale),
      handler: (request) => answered(options, request, { locale, work }),
    });
    const unknown: PageWork['work'] = (request) => unknownPage(options, request, locale);
    return [
      ...pages.map((page) =>
        route(page.path, (request) => {
          if (!page.isPublic) return personPage(options, request);
          const work = { locale, page, address: addressOf(page, request) };
          return isDefault && page.path === '/'
            ? firstPage(options, request, work)
            : publicPage(options, request, work);
        }),
      ),
      isDefault
        ? {
            methods: '*',
            path: '/*',
            varies: ['Accept', 'Accept-Encoding'],
            handler: (request) => answered(options, request, { locale, work: unknown }),
          }
        : route('/*', unknown),
    ];
  };
  return [...settings.site.languages.flatMap(ofLanguage), ...retiredRoutes(settings.site)];
}

/** In seconds: browsers forget it soon after the operator has changed the languages again. */
const MOVED: HttpHeader = ['cache-control', 'public, max-age=3600'];

/**
 * Addresses of languages that have no prefix now, or are no longer offered: the same page in the default language. Links
 * to them outlive every change of the settings.
 */
function retiredRoutes(site: SiteLanguages): Route[] {
  const { languages, defaultLanguage } = site;
  return LOCALES.filter((locale) => locale === defaultLanguage || !languages.includes(locale)).map(
    (locale): Route => ({
      methods: ['GET'],
      path: `/${locale}/*`,
      handler: async ({ url }) => ({
        status: 308,
        // One slash: two would name another host.
        headers: [['location', url.slice(locale.length + 1).replace(/^[/\\]*/, '/')], MOVED],
        body: null,
      }),
    }),
  );
}

/** What depends on who asks is kept by no cache that others share. */
const OWN: HttpHeader[] = [['cache-control', 'private, no-cache']];
const OWN_WAY: HttpHeader = ['cache-control', 'private, no-store'];

/**
 * The first page, in the default language. Only here is the language chosen for a visitor: by the choice of an earlier
 * visit, or else by the browser's wishes. With one language the page is like all others.
 */
async function firstPage(
  options: PagesOptions,
  request: HttpRequest,
  work: PublicPageWork,
): Promise<HttpResponse> {
  const { settings } = options;
  if (settings.site.languages.length === 1) return publicPage(options, request, work);
  const wished = wishedLanguage(settings.site, request);
  if (wished === work.locale) return publicPage(options, request, { ...work, caching: OWN });
  return { status: 302, headers: [['location', prefixOf(settings.site, wished)], OWN_WAY], body: null };
}

function wishedLanguage(site: SiteLanguages, { headers }: HttpRequest): Locale {
  const chosen = cookiePairs(headers.get('cookie')).find(({ name }) => name === LANGUAGE_COOKIE)?.raw;
  if (chosen === undefined) return preferredLocale(site, headers.get('accept-language'));
  return isLocale(chosen) && site.languages.includes(chosen) ? chosen : site.defaultLanguage;
}

/** The address with that part of the query which decides what is shown, so that one page is kept for all others. */
function addressOf({ shownBy }: SitePage, { path, url }: HttpRequest): string {
  return path + shownBy(url.slice(path.length));
}

interface PageWork {
  readonly locale: Locale;
  readonly work: (request: HttpRequest) => Promise<HttpResponse>;
}

/** The page, or the plain page that says that it could not be made. JSON for those who ask for no page. */
async function answered(
  options: PagesOptions,
  request: HttpRequest,
  { locale, work }: PageWork,
): Promise<HttpResponse> {
  try {
    return await work(request);
  } catch (error) {
    const shown = publicErrorOf(error);
    if (!wantsPage(request)) throw shown;
    return withFault(plainPage(options, shown, locale), shown);
  }
}

/** Browsers ask for a page; programs ask for JSON or for anything. */
const wantsPage = ({ method, headers, path }: HttpRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !path.startsWith('/api/') &&
  (headers.get('accept') ?? '').includes('text/html');

async function unknownPage(
  options: PagesOptions,
  request: HttpRequest,
  locale: Locale,
): Promise<HttpResponse> {
  if (!wantsPage(request)) throw new PublicError('NOT_FOUND');
  const address = pathIn(options.settings.site, UNKNOWN_ADDRESS, locale);
  return publicPage(options, request, { locale, address, page: NOT_FOUND_PAGE });
}

interface PublicPageWork {
  readonly locale: Locale;
  /** The path, and the query where it decides what is shown. */
  readonly address: string;
  readonly page: Pick<SitePage, 'freshSeconds' | 'webAssembly'>;
  /** Where it is not as usual. */
  readonly caching?: HttpHeader[];
}

async function publicPage(
  { rendering, router, texts, repeats, settings, styles, policy }: PagesOptions,
  request: HttpRequest,
  { locale, address, page: { freshSeconds, webAssembly }, caching }: PublicPageWork,
): Promise<HttpResponse> {
  // A page that says how fresh it is keeps its word.
  const asking = { client: clientOf({ user: null, request }), mayBeOld: freshSeconds === null };
  const { page, isStale } = await rendering.renderPublic(asking, {
    url: settings.origin + address,
    api: inProcessApi(router, nobody(request, { repeats, locale })),
    texts,
    nonce: null,
    settings,
    styles,
  });
  const usual: HttpHeader[] =
    freshSeconds === null ? PAGE_CACHING : [['cache-control', `public, max-age=${freshSeconds}`]];
  const fresh = caching ?? usual;
  const answer = (body: HttpResponse['body'], encoding: HttpHeader[]): HttpResponse =>
    pageAnswer(page, {
      caching: isStale ? NOT_KEPT : [...fresh, ...surrogateKeys(page.propertyIds)],
      headers: [...pageHeaders(policy, { ...page.inline, webAssembly }), ...encoding],
      body,
    });
  return acceptsEncoding(request.headers.get('accept-encoding'), 'gzip')
    ? answer(page.compressed(), [['content-encoding', 'gzip']])
    : answer(page.html, []);
}

/** The answer of a rendered page. One whose content could not be loaded has that error's status and is kept by no one. */
function pageAnswer(
  page: Page,
  given: {
    readonly caching: readonly HttpHeader[];
    readonly headers: readonly HttpHeader[];
    readonly body: HttpResponse['body'];
  },
): HttpResponse {
  const error = page.failure === undefined ? null : publicErrorOf(page.failure.error);
  const caching = error === null ? given.caching : errorHeaders(error);
  const response = {
    status: error?.httpStatus ?? page.status,
    headers: [HTML, ...caching, ...page.headers, ...given.headers],
    body: given.body,
  };
  return error === null ? response : withFault(response, error);
}

/** A caller without a session, whose language is that of the page: everyone who shares the page. */
function nobody(
  { id, remoteAddress }: HttpRequest,
  { repeats, locale }: { readonly repeats: Repeats; readonly locale: Locale },
): RequestContext {
  const headers = new RequestHeaders();
  headers.add('accept-language', locale);
  const { signal } = new AbortController();
  return {
    request: { id, remoteAddress, headers, signal },
    user: null,
    responseHeaders: new Headers(),
    repeats,
  };
}

async function personPage(
  { rendering, router, texts, createContext, settings, styles, policy }: PagesOptions,
  request: HttpRequest,
): Promise<HttpResponse> {
  const responseHeaders = new Headers();
  const context = await createContext({ request, responseHeaders });
  const nonce = randomBytes(16).toString('base64');
  const page = await rendering.render(clientOf(context), {
    url: settings.origin + request.url,
    api: inProcessApi(router, context),
    texts,
    nonce,
    settings,
    styles,
  });
  const source = [`'nonce-${nonce}'`];
  return pageAnswer(page, {
    caching: NOT_KEPT,
    headers: [...pageHeaders(policy, { scripts: source, styles: source }), ...responseHeaders],
    body: page.html,
  });
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A page without scripts or styles of the site: it needs nothing that could be away. */
function plainPage({ policy, settings }: PagesOptions, error: PublicError, locale: Locale): HttpResponse {
  const words = createTranslator(locale, 'user');
  const isClosed = error.code === 'MAINTENANCE';
  const title = words.t(
    isClosed ? 'problem.maintenance' : error.httpStatus === 404 ? 'problem.notFound' : 'problem.failed',
  );
  const text = isClosed
    ? escaped(words.t('errors.maintenance'))
    : `<a href="${pathIn(settings.site, '/', locale)}">${escaped(siteName())}</a>`;
  const sample = settings.sample ? `<p>${escaped(words.t('shell.sample'))}</p>` : '';
  const html = `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p>${sample}</body></html>`;
  return {
    status: error.httpStatus,
    headers: [HTML, ...errorHeaders(error), ...pageHeaders(policy, { scripts: [], styles: [] })],
    body: html,
  };
}
