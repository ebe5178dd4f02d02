import type { Photo } from '../studio-queries.ts';

/**
 * Where a new photo belongs among those that were chosen with it: behind the nearest one before it, else in front of the
 * nearest one behind it. Photos that an agent has moved meanwhile stay where they are.
 * @param listed the photos of the listing, as they stand
 * @param chosen those that were chosen together and have their places, in the order chosen, the new one included
 * @returns the index to which it is moved; null where its place is right, and when it was deleted
 */
export function placeOf(
  imageId: string,
  { listed, chosen }: { readonly listed: readonly string[]; readonly chosen: readonly string[] },
): number | null {
  const now = listed.indexOf(imageId);
  const others = listed.filter((one) => one !== imageId);
  const isListed = (one: string) => others.includes(one);
  const at = chosen.indexOf(imageId);
  const before = others.indexOf(chosen.slice(0, at).findLast(isListed) ?? '');
  const behind = others.indexOf(chosen.slice(at + 1).find(isListed) ?? '');
  const isRight = now > before && (behind < 0 || now <= behind);
  const place = before < 0 ? behind : before + 1;
  return now < 0 || isRight || place === now ? null : place;
}

/** Whether buyers may see a photo first. */
export const canBeCover = ({ alteration, photoState }: Pick<Photo, 'alteration' | 'photoState'>): boolean =>
  alteration === null && photoState !== 'STAGED_PICTURE';

/** A photo among those that were chosen with it. */
export interface ChosenPhoto {
  readonly imageId: string;
  /** True of the one that the server made the cover as it stored it, because the listing had none. */
  readonly isMain?: boolean;
  /** As a chosen file has it. */
  readonly replacesId?: string;
}

/**
 * Which photo is to be the cover. The server takes the one that it stores first; people expect the first that they chose.
 * @param cover of the listing, as it stands
 * @param chosen those that were chosen together and have their places, in the order chosen
 * @returns null where the cover is right, and when an agent has chosen another meanwhile; but a photo in front of the one
 *   that the server took may be the cover by an earlier call of this, so it does not count as an agent's choice
 */
export function coverOf(cover: string | undefined, chosen: readonly ChosenPhoto[]): string | null {
  const made = chosen.findIndex(({ isMain }) => isMain);
  const now = chosen.findIndex(({ imageId }) => imageId === cover);
  return now > 0 && now <= made ? (chosen[0]?.imageId ?? null) : null;
}
