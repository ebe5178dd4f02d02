import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** A call that may come again: under way while `answer` is null, by whoever holds `claim`, until `expiresAt`. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_keys',
  properties: {
    userId: p.uuid().primary(),
    /** A procedure's path, or method and path of a route. */
    operation: p.text().primary(),
    key: p.text().primary(),
    inputHash: p.text(),
    claim: p.uuid(),
    expiresAt: p.datetime(),
    /** Listings whose agent the person must still be before the answer is shown. */
    propertyIds: p.array<string>().columnType('uuid[]'),
    /** The tour that the person must still have a side in. */
    tourId: p.uuid().nullable(),
    answer: p.text().nullable(),
    createdAt: p.datetime(),
  },
});
export type IdempotencyKey = InferEntity<typeof IdempotencyKeyEntity>;
