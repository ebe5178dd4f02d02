import type { Lab } from './lab.ts';
import { boxMean, mapped, type Plane } from './raster.ts';

/** Staged minus photo, at each pixel. */
export interface ColourChanges {
  readonly lightness: Plane;
  readonly a: Plane;
  readonly b: Plane;
  /** 1 where the color or the lightness changed clearly. */
  readonly changed: Uint8Array;
}

/** L*a*b* units, over squares of seven pixels. Lightness may change more: furniture throws shadows. */
const CLEAR_COLOUR = 6;
const CLEAR_LIGHTNESS = 14;
const SMOOTHING = 3;

/** @param staged in the photo's tone */
export function compareColours(photo: Lab, staged: Lab): ColourChanges {
  const difference = (of: (lab: Lab) => Plane): Plane => {
    const [before, after] = [of(photo).values, of(staged).values];
    return mapped(of(photo), (at) => after[at]! - before[at]!);
  };
  const changes = {
    lightness: difference(({ lightness }) => lightness),
    a: difference(({ a }) => a),
    b: difference(({ b }) => b),
  };
  const [l, a, b] = [changes.lightness, changes.a, changes.b].map(
    (plane) => boxMean(plane, SMOOTHING).values,
  ) as [Float32Array, Float32Array, Float32Array];
  const changed = Uint8Array.from(l, (lightness, at) =>
    a[at]! ** 2 + b[at]! ** 2 > CLEAR_COLOUR ** 2 || Math.abs(lightness) > CLEAR_LIGHTNESS ? 1 : 0,
  );
  return { ...changes, changed };
}
