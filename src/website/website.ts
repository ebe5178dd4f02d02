import { arePublicImages } from '../../persistence/images/image-visibility.ts';
import type { RequestContext } from '../api/base.ts';
import type { AppRouter } from '../api/routers/app.ts';
import type { PublicQuery, Services } from '../api/services.ts';
import type { WebConfig } from '../config/config.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest, Route } from '../http/message.ts';
import { publicSite } from '../site/site.ts';
import { VERSION } from '../version.ts';
import { assetRoutes } from './assets.ts';
import type { SiteBundle } from './bundle.ts';
import { createFeedNotices } from './feed-notices.ts';
import { pageCodeRoutes } from './page-codes.ts';
import { pageRoutes } from './pages.ts';
import { providerAnswerRoutes } from './provider-answers.ts';
import { createRendering, RENDERING_LIMITS } from './rendering.ts';
import { createSampleNotice } from './sample-notice.ts';
import { siteFileRoutes } from './site-files.ts';
import { sitemapRoutes } from './sitemaps.ts';

export interface WebsiteOptions {
  readonly config: Pick<
    WebConfig,
    | 'publicBaseUrl'
    | 'site'
    | 'siteSentryDsn'
    | 'nodeEnv'
    | 'mapStyleUrl'
    | 'mapPmtilesUrl'
    | 'googleClientId'
    | 'appleClientId'
    | 'robots'
    | 'signUp'
  >;
  readonly bundle: SiteBundle;
  readonly router: AppRouter;
  readonly services: Pick<
    Services,
    'pool' | 'clock' | 'commute' | 'decoders' | 'publicReads' | 'publicBudget' | 'workRejections' | 'repeats'
  >;
  readonly publicQuery: PublicQuery;
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
  }) => Promise<RequestContext>;
}

/** Every route of the site (docs/contract.md#site). */
export function websiteRoutes({
  config,
  bundle,
  router,
  services,
  publicQuery,
  createContext,
}: WebsiteOptions): Route[] {
  const { pool, clock, commute, publicReads, publicBudget, workRejections, repeats } = services;
  const origin = config.publicBaseUrl;
  const { site } = config;
  const { texts } = site;
  const hasSample = createSampleNotice({ pool, clock });
  const feedNotices = createFeedNotices({ pool, clock });
  const map = { styleUrl: config.mapStyleUrl ?? null, pmtilesUrl: config.mapPmtilesUrl ?? null };
  const providers = { google: config.googleClientId ?? null, apple: config.appleClientId ?? null };
  const originOf = (url: string | null): string | null => (url === null ? null : new URL(url).origin);
  const dsn = config.siteSentryDsn;
  const crashReports =
    dsn === null ? null : { dsn, release: VERSION, environment: config.nodeEnv ?? 'development' };
  return [
    ...assetRoutes(bundle.assets),
    ...sitemapRoutes({
      publicReads,
      publicQuery,
      site: { ...config.site, origin },
      pages: bundle.renderer.pages,
      robots: config.robots,
    }),
    ...siteFileRoutes(site, services.decoders.renditions),
    ...pageCodeRoutes({ ...config.site, origin }),
    ...providerAnswerRoutes(config.site),
    ...pageRoutes({
      rendering: createRendering(bundle.renderer, {
        inline: { ...bundle.inline, styles: bundle.inline.styles.map((text) => text + site.styles) },
        limits: RENDERING_LIMITS,
        clock,
        budget: publicBudget,
        rejections: workRejections,
        arePublic: (imageIds) => arePublicImages(pool, imageIds),
      }),
      router,
      texts: async (name) => {
        const text = texts.get(name);
        if (text === undefined) throw new PublicError('NOT_FOUND');
        return text;
      },
      createContext,
      repeats,
      settings: {
        site: publicSite(site),
        origin,
        agentsNeedInvitation: config.signUp !== 'open',
        commute: commute.modes.length === 0 ? null : { modes: commute.modes, hasAreas: commute.hasAreas },
        map,
        providers,
        crashReports,
        get sample() {
          return hasSample();
        },
        get feeds() {
          return feedNotices();
        },
      },
      styles: site.styles,
      policy: {
        isSecure: origin.startsWith('https:'),
        styleOrigin: originOf(map.styleUrl),
        tilesOrigin: originOf(map.pmtilesUrl),
        reportOrigin: originOf(dsn),
      },
    }),
  ];
}
