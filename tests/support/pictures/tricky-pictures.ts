/**
 * Pictures that uploads meet sooner or later: broken, hostile, or unusual but fine. Each with its only acceptable
 * outcome. All are drawn or written by hand, the same bytes on every run.
 */
import { deflateSync } from 'node:zlib';
import type { PublicErrorCode } from '../../../src/errors/public-errors.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { flatPng } from './extreme-pictures.ts';
import { codedHeic, heicFile } from './heic-files.ts';
import { adobeCmykJpeg, brokenTiff, withExifSegment } from './jpeg-file.ts';
import { corners, storedWithOrientation } from './photo-fixtures.ts';
import { deflatedZeros, pngChunk, pngFile } from './png-file.ts';
import { fromPhone, roomOf, sidewaysRoom } from './room-photos.ts';

interface TrickyPicture {
  readonly name: string;
  /** Format and upright sides of the stored photo, or the code of the rejection. */
  readonly outcome: { readonly stored: string } | { readonly rejected: PublicErrorCode };
  draw(): Promise<Buffer>;
}

const unsupported = { rejected: 'PHOTO_TYPE_UNSUPPORTED' } as const;
const broken = { rejected: 'PHOTO_BROKEN' } as const;

const WHITE = [0, 0, 0, 0] as const;
const RED_INK = [0, 255, 255, 0] as const;

/** A red square of 64 pixels in the middle of a white one of 96. */
export function adobeRedSquare(): Buffer {
  const rows = Array.from({ length: 12 }, (_, y) =>
    Array.from({ length: 12 }, (_, x) => (x >= 2 && x < 10 && y >= 2 && y < 10 ? RED_INK : WHITE)),
  );
  return adobeCmykJpeg(rows);
}

/** The room in CMYK, and the same in RGB for a comparison of colors. */
export const cmykRoom = async (): Promise<{ cmyk: Buffer; rgb: Buffer }> => {
  const rgb = await (await roomOf('DINING_ROOM', 900, 600)).png().toBuffer();
  return { rgb, cmyk: await sharp(rgb).toColourspace('cmyk').jpeg({ quality: 90 }).toBuffer() };
};

/** 32x32, 16 bits a channel, where one color of the gradient is transparent. */
function transparentColorPng(): Buffer {
  const side = 32;
  const rows = Array.from({ length: side }, (_, y) => {
    const row = Buffer.alloc(1 + side * 6);
    for (let x = 0; x < side; x += 1)
      [x * 2_048, y * 2_048, 0x8001].forEach((value, channel) => {
        row.writeUInt16BE(value, 1 + x * 6 + channel * 2);
      });
    return row;
  });
  return pngFile({ width: side, height: side, depth: 16, color: 'rgb' }, [
    pngChunk('tRNS', Buffer.from([0, 0, 0, 0, 0x80, 0x01])),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
  ]);
}

/** One pixel, and text that unpacks to a gigabyte. */
function packedTextPng(): Buffer {
  const text = deflatedZeros(128 << 20);
  const texts = Array.from({ length: 8 }, (_, index) =>
    pngChunk('zTXt', Buffer.concat([Buffer.from(`text${index}\0\0`, 'latin1'), text])),
  );
  return pngFile({ width: 1, height: 1, depth: 8, color: 'gray' }, [
    ...texts,
    pngChunk('IDAT', deflateSync(Buffer.alloc(2))),
  ]);
}

/** Every pixel has the palette's only color, which is transparent. */
function invisiblePng(): Buffer {
  const side = 300;
  return pngFile({ width: side, height: side, depth: 1, color: 'palette' }, [
    pngChunk('PLTE', Buffer.from([70, 112, 76])),
    pngChunk('tRNS', Buffer.from([0])),
    pngChunk('IDAT', deflatedZeros((1 + Math.ceil(side / 8)) * side)),
  ]);
}

/** A GIF without pixels: its screen and its only frame. */
function emptyGif(screen: [number, number], frame: [number, number]): Buffer {
  const file = Buffer.from(`GIF89a${'\0'.repeat(13)},${'\0'.repeat(9)}\x02\0;`, 'latin1');
  file.set([0x80, 0, 0], 10);
  [screen, frame].forEach(([width, height], index) => {
    const at = index === 0 ? 6 : 24;
    file.writeUInt16LE(width, at);
    file.writeUInt16LE(height, at + 2);
  });
  return file;
}

/** An animation whose frames all differ, so that none are merged. */
async function animation(format: 'gif' | 'webp', size: { frames: number; width: number; height: number }) {
  const { frames, width, height } = size;
  const frame = (index: number) => {
    const background = { r: (index * 40) % 256, g: 255 - index * 2, b: index * 2, alpha: 0.8 };
    return sharp({ create: { width, height, channels: 4, background } })
      .png()
      .toBuffer();
  };
  const pictures = await Promise.all(Array.from({ length: frames }, (_, index) => frame(index)));
  return sharp(pictures, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/** An AVIF file with the names that HEVC has in this container. */
async function lyingHeic(): Promise<Buffer> {
  const avif = await (await roomOf('OFFICE', 128, 128)).avif({ effort: 0 }).toBuffer();
  const names = [['avif', 'heic'] as const, ['av01', 'hvc1'] as const, ['av1C', 'hvcC'] as const];
  const renamed = names.reduce((text, [from, to]) => text.replaceAll(from, to), avif.toString('latin1'));
  return Buffer.from(renamed, 'latin1');
}

/** A 16-bit TIFF, in the order of Intel's processors. */
function deepTiff(): Buffer {
  const [width, height] = [40, 16];
  const fields = [
    [256, 3, 1, width],
    [257, 3, 1, height],
    [258, 3, 3, 122],
    [259, 3, 1, 1],
    [262, 3, 1, 2],
    [273, 4, 1, 128],
    [277, 3, 1, 3],
    [278, 3, 1, height],
    [279, 4, 1, width * height * 6],
  ];
  const head = Buffer.alloc(128);
  head.write('II*\0\x08\0\0\0', 'latin1');
  head.writeUInt16LE(fields.length, 8);
  fields.flat().forEach((value, index) => {
    const at = 10 + Math.floor(index / 4) * 12 + ([0, 2, 4, 8][index % 4] ?? 0);
    if (index % 4 < 2) head.writeUInt16LE(value, at);
    else head.writeUInt32LE(value, at);
  });
  for (const at of [122, 124, 126]) head.writeUInt16LE(16, at);
  return Buffer.concat([head, Buffer.alloc(width * height * 6, 0x5a)]);
}

async function transparentRoom(): Promise<Buffer> {
  const [width, height] = [420, 279];
  const alpha = Buffer.from(Array.from({ length: width * height }, (_, index) => (index % width) % 256));
  return (await roomOf('LIVING_ROOM', width, height))
    .joinChannel(alpha, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

const plainJpeg = () => corners().jpeg({ quality: 90 }).toBuffer();
const half = (file: Buffer): Buffer => file.subarray(0, file.length >> 1);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';

const ORIENTATIONS: TrickyPicture[] = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => ({
  name: `a photo with orientation ${orientation} and a color profile`,
  outcome: { stored: 'jpeg 96 64' },
  draw: async () => {
    const turned = sharp(await storedWithOrientation(orientation, 'png'));
    return turned.withMetadata({ orientation }).withIccProfile('p3').jpeg().toBuffer();
  },
}));

const UNUSUAL: TrickyPicture[] = [
  {
    name: 'a PNG of 16 bits a channel with a transparent color',
    outcome: { stored: 'png 32 32' },
    draw: async () => transparentColorPng(),
  },
  {
    name: 'a PNG with a gigabyte of packed text',
    // Its one pixel is fine, and the text is dropped unread.
    outcome: { stored: 'png 1 1' },
    draw: async () => packedTextPng(),
  },
  {
    name: 'a CMYK JPEG in the way of Adobe',
    outcome: { stored: 'jpeg 96 96' },
    draw: async () => adobeRedSquare(),
  },
  {
    name: 'a room in CMYK',
    outcome: { stored: 'jpeg 900 600' },
    draw: async () => (await cmykRoom()).cmyk,
  },
  { name: 'a room that fades out', outcome: { stored: 'png 420 279' }, draw: transparentRoom },
  {
    name: 'a room from a phone, stored sideways, with a position',
    outcome: { stored: 'jpeg 1200 800' },
    draw: sidewaysRoom,
  },
  {
    name: 'a room as lossy WebP',
    outcome: { stored: 'webp 1200 800' },
    draw: async () => (await roomOf('BEDROOM')).webp({ quality: 60, effort: 1 }).toBuffer(),
  },
  {
    name: 'a PNG in Display P3',
    outcome: { stored: 'png 8 8' },
    draw: () => corners().resize(8, 8).ensureAlpha(0.5).withIccProfile('p3').png().toBuffer(),
  },
  { name: 'a HEIC photo', outcome: { stored: 'jpeg 640 512' }, draw: async () => codedHeic('corners') },
  {
    name: 'a JPEG with broken EXIF',
    outcome: { stored: 'jpeg 96 64' },
    draw: async () => withExifSegment(await plainJpeg(), brokenTiff()),
  },
  {
    name: 'a JPEG of 8x8 pixels with a position',
    outcome: { stored: 'jpeg 8 8' },
    draw: () => fromPhone(corners().resize(8, 8, { fit: 'fill' }), 1),
  },
  {
    name: 'an invisible PNG with a palette',
    outcome: { stored: 'png 300 300' },
    draw: async () => invisiblePng(),
  },
];

const REJECTED: TrickyPicture[] = [
  { name: 'a TIFF of 16 bits a channel', outcome: unsupported, draw: async () => deepTiff() },
  {
    name: 'an animated GIF',
    outcome: unsupported,
    draw: () => animation('gif', { frames: 30, width: 80, height: 80 }),
  },
  {
    name: 'an animated WebP',
    outcome: unsupported,
    draw: () => animation('webp', { frames: 9, width: 80, height: 80 }),
  },
  {
    name: 'a WebP of 97 frames, together higher than a WebP can be',
    outcome: unsupported,
    draw: () => animation('webp', { frames: 97, width: 13, height: 169 }),
  },
  {
    name: 'a PNG of 4.3 gigapixels in half a megabyte',
    outcome: { rejected: 'PHOTO_TOO_LARGE' },
    draw: async () => flatPng({ width: 65_536, height: 65_536 }),
  },
  {
    name: 'a GIF with a frame of 4.3 gigapixels',
    outcome: unsupported,
    draw: async () => emptyGif([32, 32], [65_535, 65_535]),
  },
  { name: 'a GIF without width', outcome: unsupported, draw: async () => emptyGif([0, 32], [0, 255]) },
  {
    name: 'a JPEG that ends within its EXIF',
    outcome: broken,
    draw: async () => withExifSegment(await plainJpeg(), Buffer.alloc(9_000, 'II*\0')).subarray(0, 1_024),
  },
  {
    name: 'half a JPEG',
    outcome: broken,
    draw: async () => half(await (await roomOf('OFFICE', 300, 200)).jpeg().toBuffer()),
  },
  {
    name: 'half a PNG',
    outcome: broken,
    draw: async () => half(await (await roomOf('OFFICE', 294, 240)).png().toBuffer()),
  },
  { name: 'a HEIC whose pixels are those of an AVIF', outcome: broken, draw: lyingHeic },
  {
    name: 'a HEIC that claims 3.6 gigapixels',
    outcome: { rejected: 'PHOTO_TOO_LARGE' },
    draw: async () => heicFile({ claims: { width: 60_000, height: 60_000 } }),
  },
  { name: 'an SVG', outcome: unsupported, draw: async () => Buffer.from(SVG) },
];

export const TRICKY_PICTURES: readonly TrickyPicture[] = [...UNUSUAL, ...ORIENTATIONS, ...REJECTED];
