/**
 * The pages of the site as routes. Public pages are rendered for nobody, whatever cookie comes: the same bytes for
 * everybody, which any cache may keep. Pages for one person are rendered as that person and kept by nobody.
 */
import { randomBytes } from 'node:crypto';
import { createTranslator, type Locale } from '../../i18n/translator.ts';
import type { RequestContext } from '../api/base.ts';
import type { AppRouter } from '../api/routers/app.ts';
import { PublicError } from '../errors/errors.ts';
import { asPublicError, errorHeaders, withFault } from '../http/error-response.ts';
import type { HttpHeader, HttpRequest, HttpResponse, Route } from '../http/message.ts';
import { RequestHeaders } from '../http/request-headers.ts';
import type { Repeats } from '../repeats/repeats.ts';
import { DEFAULT_PICTURES, PICTURE_CHOICES } from '../wire/listings/picture-choice.ts';
import { acceptsEncoding } from './assets.ts';
import { inProcessApi } from './in-process-api.ts';
import { type PagePolicy, pageHeaders } from './page-headers.ts';
import type { Page, PublicSiteSettings } from './renderer.ts';
import type { Rendering } from './rendering.ts';

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
  readonly policy: PagePolicy;
}

/** Their query decides nothing, so it is not part of what is rendered and kept. */
const PLAIN_PAGES = ['/', '/privacy', '/terms', '/contact'];
const HOME_PAGE = '/properties/:propertyId';
/** Checks chosen files with WebAssembly, and changes at once when its picture is withdrawn. */
const PROVENANCE_PAGE = '/provenance/:stagedImageId';
const SEARCH_PAGE = '/search';
const PERSON_PAGES = ['/favorites', '/inbox/*', '/tours/*', '/menu/*', '/studio/*', '/sign-in'];

/** Caches keep a public page for a minute; for ten more they may show the old one while they ask for the new one. */
const FOR_EVERYBODY = 'public, max-age=60, stale-while-revalidate=600';
/** A picture that was withdrawn must be gone within seconds, also behind a cache. */
const FOR_SECONDS = 'public, max-age=5';
const HTML: HttpHeader = ['content-type', 'text/html; charset=utf-8'];

/** An address that no page has, so that all unknown addresses share one answer. */
const UNKNOWN_ADDRESS = '/not-found';

export function pageRoutes(options: PagesOptions): Route[] {
  const route = (path: string, handler: Route['handler'], locale: Locale): Route => ({
    methods: ['GET'],
    path,
    varies: ['Accept-Encoding'],
    errorResponse: (error) => plainPage(options, error, locale),
    handler: (request) => answered(options, request, { locale, work: handler }),
  });
  return (['en', 'es'] as const).flatMap((locale) => {
    const at = (path: string): string => (locale === 'en' ? path : `/es${path === '/' ? '' : path}`);
    const plain = (request: HttpRequest) => publicPage(options, request, { locale, address: request.path });
    return [
      ...PLAIN_PAGES.map((path) => route(at(path), plain, locale)),
      route(
        at(HOME_PAGE),
        (request) => publicPage(options, request, { locale, address: homeAddress(request) }),
        locale,
      ),
      route(
        at(PROVENANCE_PAGE),
        (request) =>
          publicPage(options, request, {
            locale,
            address: request.path,
            caching: FOR_SECONDS,
            webAssembly: true,
          }),
        locale,
      ),
      route(
        at(SEARCH_PAGE),
        (request) => publicPage(options, request, { locale, address: request.url }),
        locale,
      ),
      ...PERSON_PAGES.map((path) => route(at(path), (request) => personPage(options, request), locale)),
      ...(locale === 'es'
        ? [route('/es/*', (request) => unknownPage(options, request, locale), locale)]
        : [
            {
              methods: '*',
              path: '/*',
              handler: (request) =>
                answered(options, request, { locale, work: () => unknownPage(options, request, locale) }),
            } satisfies Route,
          ]),
    ];
  });
}

/** Of its query only the choice of pictures decides what a home's page shows, so one home has at most three pages. */
function homeAddress({ path, url }: HttpRequest): string {
  const asked = new URLSearchParams(url.slice(path.length)).get('pictures');
  const choice = PICTURE_CHOICES.find((one) => one === asked && one !== DEFAULT_PICTURES);
  return choice === undefined ? path : `${path}?pictures=${choice}`;
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

/** The error of a failed call, or of a page. */
const publicErrorOf = (error: unknown): PublicError =>
  asPublicError(error instanceof Error && error.cause instanceof PublicError ? error.cause : error);

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
  const address = locale === 'es' ? `/es${UNKNOWN_ADDRESS}` : UNKNOWN_ADDRESS;
  return publicPage(options, request, { locale, address });
}

interface PublicPageWork {
  readonly locale: Locale;
  /** The path, and the query where it decides what is shown. */
  readonly address: string;
  readonly caching?: string;
  readonly webAssembly?: boolean;
}

async function publicPage(
  { rendering, router, texts, repeats, settings, policy }: PagesOptions,
  request: HttpRequest,
  { locale, address, caching = FOR_EVERYBODY, webAssembly = false }: PublicPageWork,
): Promise<HttpResponse> {
  const page = await rendering.renderPublic({
    url: settings.origin + address,
    api: inProcessApi(router, nobody(request, { repeats, locale })),
    texts,
    nonce: null,
    settings,
  });
  const answer = (body: HttpResponse['body'], encoding: HttpHeader[]): HttpResponse =>
    pageAnswer(page, {
      caching,
      headers: [...pageHeaders(policy, { ...page.inline, webAssembly }), ...encoding],
      body,
    });
  return acceptsEncoding(request.headers.get('accept-encoding'), 'gzip')
    ? answer(page.compressed(), [['content-encoding', 'gzip']])
    : answer(page.html, []);
}

/** The answer of a rendered page. One whose content could not be loaded has that error's status and is kept by nobody. */
function pageAnswer(
  page: Page,
  given: {
    readonly caching: string;
    readonly headers: readonly HttpHeader[];
    readonly body: HttpResponse['body'];
  },
): HttpResponse {
  const error = page.failure === undefined ? null : publicErrorOf(page.failure.error);
  const caching: HttpHeader[] = error === null ? [['cache-control', given.caching]] : errorHeaders(error);
  const response = {
    status: error?.httpStatus ?? page.status,
    headers: [HTML, ...caching, ...page.headers, ...given.headers],
    body: given.body,
  };
  return error === null ? response : withFault(response, error);
}

/** A caller without a session, whose language is that of the page: everybody who shares the page. */
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
  { rendering, router, texts, createContext, settings, policy }: PagesOptions,
  request: HttpRequest,
): Promise<HttpResponse> {
  const responseHeaders = new Headers();
  const context = await createContext({ request, responseHeaders });
  const nonce = randomBytes(16).toString('base64');
  const page = await rendering.render({
    url: settings.origin + request.url,
    api: inProcessApi(router, context),
    texts,
    nonce,
    settings,
  });
  const source = [`'nonce-${nonce}'`];
  return pageAnswer(page, {
    caching: 'no-store',
    headers: [...pageHeaders(policy, { scripts: source, styles: source }), ...responseHeaders],
    body: page.html,
  });
}

/** A page without scripts or styles of the site: it needs nothing that could be away. */
function plainPage({ policy }: PagesOptions, error: PublicError, locale: Locale): HttpResponse {
  const words = createTranslator(locale, 'user');
  const title = words.t(error.httpStatus === 404 ? 'problem.notFound' : 'problem.failed');
  const html = `<!DOCTYPE html><html lang="${locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head><body><h1>${title}</h1><p><a href="${locale === 'es' ? '/es' : '/'}">Proscenium</a></p></body></html>`;
  return {
    status: error.httpStatus,
    headers: [HTML, ...errorHeaders(error), ...pageHeaders(policy, { scripts: [], styles: [] })],
    body: html,
  };
}
