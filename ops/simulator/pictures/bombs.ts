import { crc32, deflateSync } from 'node:zlib';
import type { PictureFormat } from './encoding.ts';

/** Edge of the square that a bomb decodes to: 225 to 400 megapixels from a file of at most about a megabyte. */
const EDGE = { png: 20_000, jpeg: 20_000, webp: 15_000 } as const;

/** A valid picture of that format, small as a file and far beyond any decode limit as pixels. */
export function decompressionBomb(format: PictureFormat): Buffer {
  switch (format) {
    case 'png':
      return pngBomb(EDGE.png);
    case 'jpeg':
      return jpegBomb(EDGE.jpeg);
    case 'webp':
      return webpBomb(EDGE.webp);
  }
}

/** One-bit greyscale, all rows black. */
function pngBomb(edge: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header[8] = 1;
  const rows = Buffer.alloc((Math.ceil(edge / 8) + 1) * edge);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Baseline greyscale whose Huffman tables give "no difference" and "end of block" one bit each: all scan bits are zero. */
function jpegBomb(edge: number): Buffer {
  const segment = (marker: number, data: number[]) =>
    Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff, ...data]);
  const oneBitCode = [1, ...Array(15).fill(0), 0];
  const blocks = Math.ceil(edge / 8) ** 2;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array(64).fill(1)]),
    segment(0xc0, [8, edge >> 8, edge & 0xff, edge >> 8, edge & 0xff, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, ...oneBitCode]),
    segment(0xc4, [0x10, ...oneBitCode]),
    segment(0xda, [1, 1, 0x00, 0, 63, 0]),
    Buffer.alloc(Math.ceil((blocks * 2) / 8)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Lossless, every prefix code has a single symbol, so the pixels take no bits at all. */
function webpBomb(edge: number): Buffer {
  const bits = new BitWriter();
  bits.write(edge - 1, 14);
  bits.write(edge - 1, 14);
  bits.write(0, 1 + 3 + 1 + 1 + 1);
  for (let code = 0; code < 5; code += 1) bits.write(0b0001, 4);
  const pixels = Buffer.concat([Buffer.from([0x2f]), bits.toBuffer()]);
  const padded = pixels.length % 2 === 0 ? pixels : Buffer.concat([pixels, Buffer.alloc(1)]);
  const head = Buffer.alloc(20);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(12 + padded.length, 4);
  head.write('WEBPVP8L', 8, 'latin1');
  head.writeUInt32LE(pixels.length, 16);
  return Buffer.concat([head, padded]);
}

/** Least significant bit first, as the lossless WebP format packs them. */
class BitWriter {
  readonly #bits: number[] = [];

  write(value: number, count: number): void {
    for (let bit = 0; bit < count; bit += 1) this.#bits.push((value >> bit) & 1);
  }

  toBuffer(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [index, bit] of this.#bits.entries()) bytes[index >> 3]! |= bit << (index & 7);
    return bytes;
  }
}
