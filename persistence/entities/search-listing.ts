import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** One listing that a search may find, written by a trigger only (migration 0013). Areas in square feet. */
export const SearchListingEntity = defineEntity({
  name: 'SearchListing',
  tableName: 'search_listings',
  properties: {
    propertyId: p.uuid().primary(),
    onMarket: p.boolean(),
    standardStatus: p.text(),
    /** 2 for a photo, 1 for a listing that is still to be had, together. */
    rank: p.smallint(),
    listPrice: p.double(),
    currency: p.text(),
    priceReduced: p.boolean(),
    bedroomsTotal: p.integer().nullable(),
    bathroomsTotal: p.double().nullable(),
    livingArea: p.double().nullable(),
    lotSize: p.double().nullable(),
    pricePerArea: p.double().nullable(),
    yearBuilt: p.integer().nullable(),
    propertyType: p.text().nullable(),
    features: p.array<string>().columnType('text[]'),
    latitude: p.double().nullable(),
    longitude: p.double().nullable(),
    /** The cell of the map's grid at zoom 16. */
    cellX: p.integer().nullable(),
    cellY: p.integer().nullable(),
    listedAt: p.datetime().nullable(),
    offMarketAt: p.datetime().nullable(),
    updatedAt: p.datetime(),
  },
});
export type SearchListing = InferEntity<typeof SearchListingEntity>;
