import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const ACTOR_KINDS = [
  'stagingJob',
  'providerAttempt',
  'imageReview',
  'deletionItem',
  'tour',
  'descriptionJob',
  'startGate',
  'searchDocument',
] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** One line of the journal: appended with the transition, never changed, pruned by age; that of tours is kept. */
export const ActorTransitionEntity = defineEntity({
  name: 'ActorTransition',
  tableName: 'actor_transitions',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    actorKind: p.enum(ACTOR_KINDS),
    actorId: p.uuid(),
    seq: p.integer(),
    eventType: p.text(),
    event: p.json<unknown>(),
    fromState: p.text().nullable(),
    toState: p.text(),
    at: p.datetime(),
    actedBy: p.text(),
    leaseEpoch: p.integer().nullable(),
    note: p.text().nullable(),
  },
});
export type ActorTransition = InferEntity<typeof ActorTransitionEntity>;
