import sharp from 'sharp';
import { createRandom } from '../random.ts';

/** A photo with edges everywhere: many plain rectangles, always the same for a size and seed. */
export function patternedPhoto(
  { width, height }: { width: number; height: number },
  seed = 1,
): Promise<Buffer> {
  const random = createRandom(seed);
  const shapes = Array.from({ length: 900 }, () => {
    const at = `x="${random.between(-60, width)}" y="${random.between(-60, height)}"`;
    const size = `width="${random.between(14, 130)}" height="${random.between(14, 130)}"`;
    const grey = random.between(30, 225);
    return `<rect ${at} ${size} fill="rgb(${grey},${grey},${grey})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#a0a0a0"/>${shapes.join('')}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().jpeg({ quality: 92 }).toBuffer();
}

/** How far an area of one picture is from the same area of another, in pixels. */
export interface Offset {
  /** The area's middle, from 0 to 1. */
  x: number;
  y: number;
  dx: number;
  dy: number;
}

const AREA = 48;
/** From one compared area to the next. */
const STEP = 60;
const REACH = 4;
/** Areas that are less alike than this show something else: furniture stands there. */
const ALIKE = 0.75;
/** Lines of one direction are nearly as alike wherever they are moved along it. */
const NEARLY = 0.05;

const steps = Array.from({ length: 2 * REACH + 1 }, (_, index) => index - REACH);
/** Every move that is tried, the smallest first. */
const MOVES = steps
  .flatMap((dy) => steps.map((dx) => ({ dx, dy })))
  .sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy));

/**
 * Compares the edges of two pictures area by area, and leaves out areas with other contents. Brightness and color make no
 * difference.
 * @throws RangeError when the pictures differ in size
 */
export async function edgeOffsets(before: Buffer, after: Buffer): Promise<Offset[]> {
  const [one, other] = [await gradients(before), await gradients(after)];
  if (one.width !== other.width || one.height !== other.height)
    throw new RangeError(`${one.width}x${one.height} and ${other.width}x${other.height}`);
  const offsets: Offset[] = [];
  for (let top = REACH; top + AREA + REACH <= one.height; top += STEP) {
    for (let left = REACH; left + AREA + REACH <= one.width; left += STEP) {
      const found = offsetOf(one, other, { left, top });
      if (found === null) continue;
      offsets.push({
        x: (left + AREA / 2) / one.width,
        y: (top + AREA / 2) / one.height,
        dx: found.dx,
        dy: found.dy,
      });
    }
  }
  return offsets;
}

interface Gradients {
  width: number;
  height: number;
  values: Float32Array;
}

async function gradients(picture: Buffer): Promise<Gradients> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const values = new Float32Array(width * height);
  const at = (x: number, y: number) => data[(y * width + x) * channels] ?? 0;
  for (let y = 1; y < height - 1; y += 1)
    for (let x = 1; x < width - 1; x += 1)
      values[y * width + x] = Math.hypot(at(x + 1, y) - at(x - 1, y), at(x, y + 1) - at(x, y - 1));
  return { width, height, values };
}

type Place = { left: number; top: number };

/** The smallest move at which the area is nearly as alike as it gets; null when it is alike nowhere. */
function offsetOf(one: Gradients, other: Gradients, { left, top }: Place): { dx: number; dy: number } | null {
  const pattern = areaOf(one, { left, top });
  const moves = MOVES.map(({ dx, dy }) => {
    const likeness = correlation(pattern, areaOf(other, { left: left + dx, top: top + dy }));
    return { dx, dy, likeness };
  });
  const most = Math.max(...moves.map(({ likeness }) => likeness));
  if (most < ALIKE) return null;
  return moves.find(({ likeness }) => likeness > most - NEARLY) ?? null;
}

/** The area's values around their mean. */
function areaOf({ width, values }: Gradients, { left, top }: Place): Float32Array {
  const area = new Float32Array(AREA * AREA);
  for (let row = 0; row < AREA; row += 1)
    area.set(values.subarray((top + row) * width + left, (top + row) * width + left + AREA), row * AREA);
  const mean = area.reduce((sum, value) => sum + value, 0) / area.length;
  return area.map((value) => value - mean);
}

function correlation(one: Float32Array, other: Float32Array): number {
  let [product, squares, otherSquares] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    const [a, b] = [one[index] ?? 0, other[index] ?? 0];
    product += a * b;
    squares += a * a;
    otherSquares += b * b;
  }
  return product / Math.sqrt(squares * otherSquares || 1);
}
