import type { KindList, Place } from '../actors/actor-kind.ts';
import { type ACTOR_KINDS, type ActorKind, describedKind, KIND_NAMES } from '../actors/actor-kinds.ts';

/** Where the operators' pages find the actors of a kind, with nothing left out. */
export interface KindSource extends Pick<Place, 'from' | 'base' | 'state'> {
  status: KindList['status'];
  createdAt: string;
  columns: Required<KindList['columns']>;
  /** Null where nobody would ask. */
  narrow: { [P in keyof KindList['narrow']]-?: string | null };
  failed: readonly string[];
}

const NOTHING = 'NULL';

type Listed = { [K in ActorKind]: (typeof ACTOR_KINDS)[K]['list'] extends null ? never : K };
export type ConsoleKind = Listed[ActorKind];
export const isListed = (kind: string): kind is ConsoleKind => Object.hasOwn(CONSOLE_KINDS, kind);

export const CONSOLE_KINDS: Readonly<Record<ConsoleKind, KindSource>> = Object.fromEntries(
  KIND_NAMES.flatMap((kind) => {
    const { rows, list } = describedKind(kind);
    if (list === null) return [];
    const source: KindSource = {
      from: rows.from,
      base: list.base ?? rows.base,
      state: rows.state,
      status: list.status,
      createdAt: list.createdAt,
      columns: {
        updatedAt: NOTHING,
        errorCode: NOTHING,
        propertyId: NOTHING,
        worker: NOTHING,
        jobId: NOTHING,
        quarantined: 'false',
        ...list.columns,
      },
      narrow: { property: null, worker: null, quarantined: null, ...list.narrow },
      failed: list.failed,
    };
    return [[kind, source]];
  }),
) as never;
export const CONSOLE_KIND_NAMES = Object.keys(CONSOLE_KINDS) as ConsoleKind[];
