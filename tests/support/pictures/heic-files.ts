import { readFileSync } from 'node:fs';

/**
 * HEIC pictures of `corners()`, coded by `heif-enc -q 70` (Debian's libheif-examples, libx265) from 640x512 pixels. Those in
 * Display P3 and with transparency are 96x64.
 */
export type CodedHeic = 'corners' | 'corners-10-bit' | 'corners-p3' | 'corners-alpha';

export const codedHeic = (name: CodedHeic): Buffer =>
  readFileSync(new URL(`./heic/${name}.heic`, import.meta.url));

export const CODED_SIZE = { width: 640, height: 512 } as const;

export interface HeicShape {
  /** Columns and rows of a grid, as phones write it, with the coded picture in each place. */
  readonly grid?: readonly [columns: number, rows: number];
  /** Quarter turns anticlockwise (`irot`). */
  readonly turns?: 0 | 1 | 2 | 3;
  /** Whether left and right are exchanged (`imir`), after the turns. */
  readonly isMirrored?: boolean;
  /** What the header says of the size of the main picture. */
  readonly claims?: { readonly width: number; readonly height: number };
  /** EXIF orientation, which says once more what `irot` says. */
  readonly orientation?: number;
  readonly xmp?: string;
  /** A second picture of equal rank, as cameras with two lenses write it. */
  readonly hasSecond?: boolean;
  /** Boxes behind all others. */
  readonly trailing?: Buffer;
}

interface Item {
  readonly id: number;
  readonly type: 'hvc1' | 'grid' | 'mime' | 'Exif';
  readonly bytes: Buffer;
  readonly isHidden: boolean;
  /** Numbers of properties, from 1. */
  readonly properties: readonly number[];
  /** What it refers to: the tiles of a grid, or the picture that metadata is of. */
  readonly refers?: { readonly as: 'dimg' | 'cdsc'; readonly to: readonly number[] };
}

const [u8, u16, u32] = [1, 2, 4].map(
  (width) =>
    (...values: readonly number[]): Buffer =>
      Buffer.concat(
        values.map((value) => {
          const bytes = Buffer.alloc(width);
          bytes.writeUIntBE(value, 0, width);
          return bytes;
        }),
      ),
) as [Bytes, Bytes, Bytes];
type Bytes = (...values: readonly number[]) => Buffer;

const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');
const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(8 + content.length), ascii(type), content]);
};
const fullBox = (type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), ...parts);

/** A HEIC of the shape around the coded picture (ISO/IEC 23008-12). */
export function heicFile(shape: HeicShape = {}, coded: CodedHeic = 'corners'): Buffer {
  const { properties, items } = contentOf(shape, partsOf(codedHeic(coded)));
  const head = box('ftyp', ascii('heic'), u32(0), ascii('mif1heic'));
  const metaAt = (start: number): Buffer => metaBox(items, properties, start);
  const meta = metaAt(head.length + metaAt(0).length + 8);
  const data = box('mdat', ...new Set(items.map(({ bytes }) => bytes)));
  return Buffer.concat([head, meta, data, shape.trailing ?? Buffer.alloc(0)]);
}

/** The decoder's configuration and the coded picture, of a file with one picture. */
function partsOf(file: Buffer): { configuration: Buffer; picture: Buffer } {
  const at = file.indexOf('hvcC', 0, 'latin1') - 4;
  const data = file.indexOf('mdat', 0, 'latin1') - 4;
  return {
    configuration: file.subarray(at, at + file.readUInt32BE(at)),
    picture: file.subarray(data + 8, data + file.readUInt32BE(data)),
  };
}

function contentOf(shape: HeicShape, { configuration, picture }: ReturnType<typeof partsOf>) {
  const { grid, turns = 0, isMirrored = false, orientation, xmp, hasSecond = false } = shape;
  const [columns, rows] = grid ?? [1, 1];
  const whole = { width: CODED_SIZE.width * columns, height: CODED_SIZE.height * rows };
  const said = shape.claims ?? whole;
  const properties = [
    configuration,
    fullBox('ispe', 0, 0, u32(CODED_SIZE.width, CODED_SIZE.height)),
    fullBox('ispe', 0, 0, u32(said.width, said.height)),
    box('irot', u8(turns)),
    ...(isMirrored ? [box('imir', u8(1))] : []),
  ];
  const shown = [3, 4, ...(isMirrored ? [5] : [])];
  const items: Item[] = [];
  const add = (item: Omit<Item, 'id'>): number => items.push({ ...item, id: items.length + 1 });
  const plain = { type: 'hvc1', bytes: picture } as const;
  // The main picture is the first one.
  if (grid === undefined) add({ ...plain, isHidden: false, properties: [1, ...shown] });
  else {
    const tiles = Array.from({ length: columns * rows }, (_, index) => index + 2);
    const bytes = Buffer.concat([u8(0, 0, rows - 1, columns - 1), u16(said.width, said.height)]);
    add({ type: 'grid', bytes, isHidden: false, properties: shown, refers: { as: 'dimg', to: tiles } });
    for (const _ of tiles) add({ ...plain, isHidden: true, properties: [1, 2] });
  }
  const ofMain = { isHidden: true, properties: [], refers: { as: 'cdsc', to: [1] } } as const;
  if (xmp !== undefined) add({ type: 'mime', bytes: Buffer.from(xmp), ...ofMain });
  if (orientation !== undefined) add({ type: 'Exif', bytes: exifOf(orientation), ...ofMain });
  if (hasSecond) add({ ...plain, isHidden: false, properties: [1, 2] });
  return { properties, items };
}

/** One entry, behind the offset at which the TIFF begins. */
const exifOf = (orientation: number): Buffer =>
  Buffer.concat([
    u32(6),
    ascii('Exif\0\0MM\0*'),
    u32(8),
    u16(1, 0x0112, 3),
    u32(1),
    u16(orientation, 0),
    u32(0),
  ]);

function metaBox(items: readonly Item[], properties: readonly Buffer[], start: number): Buffer {
  const entries = items.map(({ id, type, isHidden }) =>
    fullBox(
      'infe',
      2,
      isHidden ? 1 : 0,
      u16(id, 0),
      ascii(`${type}\0`),
      ascii(type === 'mime' ? 'application/rdf+xml\0' : ''),
    ),
  );
  const references = items.flatMap(({ id, refers }) =>
    refers === undefined ? [] : [box(refers.as, u16(id, refers.to.length, ...refers.to))],
  );
  const offsets = new Map<Buffer, number>();
  let end = start;
  for (const bytes of new Set(items.map((item) => item.bytes))) {
    offsets.set(bytes, end);
    end += bytes.length;
  }
  const places = items.map(({ id, bytes }) =>
    Buffer.concat([u16(id, 0, 1), u32(offsets.get(bytes) ?? 0, bytes.length)]),
  );
  const owned = items.filter((item) => item.properties.length > 0);
  const associations = owned.map((item) =>
    Buffer.concat([u16(item.id), u8(item.properties.length, ...item.properties)]),
  );
  return fullBox(
    'meta',
    0,
    0,
    fullBox('hdlr', 0, 0, u32(0), ascii('pict'), u32(0, 0, 0), u8(0)),
    fullBox('pitm', 0, 0, u16(1)),
    fullBox('iloc', 0, 0, u8(0x44, 0), u16(items.length), ...places),
    fullBox('iinf', 0, 0, u16(items.length), ...entries),
    fullBox('iref', 0, 0, ...references),
    box('iprp', box('ipco', ...properties), fullBox('ipma', 0, 0, u32(owned.length), ...associations)),
  );
}
