import { type KeptEntry, keepList, keptList, UNSENT_DECISIONS } from '../../../session/kept-of-person.ts';
import type { Keeper } from '../../../site/keeper.ts';
import type { Decision } from './decisions.ts';

/** Keeps the decisions of a person that were not answered, for a page after this one. */
export function keepDecisions(keeper: Keeper, personId: string, waiting: readonly Decision[]): void {
  keepList(
    keeper,
    UNSENT_DECISIONS,
    waiting.map((one) => ({ ...one, personId })),
  );
}

/** What a page before has left of this person's. Nothing where another release has written it. */
export const unsentDecisions = (keeper: Pick<Keeper, 'getItem'>, personId: string): readonly Decision[] =>
  keptList(keeper, UNSENT_DECISIONS).flatMap((one) => (one.personId === personId ? decisionIn(one) : []));

function decisionIn({ kind, imageIds, reason }: KeptEntry): readonly Decision[] {
  if (!Array.isArray(imageIds) || !imageIds.every((id) => typeof id === 'string')) return [];
  if (kind === 'approveSeveral') return [{ kind, imageIds }];
  const [imageId, ...others] = imageIds;
  if (imageId === undefined || others.length > 0) return [];
  if (kind === 'approve') return [{ kind, imageIds: [imageId] }];
  if (kind !== 'reject' || !(reason === null || typeof reason === 'string')) return [];
  return [{ kind, imageIds: [imageId], reason }];
}
