/** Likeness of two pictures of one size, block by block. */

/** Pixels a side. */
export const BLOCK = 16;
/** Pixels by which a block may have moved. */
const REACH = 2;
/** Grain is no structure: two flat blocks are alike, and their colors decide. */
const FLAT = 40;

interface Likeness {
  /** Correlation over three channels, the best within the reach. */
  structure: number;
  /** The least mean square of differences. */
  difference: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}
/** Three values a pixel; NaN where a picture does not reach. */
export type Pixels = Float32Array | Uint8Array;

/** The block of `moved` that is likest to the block of `still` at x, y; null where it does not reach. */
export function likenessAt(
  moved: Pixels,
  still: Pixels,
  { width, height }: Size,
  { x, y }: { x: number; y: number },
): Likeness | null {
  const best: Likeness = { structure: -1, difference: Number.POSITIVE_INFINITY };
  for (let dy = -REACH; dy <= REACH; dy++) {
    for (let dx = -REACH; dx <= REACH; dx++) {
      const [left, top] = [x + dx, y + dy];
      if (left < 0 || top < 0 || left + BLOCK > width || top + BLOCK > height) continue;
      let [sumA, sumB, squaresA, squaresB, products, differences] = [0, 0, 0, 0, 0, 0];
      for (let v = 0; v < BLOCK; v++) {
        let at = ((top + v) * width + left) * 3;
        let to = ((y + v) * width + x) * 3;
        for (const end = at + 3 * BLOCK; at < end; at++, to++) {
          const [a, b] = [moved[at]!, still[to]!];
          sumA += a;
          sumB += b;
          squaresA += a * a;
          squaresB += b * b;
          products += a * b;
          differences += (a - b) * (a - b);
        }
      }
      if (Number.isNaN(sumA)) return null;
      const count = 3 * BLOCK * BLOCK;
      const flat = FLAT * count;
      const varyA = squaresA - (sumA * sumA) / count + flat;
      const varyB = squaresB - (sumB * sumB) / count + flat;
      const structure = (products - (sumA * sumB) / count + flat) / Math.sqrt(varyA * varyB);
      const difference = differences / count;
      if (structure > best.structure) best.structure = structure;
      if (difference < best.difference) best.difference = difference;
    }
  }
  return best;
}

/** Pixels further from the line than this are left out, round by round. */
const TONE_LIMITS = [120, 60, 35, 25, 20] as const;
const MOST_TONE = 2.5;
const LEAST_PIXELS = 200;
/** Clipped values say nothing about tone. */
const [DARKEST, BRIGHTEST] = [4, 250];

/** `from` with the tone of `to`: for each channel the line that most pixels agree with. Only pixels that `counts`. */
export function toned(from: Pixels, to: Pixels, counts: Uint8Array): Float32Array {
  const result = new Float32Array(from.length);
  for (let channel = 0; channel < 3; channel++) {
    let [gain, offset] = [1, 0];
    for (const limit of TONE_LIMITS) {
      let [count, sumX, sumY, squares, products] = [0, 0, 0, 0, 0];
      for (let pixel = 0; pixel < counts.length; pixel++) {
        if (counts[pixel] === 0) continue;
        const [x, y] = [from[3 * pixel + channel]!, to[3 * pixel + channel]!];
        if (!(Math.abs(gain * x + offset - y) < limit) || x > BRIGHTEST || x < DARKEST) continue;
        count += 1;
        sumX += x;
        sumY += y;
        squares += x * x;
        products += x * y;
      }
      const spread = count * squares - sumX * sumX;
      if (count < LEAST_PIXELS || spread < 1) break;
      const wanted = (count * products - sumX * sumY) / spread;
      gain = Math.min(MOST_TONE, Math.max(1 / MOST_TONE, wanted));
      offset = (sumY - gain * sumX) / count;
    }
    for (let at = channel; at < from.length; at += 3) result[at] = gain * from[at]! + offset;
  }
  return result;
}
