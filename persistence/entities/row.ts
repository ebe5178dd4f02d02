import type { InferEntity, Opt } from '@mikro-orm/core';

/** A row of an entity's table, as raw SQL reads it. A `numeric` column is a number only if the statement casts it. */
export type RowOf<Entity> = {
  [C in keyof InferEntity<Entity> & string]-?: Read<Exclude<InferEntity<Entity>[C], undefined>>;
};
type Read<T> = T extends Opt<infer U> ? U : T;
