/** The order of a listing's photos, by their ids; the first one is the cover. */
export type PhotoOrder = readonly string[];

interface Moving {
  /** The photos that move, in the order of the list. */
  readonly moved: PhotoOrder;
  /** The one of them that is dragged: it says from which side they come. */
  readonly dragged: string;
  /** The photo where they are dropped. */
  readonly target: string;
}

/** The order after a drop: together, behind the target where they come from before it, else in front of it. */
export function orderAfter(listed: PhotoOrder, { moved, dragged, target }: Moving): PhotoOrder {
  if (moved.includes(target)) return listed;
  const others = listed.filter((one) => !moved.includes(one));
  const comesFromBefore = listed.indexOf(dragged) < listed.indexOf(target);
  return others.toSpliced(others.indexOf(target) + (comesFromBefore ? 1 : 0), 0, ...moved);
}

/** The order with photos one place earlier or later, together; null where they are at the end already. */
export function orderBeside(listed: PhotoOrder, moved: PhotoOrder, by: -1 | 1): PhotoOrder | null {
  const dragged = by < 0 ? moved[0] : moved.at(-1);
  const target = dragged === undefined ? undefined : listed[listed.indexOf(dragged) + by];
  return dragged === undefined || target === undefined
    ? null
    : orderAfter(listed, { moved, dragged, target });
}

/** One call to the server: it takes the photo out, and puts it at this index of the others. */
interface PhotoMove {
  readonly imageId: string;
  readonly position: number;
}

/**
 * The calls that lead from one order to another, in which only some photos have moved. Each photo follows the one before
 * it, so after every call the listing is in an order that a person could have wanted.
 */
export function movesBetween(listed: PhotoOrder, order: PhotoOrder, moved: PhotoOrder): readonly PhotoMove[] {
  const moves: PhotoMove[] = [];
  let now = listed;
  for (const imageId of order.filter((one) => moved.includes(one))) {
    const others = now.filter((one) => one !== imageId);
    const position = others.indexOf(order[order.indexOf(imageId) - 1] ?? '') + 1;
    if (now.indexOf(imageId) !== position) moves.push({ imageId, position });
    now = others.toSpliced(position, 0, imageId);
  }
  return moves;
}
