import { queryOptions } from '@tanstack/react-query';
import type { Inputs } from '../../typescript/procedures.ts';
import type { SiteApi } from './api.ts';

/**
 * The queries of the pages. A key is the procedure and its input, so that a loader and a component that ask the same
 * share one answer.
 */
export const featured = (api: SiteApi, input: Inputs['home']['getFeatured']) =>
  queryOptions({
    queryKey: ['home.getFeatured', input],
    queryFn: ({ signal }) => api.home.getFeatured(input, { signal }),
  });

export const propertyDetail = (api: SiteApi, input: Inputs['properties']['getDetail']) =>
  queryOptions({
    queryKey: ['properties.getDetail', input],
    queryFn: ({ signal }) => api.properties.getDetail(input, { signal }),
  });
