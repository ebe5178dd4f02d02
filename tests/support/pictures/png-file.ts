/** PNG files written by hand: what no encoder writes, and sizes that no encoder needs to hold. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_COLORS = { gray: 0, rgb: 2, palette: 3 } as const;

interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits a channel. */
  readonly depth: number;
  readonly color: keyof typeof PNG_COLORS;
}

export function pngHeader({ width, height, depth, color }: PngHeader): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, PNG_COLORS[color]], 8);
  return Buffer.concat([SIGNATURE, pngChunk('IHDR', header)]);
}

/** A whole file: its header, the given chunks and the end. */
export const pngFile = (header: PngHeader, chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([pngHeader(header), ...chunks, pngChunk('IEND', Buffer.alloc(0))]);

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const ZLIB_HEADER = Buffer.from([0x78, 0xda]);
const PIECE = 1 << 20;
const ADLER_MODULUS = 65_521;

/** So many zero bytes as a zlib stream. Only one piece is compressed; the stream repeats it. */
export function deflatedZeros(count: number): Buffer {
  const piece = deflateRawSync(Buffer.alloc(PIECE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const rest = deflateRawSync(Buffer.alloc(count % PIECE), { level: 9 });
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(count % ADLER_MODULUS, 0);
  checksum.writeUInt16BE(1, 2);
  const pieces = Array.from({ length: Math.floor(count / PIECE) }, () => piece);
  return Buffer.concat([ZLIB_HEADER, ...pieces, rest, checksum]);
}
