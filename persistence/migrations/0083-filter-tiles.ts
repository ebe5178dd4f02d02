import { OnlineMigration } from './online-migration.ts';

/**
 * Tiles of the map's grid, and inside a tile the listings by rooms and price, the filters that most people use. So a search
 * of a wide area reads the entries that these let through, not all of the area. Small areas, and other filters, need stripes
 * (0075, 0082). Those of 0075 now hold the rank too: the first page of a small area, in the order of relevance, is read from
 * the index alone.
 */
export class FilterTiles extends OnlineMigration {
  static override readonly online = [
    {
      index: 'search_listings_tiles_idx',
      on: `search_listings ("onMarket", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice") include ("cellX",
        "cellY", longitude, latitude, "propertyId", "featureBits", "bathroomsTotal", currency, "propertyType")`,
    },
    {
      index: 'search_listings_ranked_stripes_idx',
      on: `search_listings ("onMarket", ("cellX" >> 4), "cellY") include ("cellX", longitude, latitude, "listPrice",
        "propertyId", "featureBits", "bedroomsTotal", "bathroomsTotal", "livingArea", "lotSize", "yearBuilt", "listedAt",
        "priceReduced", rank, currency, "propertyType", "standardStatus")`,
    },
  ];

  override up(): void {
    this.addSql('drop index search_listings_stripes_idx');
    this.addSql('alter index search_listings_ranked_stripes_idx rename to search_listings_stripes_idx');
  }
}
