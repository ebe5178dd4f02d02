import { redirect } from '@tanstack/react-router';
import { withoutLocale } from '../../../i18n/languages.ts';
import { hasOwnPolicy } from '../words/word-parts.ts';

/** An address inside the router, and as the browser shows it. */
interface Location {
  readonly pathname: string;
  readonly publicHref: string;
}

/** The document's first address: later ones are shown in the same document. */
const first = typeof document === 'undefined' ? null : withoutLocale(new URL(document.URL).pathname);

/**
 * Loads a page as a document of its own when its policy is another than that of the document that is open.
 * @throws a redirect of the router
 */
export function ownDocument({ pathname, publicHref }: Location): void {
  if (first === null || hasOwnPolicy(first) === hasOwnPolicy(pathname)) return;
  throw redirect({ href: publicHref, reloadDocument: true });
}
