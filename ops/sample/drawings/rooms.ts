import { createCanvas, darker, ellipse, lighter, line, mix, rect } from './canvas.ts';
import { art } from './furniture/art.ts';
import { bed } from './furniture/beds.ts';
import { floorLamp, pendant, tableLamp } from './furniture/lamps.ts';
import { PALETTES, type Palette, type Style } from './furniture/palettes.ts';
import { fruit, plant, vase } from './furniture/plants.ts';
import { armchair, bench, couchFromBehind, officeChair, stool } from './furniture/seats.ts';
import { bookshelf, mediaUnit } from './furniture/shelves.ts';
import { coffeeTable, desk, diningTable, nightstand } from './furniture/tables.ts';
import { curtains, rug } from './furniture/textiles.ts';
import { box } from './space/box.ts';
import { face, level, onWallFace, stroke, upright } from './space/faces.ts';
import type { Floor } from './space/floors.ts';
import { drawAir, drawSun, shadow } from './space/light.ts';
import { drawOpening, type Opening } from './space/openings.ts';
import { createSpace, ROOM, type Space, seen } from './space/projection.ts';
import { drawShell, type Shell } from './space/shell.ts';

const ROOM_KINDS = [
  'LIVING_ROOM',
  'BEDROOM',
  'KITCHEN',
  'BATHROOM',
  'DINING_ROOM',
  'OFFICE',
  'TV_ROOM',
] as const;
type RoomKind = (typeof ROOM_KINDS)[number];

interface Look extends Omit<Shell, 'light'> {
  /** Of cabinets and built-in things. */
  readonly cabinet: string;
  readonly stone: string;
}

const OAK: Floor = { kind: 'planks', color: '#c79f6d' };
const WALNUT: Floor = { kind: 'planks', color: '#8d5f3e' };
const ASH: Floor = { kind: 'planks', color: '#d8c3a2' };
const PARQUET: Floor = { kind: 'herringbone', color: '#b98a59' };

/** What differs between the homes. */
const LOOKS: readonly Look[] = [
  { wall: '#efe9dc', trim: '#fbf8f2', floor: OAK, cabinet: '#e9e6de', stone: '#d7d3cb' },
  {
    wall: '#dfe5df',
    accent: '#9fb3a3',
    trim: '#f7f6f0',
    floor: WALNUT,
    cabinet: '#6f8577',
    stone: '#efece4',
  },
  {
    wall: '#f3efe8',
    trim: '#ffffff',
    floor: PARQUET,
    molding: 'panels',
    cabinet: '#394a5a',
    stone: '#f2efe9',
  },
  { wall: '#e6dccb', trim: '#f4ecdd', floor: ASH, molding: 'wainscot', cabinet: '#d9c7a8', stone: '#b9b2a6' },
  { wall: '#e4e9ee', accent: '#7f97ab', trim: '#fafbfb', floor: OAK, cabinet: '#f5f4f0', stone: '#3e4246' },
  {
    wall: '#eadfd6',
    accent: '#c58f76',
    trim: '#faf5ee',
    floor: WALNUT,
    cabinet: '#a9785a',
    stone: '#e8e0d5',
  },
];
export const LOOK_COUNT = LOOKS.length;

interface RoomDrawing {
  readonly kind: RoomKind;
  /** Of `LOOK_COUNT`. */
  readonly look: number;
  /** Null: empty, as the photo was taken. */
  readonly style: Style | null;
  readonly evening: boolean;
}

/** The room as SVG. Empty and staged, the room itself is the same to the pixel. */
export function drawRoom({ kind, look: index, style, evening }: RoomDrawing): string {
  const canvas = createCanvas();
  const look = LOOKS[index % LOOKS.length] ?? LOOKS[0];
  if (look === undefined) throw new Error('no look');
  const seed = ROOM_KINDS.indexOf(kind) * 100 + index;
  const space = createSpace(canvas, {
    seed,
    camera: [-0.35, 0.3, 0, 0.45, -0.5, 0.15][index % 6] ?? 0,
    evening,
  });
  const { draw, stage, openings } = PLANS[kind];
  const windows = openings(index, evening ? darker('#ffffff', 0.18) : '#ffffff');
  const light = windows[0]?.wall ?? 'left';
  const floor: Floor =
    kind === 'BATHROOM'
      ? { kind: index % 2 === 0 ? 'checks' : 'tiles', color: index % 2 === 0 ? '#e9e6df' : '#c9c8c2' }
      : kind === 'KITCHEN' && index % 3 === 1
        ? { kind: 'tiles', color: '#d9cfc0' }
        : look.floor;
  drawShell(space, {
    ...look,
    floor,
    light,
    molding: kind === 'KITCHEN' || kind === 'BATHROOM' ? 'none' : (look.molding ?? 'none'),
  });
  for (const opening of windows) drawOpening(space, opening);
  draw(space, look, index);
  for (const opening of windows) drawSun(space, opening);
  if (style !== null) stage(space, PALETTES[style], { look, windows, index });
  drawAir(space, light);
  return canvas.svg();
}

interface Staging {
  readonly look: Look;
  readonly windows: readonly Opening[];
  readonly index: number;
}

interface Plan {
  openings(index: number, frame: string): Opening[];
  draw(space: Space, look: Look, index: number): void;
  stage(space: Space, palette: Palette, staging: Staging): void;
}

const tall = { bottom: 0.55, top: 2.4 } as const;

const sideWindows = (wall: 'left' | 'right', frame: string, panes: readonly [number, number]): Opening[] => [
  { wall, from: 4.75, to: 5.7, ...tall, panes, frame },
  { wall, from: 3.35, to: 4.3, ...tall, panes, frame },
];

function hangCurtains(space: Space, { windows }: Staging, color: string): void {
  for (const { wall, from, to, top } of windows)
    if (wall === 'back') curtains(space, wall, [from, to, top], color);
}

function fireplace(space: Space, { stone, trim, wall }: Look, x: number): void {
  const { depth, height } = ROOM;
  box(space, { at: [x - 0.95, 0, depth - 0.3], size: [1.9, height - 0.1, 0.3], color: darker(wall, 0.05) });
  box(space, { at: [x - 0.85, 0, depth - 0.42], size: [1.7, 0.06, 0.3], color: darker(stone, 0.1) });
  box(space, { at: [x - 0.78, 0.04, depth - 0.36], size: [1.56, 1.08, 0.08], color: trim });
  const z = depth - 0.36;
  upright(space, [x - 0.55, 0.06, x + 0.55, 0.88], z, { fill: darker(stone, 0.12) });
  for (let row = 0; row < 5; row += 1)
    stroke(space, [x - 0.55, 0.16 + row * 0.16, z], [x + 0.55, 0.16 + row * 0.16, z], {
      stroke: darker(stone, 0.3),
      line: 1,
      opacity: 0.6,
    });
  const hearth = space.evening
    ? space.canvas.radial([
        [0, '#ffb14d'],
        [0.4, '#a8481f'],
        [1, '#1e1512'],
      ])
    : space.canvas.linear([
        [0, '#15110f'],
        [1, '#3a2d26'],
      ]);
  upright(space, [x - 0.4, 0.08, x + 0.4, 0.7], z, { fill: hearth });
  for (const dx of [-0.22, 0.02]) {
    const [cx, cy] = seen(space, [x + dx + 0.1, 0.16, z]);
    space.canvas.add(rect(cx - 22, cy - 6, 44, 12, { fill: '#5b4230', corner: 6 }));
  }
  box(space, { at: [x - 0.95, 1.1, depth - 0.48], size: [1.9, 0.09, 0.2], color: trim });
}

/** Doors of a row of cabinets, with handles. */
function doors(
  space: Space,
  area: { x: number; y: number; z: number; width: number; height: number; count: number },
  color: string,
): void {
  const { x, y, z, width, height, count } = area;
  const wide = width / count;
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [x + index * wide + 0.015, x + (index + 1) * wide - 0.015];
    const frame = (inset: number) => [
      [from + inset, y + 0.015 + inset, z] as const,
      [to - inset, y + 0.015 + inset, z] as const,
      [to - inset, y + height - 0.015 - inset, z] as const,
      [from + inset, y + height - 0.015 - inset, z] as const,
    ];
    face(space, frame(0), { fill: lighter(color, 0.05), stroke: darker(color, 0.3), line: 1.2 });
    face(space, frame(0.06), { fill: darker(color, 0.03), stroke: darker(color, 0.16), line: 1 });
    const handle = index % 2 === 0 ? to - 0.035 : from + 0.035;
    const middle = y > 1.2 ? y + 0.12 : y + height - 0.14;
    stroke(space, [handle, middle - 0.05, z], [handle, middle + 0.06, z], { stroke: '#a88a4f', line: 3 });
  }
}

function kitchen(space: Space, look: Look): void {
  const { cabinet, stone, wall } = look;
  const { half, depth } = ROOM;
  const z = depth - 0.62;
  // Tiles between the cabinets.
  onWallFace(space, 'back', [-half, 0.92, half, 1.5], { fill: lighter(wall, 0.4) });
  for (let row = 0; row < 5; row += 1) {
    const up = 0.92 + row * 0.115;
    stroke(space, [-half, up, depth], [half, up, depth], { stroke: darker(wall, 0.18), line: 0.8 });
    for (let x = -half + (row % 2) * 0.12; x < half; x += 0.24)
      stroke(space, [x, up, depth], [x, up + 0.115, depth], { stroke: darker(wall, 0.18), line: 0.8 });
  }
  shadow(space, [-half, z, half * 2 - 0.9, 0.6], 0.3);
  box(space, { at: [-half, 0.1, z], size: [half * 2 - 0.95, 0.8, 0.62], color: cabinet });
  box(space, { at: [-half, 0, z + 0.06], size: [half * 2 - 0.95, 0.1, 0.5], color: darker(cabinet, 0.55) });
  doors(space, { x: -half + 0.05, y: 0.1, z, width: 1.85, height: 0.78, count: 4 }, cabinet);
  doors(space, { x: -0.1, y: 0.1, z, width: 1.85, height: 0.78, count: 4 }, cabinet);
  // The stove.
  box(space, { at: [-0.88, 0.08, z - 0.03], size: [0.76, 0.84, 0.62], color: '#b9bcbf' });
  upright(space, [-0.8, 0.22, -0.2, 0.62], z - 0.03, { fill: '#2b2d30' });
  stroke(space, [-0.78, 0.7, z - 0.03], [-0.22, 0.7, z - 0.03], { stroke: '#e8e9ea', line: 5 });
  box(space, { at: [-half, 0.9, z - 0.03], size: [half * 2 - 0.95, 0.045, 0.65], color: stone });
  level(space, [-0.86, z, -0.14, z + 0.5], 0.95, { fill: '#2a2c2f' });
  // Upper cabinets, and the hood between them.
  const upper = depth - 0.36;
  for (const [x, width, count] of [
    [-half, 1.78, 3],
    [0.1, 0.55, 1],
  ] as const) {
    box(space, { at: [x, 1.5, upper], size: [width, 0.85, 0.36], color: cabinet });
    doors(space, { x, y: 1.5, z: upper, width, height: 0.85, count }, cabinet);
  }
  box(space, { at: [-0.86, 1.5, upper - 0.06], size: [0.72, 0.16, 0.42], color: '#c6c8ca' });
  box(space, { at: [-0.66, 1.66, upper + 0.06], size: [0.32, 1, 0.3], color: '#cfd1d2' });
  // The tap below the window.
  const [tx, ty] = seen(space, [1.18, 0.95, depth - 0.2]);
  space.canvas.add(
    line([tx, ty], [tx, ty - 34], { stroke: '#8c8f92', line: 5 }),
    line([tx, ty - 34], [tx - 14, ty - 28], { stroke: '#8c8f92', line: 5 }),
  );
  // The refrigerator.
  shadow(space, [half - 0.95, z - 0.1, 0.92, 0.7], 0.36);
  box(space, { at: [half - 0.94, 0, z - 0.08], size: [0.92, 1.9, 0.7], color: '#c3c6c8' });
  stroke(space, [half - 0.48, 0.75, z - 0.08], [half - 0.48, 1.88, z - 0.08], { stroke: '#85898c', line: 2 });
  stroke(space, [half - 0.93, 0.72, z - 0.08], [half - 0.03, 0.72, z - 0.08], { stroke: '#85898c', line: 2 });
  for (const x of [half - 0.54, half - 0.42])
    stroke(space, [x, 0.95, z - 0.08], [x, 1.5, z - 0.08], { stroke: '#e9eaeb', line: 4 });
  // The island.
  shadow(space, [-1.3, 3.25, 2.4, 0.85], 0.5);
  box(space, {
    at: [-1.2, 0.06, 3.3],
    size: [2.2, 0.82, 0.72],
    color: mix(cabinet, darker(cabinet, 0.4), 0.35),
  });
  doors(
    space,
    { x: -1.15, y: 0.08, z: 3.3, width: 2.1, height: 0.78, count: 4 },
    mix(cabinet, darker(cabinet, 0.4), 0.35),
  );
  box(space, { at: [-1.32, 0.88, 3.18], size: [2.44, 0.06, 0.94], color: lighter(stone, 0.15) });
}

function bathroom(space: Space, look: Look, index: number): void {
  const { cabinet, stone, wall } = look;
  const { half, depth, front } = ROOM;
  const glaze = ['#e9eeec', '#cfdcd8', '#f1ece2', '#d6dfe6', '#e3d8cc', '#dfe4df'][index % 6] ?? '#e9eeec';
  for (const [side, from, to, shade] of [
    ['left', front, depth, 0.14],
    ['right', front, depth, 0.06],
    ['back', -half, half, 0.02],
  ] as const) {
    onWallFace(space, side, [from, 0, to, 1.35], { fill: darker(glaze, shade) });
    const at = (along: number, up: number) =>
      side === 'back'
        ? ([along, up, depth] as const)
        : ([side === 'left' ? -half : half, up, along] as const);
    for (let up = 0; up <= 1.35; up += 0.15)
      stroke(space, at(from, up), at(to, up), { stroke: darker(glaze, 0.24), line: 0.8 });
    for (let along = from; along < to; along += 0.3)
      stroke(space, at(along, 0), at(along, 1.35), { stroke: darker(glaze, 0.24), line: 0.8 });
    onWallFace(space, side, [from, 1.33, to, 1.39], { fill: darker(glaze, 0.3) });
  }
  // The tub, along the right wall.
  shadow(space, [half - 1, 3.6, 0.95, 2.3], 0.34);
  box(space, { at: [half - 0.98, 0, 3.7], size: [0.96, 0.58, depth - 3.7], color: '#f6f5f1', soft: 0.04 });
  level(space, [half - 0.84, 3.9, half - 0.14, depth - 0.2], 0.585, {
    fill: darker('#dfe7ea', 0.06),
    stroke: '#ffffff',
    line: 3,
  });
  level(space, [half - 0.76, 4.1, half - 0.22, depth - 0.3], 0.585, { fill: '#c9d6dc' });
  stroke(space, [half - 0.06, 0.9, 4.6], [half - 0.2, 0.84, 4.6], { stroke: '#9ea2a5', line: 6 });
  // The washstand, with a mirror.
  const z = depth - 0.55;
  shadow(space, [-2.35, z, 1.6, 0.55], 0.36);
  box(space, { at: [-2.3, 0.16, z], size: [1.5, 0.64, 0.52], color: cabinet });
  doors(space, { x: -2.3, y: 0.16, z, width: 1.5, height: 0.64, count: 4 }, cabinet);
  box(space, { at: [-2.36, 0.8, z - 0.04], size: [1.62, 0.06, 0.59], color: lighter(stone, 0.3) });
  const [bx, by] = seen(space, [-1.55, 0.87, z + 0.22]);
  space.canvas.add(
    ellipse(bx, by, 42, 9, { fill: '#fdfdfb', stroke: '#c9c7c0', line: 2 }),
    line([bx, by - 10], [bx, by - 36], { stroke: '#9a8556', line: 5 }),
  );
  onWallFace(space, 'back', [-2.15, 1.1, -0.95, 2.15], { fill: '#a88a4f' });
  onWallFace(space, 'back', [-2.11, 1.14, -0.99, 2.11], {
    fill: space.canvas.linear(
      [
        [0, lighter(wall, 0.3)],
        [0.5, '#dfe8ea'],
        [1, darker(wall, 0.08)],
      ],
      [0, 0, 1, 1],
    ),
  });
  face(
    space,
    [
      [-1.95, 1.14, depth],
      [-1.75, 1.14, depth],
      [-1.25, 2.11, depth],
      [-1.45, 2.11, depth],
    ],
    { fill: '#ffffff', opacity: 0.28 },
  );
  // The toilet.
  shadow(space, [-0.35, 5.2, 0.5, 0.6], 0.34);
  box(space, { at: [-0.32, 0.36, depth - 0.24], size: [0.44, 0.44, 0.2], color: '#f8f7f3', soft: 0.05 });
  box(space, { at: [-0.3, 0.06, depth - 0.68], size: [0.4, 0.34, 0.46], color: '#f3f2ee', soft: 0.1 });
}

const PLANS: Readonly<Record<RoomKind, Plan>> = {
  LIVING_ROOM: {
    openings: (index, frame) =>
      index % 2 === 0
        ? [
            ...sideWindows('left', frame, [2, 3]),
            { wall: 'back', from: 1.35, to: 2.35, ...tall, panes: [2, 3], frame },
          ]
        : [
            { wall: 'back', from: -2.3, to: -1.15, bottom: 0.45, top: 2.45, panes: [2, 1], frame },
            { wall: 'back', from: 1.15, to: 2.3, bottom: 0.45, top: 2.45, panes: [2, 1], frame },
            ...sideWindows('right', frame, [1, 1]),
          ],
    draw: (space, look, index) => fireplace(space, look, index % 2 === 0 ? -0.2 : 0),
    stage: (space, palette, staging) => {
      hangCurtains(space, staging, lighter(palette.rug, 0.3));
      const x = staging.index % 2 === 0 ? -0.2 : 0;
      art(space, 'back', [x - 0.5, 1.35, x + 0.5, 2.3], palette, staging.index);
      plant(space, 2.35, 5.3, palette, 1.7);
      rug(space, [-1.6, 3.1, 3.2, 2], palette);
      armchair(space, -2.15, 4.35, palette);
      armchair(space, 1.35, 4.4, palette);
      coffeeTable(space, -0.6, 3.9, palette);
      floorLamp(space, 2.25, 3.9, palette);
      couchFromBehind(space, -1.15, 2.75, 2.3, palette);
    },
  },
  TV_ROOM: {
    openings: (_, frame) => sideWindows('right', frame, [2, 2]),
    draw: (space, { trim, wall }) => {
      for (const x of [-2.6, 1.6]) {
        box(space, { at: [x, 0, ROOM.depth - 0.32], size: [1, 2.3, 0.32], color: trim });
        for (let shelf = 0; shelf < 5; shelf += 1) {
          const low = 0.62 + shelf * 0.33;
          const z = ROOM.depth - 0.32;
          upright(space, [x + 0.06, low, x + 0.94, low + 0.29], z, { fill: darker(wall, 0.2) });
        }
        doors(
          space,
          { x: x + 0.03, y: 0.05, z: ROOM.depth - 0.32, width: 0.94, height: 0.52, count: 2 },
          trim,
        );
      }
    },
    stage: (space, palette, { index }) => {
      mediaUnit(space, -1.2, 5.35, palette, 2.4);
      vase(space, [-2.1, 1.61, 5.7], palette, 0.5);
      vase(space, [2.1, 0.95, 5.7], palette, 0.5);
      rug(space, [-1.8, 3, 3.4, 2.1], palette);
      plant(space, -2.3, 4.6, palette, 1.4);
      armchair(space, 1.4, 4.2, palette);
      coffeeTable(space, -0.7, 3.95, palette);
      couchFromBehind(space, -1.4, 2.8, 2.6, palette);
      if (index % 2 === 0) floorLamp(space, -2.2, 3.5, palette);
    },
  },
  BEDROOM: {
    openings: (index, frame) =>
      index % 2 === 0
        ? sideWindows('right', frame, [2, 2])
        : [
            ...sideWindows('left', frame, [1, 2]),
            { wall: 'back', from: 1.5, to: 2.4, ...tall, panes: [1, 2], frame },
          ],
    draw: (space, { trim }, index) => {
      if (index % 2 !== 0) return;
      // A closet.
      onWallFace(space, 'left', [3.2, 0, 5.4, 2.15], {
        fill: darker(trim, 0.12),
        stroke: darker(trim, 0.35),
        line: 2,
      });
      for (const [from, to] of [
        [3.25, 4.28],
        [4.32, 5.35],
      ] as const)
        for (let up = 0.14; up < 2.05; up += 0.1)
          stroke(space, [-ROOM.half, up, from + 0.1], [-ROOM.half, up, to - 0.1], {
            stroke: darker(trim, 0.28),
            line: 1,
          });
      stroke(space, [-ROOM.half, 0, 4.3], [-ROOM.half, 2.15, 4.3], { stroke: darker(trim, 0.4), line: 2 });
    },
    stage: (space, palette, staging) => {
      hangCurtains(space, staging, lighter(palette.fabric, 0.35));
      art(space, 'back', [-0.72, 1.5, -0.06, 2.3], palette, staging.index);
      art(space, 'back', [0.06, 1.5, 0.72, 2.3], palette, staging.index + 1);
      rug(space, [-1.9, 2.9, 3.8, 2.2], palette);
      nightstand(space, -1.55, palette);
      nightstand(space, 1.05, palette);
      bed(space, -0.88, palette);
      bench(space, -0.6, 3.15, palette);
      if (staging.index % 2 === 0) plant(space, 2.35, 5.5, palette, 1.3);
      else armchair(space, -2.45, 4.1, palette);
    },
  },
  KITCHEN: {
    openings: (index, frame) => [
      { wall: 'back', from: 0.78, to: 1.62, bottom: 1.12, top: 2.2, panes: [2, 2], frame },
      ...sideWindows(index % 2 === 0 ? 'left' : 'right', frame, [2, 3]).slice(1),
    ],
    draw: (space, look) => kitchen(space, look),
    stage: (space, palette) => {
      vase(space, [0.7, 0.95, 5.6], palette, 0.6);
      box(space, { at: [-2.3, 0.95, 5.6], size: [0.3, 0.42, 0.05], color: palette.wood, soft: 0.03 });
      for (const [x, color] of [
        [-1.6, palette.accent],
        [-1.44, palette.second],
        [-1.3, lighter(palette.wood, 0.3)],
      ] as const)
        box(space, { at: [x, 0.95, 5.65], size: [0.12, 0.2, 0.12], color, soft: 0.02 });
      for (const x of [-0.75, 0.55]) pendant(space, x, 1.92, 3.7, palette, 0.36);
      vase(space, [-0.75, 0.95, 3.6], palette, 0.75);
      fruit(space, 0.3, 3.55, palette);
      for (const x of [-0.98, -0.28, 0.42]) stool(space, x, 2.72, palette);
      plant(space, 2.3, 4, palette, 1.2);
    },
  },
  BATHROOM: {
    openings: (_, frame) => [
      { wall: 'back', from: 0.55, to: 1.55, bottom: 1.25, top: 2.35, panes: [2, 2], frame },
    ],
    draw: (space, look, index) => bathroom(space, look, index),
    stage: (space, palette) => {
      rug(space, [-2.1, 4.1, 1.3, 0.85], palette);
      vase(space, [-2.1, 0.87, 5.7], palette, 0.55);
      for (const [x, color] of [
        [-1.15, palette.accent],
        [-1.02, palette.second],
      ] as const)
        box(space, { at: [x, 0.87, 5.68], size: [0.09, 0.17, 0.09], color, soft: 0.02 });
      // A towel on the tub, and a tray.
      box(space, { at: [1.78, 0.24, 4.35], size: [0.05, 0.4, 0.5], color: palette.second, soft: 0.03 });
      box(space, { at: [1.86, 0.6, 4.9], size: [0.8, 0.03, 0.2], color: palette.wood });
      box(space, { at: [2.1, 0.63, 4.95], size: [0.08, 0.13, 0.08], color: lighter(palette.accent, 0.3) });
      plant(space, 1.15, 5.3, palette, 1.15);
      bench(space, 0.6, 4, { ...palette, second: palette.wood }, 0.6);
      box(space, { at: [0.68, 0.45, 4.04], size: [0.42, 0.1, 0.3], color: '#f6f2ea', soft: 0.04 });
      box(space, { at: [0.7, 0.55, 4.05], size: [0.4, 0.09, 0.28], color: palette.accent, soft: 0.04 });
    },
  },
  DINING_ROOM: {
    openings: (index, frame) => [
      { wall: 'back', from: -1.1, to: 1.1, bottom: 0.06, top: 2.3, panes: [4, 3], frame },
      ...sideWindows(index % 2 === 0 ? 'left' : 'right', frame, [1, 3]).slice(1),
    ],
    draw: (space, { stone }) =>
      pendant(space, 0, 1.98, 3.9, { ...PALETTES.MODERN, metal: darker(stone, 0.4) }, 0.62),
    stage: (space, palette, staging) => {
      hangCurtains(space, staging, lighter(palette.second, 0.4));
      art(space, 'back', [-2.45, 1.25, -1.75, 2.15], palette, staging.index);
      art(space, 'back', [1.75, 1.25, 2.45, 2.15], palette, staging.index + 1);
      plant(space, 2.35, 5.2, palette, 1.3);
      plant(space, -2.35, 5.2, palette, 1.2);
      diningTable(space, palette);
    },
  },
  OFFICE: {
    openings: (index, frame) => sideWindows(index % 2 === 0 ? 'right' : 'left', frame, [2, 2]),
    draw: (space, { trim }) => {
      onWallFace(space, 'back', [-2.55, 0, -1.55, 2.1], {
        fill: darker(trim, 0.08),
        stroke: darker(trim, 0.35),
        line: 2.5,
      });
      for (const [low, high] of [
        [0.2, 0.95],
        [1.08, 1.95],
      ] as const)
        onWallFace(space, 'back', [-2.4, low, -1.7, high], {
          fill: darker(trim, 0.12),
          stroke: darker(trim, 0.28),
          line: 1.6,
        });
      const [x, y] = seen(space, [-1.64, 1, ROOM.depth]);
      space.canvas.add(ellipse(x, y, 6, 6, { fill: '#a88a4f' }));
    },
    stage: (space, palette, { index }) => {
      art(space, 'back', [-0.9, 1.45, -0.2, 2.25], palette, index);
      art(space, 'back', [-0.05, 1.45, 0.65, 2.25], palette, index + 1);
      bookshelf(space, 1.2, 5.62, palette);
      rug(space, [-1.7, 3, 3.2, 1.9], palette);
      officeChair(space, -0.35, 4.75, palette);
      desk(space, -1, 3.75, palette);
      armchair(space, -2.4, 4.6, palette);
      plant(space, 2.4, 4.3, palette, 1.35);
      tableLamp(space, [1.7, 1.95, 5.75], palette);
    },
  },
};
