import { featured } from '../../app/queries.ts';
import type { Site } from '../../app/site.ts';

/** How many homes the carousels show. */
export const FEATURED = { limit: 12 };
export const NEARBY_LIMIT = 12;

/** Loads what Discovery needs before it is shown. Returns nothing: the answers travel with the queries. */
export async function loadDiscovery({ api, queries }: Site): Promise<void> {
  await queries.ensureQueryData(featured(api, FEATURED));
}
