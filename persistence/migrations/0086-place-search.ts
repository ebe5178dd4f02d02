import { OnlineMigration } from './online-migration.ts';

/**
 * What a search of a city reads: its listings by tiles of the map's grid, as 0083, so that a map of a few streets reads
 * only these; with all that filters compare, because most people search a city. The cities of a state are neighbours. A
 * postal code has too few listings to need more than its name.
 */
export class PlaceSearch extends OnlineMigration {
  static override readonly online = [
    // So that each batch finds its rows at once.
    {
      index: 'search_listings_without_city_idx',
      on: 'search_listings ("propertyId") where "cityKey" is null',
    },
    {
      backfill: `
        with old as (select "propertyId" from search_listings where "cityKey" is null limit $1)
        update search_listings l set ("cityKey", "postalCodeKey") =
          (select found."cityKey", found."postalCodeKey" from properties p, search_listing_of(p) found where p.id = l."propertyId")
        from old where l."propertyId" = old."propertyId"`,
    },
    {
      index: 'search_listings_city_idx',
      on: `search_listings ("onMarket", "cityKey", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice") include
        ("cellX", "cellY", longitude, latitude, "propertyId", "featureBits", "bathroomsTotal", "livingArea", "lotSize",
        "yearBuilt", "listedAt", "priceReduced", rank, currency, "propertyType", "standardStatus")`,
    },
    {
      index: 'search_listings_postal_code_idx',
      on: 'search_listings ("onMarket", "postalCodeKey")',
    },
  ];

  override up(): void {
    this.addSql('drop index search_listings_without_city_idx');
  }
}
