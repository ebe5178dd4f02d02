import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../ops/simulator/pictures/staging.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';

/** Drawn rooms and changes of them, as JPEG, for tests of comparisons. */
export const ROOM_SIZE = { width: 960, height: 640 };

export const drawnRoom = (kind: CanonicalRoomType = 'LIVING_ROOM', seed = 2): Promise<Buffer> =>
  drawSampleRoom(kind, { ...ROOM_SIZE, seed });

/** A wall with a corner, a skirting board and a floor of nearly the same color. */
export function emptyRoom(): Promise<Buffer> {
  const { width, height } = ROOM_SIZE;
  const floor = 430;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="${width}" height="${floor}" fill="#d8d8d8"/>
    <rect y="${floor}" width="${width}" height="${height - floor}" fill="#cfcfcf"/>
    <rect y="${floor - 10}" width="${width}" height="10" fill="#eeeeee"/>
    <path d="M480 0V${floor - 10}" stroke="#cfcbc2" stroke-width="3"/></svg>`;
  return sharp(Buffer.from(drawing)).jpeg({ quality: 92 }).toBuffer();
}

export async function stagedRoom(photo: Buffer, prompt = 'a modern living room'): Promise<Buffer> {
  return (await stagePhoto({ ...ROOM_SIZE, photo, prompt })).jpeg({ quality: 85 }).toBuffer();
}

/** The room larger by a factor across and down, cut to its old size. */
export async function scaledRoom(photo: Buffer, across: number, down: number): Promise<Buffer> {
  const { width, height } = ROOM_SIZE;
  const [wide, high] = [Math.round(width * across), Math.round(height * down)];
  const large = await sharp(photo).resize(wide, high, { fit: 'fill' }).toBuffer();
  return sharp(large)
    .extract({ left: (wide - width) >> 1, top: (high - height) >> 1, width, height })
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** The same room in other light, encoded again. */
export const relitRoom = (photo: Buffer): Promise<Buffer> =>
  sharp(photo).linear([1.08, 1.04, 0.96], [3, 3, 3]).jpeg({ quality: 75 }).toBuffer();

/** Where the window of the drawn living room is, in pixels, with its frame. */
const WINDOW = { left: 320, top: 200, width: 320, height: 165 };

/** The room with a wall where its window was; the wall's color is that beside the window. */
export async function withoutWindow(photo: Buffer): Promise<Buffer> {
  const { left, top, height } = WINDOW;
  const strip = { left: left - 24, top, width: 20, height };
  const wall = await sharp(photo).extract(strip).resize(WINDOW.width, height, { fit: 'fill' }).toBuffer();
  return sharp(photo)
    .composite([{ input: wall, left, top }])
    .jpeg({ quality: 85 })
    .toBuffer();
}

/** The room with its floor in another color, under the same light. */
export async function recoloredFloor(photo: Buffer) {
  const top = Math.round(0.64 * ROOM_SIZE.height);
  const tint = await sharp({
    create: { width: ROOM_SIZE.width, height: ROOM_SIZE.height - top, channels: 3, background: '#8098ff' },
  })
    .png()
    .toBuffer();
  return sharp(photo)
    .composite([{ input: tint, left: 0, top, blend: 'multiply' }])
    .jpeg({ quality: 85 })
    .toBuffer();
}
