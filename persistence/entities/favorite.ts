import { defineEntity, p } from '@mikro-orm/core';
import { PropertyEntity, type StandardStatus } from './property.ts';
import type { RowOf } from './row.ts';
import { UserEntity } from './user.ts';

/** A home that a person has saved, as it was at that moment. */
export const FavoriteEntity = defineEntity({
  name: 'Favorite',
  tableName: 'favorites',
  properties: {
    userId: p.manyToOne(UserEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    propertyId: p.manyToOne(PropertyEntity).mapToPk().deleteRule('cascade').updateRule('no action').primary(),
    savedAt: p.datetime(),
    priceWhenSaved: p.decimal('number').precision(14).scale(2),
    statusWhenSaved: p.text().$type<StandardStatus>(),
  },
});
export type Favorite = RowOf<typeof FavoriteEntity>;
