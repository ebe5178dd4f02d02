import sharp from 'sharp';
import { type Canvas, draw, type Rectangle } from './canvas.ts';

/**
 * Where in a photo a change is made: found by means of its own, not by those of the comparison, so that the benchmark
 * does not ask the comparison where it would look.
 */

/** Width of the small copy that surfaces are searched in. */
const SMALL = 160;
/** A surface's color differs from that of its first pixel by no more, in steps of a byte. */
const ALIKE = 26;
const LEAST_AREA = 0.05;

/** How much each pixel of the photo belongs to a surface, 0 to 1, soft at its border. */
export type Mask = Float32Array;

/** The largest plain surface of the upper part; null when there is none. */
export const findWall = (canvas: Canvas): Promise<Mask | null> =>
  largestSurface(canvas, (middle) => middle > 0.12 && middle < 0.6);

interface Surface {
  readonly members: readonly number[];
  /** The mean row, as a share of the height. */
  readonly middle: number;
}

async function largestSurface(canvas: Canvas, fits: (middle: number) => boolean): Promise<Mask | null> {
  const small = await smallCopy(canvas);
  const surfaces = plainSurfaces(small).filter(({ middle }) => fits(middle));
  const [largest] = surfaces.sort((one, other) => other.members.length - one.members.length);
  if (largest === undefined || largest.members.length < LEAST_AREA * small.width * small.height) return null;
  const marks = Buffer.alloc(small.width * small.height);
  for (const at of largest.members) marks[at] = 255;
  const large = await sharp(marks, { raw: { width: small.width, height: small.height, channels: 1 } })
    .resize(canvas.width, canvas.height, { fit: 'fill' })
    .extractChannel(0)
    .raw()
    .toBuffer();
  return Float32Array.from(large, (value) => value / 255);
}

async function smallCopy(canvas: Canvas): Promise<Canvas> {
  const { data, info } = await draw(canvas)
    .resize({ width: SMALL })
    .median(3)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgb: data };
}

function plainSurfaces({ width, height, rgb }: Canvas): Surface[] {
  const seen = new Uint8Array(width * height);
  const surfaces: Surface[] = [];
  for (let first = 0; first < seen.length; first++) {
    if (seen[first] === 1) continue;
    seen[first] = 1;
    const members = [first];
    for (let next = 0; next < members.length; next++) {
      const at = members[next]!;
      const x = at % width;
      for (const [there, isThere] of [
        [at - 1, x > 0],
        [at + 1, x < width - 1],
        [at - width, at >= width],
        [at + width, at + width < seen.length],
      ] as const) {
        if (!isThere || seen[there] === 1 || difference(rgb, there, first) > ALIKE) continue;
        if (difference(rgb, there, at) > ALIKE / 3) continue;
        seen[there] = 1;
        members.push(there);
      }
    }
    const rows = members.map((at) => Math.floor(at / width) / height);
    const middle = rows.reduce((sum, row) => sum + row, 0) / rows.length;
    surfaces.push({ members, middle });
  }
  return surfaces;
}

const difference = (rgb: Buffer, one: number, other: number): number =>
  Math.hypot(...[0, 1, 2].map((channel) => rgb[one * 3 + channel]! - rgb[other * 3 + channel]!));

/** Widths and heights of windows and appliances, as shares of the photo. */
const THINGS = [
  [0.2, 0.28],
  [0.14, 0.2],
  [0.12, 0.3],
  [0.24, 0.18],
] as const;
const UPPER_PART = 0.72;
const STEP = 0.02;
/** Mean difference of neighbors, in steps of a byte: a thing has more, what surrounds it has less. */
const LEAST_THING = 5;
const RING = 0.03;
const MOST_RING = 0.55;

/** A rectangle in the upper part with much in it and little around it: a window, a picture, an oven. */
export function findThing(canvas: Canvas): Promise<Rectangle | null> {
  return bestRectangle(canvas, (inside, around) =>
    inside > LEAST_THING && around < MOST_RING * inside ? inside - 1.5 * around : Number.NEGATIVE_INFINITY,
  );
}

/** The plainest rectangle: where a fake window would be put. */
export function findBlank(canvas: Canvas): Promise<Rectangle | null> {
  return bestRectangle(canvas, (inside, around) => -inside - around);
}

async function bestRectangle(
  canvas: Canvas,
  value: (inside: number, around: number) => number,
): Promise<Rectangle | null> {
  const busy = busyness(await smallCopy(canvas));
  let best = { value: Number.NEGATIVE_INFINITY, left: 0, top: 0, width: 0, height: 0 };
  for (const [width, height] of THINGS) {
    for (let top = 0.06; top + height < UPPER_PART; top += STEP) {
      for (let left = 0.05; left + width < 0.95; left += STEP) {
        const inner = busy({ left, top, width, height });
        const outer = busy({
          left: left - RING,
          top: top - RING,
          width: width + 2 * RING,
          height: height + 2 * RING,
        });
        const around = (outer.sum - inner.sum) / Math.max(1, outer.pixels - inner.pixels);
        const found = value(inner.sum / inner.pixels, around);
        if (found > best.value) best = { value: found, left, top, width, height };
      }
    }
  }
  if (best.width === 0) return null;
  return {
    left: Math.round(best.left * canvas.width),
    top: Math.round(best.top * canvas.height),
    width: Math.round(best.width * canvas.width),
    height: Math.round(best.height * canvas.height),
  };
}

/** Sums of the differences of neighbors in a rectangle that is given in shares of the sides. */
function busyness({ width, height, rgb }: Canvas) {
  const values = Float32Array.from({ length: width * height }, (_, at) => {
    const right = at % width < width - 1 ? difference(rgb, at, at + 1) : 0;
    const below = at + width < width * height ? difference(rgb, at, at + width) : 0;
    return right + below;
  });
  return (share: Rectangle) => {
    const [left, right] = [share.left * width, (share.left + share.width) * width].map(Math.round);
    const [top, bottom] = [share.top * height, (share.top + share.height) * height].map(Math.round);
    let [sum, pixels] = [0, 0];
    for (let y = Math.max(0, top!); y < Math.min(height, bottom!); y++)
      for (let x = Math.max(0, left!); x < Math.min(width, right!); x++) {
        sum += values[y * width + x]!;
        pixels++;
      }
    return { sum, pixels };
  };
}
