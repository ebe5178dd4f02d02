import type { InferEntity, Opt } from '@mikro-orm/core';

/** A row of an entity's table, as raw SQL reads it; a `numeric` column needs a cast to be the number that it is here. */
export type RowOf<Entity> = {
  [C in keyof InferEntity<Entity> & string]-?: Read<Exclude<InferEntity<Entity>[C], undefined>>;
};
type Read<T> = T extends Opt<infer U> ? U : T;
