import { darker, ellipse, lighter, line } from '../canvas.ts';
import { plant, vase } from '../furniture/plants.ts';
import { bench } from '../furniture/seats.ts';
import { rug } from '../furniture/textiles.ts';
import { box } from '../space/box.ts';
import { face, level, onWallFace, stroke } from '../space/faces.ts';
import { shadow } from '../space/light.ts';
import { onWall, ROOM, type Space, seen } from '../space/projection.ts';
import { doors } from './cabinets.ts';
import type { RoomLook } from './looks.ts';
import type { Plan } from './plan.ts';

export const bathroom: Plan = {
  openings: () => [{ wall: 'back', from: 0.55, to: 1.55, bottom: 1.25, top: 2.35, panes: [2, 2] }],
  draw,
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
};

function draw(space: Space, look: RoomLook, index: number): void {
  const { cabinet, stone, wall } = look;
  const { half, depth, front } = ROOM;
  const glaze = ['#e9eeec', '#cfdcd8', '#f1ece2', '#d6dfe6', '#e3d8cc', '#dfe4df'][index % 6] ?? '#e9eeec';
  for (const [side, from, to, shade] of [
    ['left', front, depth, 0.14],
    ['right', front, depth, 0.06],
    ['back', -half, half, 0.02],
  ] as const) {
    onWallFace(space, side, [from, 0, to, 1.35], { fill: darker(glaze, shade) });
    const at = (along: number, up: number) => onWall(side, along, up);
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
