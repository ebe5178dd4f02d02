import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { AddressQuery } from '../addresses/address-query.ts';
import { loadPerson } from '../session/person.ts';
import { privateHead, under } from './root-route.ts';

/** A page of the studio. @param file its file, which `load` imports */
const studioPage = <Path extends string>(
  path: Path,
  file: string,
  load: () => Promise<{ readonly Component: ComponentType }>,
) =>
  createRoute({
    getParentRoute: under,
    path,
    head: ({ match }) => privateHead(match.context, 'studio.title'),
    validateSearch: (query: AddressQuery) => query,
    loader: async ({ context }) => void (await loadPerson(context)),
    staticData: { file },
    component: lazyRouteComponent(load, 'Component'),
  });

/** The pages of the studio: as in `routes.tsx`. */
export const studioRoutes = [
  studioPage(
    '/studio',
    'pages/studio/listings/listings-page.tsx',
    () => import('../pages/studio/listings/listings-page.tsx'),
  ),
  studioPage(
    '/studio/new',
    'pages/studio/details/new-listing-page.tsx',
    () => import('../pages/studio/details/new-listing-page.tsx'),
  ),
  studioPage(
    '/studio/tours',
    'pages/studio/tours/agent-tours-page.tsx',
    () => import('../pages/studio/tours/agent-tours-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId',
    'pages/studio/photos/photos-page.tsx',
    () => import('../pages/studio/photos/photos-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId/details',
    'pages/studio/details/details-page.tsx',
    () => import('../pages/studio/details/details-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId/review',
    'pages/studio/review/review-page.tsx',
    () => import('../pages/studio/review/review-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId/preview',
    'pages/studio/preview/preview-page.tsx',
    () => import('../pages/studio/preview/preview-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId/publish',
    'pages/studio/publish/publish-page.tsx',
    () => import('../pages/studio/publish/publish-page.tsx'),
  ),
  studioPage(
    '/studio/$propertyId/figures',
    'pages/studio/figures/figures-page.tsx',
    () => import('../pages/studio/figures/figures-page.tsx'),
  ),
] as const;
