import type { RequestContext } from '../api/base.ts';
import type { AppRouter } from '../api/routers/app.ts';
import type { Services } from '../api/services.ts';
import type { WebConfig } from '../config/config.ts';
import { PublicError } from '../errors/errors.ts';
import type { HttpLogger, HttpRequest, Route } from '../http/message.ts';
import { assetRoutes } from './assets.ts';
import type { SiteBundle } from './bundle.ts';
import { legalRoute, readLegalTexts } from './legal-texts.ts';
import { pageRoutes } from './pages.ts';
import { providerAnswerRoutes } from './provider-answers.ts';
import { createRendering, RENDERING_LIMITS } from './rendering.ts';
import { sitemapRoutes } from './sitemaps.ts';

export interface WebsiteOptions {
  readonly config: Pick<
    WebConfig,
    'publicBaseUrl' | 'mapStyleUrl' | 'mapPmtilesUrl' | 'googleClientId' | 'appleClientId'
  >;
  readonly bundle: SiteBundle;
  readonly router: AppRouter;
  readonly services: Pick<Services, 'clock' | 'publicReads' | 'repeats'>;
  readonly createContext: (given: {
    readonly request: HttpRequest;
    readonly responseHeaders: Headers;
  }) => Promise<RequestContext>;
  readonly logger: HttpLogger;
}

/** Every route of the site (docs/contract.md#site). */
export function websiteRoutes({
  config,
  bundle,
  router,
  services,
  createContext,
  logger,
}: WebsiteOptions): Route[] {
  const { clock, publicReads, repeats } = services;
  const origin = config.publicBaseUrl;
  const texts = readLegalTexts();
  const map = { styleUrl: config.mapStyleUrl ?? null, pmtilesUrl: config.mapPmtilesUrl ?? null };
  const providers = { google: config.googleClientId ?? null, apple: config.appleClientId ?? null };
  const mapOrigins = [map.styleUrl, map.pmtilesUrl].flatMap((url) =>
    url === null ? [] : [new URL(url).origin],
  );
  return [
    ...assetRoutes(bundle.assets),
    ...sitemapRoutes({ publicReads, origin }),
    legalRoute(texts),
    ...providerAnswerRoutes(),
    ...pageRoutes({
      rendering: createRendering(bundle.renderer, { limits: RENDERING_LIMITS, clock }),
      router,
      texts: async (name) => {
        const text = texts.get(name);
        if (text === undefined) throw new PublicError('NOT_FOUND');
        return text;
      },
      createContext,
      repeats,
      settings: { origin, importCommand: 'npm run import -- <file>', map, providers },
      policy: { isSecure: origin.startsWith('https:'), mapOrigins },
      logger,
    }),
  ];
}
