import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { AddressQuery } from '../addresses/address-query.ts';
import { loadPerson } from '../session/person.ts';
import { privateHead, under } from './root-route.ts';

/** A page of the studio. */
const studioPage = <Path extends string>(
  path: Path,
  load: () => Promise<{ readonly Component: ComponentType }>,
) =>
  createRoute({
    getParentRoute: under,
    path,
    head: ({ match }) => privateHead(match.context, 'studio.title'),
    validateSearch: (query: AddressQuery) => query,
    loader: async ({ context }) => void (await loadPerson(context)),
    component: lazyRouteComponent(load, 'Component'),
  });

/** The pages of the studio: as in `routes.tsx`. */
export const studioRoutes = [
  studioPage('/studio', () => import('../pages/studio/listings/listings-page.tsx')),
  studioPage('/studio/new', () => import('../pages/studio/details/new-listing-page.tsx')),
  studioPage('/studio/tours', () => import('../pages/studio/tours/agent-tours-page.tsx')),
  studioPage('/studio/webhooks', () => import('../pages/studio/webhooks/webhooks-page.tsx')),
  studioPage('/studio/$propertyId', () => import('../pages/studio/photos/photos-page.tsx')),
  studioPage('/studio/$propertyId/details', () => import('../pages/studio/details/details-page.tsx')),
  studioPage('/studio/$propertyId/review', () => import('../pages/studio/review/review-page.tsx')),
  studioPage('/studio/$propertyId/preview', () => import('../pages/studio/preview/preview-page.tsx')),
  studioPage('/studio/$propertyId/publish', () => import('../pages/studio/publish/publish-page.tsx')),
  studioPage('/studio/$propertyId/figures', () => import('../pages/studio/figures/figures-page.tsx')),
] as const;
