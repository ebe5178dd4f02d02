import type { Gradients } from './gradients.ts';
import { boxMean, mapped, type Plane } from './raster.ts';
import { isRim, regionsOf } from './regions.ts';

/** Regions are looked at from this size: 25 pixels. */
const LEAST_REGION = 25;
/** An outline belongs to an edge within this distance. */
const OUTLINE_REACH = 5;
const OLD_EDGE = 1.5;
const MOSTLY_NEW = 0.45;
const PARTLY_NEW = 0.2;
/** A piece of furniture reaches as far beyond its changed colors. */
const HALO = 6;

/**
 * How much of each pixel's surroundings is furniture, 0 to 1: changed regions whose outline is new. A repainted wall
 * is a changed region too, but its outline was there before.
 */
export function furnitureShare(
  changed: Uint8Array,
  { photo, fresh }: { photo: Gradients; fresh: Uint8Array },
): Plane {
  const { width, height } = photo;
  const side = 2 * OUTLINE_REACH + 1;
  const near = (isSet: (at: number) => boolean) =>
    boxMean(
      mapped({ width, height }, (at) => (isSet(at) ? side * side : 0)),
      OUTLINE_REACH,
    ).values;
  const oldNear = near((at) => photo.strength[at]! > OLD_EDGE);
  const newNear = near((at) => fresh[at] === 1);
  const isChanged = (at: number) => changed[at] === 1;
  const furniture = new Float32Array(width * height);
  for (const region of regionsOf({ width, height }, isChanged, { least: LEAST_REGION })) {
    let [rim, ofNew, ofOld] = [0, 0, 0];
    for (const at of region) {
      if (!isRim(at, photo, isChanged)) continue;
      rim++;
      // Half a pixel of the square: any set pixel counts, also at the border, where squares are cut.
      if (newNear[at]! > 0.5) ofNew++;
      else if (oldNear[at]! > 0.5) ofOld++;
    }
    if (rim > 0 && (ofNew > MOSTLY_NEW * rim || (ofNew > ofOld && ofNew > PARTLY_NEW * rim)))
      for (const at of region) furniture[at] = 1;
  }
  return boxMean({ width, height, values: furniture }, HALO);
}
