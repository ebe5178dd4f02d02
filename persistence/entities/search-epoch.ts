import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** The rebuild of all search documents: the one under way, or the latest. */
export const SearchEpochEntity = defineEntity({
  name: 'SearchEpoch',
  tableName: 'search_epoch',
  properties: {
    /** Always 1: there is one key-value store. */
    id: p.smallint().primary(),
    /** Its name, which the store holds as long as it has lost nothing. */
    epoch: p.uuid(),
    /** Every listing up to this id is rebuilt; null before the first page. */
    throughId: p.uuid().nullable(),
    beganAt: p.datetime(),
    finishedAt: p.datetime().nullable(),
  },
});
export type SearchEpoch = InferEntity<typeof SearchEpochEntity>;
