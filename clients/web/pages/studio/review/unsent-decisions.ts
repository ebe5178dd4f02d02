import { type KeptEntry, keepList, keptList, UNSENT_DECISIONS } from '../../../session/kept-of-person.ts';
import type { Keeper } from '../../../site/keeper.ts';
import { type Decision, UNDO_MS } from './decisions.ts';

/** Whose decisions they are, the document that made them, and the time, in milliseconds since 1970. */
interface Whose {
  readonly personId: string;
  readonly page: string;
  readonly at: number;
}

/** Keeps the decisions of a page that were not answered, for a page after it. Those of pages in other tabs stay. */
export function keepDecisions(keeper: Keeper, whose: Whose, waiting: readonly Decision[]): void {
  const others = keptList(keeper, UNSENT_DECISIONS).filter(({ page }) => page !== whose.page);
  keepList(keeper, UNSENT_DECISIONS, [...others, ...waiting.map((one) => ({ ...one, ...whose }))]);
}

/**
 * Takes over what other pages have left of this person's: nothing that can still be taken back in another tab. Where
 * another release has written an entry, it is dropped.
 */
export function takeDecisions(keeper: Keeper, { personId, page, at }: Whose): readonly Decision[] {
  const isLeft = (one: KeptEntry): boolean =>
    one.personId === personId &&
    one.page !== page &&
    !(typeof one.at === 'number' && Math.abs(at - one.at) < UNDO_MS);
  const list = keptList(keeper, UNSENT_DECISIONS);
  keepList(
    keeper,
    UNSENT_DECISIONS,
    list.filter((one) => !isLeft(one)),
  );
  return list.filter(isLeft).flatMap(decisionIn);
}

function decisionIn({ kind, imageIds, reason }: KeptEntry): readonly Decision[] {
  if (!Array.isArray(imageIds) || !imageIds.every((id) => typeof id === 'string')) return [];
  if (kind === 'approveSeveral') return [{ kind, imageIds }];
  const [imageId, ...others] = imageIds;
  if (imageId === undefined || others.length > 0) return [];
  if (kind === 'approve') return [{ kind, imageIds: [imageId] }];
  if (kind !== 'reject' || !(reason === null || typeof reason === 'string')) return [];
  return [{ kind, imageIds: [imageId], reason }];
}
