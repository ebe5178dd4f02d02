import type { KindList, Place } from '../actors/actor-kind.ts';
import { type ACTOR_KINDS, type ActorKind, definitionOf, KIND_NAMES } from '../actors/actor-kinds.ts';

/** How the operators' pages find the actors of a kind. */
export type KindSource = Place & KindList;

type Listed = { [K in ActorKind]: (typeof ACTOR_KINDS)[K]['list'] extends null ? never : K };
export type ConsoleKind = Listed[ActorKind];
export const isListed = (kind: string): kind is ConsoleKind => Object.hasOwn(CONSOLE_KINDS, kind);

export const CONSOLE_KINDS: Readonly<Record<ConsoleKind, KindSource>> = Object.fromEntries(
  KIND_NAMES.flatMap((kind) => {
    const { rows, list } = definitionOf(kind);
    return list === null ? [] : [[kind, { ...rows, ...list }]];
  }),
) as never;
export const CONSOLE_KIND_NAMES = Object.keys(CONSOLE_KINDS) as ConsoleKind[];
