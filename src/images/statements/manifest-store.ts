/**
 * Finds the C2PA manifest store of a file (C2PA 2.1, annex A): the bytes of its JUMBF box, wherever the format keeps
 * them. Nothing of the file is decoded, and a file that cannot be followed has no store: its pixels decide then.
 */
import type { PhotoKind } from '../../../machines/vocabulary.ts';

const APP11 = 0xeb;
const START_OF_SCAN = 0xda;
/** Length, marker, `JP`, number of the box, number of the piece. */
const JPEG_PIECE_HEAD = 12;
const BOX_HEAD = 8;
/** The `uuid` box of C2PA in files of boxes. */
const C2PA_UUID = 'd8fec3d61b0e483c92975828877ec481';

/** @returns null when there is none */
export function manifestStoreOf(file: Buffer, kind: PhotoKind): Buffer | null {
  const found = { jpeg: inJpeg, png: inPng, webp: inWebp, avif: inBoxes, heic: inBoxes }[kind](file);
  return found.length === 0 ? null : found;
}

/** In pieces, in segments APP11 before the pixels; each piece but the first repeats the head of the box. */
function inJpeg(file: Buffer): Buffer {
  const pieces: { order: number; bytes: Buffer }[] = [];
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff; ) {
    const marker = file[at + 1] ?? 0;
    if (marker === START_OF_SCAN) break;
    const end = at + 2 + file.readUInt16BE(at + 2);
    const isWhole = end >= at + JPEG_PIECE_HEAD && end <= file.length;
    if (marker === APP11 && isWhole && file.toString('latin1', at + 4, at + 6) === 'JP') {
      const order = file.readUInt32BE(at + 8);
      pieces.push({ order, bytes: file.subarray(at + JPEG_PIECE_HEAD + (order === 1 ? 0 : BOX_HEAD), end) });
    }
    at = end;
  }
  return Buffer.concat(pieces.toSorted((a, b) => a.order - b.order).map(({ bytes }) => bytes));
}

function inPng(file: Buffer): Buffer {
  for (let at = 8; at + 8 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'caBX') return file.subarray(at + 8, end);
    at = end + 4;
  }
  return Buffer.alloc(0);
}

/** Chunks begin at even places. */
function inWebp(file: Buffer): Buffer {
  for (let at = 12; at + 8 <= file.length; ) {
    const length = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'C2PA') return file.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  return Buffer.alloc(0);
}

/** The box has a version, the text `manifest` and an offset before the store. */
function inBoxes(file: Buffer): Buffer {
  for (let at = 0; at + BOX_HEAD <= file.length; ) {
    const short = file.readUInt32BE(at);
    const long = short === 1 && at + 16 <= file.length ? Number(file.readBigUInt64BE(at + 8)) : short;
    const end = short === 0 ? file.length : at + long;
    if (end < at + BOX_HEAD) break;
    const isUuid = file.toString('latin1', at + 4, at + 8) === 'uuid';
    const content = at + BOX_HEAD + (short === 1 ? 8 : 0);
    if (isUuid && file.toString('hex', content, content + 16) === C2PA_UUID) {
      const purpose = content + 16 + 4;
      const afterPurpose = file.indexOf(0, purpose) + 1;
      return afterPurpose === 0 ? Buffer.alloc(0) : file.subarray(afterPurpose + 8, end);
    }
    at = end;
  }
  return Buffer.alloc(0);
}
