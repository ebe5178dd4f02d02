import { constants, crc32, deflateRawSync } from 'node:zlib';

interface Style {
  readonly text: string;
  readonly bytes: Buffer;
  readonly blocks: Buffer;
}

/** The head of a gzip file without a name and a time. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
const TAIL_BYTES = 8;
/** zlib's usual one, 6, makes a page a fortieth smaller in twice the time. */
const LEVEL = 3;

/**
 * Documents as gzip. More than half of each is its style, the same text in all of them. So its blocks are made once, and
 * stand in every answer between those of the text before and after it. Blocks of Brotli depend on those before them, and
 * all would be created again for as many bytes.
 */
export function createCompression(): (html: string) => Uint8Array {
  let known: Style | null = null;
  const styleOf = (text: string): Style => {
    if (known?.text === text) return known;
    const bytes = Buffer.from(text);
    known = { text, bytes, blocks: blocksOf(bytes, { level: constants.Z_BEST_COMPRESSION }) };
    return known;
  };
  // With a style, no part is empty: this checksum of nothing is 0, whatever came before.
  return (html) => {
    const opened = html.indexOf('<style');
    const closed = html.indexOf('</style>', opened);
    const [start, end] = opened < 0 || closed < 0 ? [0, 0] : [opened, closed];
    const before = Buffer.from(html.slice(0, start));
    const style = styleOf(html.slice(start, end));
    const after = Buffer.from(html.slice(end));
    const tail = Buffer.alloc(TAIL_BYTES);
    tail.writeUInt32LE(crc32(after, crc32(style.bytes, crc32(before))), 0);
    tail.writeUInt32LE(before.length + style.bytes.length + after.length, 4);
    const blocks = [
      blocksOf(before, { level: LEVEL }),
      style.blocks,
      deflateRawSync(after, { level: LEVEL }),
    ];
    return Buffer.concat([HEAD, ...blocks, tail]);
  };
}

/** Blocks that end with a whole byte, and that others may follow. */
const blocksOf = (bytes: Buffer, options: { readonly level: number }): Buffer =>
  deflateRawSync(bytes, { ...options, finishFlush: constants.Z_SYNC_FLUSH });
