import { OnlineMigration } from './online-migration.ts';

/**
 * A smaller index beside that of 0075 for the filters that most people use: price, rooms and features. What a search reads
 * grows with the bytes of an entry, and these are two thirds. Other filters need the larger one.
 */
export class CommonFilters extends OnlineMigration {
  static override readonly online = [
    {
      index: 'search_listings_common_idx',
      on: `search_listings ("onMarket", ("cellX" >> 4), "cellY") include ("cellX", longitude, latitude, "listPrice",
        "propertyId", "featureBits", "bedroomsTotal", "bathroomsTotal", currency)`,
    },
  ];
}
