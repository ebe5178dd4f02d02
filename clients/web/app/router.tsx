import { QueryClientProvider } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { pathIn, withoutLocale } from '../../../i18n/languages.ts';
import { parseQuery, writeQuery } from '../addresses/address-query.ts';
import type { Site } from '../site/site.ts';
import { routeTree } from './routes.tsx';

/**
 * A router for one document: on the server for one request, in the browser for as long as the page is open.
 */
export function createSiteRouter(site: Site, options: { readonly nonce?: string } = {}) {
  const { queries, language, settings } = site;
  let isDrawn = typeof document !== 'undefined';
  return createRouter({
    routeTree,
    context: site,
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    // The document that the server has drawn may have been scrolled while the scripts were on their way.
    scrollRestoration: () => {
      const restores = !isDrawn;
      isDrawn = false;
      return restores;
    },
    ...(options.nonce === undefined ? {} : { ssr: { nonce: options.nonce } }),
    rewrite: {
      input: ({ url }) => {
        url.pathname = withoutLocale(url.pathname);
        return url;
      },
      output: ({ url }) => {
        url.pathname = pathIn(settings.site, url.pathname, language.text.locale);
        return url;
      },
    },
    Wrap: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
