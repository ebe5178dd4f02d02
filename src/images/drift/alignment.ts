import type { Displacement } from './affine-fit.ts';
import type { Raster } from './raster.ts';

/**
 * The staged picture moved back over the photo, so that a small shift is not reported once more as lost edges. Pixels
 * from outside repeat the border.
 */
export function movedBack({ width, height, rgb }: Raster, by: Displacement): Raster {
  const moved = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [x - width / 2, y - height / 2];
      const u = clamp(x + by.xx * fromX + by.xy * fromY + by.x0, width - 1.01);
      const v = clamp(y + by.yx * fromX + by.yy * fromY + by.y0, height - 1.01);
      const [left, top] = [Math.floor(u), Math.floor(v)];
      const [across, down] = [u - left, v - top];
      const from = (top * width + left) * 3;
      const below = from + width * 3;
      const to = (y * width + x) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const high = rgb[from + channel]! * (1 - across) + rgb[from + 3 + channel]! * across;
        const low = rgb[below + channel]! * (1 - across) + rgb[below + 3 + channel]! * across;
        moved[to + channel] = high * (1 - down) + low * down;
      }
    }
  }
  return { width, height, rgb: moved };
}

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** The largest difference of a pixel that still counts, by round, in steps of a byte. */
const AGREEING = [80, 30, 30, 16, 16, 16];
const EVERY = 3;
const LEAST_PIXELS = 500;
/** Light and white balance of one room change by no more. */
const FACTOR = { least: 0.65, most: 1.5 };
/** Pixels that are nearly black or white have lost their color. */
const SHOWN = { least: 4, most: 250 };

/**
 * The staged picture without what light and white balance did to all of it: for each channel the line (factor and
 * offset) that most pixels agree with.
 */
export function withToneOf(photo: Raster, staged: Raster): Raster {
  const tables = [0, 1, 2].map((channel) => {
    const { factor, offset } = toneLine(photo.rgb, staged.rgb, channel);
    return Uint8ClampedArray.from({ length: 256 }, (_, byte) => Math.floor(factor * byte + offset));
  });
  const rgb = new Uint8Array(staged.rgb.length);
  for (let at = 0; at < rgb.length; at++) rgb[at] = tables[at % 3]![staged.rgb[at]!]!;
  return { ...staged, rgb };
}

function toneLine(
  photo: Uint8Array,
  staged: Uint8Array,
  channel: number,
): { factor: number; offset: number } {
  let [factor, offset] = [1, 0];
  for (const agreeing of AGREEING) {
    let [count, sumX, sumY, sumXX, sumXY] = [0, 0, 0, 0, 0];
    for (let at = channel; at < photo.length; at += 3 * EVERY) {
      const [x, y] = [staged[at]!, photo[at]!];
      if (Math.abs(factor * x + offset - y) > agreeing || x > SHOWN.most || x < SHOWN.least) continue;
      count++;
      sumX += x;
      sumY += y;
      sumXX += x * x;
      sumXY += x * y;
    }
    const spread = count * sumXX - sumX * sumX;
    if (count < LEAST_PIXELS || spread < 1) break;
    factor = Math.min(FACTOR.most, Math.max(FACTOR.least, (count * sumXY - sumX * sumY) / spread));
    offset = (sumY - factor * sumX) / count;
  }
  return { factor, offset };
}
