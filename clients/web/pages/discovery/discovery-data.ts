import { featured } from '../../api/queries.ts';
import { type FirstPicture, firstCover } from '../../head/first-picture.ts';
import type { Site } from '../../site/site.ts';

/** How many homes the carousels show. */
export const FEATURED = { limit: 12 };
export const NEARBY_LIMIT = 12;

/** Loads what Discovery needs before it is shown. The answers travel with the queries. @returns its first picture */
export async function loadDiscovery({ api, queries }: Site): Promise<FirstPicture | null> {
  const { items } = await queries.ensureQueryData(featured(api, FEATURED));
  return firstCover(items);
}
