import { createRootRouteWithContext } from '@tanstack/react-router';
import { ownDocument } from '../addresses/own-document.ts';
import { pageHead } from '../head/page-head.ts';
import { NotFoundPage } from '../pages/problem/not-found-page.tsx';
import { ProblemPage } from '../pages/problem/problem-page.tsx';
import type { Site } from '../site/site.ts';
import { THEME_SCRIPT } from '../site/theme.ts';
import { partsOfPath } from '../words/word-parts.ts';
import { Document } from './document.tsx';

export const root = createRootRouteWithContext<Site>()({
  head: () => ({ scripts: [{ children: THEME_SCRIPT }] }),
  beforeLoad: async ({ context, location, preload }) => {
    if (!preload) ownDocument(location);
    await context.language.addWords(partsOfPath(location.pathname));
  },
  component: Document,
  notFoundComponent: NotFoundPage,
  errorComponent: ProblemPage,
});

export const under = () => root;

/** The head of a page that is in no index of search engines. */
export const privateHead = (site: Site, key: string) =>
  pageHead(site, { title: site.language.text.t(key), path: '/', isPrivate: true });

/**
 * The head of a page whose address is all that it takes to see it, or to act: other sites do not learn it.
 * @param referrer `same-origin` where a form of the page is sent, which must say where it comes from
 */
export function secretHead(site: Site, key: string, referrer: 'no-referrer' | 'same-origin' = 'no-referrer') {
  const { meta } = privateHead(site, key);
  return { meta: [...(meta ?? []), { name: 'referrer', content: referrer }] };
}
