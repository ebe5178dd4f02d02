import { OnlineMigration } from './online-migration.ts';

/**
 * The rows of 0139 for listings from before, and its filters in the indexes: those of areas and cities (0089) hold them for
 * what an area leaves, the others find what is rare anywhere.
 */
export class FiltersInIndexes extends OnlineMigration {
  static override readonly online = [
    // So that each batch finds its rows at once.
    {
      index: 'search_listings_without_garage_idx',
      on: 'search_listings ("propertyId") where "garageSpaces" is null',
    },
    // With the lock, so that a row which its listing's change has written meanwhile is left as it is.
    {
      backfill: `
        with old as (select "propertyId" from search_listings where "garageSpaces" is null limit $1 for update)
        update search_listings l set (rank, "garageSpaces", "monthlyFee", "soldAt", "propertySubType") = (
          select coalesce(max(found.rank), l.rank), coalesce(max(found."garageSpaces"), 0), max(found."monthlyFee"),
            max(found."soldAt"), max(found."propertySubType")
          from properties p, search_listing_of(p) found where p.id = l."propertyId")
        from old where l."propertyId" = old."propertyId"`,
    },
    {
      index: 'search_listings_wider_stripes_idx',
      on: `search_listings ("onMarket", ("cellX" >> 4), "cellY", "bedroomsTotal", "listPrice", "bathroomsTotal",
        "livingArea", "lotSize", "listedAt", "yearBuilt") include ("cellX", longitude, latitude, "propertyId",
        "featureBits", "soldAt", "monthlyFee", "priceReduced", rank, "garageSpaces", currency, "propertyType",
        "propertySubType", "standardStatus")`,
    },
    {
      index: 'search_listings_wider_tiles_idx',
      on: `search_listings ("onMarket", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice", "bathroomsTotal")
        include ("cellX", "cellY", longitude, latitude, "propertyId", "featureBits", currency, "propertyType",
        "propertySubType")`,
    },
    {
      index: 'search_listings_wider_city_idx',
      on: `search_listings ("onMarket", "cityKey", ("cellX" >> 6), ("cellY" >> 6), "bedroomsTotal", "listPrice",
        "bathroomsTotal", "livingArea", "lotSize", "listedAt", "yearBuilt") include ("cellX", "cellY", longitude, latitude,
        "propertyId", "featureBits", "soldAt", "monthlyFee", "priceReduced", rank, "garageSpaces", currency,
        "propertyType", "propertySubType", "standardStatus")`,
    },
    ...['"garageSpaces"', 'coalesce("monthlyFee", 0)', `coalesce("soldAt", '-infinity')`].map(
      (key, place) => ({
        index: `search_listings_${['garage', 'fee', 'sold'][place]}_idx`,
        on: `search_listings ("onMarket", ${key}, "propertyId")`,
      }),
    ),
    {
      index: 'search_listings_sub_type_idx',
      on: 'search_listings ("onMarket", "propertySubType", "propertyType")',
    },
  ];

  override up(): void {
    this.addSql('drop index search_listings_without_garage_idx');
    this.addSql('drop trigger search_listings_updated_fill_words on search_listings');
    this.addSql('drop function search_listings_fill_words()');
    for (const name of ['stripes', 'tiles', 'city']) {
      this.addSql(`drop index search_listings_${name}_idx`);
      this.addSql(`alter index search_listings_wider_${name}_idx rename to search_listings_${name}_idx`);
    }
  }
}
