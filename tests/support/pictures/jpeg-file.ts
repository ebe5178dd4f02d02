/** Parts of JPEG files written by hand, independent of the encoder whose output the product reads. */

type Color = readonly [number, number, number, number];
const BLOCK = 8;
/** Each block has one value a channel, so a quantizer of 8 stores it exactly. */
const QUANTIZER = 8;
const DC_CODE_BITS = 4;
const DC_CATEGORIES = 12;

/**
 * A CMYK JPEG in blocks of 8x8 pixels, as Adobe's programs write it: with their marker, and every channel inverted.
 * @param blocks rows of colors; 255 is full ink
 */
export function adobeCmykJpeg(blocks: readonly (readonly Color[])[]): Buffer {
  const [height, width] = [blocks.length * BLOCK, (blocks[0]?.length ?? 0) * BLOCK];
  const frame = [8, height >> 8, height & 255, width >> 8, width & 255, 4];
  const dcTable = [0, 0, 0, DC_CATEGORIES, ...Array<number>(12).fill(0), ...Array(DC_CATEGORIES).keys()];
  // Its only symbol ends the block.
  const acTable = [1, ...Array<number>(15).fill(0), 0];
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xee, [...Buffer.from('Adobe', 'latin1'), 0, 100, 0, 0, 0, 0, 0]),
    segment(0xdb, [0, ...Array<number>(64).fill(QUANTIZER)]),
    segment(0xc0, [...frame, ...[1, 2, 3, 4].flatMap((channel) => [channel, 0x11, 0])]),
    segment(0xc4, [0x00, ...dcTable]),
    segment(0xc4, [0x10, ...acTable]),
    segment(0xda, [4, ...[1, 2, 3, 4].flatMap((channel) => [channel, 0]), 0, 63, 0]),
    entropyCoded(blocks.flat()),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** The file with an EXIF segment of this content directly after its start. */
export const withExifSegment = (jpeg: Buffer, tiff: Buffer): Buffer =>
  Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xe1, [...Buffer.from('Exif\0\0', 'latin1'), ...tiff]),
    jpeg.subarray(2),
  ]);

/**
 * A TIFF directory with faults: a resolution that is text, an orientation with a position beyond the file, and more
 * entries than there are.
 */
export function brokenTiff(): Buffer {
  const entry = (...[tag, kind, count, value]: [number, number, number, number]): Buffer => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(tag, 0);
    bytes.writeUInt16BE(kind, 2);
    bytes.writeUInt32BE(count, 4);
    bytes.writeUInt32BE(value, 8);
    return bytes;
  };
  const [TEXT, SHORT, RATIO] = [2, 3, 5] as const;
  const entries = [
    entry(0x0100, SHORT, 1, 0x0800_0000),
    entry(0x0112, SHORT, 9, 0x00ff_ff00),
    entry(0x011a, TEXT, 8, 26),
    entry(0x011b, RATIO, 1, 0xffff_fff0),
  ];
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08\0\x7f', 'latin1'), ...entries]);
}

export function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 255, ...content]);
}

/** The differences of the blocks' values as bits, each with its category before it. */
function entropyCoded(colors: readonly Color[]): Buffer {
  let bits = '';
  const before = [0, 0, 0, 0];
  for (const color of colors) {
    color.forEach((ink, channel) => {
      const value = 255 - ink - 128;
      const difference = value - (before[channel] ?? 0);
      before[channel] = value;
      const category = difference === 0 ? 0 : Math.abs(difference).toString(2).length;
      bits += category.toString(2).padStart(DC_CODE_BITS, '0');
      const coded = difference < 0 ? difference + 2 ** category - 1 : difference;
      if (category > 0) bits += coded.toString(2).padStart(category, '0');
      bits += '0';
    });
  }
  const bytes = bits
    .padEnd(Math.ceil(bits.length / 8) * 8, '1')
    .match(/.{8}/g)
    ?.flatMap((byte) => (byte === '11111111' ? [0xff, 0] : [Number.parseInt(byte, 2)]));
  return Buffer.from(bytes ?? []);
}
