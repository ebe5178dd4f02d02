import type { RegisteredRouter } from '@tanstack/react-router';
import type { PageTraits } from '../../../src/website/renderer.ts';
import { parseQuery, writeQuery } from '../addresses/address-query.ts';
import { logQueryOf } from '../pages/provenance/log-data.ts';
import { readState, writeState } from '../pages/search/search-state.ts';
import { pictureChoiceIn, picturesOf } from '../pictures/picture-choice.ts';

/** What the server has to know of a page. */
interface PageOnServer extends Partial<PageTraits> {
  /** Named early in the document, so that the browser fetches it at once. */
  readonly file: string;
}

/** The addresses of the route table. */
type PagePath = Exclude<keyof RegisteredRouter['routesByPath'], ''>;

const choiceOfPictures = (query: string): string =>
  writeQuery(picturesOf(pictureChoiceIn(parseQuery(query))));

/**
 * For each page of the route table: its file, who sees it and what caches may do with it. It stands apart from the table
 * because browsers load that one.
 */
export const PAGE_TRAITS: Readonly<Record<PagePath, PageOnServer>> = {
  '/': { file: 'pages/discovery/discovery-page.tsx', isPublic: true },
  '/search': {
    file: 'pages/search/search-page.tsx',
    isPublic: true,
    shownBy: (query) => writeQuery(writeState(readState(parseQuery(query)))),
  },
  '/properties/$propertyId': {
    file: 'pages/listing/listing-page.tsx',
    isPublic: true,
    shownBy: choiceOfPictures,
  },
  '/properties/$propertyId/photos': {
    file: 'pages/listing/photos-page.tsx',
    isPublic: true,
    shownBy: choiceOfPictures,
  },
  '/provenance/log': {
    file: 'pages/provenance/log-page.tsx',
    isPublic: true,
    shownBy: (query) => writeQuery(logQueryOf(parseQuery(query))),
  },
  '/provenance/$stagedImageId': {
    file: 'pages/provenance/provenance-page.tsx',
    isPublic: true,
    freshSeconds: 5,
    webAssembly: true,
  },
  '/favorites': { file: 'pages/favorites/favorites-page.tsx' },
  '/searches': { file: 'pages/search/saved/saved-page.tsx' },
  '/unsubscribe': { file: 'pages/search/saved/unsubscribe-page.tsx' },
  '/shared/$secret': { file: 'pages/favorites/shared-page.tsx' },
  '/compare': { file: 'pages/compare/compare-page.tsx' },
  '/inbox': { file: 'pages/inbox/inbox-page.tsx' },
  '/inbox/$propertyId/$customerId': { file: 'pages/inbox/thread-page.tsx' },
  '/tours': { file: 'pages/inbox/tours-page.tsx' },
  '/menu': { file: 'pages/menu/menu-page.tsx' },
  '/invitation': { file: 'pages/invitation/invitation-page.tsx' },
  '/studio': { file: 'pages/studio/listings/listings-page.tsx' },
  '/studio/new': { file: 'pages/studio/details/new-listing-page.tsx' },
  '/studio/tours': { file: 'pages/studio/tours/agent-tours-page.tsx' },
  '/studio/webhooks': { file: 'pages/studio/webhooks/webhooks-page.tsx' },
  '/studio/$propertyId': { file: 'pages/studio/photos/photos-page.tsx' },
  '/studio/$propertyId/details': { file: 'pages/studio/details/details-page.tsx' },
  '/studio/$propertyId/review': { file: 'pages/studio/review/review-page.tsx' },
  '/studio/$propertyId/preview': { file: 'pages/studio/preview/preview-page.tsx' },
  '/studio/$propertyId/publish': { file: 'pages/studio/publish/publish-page.tsx' },
  '/studio/$propertyId/figures': { file: 'pages/studio/figures/figures-page.tsx' },
  '/about': { file: 'pages/legal/legal-page.tsx', isPublic: true },
  '/privacy': { file: 'pages/legal/legal-page.tsx', isPublic: true },
  '/terms': { file: 'pages/legal/legal-page.tsx', isPublic: true },
  '/contact': { file: 'pages/legal/legal-page.tsx', isPublic: true },
  '/sign-in': { file: 'pages/sign-in/sign-in-page.tsx' },
};
