import { pathIn, type SiteLanguages } from '../../i18n/languages.ts';
import { publicPagesBetween } from '../../persistence/listings/public-pages.ts';
import type { PublicQuery, Services } from '../api/services.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpResponse, Route } from '../http/message.ts';
import type { SitePage } from './renderer.ts';

/**
 * `robots.txt` and the sitemaps: one of the public pages with a fixed address, and those of the listings. Listings are
 * divided by the first two digits of their ids, which are random: with a million listings a sitemap has about 3,900 pages,
 * with ten million 39,000; the protocol allows 50,000.
 */
const SECTIONS = Array.from({ length: 256 }, (_, index) => index.toString(16).padStart(2, '0'));
const PAGES = 'pages.xml';
const MOST_PAGES = 50_000;
const CACHED = 'public, max-age=3600';

export function sitemapRoutes({
  publicReads,
  publicQuery,
  site,
  pages,
  robots: listed,
}: Pick<Services, 'publicReads'> & {
  readonly publicQuery: PublicQuery;
  readonly site: SitemapSite;
  readonly pages: readonly Pick<SitePage, 'path' | 'isPublic'>[];
  /** Whether search engines may list the site (`ROBOTS`). */
  readonly robots: 'all' | 'none';
}): Route[] {
  const { origin } = site;
  const fixed = pages.flatMap(({ path, isPublic }) => (isPublic && !path.includes(':') ? [path] : []));
  const get = (path: string, handler: Route['handler']): Route => ({ methods: ['GET'], path, handler });
  if (listed === 'none')
    return [
      get('/robots.txt', async () => answer('text/plain; charset=utf-8', 'User-agent: *\nDisallow: /\n')),
    ];
  return [
    get('/robots.txt', async () => answer('text/plain; charset=utf-8', robots(site))),
    get('/sitemap.xml', async () => xml(index(origin))),
    get('/sitemaps/:section', async (request) => {
      if (request.params.section === PAGES) return xml(urlSet(site, fixed));
      const section = /^([0-9a-f]{2})\.xml$/.exec(request.params.section ?? '')?.[1];
      if (section === undefined) throw new PublicError('NOT_FOUND');
      const caller = { user: null, request };
      const load = async () => {
        const { reader } = await publicReads(caller);
        return publicPagesBetween(reader, {
          first: uuidFrom(section, '0'),
          last: uuidFrom(section, 'f'),
          limit: MOST_PAGES,
        });
      };
      const pathOf = (id: string): string => `/properties/${id}`;
      return publicQuery(caller, load, (ids) => xml(urlSet(site, ids.map(pathOf))));
    }),
  ];
}

type SitemapSite = SiteLanguages & { readonly origin: string };

const uuidFrom = (start: string, digit: string): string =>
  start.padEnd(32, digit).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const answer = (type: string, body: string): HttpResponse => ({
  status: 200,
  headers: [
    ['content-type', type],
    ['cache-control', CACHED],
  ],
  body,
});

const xml = (body: string): HttpResponse => answer('application/xml; charset=utf-8', body);

/** Pictures may be shown by search engines; what belongs to a person may not. */
const robots = (site: SitemapSite): string =>
  [
    'User-agent: *',
    'Allow: /api/images/',
    'Disallow: /api/',
    ...['favorites', 'inbox', 'tours', 'menu', 'sign-in', 'invitation', 'studio'].flatMap((page) =>
      site.languages.map((locale) => `Disallow: ${pathIn(site, `/${page}`, locale)}`),
    ),
    `Sitemap: ${site.origin}/sitemap.xml`,
    '',
  ].join('\n');

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const SCHEMA = 'http://www.sitemaps.org/schemas/sitemap/0.9';

const index = (origin: string): string =>
  `${HEAD}<sitemapindex xmlns="${SCHEMA}">${[PAGES, ...SECTIONS.map((section) => `${section}.xml`)]
    .map((name) => `<sitemap><loc>${origin}/sitemaps/${name}</loc></sitemap>`)
    .join('')}</sitemapindex>`;

/** Each page by its address in the default language, with those in all languages where there are several. */
function urlSet(site: SitemapSite, paths: readonly string[]): string {
  const { origin, languages } = site;
  const urls = paths.map((path) => {
    const others =
      languages.length === 1
        ? ''
        : languages
            .map(
              (locale) =>
                `<xhtml:link rel="alternate" hreflang="${locale}" href="${origin}${pathIn(site, path, locale)}"/>`,
            )
            .join('');
    return `<url><loc>${origin}${path}</loc>${others}</url>`;
  });
  return `${HEAD}<urlset xmlns="${SCHEMA}" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>`;
}
