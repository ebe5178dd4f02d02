import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A home that a person has saved, as it was at that moment. */
export const FavoriteEntity = defineEntity({
  name: 'Favorite',
  tableName: 'favorites',
  properties: {
    userId: p.uuid().primary(),
    propertyId: p.uuid().primary(),
    savedAt: p.datetime(),
    priceWhenSaved: p.decimal('number').precision(14).scale(2),
    statusWhenSaved: p.text(),
  },
});
export type Favorite = InferEntity<typeof FavoriteEntity>;
