import { type KeptEntry, keepList, keptList, UNSENT_REJECTIONS } from '../../../session/kept-of-person.ts';
import type { Keeper } from '../../../site/keeper.ts';
import type { Rejection } from './rejections.ts';

/** Keeps the rejections of a person that were not answered, for a page after this one. */
export function keepRejections(keeper: Keeper, personId: string, waiting: readonly Rejection[]): void {
  keepList(
    keeper,
    UNSENT_REJECTIONS,
    waiting.map((one) => ({ ...one, personId })),
  );
}

/** What a page before has left of this person's. Nothing where another release has written it. */
export const unsentRejections = (keeper: Pick<Keeper, 'getItem'>, personId: string): readonly Rejection[] =>
  keptList(keeper, UNSENT_REJECTIONS)
    .filter((one): one is KeptEntry & Rejection => one.personId === personId && isRejection(one))
    .map(({ imageId, reason }) => ({ imageId, reason }));

const isRejection = ({ imageId, reason }: KeptEntry): boolean =>
  typeof imageId === 'string' && (reason === null || typeof reason === 'string');
