import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** One of the purchases that may begin in a minute, and when it was used last by the database's clock. */
export const StartPlaceEntity = defineEntity({
  name: 'StartPlace',
  tableName: 'start_places',
  properties: {
    place: p.integer().primary(),
    usedAt: p.datetime(),
  },
});
export type StartPlace = InferEntity<typeof StartPlaceEntity>;
