import { OnlineMigration } from './online-migration.ts';

/**
 * The nearest listings that are still offered, for the similar homes of a page. Their cost was that of the whole city:
 * five seconds among a million listings.
 */
export class NearListings extends OnlineMigration {
  static override readonly online = [
    {
      index: 'properties_near_idx',
      on: `properties using gist (point(longitude, latitude))
        where "standardStatus" in ('Active', 'Active Under Contract', 'Coming Soon')`,
    },
  ];
}
