import { queryOptions, useQuery } from '@tanstack/react-query';
import type { SiteApi } from '../../../api/site-api.ts';
import { useSite } from '../../../site/use-site.ts';
import { type Job, VARIANTS } from '../studio-queries.ts';

/** The most that one answer holds. */
const MOST = 100;

/**
 * Jobs whose picture was rejected, newest first: their picture is gone. It has the key of the pictures, so that a decision
 * about one of them is seen here too.
 */
const rejectedJobs = (api: SiteApi, propertyId: string) =>
  queryOptions({
    queryKey: [...VARIANTS, propertyId, 'rejected'],
    queryFn: async ({ signal }) => {
      const asked = { propertyId, statuses: ['SUCCESS' as const], limit: MOST };
      const { items: done } = await api.ai.listStagingJobs(asked, { signal });
      // After the jobs: a picture that is made in between is not missed.
      const { items: kept } = await api.ai.listStagedVariants({ propertyId }, { signal });
      const ids = new Set(kept.map(({ imageId }) => imageId));
      return done.filter(({ resultImageId }) => resultImageId !== null && !ids.has(resultImageId));
    },
    staleTime: 0,
  });

const NONE: readonly Job[] = [];

/** The listing's jobs whose picture was rejected; none until they are known. */
export function useRejected(propertyId: string): readonly Job[] {
  const { api } = useSite();
  return useQuery(rejectedJobs(api, propertyId)).data ?? NONE;
}
