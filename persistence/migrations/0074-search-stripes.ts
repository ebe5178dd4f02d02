import { OnlineMigration } from './online-migration.ts';

/**
 * One b-tree instead of two GiST indexes finds the listings of a box: stripes of longitude, within a stripe the rows of
 * the map's grid. A count by it reads twice as many entries a second, several processes may share the work, and the
 * planner can estimate a box. It holds what filters compare, so that a filtered map reads no row of the table; what varies
 * in length stands last.
 */
export class SearchStripes extends OnlineMigration {
  static override readonly online = [
    {
      index: 'search_listings_stripes_idx',
      on: `search_listings ("onMarket", ("cellX" >> 6), "cellY") include ("cellX", longitude, latitude, "listPrice",
        "propertyId", "bedroomsTotal", "bathroomsTotal", "livingArea", "lotSize", "yearBuilt", "listedAt",
        "priceReduced", currency, "propertyType", "standardStatus")`,
    },
  ];

  override up(): void {
    this.addSql('drop index search_listings_map_idx');
    this.addSql('drop index search_listings_place_idx');
  }
}
