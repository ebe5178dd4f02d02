import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { AddressQuery } from '../addresses/address-query.ts';
import { comparedHomes, largestPlaces, propertyDetail, provenance, provenanceLog } from '../api/queries.ts';
import { listingHead, photosHead } from '../head/listing-head.ts';
import { pageHead } from '../head/page-head.ts';
import { provenanceHead } from '../head/provenance-head.ts';
import { comparedIds } from '../pages/compare/compared-ids.ts';
import { loadDiscovery } from '../pages/discovery/discovery-data.ts';
import { loadShared } from '../pages/favorites/shared-data.ts';
import { loadInbox } from '../pages/inbox/inbox-data.ts';
import { type LegalPage, legalText } from '../pages/legal/legal-data.ts';
import { loadListing, loadPhotos } from '../pages/listing/listing-data.ts';
import { logInputOf } from '../pages/provenance/log-data.ts';
import { loadProvenance } from '../pages/provenance/provenance-data.ts';
import { loadSearch } from '../pages/search/search-data.ts';
import { readState, writeState } from '../pages/search/search-state.ts';
import { pictureChoiceIn, picturesOf } from '../pictures/picture-choice.ts';
import { loadPerson } from '../session/person.ts';
import { privateHead, root, secretHead, under } from './root-route.ts';
import { studioRoutes } from './studio-routes.ts';

const legalRoute = (page: LegalPage) =>
  createRoute({
    getParentRoute: under,
    path: `/${page}`,
    head: ({ match }) =>
      pageHead(match.context, { title: match.context.language.text.t(`legal.${page}`), path: `/${page}` }),
    loader: async ({ context }) => void (await context.queries.ensureQueryData(legalText(context, page))),
    component: lazyRouteComponent(() => import('../pages/legal/legal-page.tsx'), 'Component'),
  });

/**
 * The route table: address, what is loaded before the page is shown, and the page, in a file that is loaded for it. Who sees
 * it and what caches may do with it only the server knows (`page-traits.ts`).
 */
export const routeTree = root.addChildren([
  createRoute({
    getParentRoute: under,
    path: '/',
    head: ({ match, loaderData }) => {
      const { api, queries, language } = match.context;
      const here = queries.getQueryData(largestPlaces(api).queryKey)?.here?.label;
      return pageHead(match.context, {
        title:
          here === undefined
            ? language.text.t('discovery.title')
            : language.text.t('discovery.titleIn', { place: here }),
        path: '/',
        firstPicture: loaderData,
      });
    },
    loader: ({ context }) => loadDiscovery(context),
    component: lazyRouteComponent(() => import('../pages/discovery/discovery-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/search',
    head: ({ match, loaderData }) => {
      const { t } = match.context.language.text;
      const { q } = readState(match.search);
      return pageHead(match.context, {
        title: q === undefined ? t('search.title') : t('search.titleIn', { place: q }),
        path: '/search',
        firstPicture: loaderData,
      });
    },
    validateSearch: (query: AddressQuery) => query,
    // As the server reads the address, or the browser would load what the document brings.
    loaderDeps: ({ search }) => ({ search: writeState(readState(search)) }),
    loader: ({ context, deps }) => loadSearch(context, readState(deps.search)),
    component: lazyRouteComponent(() => import('../pages/search/search-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/properties/$propertyId',
    head: ({ match, params }) => {
      const { api, queries } = match.context;
      const pictures = picturesOf(pictureChoiceIn(match.search));
      const home = queries.getQueryData(propertyDetail(api, { ...params, ...pictures }).queryKey);
      return home === undefined ? {} : pageHead(match.context, listingHead(match.context, home));
    },
    validateSearch: (query: AddressQuery) => query,
    loaderDeps: ({ search }) => ({ pictures: pictureChoiceIn(search) }),
    loader: ({ context, params, deps }) => loadListing(context, { ...params, ...deps }),
    component: lazyRouteComponent(() => import('../pages/listing/listing-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/properties/$propertyId/photos',
    head: ({ match, params }) => {
      const { api, queries } = match.context;
      const pictures = picturesOf(pictureChoiceIn(match.search));
      const home = queries.getQueryData(propertyDetail(api, { ...params, ...pictures }).queryKey);
      return home === undefined ? {} : pageHead(match.context, photosHead(match.context, home));
    },
    validateSearch: (query: AddressQuery) => query,
    loaderDeps: ({ search }) => ({ pictures: pictureChoiceIn(search) }),
    loader: ({ context, params, deps }) => loadPhotos(context, { ...params, ...deps }),
    component: lazyRouteComponent(() => import('../pages/listing/photos-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/provenance/log',
    head: ({ match }) => {
      const { t } = match.context.language.text;
      return pageHead(match.context, {
        title: t('provenance.log.title'),
        description: t('provenance.log.lead'),
        path: '/provenance/log',
      });
    },
    validateSearch: (query: AddressQuery) => query,
    loaderDeps: ({ search }) => logInputOf(search),
    loader: async ({ context: { api, queries }, deps }) =>
      void (await queries.ensureQueryData(provenanceLog(api, deps))),
    component: lazyRouteComponent(() => import('../pages/provenance/log-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/provenance/$stagedImageId',
    head: ({ match, params }) => {
      const { api, queries } = match.context;
      const record = queries.getQueryData(provenance(api, params).queryKey);
      return record === undefined ? {} : pageHead(match.context, provenanceHead(match.context, record));
    },
    loader: async ({ context, params }) => void (await loadProvenance(context, params.stagedImageId)),
    component: lazyRouteComponent(() => import('../pages/provenance/provenance-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/favorites',
    head: ({ match }) => privateHead(match.context, 'tabs.favorites'),
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(() => import('../pages/favorites/favorites-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/searches',
    head: ({ match }) => privateHead(match.context, 'searches.title'),
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(() => import('../pages/search/saved/saved-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/unsubscribe',
    head: ({ match }) => secretHead(match.context, 'unsubscribe.title', 'same-origin'),
    validateSearch: (query: AddressQuery) => query,
    component: lazyRouteComponent(() => import('../pages/search/saved/unsubscribe-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/shared/$secret',
    head: ({ match }) => secretHead(match.context, 'shared.title'),
    loader: ({ context, params }) => loadShared(context, params.secret),
    component: lazyRouteComponent(() => import('../pages/favorites/shared-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/compare',
    head: ({ match }) => privateHead(match.context, 'compare.title'),
    validateSearch: (query: AddressQuery) => query,
    loaderDeps: ({ search }) => ({ ids: comparedIds(search) }),
    loader: async ({ context: { api, queries }, deps: { ids } }) => {
      if (ids.length > 1) await queries.ensureQueryData(comparedHomes(api, ids));
    },
    component: lazyRouteComponent(() => import('../pages/compare/compare-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/inbox',
    head: ({ match }) => privateHead(match.context, 'tabs.inbox'),
    loader: ({ context }) => loadInbox(context, null),
    component: lazyRouteComponent(() => import('../pages/inbox/inbox-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/inbox/$propertyId/$customerId',
    head: ({ match }) => privateHead(match.context, 'tabs.inbox'),
    loader: ({ context, params }) => loadInbox(context, params),
    component: lazyRouteComponent(() => import('../pages/inbox/thread-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/tours',
    head: ({ match }) => privateHead(match.context, 'tabs.inbox'),
    loader: ({ context }) => loadInbox(context, null),
    component: lazyRouteComponent(() => import('../pages/inbox/tours-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/menu',
    head: ({ match }) => privateHead(match.context, 'tabs.menu'),
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(() => import('../pages/menu/menu-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/invitation',
    head: ({ match }) => privateHead(match.context, 'invitation.title'),
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(() => import('../pages/invitation/invitation-page.tsx'), 'Component'),
  }),
  ...studioRoutes,
  legalRoute('about'),
  legalRoute('privacy'),
  legalRoute('terms'),
  legalRoute('contact'),
  createRoute({
    getParentRoute: under,
    path: '/sign-in',
    head: ({ match }) => privateHead(match.context, 'signIn.title'),
    validateSearch: (query: AddressQuery) => query,
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(() => import('../pages/sign-in/sign-in-page.tsx'), 'Component'),
  }),
]);
