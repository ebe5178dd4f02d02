import type { ContextFrom, EventFromLogic, InputFrom } from 'xstate';
import type { ActorKindDefinition } from './actor-kind.ts';
import { providerAttemptKind } from './rows/attempt-row.ts';
import { deletionItemKind } from './rows/deletion-row.ts';
import { feedKind } from './rows/feed-row.ts';
import { imageReviewKind } from './rows/image-row.ts';
import { descriptionJobKind, stagingJobKind } from './rows/job-row.ts';
import { mismatchReportKind } from './rows/mismatch-report-row.ts';
import { pauseSwitchKind } from './rows/pause-switch-row.ts';
import { searchDocumentKind } from './rows/search-document-row.ts';
import { tourKind } from './rows/tour-row.ts';

/** Kinds whose aggregate is a single actor: one row under one lock. */
export const SINGLE_KINDS = {
  imageReview: imageReviewKind,
  deletionItem: deletionItemKind,
  tour: tourKind,
  mismatchReport: mismatchReportKind,
  startGate: pauseSwitchKind,
  searchDocument: searchDocumentKind,
  feed: feedKind,
} as const;

/** Every kind of actor, by its name in the journal (`actorKind`). A job and its attempts share the job's lock. */
export const ACTOR_KINDS = {
  stagingJob: stagingJobKind,
  descriptionJob: descriptionJobKind,
  providerAttempt: providerAttemptKind,
  ...SINGLE_KINDS,
} as const;
type Kinds = typeof ACTOR_KINDS;
export type ActorKind = keyof Kinds;
export const KIND_NAMES = Object.keys(ACTOR_KINDS) as ActorKind[];
type ActorOf<K extends ActorKind> = { [P in K]: ReturnType<Kinds[P]['rows']['fromRow']> }[K];
export type AnyActor = ActorOf<ActorKind>;

export type SingleKind = keyof typeof SINGLE_KINDS;
export const SINGLE_KIND_NAMES = Object.keys(SINGLE_KINDS) as SingleKind[];
export type SingleActor<K extends SingleKind = SingleKind> = ActorOf<K>;

/** For code that treats all kinds alike. */
export const definitionOf = (kind: ActorKind): ActorKindDefinition<AnyActor> => ACTOR_KINDS[kind] as never;

export type EventOf<K extends ActorKind> = EventFromLogic<Kinds[K]['machine']>;
export type ContextOf<K extends ActorKind> = ContextFrom<Kinds[K]['machine']>;
export type InputOf<K extends ActorKind> = NonNullable<InputFrom<Kinds[K]['machine']>>;
