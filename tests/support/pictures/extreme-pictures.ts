/** Pictures with extreme sides: whole ones, which can be decoded, and ones with a false header. */
import { crc32 } from 'node:zlib';
import { noisy } from './photo-fixtures.ts';
import { deflatedZeros, pngChunk, pngFile } from './png-file.ts';

export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** As written in names of tests: `60000000x1`. */
export function sides(text: string): Sides {
  const [width = 0, height = 0] = text.split('x').map(Number);
  return { width, height };
}

/** A whole PNG of black pixels, one bit each: 60,000,000 x 1 are 7 KB. */
export const flatPng = ({ width, height }: Sides): Buffer =>
  pngFile({ width, height, depth: 1, color: 'gray' }, [
    pngChunk('IDAT', deflatedZeros((1 + Math.ceil(width / 8)) * height)),
  ]);

export const LYING_FORMATS = ['png', 'jpeg', 'webp', 'avif'] as const;
export type LyingFormat = (typeof LYING_FORMATS)[number];

/** The maximum side in each format's header. */
const MOST: Record<LyingFormat, number> = { png: 0x7fffffff, jpeg: 0xffff, webp: 0x4000, avif: 0x7fffffff };

/** A valid small picture, whose header `claiming` changes. */
export const soundPicture = (format: LyingFormat): Promise<Buffer> =>
  format === 'webp'
    ? noisy(64, 48).webp({ lossless: true }).toBuffer()
    : noisy(64, 48).toFormat(format).toBuffer();

/** The same file with other sides in its header, up to the format's maximum. */
export function claiming(format: LyingFormat, sound: Buffer, wanted: Sides): Buffer {
  const width = Math.min(wanted.width, MOST[format]);
  const height = Math.min(wanted.height, MOST[format]);
  const file = Buffer.from(sound);
  if (format === 'png') {
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    file.writeUInt32BE(crc32(file.subarray(12, 29)), 29);
  } else if (format === 'jpeg') {
    const frame = file.indexOf(Buffer.from([0xff, 0xc0]));
    file.writeUInt16BE(height, frame + 5);
    file.writeUInt16BE(width, frame + 7);
  } else if (format === 'webp') {
    const bits = file.indexOf('VP8L', 0, 'latin1') + 9;
    const flags = file.readUInt32LE(bits) & 0xf0000000;
    file.writeUInt32LE((flags | ((height - 1) << 14) | (width - 1)) >>> 0, bits);
  } else {
    const property = file.indexOf('ispe', 0, 'latin1') + 8;
    file.writeUInt32BE(width, property);
    file.writeUInt32BE(height, property + 4);
  }
  return file;
}
