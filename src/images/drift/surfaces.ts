import type { Gradients } from './gradients.ts';
import type { Lab } from './lab.ts';
import { boxMean, type Plane, planeOf, type Raster } from './raster.ts';
import { isFloor, type Region, regionsOf } from './regions.ts';

/** L* a pixel; a plain surface has no stronger gradient. */
const PLAIN = 1.6;
/** Neighbors of one surface differ by no more, in L*a*b* units over squares of five pixels. */
const SMOOTH_STEP = 1.2;
/** The share of the picture from which a surface counts. */
const LEAST_AREA = 0.012;
/** Boards and carpets have a texture: their color is that of squares of eleven pixels. */
const TEXTURE = 5;
/** A pixel has changed like its surface within this distance. */
const ALIKE = 0.05;
/**
 * A large surface nearly all of whose pixels changed alike is taken whole: furniture hardly covers so much of it.
 * Otherwise only what is left next to furniture is compared: so much must be left, and have changed alike.
 */
const WHOLE = { area: 0.04, alike: 0.6 };
const BESIDE = { furniture: 0.12, least: 0.25, alike: 0.5 };
/** Shadows and lamps change lightness: only what is beyond counts, and less than color. */
const FREE_LIGHTNESS = 0.3;
const LIGHTNESS_WEIGHT = 0.35;
/** Steps of a byte, added to both sides of a ratio: dark pixels are mostly noise. */
const DARK = 12;

/** What happened to a color: red and blue against green, and the lightness, as logarithms of ratios. */
interface Change {
  readonly red: number;
  readonly blue: number;
  readonly light: number;
}

/**
 * How much the color of each large plain surface changed against that of the others, floors left out: a wall, a ceiling,
 * the front of a kitchen. 0.1 is about 10 % of a channel. Light and white balance multiply the channels of all surfaces
 * alike, so ratios are compared, each with the middle (by area) of all of them.
 * @param staged moved back over the photo, in its own tone
 */
export function compareSurfaces(
  photo: { raster: Raster; lab: Lab; gradients: Gradients },
  { staged, furniture }: { staged: Raster; furniture: Plane },
): number[] {
  const ratios = ratiosOf(photo.raster, staged);
  const pixels = ratios.light.length;
  const followed = plainRegions(photo).flatMap((region) => {
    const whole = changeOf(region, ratios);
    if (region.length > WHOLE.area * pixels && shareAlike(region, ratios, whole) > WHOLE.alike)
      return [{ region, change: whole }];
    const beside = region.filter((at) => furniture.values[at]! < BESIDE.furniture);
    if (beside.length < BESIDE.least * region.length) return [];
    const change = changeOf(beside, ratios);
    return shareAlike(beside, ratios, change) > BESIDE.alike ? [{ region, change }] : [];
  });
  // One surface has nothing to be compared with.
  if (followed.length < 2) return [];
  const middle = (of: (change: Change) => number) =>
    middleByArea(followed.map(({ region, change }) => [of(change), region.length]));
  const [red, blue, light] = [
    middle((change) => change.red),
    middle((change) => change.blue),
    middle((change) => change.light),
  ];
  const distance = (change: Change) =>
    Math.hypot(change.red - red, change.blue - blue) +
    LIGHTNESS_WEIGHT * Math.max(0, Math.abs(change.light - light) - FREE_LIGHTNESS);
  // A rug or a shadow of furniture changes most of a floor.
  return followed.filter(({ region }) => !isFloor(region, staged)).map(({ change }) => distance(change));
}

type Ratios = Readonly<Record<keyof Change, Float32Array>>;

const changeOf = (region: Region, ratios: Ratios): Change => ({
  red: median(region, ratios.red),
  blue: median(region, ratios.blue),
  light: median(region, ratios.light),
});

function shareAlike(region: Region, { red, blue }: Ratios, change: Change): number {
  let alike = 0;
  for (const at of region)
    if ((red[at]! - change.red) ** 2 + (blue[at]! - change.blue) ** 2 < ALIKE ** 2) alike++;
  return alike / region.length;
}

function ratiosOf(photo: Raster, staged: Raster): Ratios {
  const [red, light, blue] = [0, 1, 2].map((channel) => {
    const before = boxMean(channelOf(photo, channel), TEXTURE).values;
    const after = boxMean(channelOf(staged, channel), TEXTURE).values;
    for (let at = 0; at < after.length; at++)
      after[at] = Math.log((after[at]! + DARK) / (before[at]! + DARK));
    return after;
  }) as [Float32Array, Float32Array, Float32Array];
  for (let at = 0; at < light.length; at++) {
    red[at]! -= light[at]!;
    blue[at]! -= light[at]!;
  }
  return { red, blue, light };
}

function channelOf(raster: Raster, channel: number): Plane {
  const plane = planeOf(raster);
  for (let at = 0, byte = channel; at < plane.values.length; at++, byte += 3)
    plane.values[at] = raster.rgb[byte]!;
  return plane;
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
      Math.sqrt((a[at]! - a[next]!) ** 2 + (b[at]! - b[next]!) ** 2) + Math.abs(l[at]! - l[next]!) <=
      SMOOTH_STEP,
  });
}

function median(region: Region, values: Float32Array): number {
  const sorted = new Float32Array(region.length);
  for (let at = 0; at < region.length; at++) sorted[at] = values[region[at]!]!;
  return sorted.sort()[region.length >> 1]!;
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
