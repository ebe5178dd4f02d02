import { darker, lighter, line, mix } from '../canvas.ts';
import { pendant } from '../furniture/lamps.ts';
import { fruit, plant, vase } from '../furniture/plants.ts';
import { stool } from '../furniture/seats.ts';
import { box } from '../space/box.ts';
import { level, onWallFace, stroke, upright } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { ROOM, type Space, seen } from '../space/projection.ts';
import { doors } from './cabinets.ts';
import type { RoomLook } from './looks.ts';
import { type Plan, sideWindows } from './plan.ts';

export const kitchen: Plan = {
  openings: (index) => [
    { wall: 'back', from: 0.78, to: 1.62, bottom: 1.12, top: 2.2, panes: [2, 2] },
    ...sideWindows(index % 2 === 0 ? 'left' : 'right', [2, 3]).slice(1),
  ],
  draw,
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
};

function draw(space: Space, look: RoomLook): void {
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
  const dark = mix(cabinet, darker(cabinet, 0.4), 0.35);
  box(space, { at: [-1.2, 0.06, 3.3], size: [2.2, 0.82, 0.72], color: dark });
  doors(space, { x: -1.15, y: 0.08, z: 3.3, width: 2.1, height: 0.78, count: 4 }, dark);
  box(space, { at: [-1.32, 0.88, 3.18], size: [2.44, 0.06, 0.94], color: lighter(stone, 0.15) });
}
