import sharp from 'sharp';
import type { CanonicalRoomType } from '../../../machines/vocabulary.ts';
import { type Canvas, createCamera } from './camera.ts';
import { seededRandom } from './colours.ts';
import { bathroomFittings } from './room-bathroom.ts';
import { ceilingLamp, pendant, radiator } from './room-fittings.ts';
import { kitchenFittings } from './room-kitchen.ts';
import { drawDaylight, drawDoor, drawWindow, type Opening } from './room-openings.ts';
import { drawShell, type RoomShell } from './room-shell.ts';
import { Sketch } from './sketch.ts';

/** Colors of one flat; the seed chooses. */
const WALLS = ['#ece7dd', '#e4e7e3', '#e8e4e0', '#dfe4e8', '#efe9da'] as const;
const WOODS = ['#b98e63', '#a87b50', '#c8a67c', '#8f6a48', '#bfa285'] as const;
const TILES = ['#d9d6cf', '#cfd2d2', '#ddd3c4'] as const;
const CABINETS = ['#8c9a90', '#eceae4', '#6f7f8c', '#b99f80'] as const;
const JPEG_QUALITY = 88;

interface RoomPlan {
  shell: Partial<RoomShell>;
  windows: Opening[];
  doors: Opening[];
  /** What is built in, drawn after walls and windows. */
  fittings(sketch: Sketch, room: RoomShell, random: () => number): string;
}

const lamp: RoomPlan['fittings'] = (s, room) => ceilingLamp(s, 4.2, room.ceiling);
const rightDoor: Opening = { wall: 'right', across: [3.5, 4.4], height: [0, 2.05] };

const PLANS: Record<CanonicalRoomType, RoomPlan> = {
  LIVING_ROOM: {
    shell: { halfWidth: 3, depth: 6 },
    windows: [
      { wall: 'back', across: [-1.25, 1.25], height: [0.95, 2.3] },
      { wall: 'left', across: [3.6, 5.1], height: [0.95, 2.3] },
    ],
    doors: [rightDoor],
    fittings: (s, room, random) => lamp(s, room, random) + radiator(s, [-0.8, 0.8], room.depth),
  },
  BEDROOM: {
    shell: { halfWidth: 2.6, depth: 6 },
    windows: [{ wall: 'left', across: [3.7, 5.2], height: [0.9, 2.25] }],
    doors: [{ wall: 'back', across: [1.55, 2.35], height: [0, 2.05] }],
    fittings: lamp,
  },
  DINING_ROOM: {
    shell: { halfWidth: 2.8, depth: 6 },
    windows: [
      { wall: 'back', across: [-2.1, -0.7], height: [0.35, 2.3] },
      { wall: 'back', across: [0.7, 2.1], height: [0.35, 2.3] },
    ],
    doors: [rightDoor],
    fittings: (s, room) => pendant(s, 4.2, room.ceiling),
  },
  KITCHEN: {
    shell: { halfWidth: 2.5, depth: 5.9, flooring: 'tiles', tile: 0.5 },
    windows: [{ wall: 'back', across: [0.15, 1.6], height: [1.15, 2.25] }],
    doors: [],
    fittings: (s, room, random) => lamp(s, room, random) + kitchenFittings(s, room, pick(CABINETS, random)),
  },
  BATHROOM: {
    shell: { halfWidth: 1.75, depth: 5.2, flooring: 'tiles', tile: 0.3 },
    windows: [{ wall: 'back', across: [-0.95, 0.15], height: [1.5, 2.25] }],
    doors: [],
    fittings: (s, room, random) => lamp(s, room, random),
  },
  OFFICE: {
    shell: { halfWidth: 2.5, depth: 5.8 },
    windows: [{ wall: 'back', across: [-1.8, 0.5], height: [0.95, 2.25] }],
    doors: [rightDoor],
    fittings: (s, room, random) => lamp(s, room, random) + radiator(s, [-1.4, 0.1], room.depth),
  },
  TV_ROOM: {
    shell: { halfWidth: 2.8, depth: 6 },
    windows: [{ wall: 'right', across: [3.4, 4.9], height: [1.0, 2.2] }],
    doors: [{ wall: 'back', across: [-2.55, -1.75], height: [0, 2.05] }],
    fittings: lamp,
  },
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
  const svg = roomDocument(kind, canvas, seededRandom(seed));
  const grain = {
    input: filmGrain(canvas, seededRandom(seed + 1)),
    raw: { ...canvas, channels: 3 as const },
  };
  return sharp(Buffer.from(svg))
    .flatten({ background: '#ffffff' })
    .composite([{ ...grain, blend: 'soft-light' }])
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
}

function roomDocument(kind: CanonicalRoomType, canvas: Canvas, random: () => number): string {
  const plan = PLANS[kind];
  const tiled = plan.shell.flooring === 'tiles';
  const room: RoomShell = {
    halfWidth: 2.8,
    depth: 6,
    ceiling: 2.65,
    wall: pick(WALLS, random),
    floor: tiled ? pick(TILES, random) : pick(WOODS, random),
    flooring: 'boards',
    tile: 0.4,
    ...plan.shell,
  };
  const sketch = new Sketch(createCamera(canvas));
  return sketch.document(
    [
      drawShell(sketch, room, random),
      kind === 'BATHROOM' ? bathroomFittings(sketch, room, pick(TILES, random)) : '',
      ...plan.windows.map((opening) => drawDaylight(sketch, room, opening)),
      ...plan.windows.map((opening) => drawWindow(sketch, room, opening, random)),
      ...plan.doors.map((opening) => drawDoor(sketch, room, opening)),
      plan.fittings(sketch, room, random),
      vignette(canvas),
    ].join(''),
  );
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
