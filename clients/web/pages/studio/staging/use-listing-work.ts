import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useSite } from '../../../site/use-site.ts';
import { failedJobs, myListing, openJobs, variants } from '../studio-queries.ts';
import type { ListingWork } from './photo-states.ts';

/** Running jobs are polled often enough that a change is seen within two seconds. */
const BUSY_MS = 1_500;
/** What other agents of the listing, and other devices, have done. */
const QUIET_MS = 10_000;

/** The staging of a listing as it is now; undefined until it is known. A hidden page does not ask. */
export function useListingWork(propertyId: string): ListingWork | undefined {
  const { api, queries } = useSite();
  const open = useQuery({
    ...openJobs(api, propertyId),
    refetchInterval: ({ state: { data } }) => (data !== undefined && data.length > 0 ? BUSY_MS : QUIET_MS),
  });
  const failed = useQuery(failedJobs(api, propertyId));
  const staged = useQuery({ ...variants(api, propertyId), refetchInterval: QUIET_MS });
  const last = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (open.data === undefined) return;
    const now = new Set(open.data.map(({ aiJobId }) => aiJobId));
    const hasEnded = [...last.current].some((id) => !now.has(id));
    last.current = now;
    if (!hasEnded) return;
    for (const { queryKey } of [
      variants(api, propertyId),
      failedJobs(api, propertyId),
      myListing(api, propertyId),
    ])
      void queries.invalidateQueries({ queryKey });
  }, [api, queries, propertyId, open.data]);
  if (open.data === undefined || failed.data === undefined || staged.data === undefined) return undefined;
  return { open: open.data, failed: failed.data, variants: staged.data };
}
