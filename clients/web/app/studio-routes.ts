import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { AddressQuery } from '../addresses/address-query.ts';
import { loadPerson } from '../session/person.ts';
import type { Site } from '../site/site.ts';
import { privateHead, under } from './root-route.ts';

const studioHead = (site: Site) => privateHead(site, 'studio.title');
const loadStudio = async ({ context }: { readonly context: Site }): Promise<void> =>
  void (await loadPerson(context));

/** The pages of the studio: as in `routes.tsx`. */
export const studioRoutes = [
  createRoute({
    getParentRoute: under,
    path: '/studio',
    head: ({ match }) => studioHead(match.context),
    loader: loadStudio,
    staticData: { file: 'pages/studio/listings/listings-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/listings/listings-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/new',
    head: ({ match }) => studioHead(match.context),
    loader: loadStudio,
    staticData: { file: 'pages/studio/details/new-listing-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/details/new-listing-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/tours',
    head: ({ match }) => studioHead(match.context),
    validateSearch: (query: AddressQuery) => query,
    loader: loadStudio,
    staticData: { file: 'pages/studio/tours/agent-tours-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/tours/agent-tours-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/$propertyId',
    head: ({ match }) => studioHead(match.context),
    validateSearch: (query: AddressQuery) => query,
    loader: loadStudio,
    staticData: { file: 'pages/studio/photos/photos-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/photos/photos-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/$propertyId/details',
    head: ({ match }) => studioHead(match.context),
    validateSearch: (query: AddressQuery) => query,
    loader: loadStudio,
    staticData: { file: 'pages/studio/details/details-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/details/details-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/$propertyId/review',
    head: ({ match }) => studioHead(match.context),
    validateSearch: (query: AddressQuery) => query,
    loader: loadStudio,
    staticData: { file: 'pages/studio/review/review-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/review/review-page.tsx'), 'Component'),
  }),
  createRoute({
    getParentRoute: under,
    path: '/studio/$propertyId/publish',
    head: ({ match }) => studioHead(match.context),
    loader: loadStudio,
    staticData: { file: 'pages/studio/publish/publish-page.tsx' },
    component: lazyRouteComponent(() => import('../pages/studio/publish/publish-page.tsx'), 'Component'),
  }),
] as const;
