import type { Sharp } from 'sharp';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { pngChunk, pngHeader } from './png-file.ts';

export const RED = [220, 30, 30] as const;
export const GREEN = [30, 200, 40] as const;
export const BLUE = [30, 40, 210] as const;
export const GREY = [128, 128, 128] as const;

const WIDTH = 96;
const HEIGHT = 64;

/** 96x64 with corners red, green, blue, gray (clockwise from the top left), so that every turn and mirror shows. */
export function corners(): Sharp {
  const pixels = Buffer.alloc(WIDTH * HEIGHT * 3);
  for (let y = 0; y < HEIGHT; y += 1) {
    for (let x = 0; x < WIDTH; x += 1) {
      const row = y < HEIGHT / 2 ? [RED, GREEN] : [GREY, BLUE];
      pixels.set(row[x < WIDTH / 2 ? 0 : 1] ?? RED, (y * WIDTH + x) * 3);
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } });
}

/**
 * The inverse of this EXIF orientation: a viewer that applies the orientation shows the picture upright
 * again.
 */
const STORED_AS: Record<number, (upright: Sharp) => Promise<Sharp>> = {
  1: async (upright) => upright,
  2: async (upright) => upright.flop(),
  3: async (upright) => upright.rotate(180),
  4: async (upright) => upright.flip(),
  5: async (upright) => sharp(await upright.rotate(90).png().toBuffer()).flop(),
  6: async (upright) => upright.rotate(270),
  7: async (upright) => sharp(await upright.rotate(270).png().toBuffer()).flop(),
  8: async (upright) => upright.rotate(90),
};

export async function storedWithOrientation(
  orientation: number,
  format: 'jpeg' | 'png' | 'webp',
): Promise<Buffer> {
  const turned = await STORED_AS[orientation]?.(corners());
  if (!turned) throw new RangeError(`no orientation ${orientation}`);
  return turned.withMetadata({ orientation }).toFormat(format, { quality: 95 }).toBuffer();
}

/** The colors in the middle of the four quarters, clockwise from the top left. */
export async function cornerColours(bytes: Buffer): Promise<number[][]> {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (fx: number, fy: number): number[] => {
    const offset = (Math.floor(info.height * fy) * info.width + Math.floor(info.width * fx)) * info.channels;
    return [...data.subarray(offset, offset + 3)];
  };
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.75, 0.75), at(0.25, 0.75)];
}

/** Largest difference of any channel of any corner: small for lossy formats, large for a wrong turn or profile. */
export function distance(found: number[][], expected: readonly (readonly number[])[]): number {
  return Math.max(
    ...found.flatMap((colour, i) => colour.map((value, c) => Math.abs(value - (expected[i]?.[c] ?? 999)))),
  );
}

/** A photo-like picture: smooth noise does not compress away and shows decoding faults. */
export function noisy(width: number, height: number): Sharp {
  return sharp({
    create: {
      width: 64,
      height: 64,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  }).resize(width, height, { fit: 'fill', kernel: 'cubic' });
}

/** Two different frames: equal ones would be merged into one. */
export async function animatedWebp(): Promise<Buffer> {
  const frames = [corners().png().toBuffer(), corners().negate().png().toBuffer()];
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
}

/** A PNG whose header claims a size that its (absent) pixels do not have. */
export const pngClaiming = (width: number, height: number): Buffer =>
  Buffer.concat([
    pngHeader({ width, height, depth: 8, color: 'rgb' }),
    pngChunk('IDAT', Buffer.from([0x78, 0x9c])),
  ]);

/** The same picture, announced as an animation. */
export function asAnimatedPng(png: Buffer): Buffer {
  const afterHeader = 8 + 25;
  const control = pngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
  return Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)]);
}
