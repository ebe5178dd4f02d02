import { pathIn, type SiteLanguages } from '../../i18n/languages.ts';
import { found } from '../errors/found.ts';
import type { Route } from '../http/message.ts';
import { drawCode } from '../images/provenance/code-drawing.ts';
import { uuid } from '../wire/text.ts';

/** The address never changes, but the drawing may. */
const CACHED = 'public, max-age=86400';

/**
 * `/properties/{propertyId}/code.svg`: the address of a home's page as a QR code, for its printed page. Every id has one:
 * the code says nothing of a listing but what was asked.
 */
export function pageCodeRoutes(site: SiteLanguages & { readonly origin: string }): Route[] {
  return site.languages.map((locale) => ({
    methods: ['GET'],
    path: pathIn(site, '/properties/:propertyId/code.svg', locale),
    handler: async ({ params }) => {
      const propertyId = found(uuid.safeParse(params.propertyId).data);
      const address = site.origin + pathIn(site, `/properties/${propertyId}`, locale);
      return {
        status: 200,
        headers: [
          ['content-type', 'image/svg+xml'],
          ['cache-control', CACHED],
          ['content-security-policy', "default-src 'none'"],
        ],
        body: drawCode(address, address),
      };
    },
  }));
}
