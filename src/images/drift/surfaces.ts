import type { ColourChanges } from './colour-changes.ts';
import type { Gradients } from './gradients.ts';
import type { Lab } from './lab.ts';
import { boxMean } from './raster.ts';
import { boundsOf, type Region, regionsOf } from './regions.ts';

/** A large plain surface of the photo: a wall, a ceiling, a floor, the front of a kitchen. */
export interface Surface {
  readonly region: Region;
  /** Its share of the picture, 0 to 1. */
  readonly area: number;
  /** How much its colour changed against that of the other surfaces, in L*a*b* units. */
  readonly change: number;
  readonly isFloor: boolean;
}

/** L* a pixel; a plain surface has no stronger gradient. */
const PLAIN = 1.6;
/** Neighbours of one surface differ by no more, in L*a*b* units over squares of five pixels. */
const SMOOTH_STEP = 1.2;
/** The share of the picture from which a surface counts. */
const LEAST_AREA = 0.012;
/** Pixels that are plain in the staged picture too, as far as furniture leaves them. */
const STILL_PLAIN = 2.5;
const LEAST_STILL_PLAIN = 0.4;
/** Pixels whose colour changed like that of the whole surface, and how many must. */
const ALIKE = 3.5;
const LEAST_ALIKE = 0.5;
/** Shadows and lamps change lightness: only what is beyond counts, and less than colour. */
const FREE_LIGHTNESS = 8;
const LIGHTNESS_WEIGHT = 0.35;
/** A floor reaches the lowest part of the picture, and most of it lies below the middle. */
const FLOOR = { bottom: 0.9, middle: 0.6 };

/**
 * The plain surfaces with their change of colour. Light and white balance move all surfaces alike, so each is compared
 * with the middle (by area) of all of them.
 */
export function compareSurfaces(
  photo: { lab: Lab; gradients: Gradients },
  { staged, changes }: { staged: Gradients; changes: ColourChanges },
): Surface[] {
  const surfaces = plainRegions(photo).flatMap((region) => {
    const visible = region.filter((at) => staged.strength[at]! < STILL_PLAIN);
    if (visible.length < LEAST_STILL_PLAIN * region.length) return [];
    const change = {
      lightness: median(visible, changes.lightness.values),
      a: median(visible, changes.a.values),
      b: median(visible, changes.b.values),
    };
    const isAlike = (at: number) =>
      Math.hypot(changes.a.values[at]! - change.a, changes.b.values[at]! - change.b) < ALIKE;
    const alike = visible.reduce((count, at) => count + (isAlike(at) ? 1 : 0), 0);
    return alike > LEAST_ALIKE * region.length ? [{ region, change }] : [];
  });
  // One surface has nothing to be compared with.
  if (surfaces.length < 2) return [];
  const middle = {
    lightness: middleByArea(surfaces.map(({ region, change }) => [change.lightness, region.length])),
    a: middleByArea(surfaces.map(({ region, change }) => [change.a, region.length])),
    b: middleByArea(surfaces.map(({ region, change }) => [change.b, region.length])),
  };
  const { width, height } = staged;
  return surfaces.map(({ region, change }) => {
    const lighter = Math.abs(change.lightness - middle.lightness);
    return {
      region,
      area: region.length / (width * height),
      change:
        Math.hypot(change.a - middle.a, change.b - middle.b) +
        LIGHTNESS_WEIGHT * Math.max(0, lighter - FREE_LIGHTNESS),
      isFloor: isFloor(region, { width, height }),
    };
  });
}

function plainRegions({ lab, gradients }: { lab: Lab; gradients: Gradients }): Region[] {
  const { width, height } = gradients;
  const [l, a, b] = [lab.lightness, lab.a, lab.b].map((plane) => boxMean(plane, 2).values) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  return regionsOf({ width, height }, (at) => gradients.strength[at]! < PLAIN, {
    least: LEAST_AREA * width * height,
    joins: (at, next) =>
      Math.hypot(a[at]! - a[next]!, b[at]! - b[next]!) + Math.abs(l[at]! - l[next]!) <= SMOOTH_STEP,
  });
}

function median(at: Int32Array, values: Float32Array): number {
  return Float32Array.from(at, (place) => values[place]!).sort()[at.length >> 1] ?? 0;
}

function middleByArea(values: readonly (readonly [value: number, area: number])[]): number {
  const sorted = [...values].sort(([one], [other]) => one - other);
  let rest = sorted.reduce((sum, [, area]) => sum + area, 0) / 2;
  for (const [value, area] of sorted) {
    rest -= area;
    if (rest <= 0) return value;
  }
  return 0;
}

function isFloor(region: Region, { width, height }: { width: number; height: number }): boolean {
  const { bottom } = boundsOf(region, width);
  const rows = Math.floor(region.reduce((sum, at) => sum + Math.floor(at / width), 0) / region.length);
  return bottom >= FLOOR.bottom * height && rows >= FLOOR.middle * height;
}
