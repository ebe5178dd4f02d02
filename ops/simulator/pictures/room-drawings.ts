import sharp from 'sharp';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { seededRandom } from './colors.ts';
import { type Canvas, onCanvas, readDrawing } from './drawing.ts';
import { boards, tiles } from './floors.ts';

/** Colors of one apartment; the seed chooses. */
const WALLS = ['#ece7dd', '#e4e7e3', '#e8e4e0', '#dfe4e8', '#efe9da'] as const;
const WOODS = ['#b98e63', '#a87b50', '#c8a67c', '#8f6a48', '#bfa285'] as const;
const TILES = ['#d9d6cf', '#cfd2d2', '#ddd3c4'] as const;
const CABINETS = ['#8c9a90', '#eceae4', '#6f7f8c', '#b99f80'] as const;
const JPEG_QUALITY = 88;

/** The floors of `rooms/*.svg` in meters; a tile's edge where there are tiles, otherwise boards. */
const FLOORS: Record<CanonicalRoomType, { halfWidth: number; depth: number; tile?: number }> = {
  LIVING_ROOM: { halfWidth: 3, depth: 6 },
  BEDROOM: { halfWidth: 2.6, depth: 6 },
  DINING_ROOM: { halfWidth: 2.8, depth: 6 },
  KITCHEN: { halfWidth: 2.5, depth: 5.9, tile: 0.5 },
  BATHROOM: { halfWidth: 1.75, depth: 5.2, tile: 0.3 },
  OFFICE: { halfWidth: 2.5, depth: 5.8 },
  TV_ROOM: { halfWidth: 2.8, depth: 6 },
};

/**
 * Draws an empty sample room, so that the demo needs no photos: a JPEG in sRGB, without metadata.
 * It is drawn by the camera that the simulator stages with; the same arguments give the same picture.
 */
export async function drawSampleRoom(
  kind: CanonicalRoomType,
  { width, height, seed }: Canvas & { seed: number },
): Promise<Buffer> {
  const canvas = { width, height };
  const shapes = await roomShapes(kind, seededRandom(seed));
  const grain = {
    input: filmGrain(canvas, seededRandom(seed + 1)),
    raw: { ...canvas, channels: 3 as const },
  };
  return sharp(onCanvas(canvas, shapes, vignette(canvas)))
    .flatten({ background: '#ffffff' })
    .composite([{ ...grain, blend: 'soft-light' }])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

async function roomShapes(kind: CanonicalRoomType, random: () => number): Promise<string> {
  const { tile: edge, ...size } = FLOORS[kind];
  const wall = pick(WALLS, random);
  const color = pick(edge === undefined ? WOODS : TILES, random);
  const floor = { ...size, color, random };
  const drawn = edge === undefined ? boards(floor) : tiles(floor, edge);
  const colors = { wall, tile: pick(TILES, random), cabinet: pick(CABINETS, random) };
  return drawn + (await readDrawing('rooms', kind, colors));
}

function vignette({ width, height }: Canvas): string {
  return `<radialGradient id="vignette" cx=".5" cy=".45" r=".75"><stop offset=".6" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".22"/></radialGradient><rect width="${width}" height="${height}" fill="url(#vignette)"/>`;
}

/** Fine gray noise around the middle: takes the flatness of drawn surfaces away. */
function filmGrain({ width, height }: Canvas, random: () => number): Buffer {
  const bytes = Buffer.alloc(width * height * 3);
  for (let at = 0; at < bytes.length; at += 3)
    bytes.fill(128 + Math.round((random() - 0.5) * 26), at, at + 3);
  return bytes;
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)]!;
}
