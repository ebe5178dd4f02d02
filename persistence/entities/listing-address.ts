import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The address of a listing with a public page, as people find it; kept by triggers on `properties`. */
export const ListingAddressEntity = defineEntity({
  name: 'ListingAddress',
  tableName: 'listing_addresses',
  properties: {
    propertyId: p.uuid().primary(),
    addressText: p.text(),
    regionText: p.text(),
    city: p.text(),
    stateOrProvince: p.text().nullable(),
    postalCode: p.text().nullable(),
    country: p.character().length(2),
    latitude: p.double().nullable(),
    longitude: p.double().nullable(),
  },
});
export type ListingAddress = InferEntity<typeof ListingAddressEntity>;
