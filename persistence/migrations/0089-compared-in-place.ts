import { OnlineMigration } from './online-migration.ts';

/**
 * The indexes of areas (0083) and of cities (0086), with what filters compare as keys. PostgreSQL compares the keys of an
 * entry where it lies; an included column is compared after the whole entry was taken apart. In stripes numbers of eight
 * bytes begin at multiples of eight, so that none is padded. Tiles and cities keep rooms and price first (0083).
 */
export class ComparedInPlace extends OnlineMigration {
  static override readonly online = [
    {
      index: 'search_listings_keyed_stripes_idx',
      on: `search_listings ("onMarket", ("cellX" >> 4), "cellY", "bedroomsTotal", "listPrice", "bathroomsTotal",
        "livingArea", "lotSize", "listedAt", "yearBuilt") include ("cellX", longitude, latitude, "propertyId",
        "featureBits", "priceReduced", rank, currency, "propertyType", "standardStatus")`,
    },
    {
      index: 'search_listings_keyed_tiles_idx',
      on: `search_listings ("onMarket", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice", "bathroomsTotal")
        include ("cellX", "cellY", longitude, latitude, "propertyId", "featureBits", currency, "propertyType")`,
    },
    {
      index: 'search_listings_keyed_city_idx',
      on: `search_listings ("onMarket", "cityKey", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice",
        "bathroomsTotal", "livingArea", "lotSize", "listedAt", "yearBuilt") include ("cellX", "cellY", longitude, latitude,
        "propertyId", "featureBits", "priceReduced", rank, currency, "propertyType", "standardStatus")`,
    },
  ];

  override up(): void {
    for (const name of ['stripes', 'tiles', 'city']) {
      this.addSql(`drop index search_listings_${name}_idx`);
      this.addSql(`alter index search_listings_keyed_${name}_idx rename to search_listings_${name}_idx`);
    }
    this.addSql(ONE_PROCESS);
  }
}

/** True. PostgreSQL gives a statement that calls it no parallel workers; the call itself is gone from the plan. */
const ONE_PROCESS = `
  create function in_one_process() returns boolean language sql immutable parallel unsafe
  return true`;
