/**
 * The header of a JPEG, up to its pixels, in a form that libjpeg accepts without a warning. Some phones, cameras and
 * editors write headers that browsers accept and libjpeg warns about. Our decoder rejects every warning, because that is
 * how it finds damaged pixels, and would reject these intact pictures as well. Four faults are mended:
 *
 * - bytes between two segments (they are left out);
 * - a scan of a sequential JPEG with the spectral selection of a progressive one (Samsung);
 * - a JFIF version that libjpeg does not know;
 * - a color transform that Adobe never defined (read as the usual one of three or four channels).
 *
 * The decoder rejects every other fault. Source: ITU-T T.81 annex B, libjpeg's jdmarker.c and jdapimin.c.
 */

/** A color profile may have 255; a file with more than these is left to the decoder. */
const MAX_SEGMENTS = 4_096;
const MARK = 0xff;
const [START_OF_SCAN, APP0, APP14] = [0xda, 0xe0, 0xee];
/** Baseline and extended sequential frames, Huffman coded. */
const SEQUENTIAL = [0xc0, 0xc1];
/** The other starts of a frame; 0xc4, 0xc8 and 0xcc in their midst are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Those without a length: TEM, restarts, start and end of the picture. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd9);

/** @returns the same picture with a plain header; the bytes as they are if the header cannot be followed */
export function withPlainHeader(jpeg: Buffer): Buffer {
  const segments: Buffer[] = [];
  let frame: Buffer | null = null;
  let at = 2;
  while (segments.length < MAX_SEGMENTS) {
    const segment = segmentFrom(jpeg, at);
    if (segment === null) return jpeg;
    const marker = segment.bytes[1] ?? 0;
    const bytes = Buffer.from(segment.bytes);
    segments.push(bytes);
    at = segment.end;
    if (isFrame(marker)) frame = bytes;
    if (marker === START_OF_SCAN) {
      if (frame === null) return jpeg;
      mend(segments, frame);
      return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(at)]);
    }
  }
  return jpeg;
}

/** The next segment with its marker, wherever it begins; null when there is none before the end or the pixels. */
function segmentFrom(jpeg: Buffer, from: number): { bytes: Buffer; end: number } | null {
  let at = from;
  // A mark before zero is no marker, and before another mark it fills.
  while (at + 1 < jpeg.length && (jpeg[at] !== MARK || jpeg[at + 1] === 0 || jpeg[at + 1] === MARK)) at += 1;
  if (at + 4 > jpeg.length || isBare(jpeg[at + 1] ?? 0)) return null;
  const end = at + 2 + jpeg.readUInt16BE(at + 2);
  return end < at + 4 || end > jpeg.length ? null : { bytes: jpeg.subarray(at, end), end };
}

function mend(segments: readonly Buffer[], frame: Buffer): void {
  for (const segment of segments) {
    const marker = segment[1];
    if (marker === APP0 && startsWith(segment, 'JFIF\0') && segment.length >= 16) segment[9] = 1;
    if (marker === APP14 && startsWith(segment, 'Adobe') && segment.length >= 16)
      mendTransform(segment, frame);
    if (marker === START_OF_SCAN && SEQUENTIAL.includes(frame[1] ?? 0)) mendScan(segment);
  }
}

const startsWith = (segment: Buffer, name: string): boolean =>
  segment.toString('latin1', 4, 4 + name.length) === name;

/** 0 is none, 1 YCbCr, 2 YCCK. */
function mendTransform(segment: Buffer, frame: Buffer): void {
  const usual = { 3: 1, 4: 2 }[frame[9] ?? 0];
  const known = usual === undefined || segment[15] === 0 || segment[15] === usual;
  if (!known) segment[15] = usual;
}

/** All 64 coefficients of a block, in one pass. */
function mendScan(segment: Buffer): void {
  const selection = 5 + 2 * (segment[4] ?? 0);
  if (segment.length === selection + 3) segment.set([0, 63, 0], selection);
}
