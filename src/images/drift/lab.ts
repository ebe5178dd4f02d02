import { type Plane, planeOf, type Raster } from './raster.ts';

/** A picture in CIE L*a*b*, where equal distances look about equally different. */
export interface Lab {
  /** 0 (black) to 100 (white). */
  readonly lightness: Plane;
  /** About -100 to 100: green to red, blue to yellow. */
  readonly a: Plane;
  readonly b: Plane;
}

/** The sRGB curve: a byte as linear light, 0 to 1. */
const LINEAR = Float32Array.from({ length: 256 }, (_, byte) => {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
});

/** CIE's cube root, from a table: the root itself would take half of the time of the conversion. */
const ROOT_STEPS = 4096;
const ROOTS = Float32Array.from({ length: ROOT_STEPS + 2 }, (_, step) => {
  const share = step / ROOT_STEPS;
  return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116;
});

function root(share: number): number {
  const place = Math.min(1, share) * ROOT_STEPS;
  const step = Math.floor(place);
  return ROOTS[step]! + (ROOTS[step + 1]! - ROOTS[step]!) * (place - step);
}

/** sRGB to L*a*b* under D65. */
export function toLab({ rgb, ...size }: Raster): Lab {
  const [lightness, a, b] = [planeOf(size), planeOf(size), planeOf(size)];
  for (let at = 0, byte = 0; at < lightness.values.length; at++, byte += 3) {
    const [red, green, blue] = [LINEAR[rgb[byte]!]!, LINEAR[rgb[byte + 1]!]!, LINEAR[rgb[byte + 2]!]!];
    const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
    const y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
    lightness.values[at] = 116 * y - 16;
    a.values[at] = 500 * (x - y);
    b.values[at] = 200 * (y - z);
  }
  return { lightness, a, b };
}
