import sharp from 'sharp';
import { drawSampleRoom } from '../simulator/pictures/room-drawings.ts';

const ROOMS = ['LIVING_ROOM', 'KITCHEN', 'BEDROOM', 'BATHROOM', 'DINING_ROOM'] as const;
const SIZE = { width: 640, height: 480 };
/** More than the pictures of a test; a large feed draws again. */
const MOST = 500;
const drawn = new Map<string, Promise<Buffer>>();

/** The photo of a media key: each has its own, and always the same. */
export function photoOf(key: string): Promise<Buffer> {
  const known = drawn.get(key);
  if (known !== undefined) return known;
  if (drawn.size >= MOST) drawn.clear();
  const order = Number(/-(\d+)$/.exec(key)?.[1] ?? 0);
  const seed = [...key].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1_000_003, 7);
  const photo = drawSampleRoom(ROOMS[order % ROOMS.length] ?? 'KITCHEN', { ...SIZE, seed });
  drawn.set(key, photo);
  return photo;
}

let huge: Promise<Buffer> | undefined;
/** 61 megapixels: more than intake takes, small as a file. */
export function hugePhoto(): Promise<Buffer> {
  huge ??= sharp({ create: { width: 10_000, height: 6_100, channels: 3, background: '#c9c2b5' } })
    .jpeg({ quality: 30 })
    .toBuffer();
  return huge;
}
