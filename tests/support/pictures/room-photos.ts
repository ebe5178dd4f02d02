/** Drawn rooms, encoded in the ways in which agents' photos arrive. The same bytes on every run. */
import type { Sharp } from 'sharp';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';

const drawn = new Map<CanonicalRoomType, Promise<Buffer>>();

/** A drawn room of 1200x800; drawn once a process. */
async function room(kind: CanonicalRoomType): Promise<Sharp> {
  const drawing = drawn.get(kind) ?? drawSampleRoom(kind, { width: 1200, height: 800, seed: 7 });
  drawn.set(kind, drawing);
  return sharp(await drawing);
}

/** The room, cropped or enlarged to these sides. */
export const roomOf = async (kind: CanonicalRoomType, width = 1200, height = 800): Promise<Sharp> =>
  (await room(kind)).resize(width, height);

/** A position in Seattle, as phones write it. */
const POSITION = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '47/1 36/1 2200/100',
  GPSLongitudeRef: 'W',
  GPSLongitude: '122/1 19/1 5500/100',
};

/** With an orientation and a position in its EXIF, as phones write it. */
export const fromPhone = (picture: Sharp, orientation: number): Promise<Buffer> =>
  picture
    .withMetadata({ orientation })
    .withExifMerge({ IFD0: { Make: 'Example', Model: 'Phone' }, IFD3: POSITION })
    .jpeg({ quality: 80 })
    .toBuffer();

/** A living room of 1200x800 whose pixels are turned by a quarter, as a phone held upright stores them. */
export async function sidewaysRoom(): Promise<Buffer> {
  const upright = await (await roomOf('LIVING_ROOM')).png().toBuffer();
  return fromPhone(sharp(upright).rotate(270), 6);
}

interface RoomPhoto {
  readonly name: string;
  draw(): Promise<Buffer>;
}

/** All are accepted. */
export const ROOM_PHOTOS: readonly RoomPhoto[] = [
  {
    name: 'a living room of 20 megapixels, progressive',
    draw: async () =>
      (await roomOf('LIVING_ROOM', 5472, 3648)).jpeg({ quality: 85, progressive: true }).toBuffer(),
  },
  {
    name: 'a TV room of 12 megapixels, from a phone held upright',
    draw: async () => fromPhone(await roomOf('TV_ROOM', 4032, 3024), 6),
  },
  {
    name: 'a bedroom, baseline',
    draw: async () => (await roomOf('BEDROOM')).jpeg({ quality: 75 }).toBuffer(),
  },
  {
    name: 'a bedroom with a color profile',
    draw: async () => (await roomOf('BEDROOM', 2250, 1500)).withIccProfile('p3').jpeg().toBuffer(),
  },
  {
    name: 'a bedroom as PNG with a palette',
    draw: async () => (await roomOf('BEDROOM', 1200, 888)).png({ palette: true, effort: 1 }).toBuffer(),
  },
  {
    name: 'a bathroom as PNG',
    draw: async () => (await roomOf('BATHROOM', 1200, 797)).png({ compressionLevel: 3 }).toBuffer(),
  },
  {
    name: 'a kitchen without color subsampling',
    draw: async () =>
      (await roomOf('KITCHEN', 960, 719)).jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toBuffer(),
  },
  {
    name: 'a kitchen in gray',
    draw: async () => (await roomOf('KITCHEN', 800, 533)).toColourspace('b-w').jpeg().toBuffer(),
  },
  {
    name: 'a dining room, 2:1, compressed for the web',
    draw: async () =>
      (await roomOf('DINING_ROOM', 1600, 800)).jpeg({ quality: 60, mozjpeg: true }).toBuffer(),
  },
  {
    name: 'an office as WebP',
    draw: async () => (await roomOf('OFFICE', 1280, 721)).webp({ quality: 70, effort: 1 }).toBuffer(),
  },
  {
    name: 'a TV room too small to be staged',
    draw: async () => (await roomOf('TV_ROOM', 1000, 500)).jpeg().toBuffer(),
  },
];
