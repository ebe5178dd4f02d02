import { indexOfBytes } from './byte-search.ts';
import { latin } from './picture-kinds.ts';

/** A picture of a few kilobytes can be decoded into gigabytes, so its size is read before. */
type Size = readonly [width: number, height: number];

const START_OF_SCAN = 0xda;

/** How many pixels a picture has when it is decoded, by its own words; null for a kind that is not compared. */
export function pixelsOf(bytes: Uint8Array, type: string): number | null {
  const read = READERS[type];
  try {
    const sizes = read?.(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? [];
    const pixels = sizes.map(([width, height]) => width * height);
    // A kind with a picture in a picture counts by its largest one.
    return pixels.length === 0 ? null : Math.max(...pixels);
  } catch (error) {
    // A file that ends within its head is not decoded either.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const READERS: Readonly<Record<string, (view: DataView) => Size[]>> = {
  'image/jpeg': jpegSizes,
  'image/png': (view) => [[view.getUint32(16), view.getUint32(20)]],
  'image/webp': webpSizes,
  'image/avif': avifSizes,
};

/** The frames before the pixels: their markers are C0 to CF, but for tables. */
function jpegSizes(view: DataView): Size[] {
  const sizes: Size[] = [];
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1);
    if (marker === START_OF_SCAN) break;
    // Bytes that fill up.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      sizes.push([view.getUint16(at + 7), view.getUint16(at + 5)]);
    at += 2 + view.getUint16(at + 2);
  }
  return sizes;
}

function webpSizes(view: DataView): Size[] {
  const kind = latin(new Uint8Array(view.buffer, view.byteOffset + 12, 4));
  if (kind === 'VP8X')
    return [[1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint32(26, true) >>> 8)]];
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true);
    return [[1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)]];
  }
  return [[view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]];
}

const EXTENT = new TextEncoder().encode('ispe');

/** Every extent that its items have: the pictures, their thumbnails and parts. */
function avifSizes(view: DataView): Size[] {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  const sizes: Size[] = [];
  for (let at = indexOfBytes(bytes, EXTENT); at >= 0; at = indexOfBytes(bytes, EXTENT, at + 4))
    sizes.push([view.getUint32(at + 8), view.getUint32(at + 12)]);
  return sizes;
}
