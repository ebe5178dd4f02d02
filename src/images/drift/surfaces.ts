import type { Gradients } from './gradients.ts';
import type { Lab } from './lab.ts';
import { boxMean, type Plane, planeOf, type Raster } from './raster.ts';
import { isFloor, type Region, regionsOf } from './regions.ts';

/** A large plain surface of the photo: a wall, a ceiling, a floor, the front of a kitchen. */
export interface Surface {
  /**
   * How much its color changed against that of the other surfaces; 0.1 is about 10 % of a channel. Of a floor, what
   * all but its least changed pixels exceed.
   */
  readonly change: number;
  readonly isFloor: boolean;
}

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
/** The share of the picture from which a floor counts; smaller ones a rug can hide. */
const FLOOR_AREA = 0.04;
/** Rugs and furniture leave more than this share of a floor as it was; another floor leaves nothing. */
const LEFT_OF_FLOOR = 0.3;

/** What happened to a color: red and blue against green, and the lightness, as logarithms of ratios. */
interface Change {
  readonly red: number;
  readonly blue: number;
  readonly light: number;
}

/**
 * The plain surfaces with their change of color. Light and white balance multiply the channels of all surfaces alike,
 * so ratios are compared, each with the middle (by area) of all of them.
 * @param staged moved back over the photo, in its own tone
 */
export function compareSurfaces(
  photo: { raster: Raster; lab: Lab; gradients: Gradients },
  { staged, furniture }: { staged: Raster; furniture: Plane },
): Surface[] {
  const ratios = ratiosOf(photo.raster, staged);
  const pixels = ratios.light.length;
  const plain = plainRegions(photo);
  const followed = plain.flatMap((region) => {
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
  const walls = followed.filter(({ region }) => !isFloor(region, staged));
  const floors = plain.filter((region) => region.length > FLOOR_AREA * pixels && isFloor(region, staged));
  return [
    ...walls.map(({ change }) => ({ change: distance(change), isFloor: false })),
    // New boards differ from each other and bring edges, so no color is followed: each pixel tells its own change.
    ...floors.map((region) => {
      const changes = Float32Array.from(region, (at) =>
        distance({ red: ratios.red[at]!, blue: ratios.blue[at]!, light: ratios.light[at]! }),
      ).sort();
      return { change: changes[Math.floor(LEFT_OF_FLOOR * changes.length)]!, isFloor: true };
    }),
  ];
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
