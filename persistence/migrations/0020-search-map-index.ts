import { OnlineMigration } from './online-migration.ts';

/**
 * What the map asks of a listing, in the index that finds the box. Without it each listing of the box is looked up in
 * the table, which for a city among a million listings reads all of its pages. It stands beside the narrow index of
 * 0013, by which counts are twice as fast as they would be by this one.
 */
export class SearchMapIndex extends OnlineMigration {
  static override readonly online = [
    {
      index: 'search_listings_map_idx',
      on: `search_listings using gist (point(longitude, latitude))
        include (longitude, latitude, "onMarket", "listPrice", currency, "cellX", "cellY", "propertyId")`,
    },
  ];
}
