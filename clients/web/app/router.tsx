import { type QueryClient, QueryClientProvider, type QueryKey } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { parseQuery, writeQuery } from './address-query.ts';
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
    parseSearch: parseQuery,
    stringifySearch: writeQuery,
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
    // Answers alone, as text: times would make the same page other bytes, and the router's own format knows more
    // types than an answer has.
    dehydrate: () => ({ answers: JSON.stringify(answersOf(queries)) }),
    hydrate: (state: { answers: string }) => {
      for (const [key, answer] of JSON.parse(state.answers) as Answer[]) queries.setQueryData(key, answer);
    },
    Wrap: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
  });
}

type Answer = readonly [key: QueryKey, answer: unknown];

const answersOf = (queries: QueryClient): Answer[] =>
  queries
    .getQueryCache()
    .getAll()
    .flatMap(({ queryKey, state }) => (state.status === 'success' ? [[queryKey, state.data] as const] : []));

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createSiteRouter>;
  }
}
