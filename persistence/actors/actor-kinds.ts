import type { AnyStateMachine, ContextFrom, EventFromLogic, InputFrom } from 'xstate';
import type { ActorKindDefinition, KindDescription, KindList } from './actor-kind.ts';
import { deletionItemKind } from './deletion-row.ts';
import { imageReviewKind } from './image-row.ts';
import { JOB_KINDS } from './job-kinds.ts';
import { pauseSwitchKind } from './pause-switch-row.ts';
import { searchDocumentKind } from './search-document-row.ts';
import { tourKind } from './tour-row.ts';

/** Kinds with one aggregate for each actor: one row under one lock. */
export const SINGLE_KINDS = {
  imageReview: imageReviewKind,
  deletionItem: deletionItemKind,
  tour: tourKind,
  startGate: pauseSwitchKind,
  searchDocument: searchDocumentKind,
} as const;

/** Every kind of actor, by the name that is its machine's id and the journal's `actorKind`. */
export const ACTOR_KINDS = { ...JOB_KINDS, ...SINGLE_KINDS } as const;
type Kinds = typeof ACTOR_KINDS;
export type ActorKind = keyof Kinds;
export const KIND_NAMES = Object.keys(ACTOR_KINDS) as ActorKind[];

export type SingleKind = keyof typeof SINGLE_KINDS;
export const SINGLE_KIND_NAMES = Object.keys(SINGLE_KINDS) as SingleKind[];
export const isSingle = (kind: ActorKind): kind is SingleKind => Object.hasOwn(SINGLE_KINDS, kind);
export type SingleActor<K extends SingleKind = SingleKind> = {
  [P in K]: ReturnType<(typeof SINGLE_KINDS)[P]['rows']['fromRow']>;
}[K];

/** For code that treats every kind alike. */
export const singleKind = (
  kind: SingleKind,
): ActorKindDefinition<SingleActor, AnyStateMachine, KindList | null> => SINGLE_KINDS[kind] as never;
export const describedKind = (kind: ActorKind): KindDescription<AnyStateMachine, KindList | null> =>
  ACTOR_KINDS[kind];

export type EventOf<K extends ActorKind> = EventFromLogic<Kinds[K]['machine']>;
export type ContextOf<K extends ActorKind> = ContextFrom<Kinds[K]['machine']>;
export type InputOf<K extends ActorKind> = NonNullable<InputFrom<Kinds[K]['machine']>>;
