import { defineEntity, p } from '@mikro-orm/core';
import type { RowOf } from './row.ts';
import { PLACE_KINDS } from './values.ts';

/** A place that people search by. Its id is built from its kind and names: `city:us:wa:seattle`. */
export const PlaceEntity = defineEntity({
  name: 'Place',
  tableName: 'places',
  properties: {
    id: p.text().primary(),
    kind: p.enum(PLACE_KINDS),
    name: p.text(),
    /** The text in a list of suggestions. */
    label: p.text(),
    city: p.text().nullable(),
    county: p.text().nullable(),
    stateOrProvince: p.text().nullable(),
    country: p.character().length(2),
    west: p.double().$type<number>().nullable(),
    south: p.double().$type<number>().nullable(),
    east: p.double().$type<number>().nullable(),
    north: p.double().$type<number>().nullable(),
    latitude: p.double().$type<number>().nullable(),
    longitude: p.double().$type<number>().nullable(),
    weight: p.integer().default(0),
    source: p.text(),
    sourceRank: p.integer(),
    headText: p.text(),
    searchText: p.text(),
  },
});
export type Place = RowOf<typeof PlaceEntity>;
