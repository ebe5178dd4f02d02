import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A listing that is gone while its search document may still be there. */
export const SearchTombstoneEntity = defineEntity({
  name: 'SearchTombstone',
  tableName: 'search_tombstones',
  properties: {
    propertyId: p.uuid().primary(),
    deletedAt: p.datetime().defaultRaw('now()'),
  },
});
export type SearchTombstone = InferEntity<typeof SearchTombstoneEntity>;
