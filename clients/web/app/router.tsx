import { dehydrate, hydrate, QueryClientProvider } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { inLocale, withoutLocale } from './language.ts';
import { routeTree } from './routes.tsx';
import type { Site } from './site.ts';

/**
 * A router for one document: on the server for one request, in the browser for as long as the page is open. Answers
 * that the server has loaded travel in the document, so that the browser does not ask again.
 */
export function createSiteRouter(site: Site, options: { readonly nonce?: string } = {}) {
  const { queries, language } = site;
  return createRouter({
    routeTree,
    context: site,
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    ...(options.nonce === undefined ? {} : { ssr: { nonce: options.nonce } }),
    rewrite: {
      input: ({ url }) => {
        url.pathname = withoutLocale(url.pathname);
        return url;
      },
      output: ({ url }) => {
        url.pathname = inLocale(url.pathname, language.text.locale);
        return url;
      },
    },
    // Serialized as text: the router's own format has types that an answer never has.
    dehydrate: () => ({ queries: JSON.stringify(dehydrate(queries)) }),
    hydrate: (state: { queries: string }) => hydrate(queries, JSON.parse(state.queries)),
    Wrap: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
