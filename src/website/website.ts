import { arePublicImages } from '../../persistence/images/image-visibility.ts';
import type { RequestContext } from '../api/base.ts';
import type { AppRouter } from '../api/routers/app.ts';
import type { Services } from '../api/services.ts';
import type { WebConfig } from '../config/config.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpRequest, Route } from '../http/message.ts';
import { VERSION } from '../version.ts';
import { assetRoutes } from './assets.ts';
import type { SiteBundle } from './bundle.ts';
import { legalRoute, readLegalTexts } from './legal-texts.ts';
import { pageRoutes } from './pages.ts';
import { providerAnswerRoutes } from './provider-answers.ts';
import { createRendering, RENDERING_LIMITS } from './rendering.ts';
import { createSampleNotice } from './sample-notice.ts';
import { sitemapRoutes } from './sitemaps.ts';

export interface WebsiteOptions {
  readonly config: Pick<
    WebConfig,
    | 'publicBaseUrl'
    | 'siteSentryDsn'
    | 'nodeEnv'
    | 'mapStyleUrl'
    | 'mapPmtilesUrl'
    | 'googleClientId'
    | 'appleClientId'
  >;
  readonly bundle: SiteBundle;
  readonly router: AppRouter;
  readonly services: Pick<
    Services,
    'pool' | 'clock' | 'publicReads' | 'publicBudget' | 'workRejections' | 'repeats'
  >;
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
  }) => Promise<RequestContext>;
}

/** Every route of the site (docs/contract.md#site). */
export function websiteRoutes({ config, bundle, router, services, createContext }: WebsiteOptions): Route[] {
  const { pool, clock, publicReads, publicBudget, workRejections, repeats } = services;
  const origin = config.publicBaseUrl;
  const texts = readLegalTexts();
  const hasSample = createSampleNotice({ pool, clock });
  const map = { styleUrl: config.mapStyleUrl ?? null, pmtilesUrl: config.mapPmtilesUrl ?? null };
  const providers = { google: config.googleClientId ?? null, apple: config.appleClientId ?? null };
  const mapOrigins = [map.styleUrl, map.pmtilesUrl].flatMap((url) =>
    url === null ? [] : [new URL(url).origin],
  );
  const dsn = config.siteSentryDsn;
  const crashReports =
    dsn === null ? null : { dsn, release: VERSION, environment: config.nodeEnv ?? 'development' };
  return [
    ...assetRoutes(bundle.assets),
    ...sitemapRoutes({ publicReads, origin }),
    legalRoute(texts),
    ...providerAnswerRoutes(),
    ...pageRoutes({
      rendering: createRendering(bundle.renderer, {
        inline: bundle.inline,
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
        origin,
        importCommand: 'npm run import -- <file>',
        map,
        providers,
        crashReports,
        get sample() {
          return hasSample();
        },
      },
      policy: {
        isSecure: origin.startsWith('https:'),
        mapOrigins,
        reportOrigin: dsn === null ? null : new URL(dsn).origin,
      },
    }),
  ];
}
