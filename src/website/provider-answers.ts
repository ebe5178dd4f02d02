import { pathIn, type SiteLanguages } from '../../i18n/languages.ts';
import type { HttpRequest, HttpResponse, Route } from '../http/message.ts';

/** What a provider sends to a page after signing in; a code is not used. */
const FIELDS = ['state', 'id_token', 'user', 'error'];
const MAX_BYTES = 16_384;

/**
 * Apple answers a sign-in by a POST from its own page. The browser is sent on to the page, with the answer after the `#`,
 * where Google puts it by itself: no server sees it again. Only the page that asked knows the `state`
 * (docs/contract.md#sign-in).
 */
export const providerAnswerRoutes = (site: SiteLanguages): Route[] =>
  site.languages
    .map((locale) => pathIn(site, '/sign-in', locale))
    .map((path) => ({
      methods: ['POST'],
      path,
      bodyLimit: MAX_BYTES,
      // It comes from the provider's origin; nothing is read or written for it.
      isUngated: true,
      handler: (request) => toPage(request, path),
    }));

async function toPage(request: HttpRequest, path: string): Promise<HttpResponse> {
  const sent = new URLSearchParams((await request.body()).toString());
  const kept = new URLSearchParams();
  for (const name of FIELDS) {
    const value = sent.get(name);
    if (value !== null) kept.set(name, value);
  }
  return {
    status: 303,
    headers: [
      ['location', `${path}#${kept}`],
      ['cache-control', 'no-store'],
    ],
    body: null,
  };
}
