import { darker, ellipse } from '../canvas.ts';
import { art } from '../furniture/art.ts';
import { tableLamp } from '../furniture/lamps.ts';
import { plant } from '../furniture/plants.ts';
import { armchair, officeChair } from '../furniture/seats.ts';
import { bookshelf } from '../furniture/shelves.ts';
import { desk } from '../furniture/tables.ts';
import { rug } from '../furniture/textiles.ts';
import { onWallFace } from '../space/faces.ts';
import { ROOM, seen } from '../space/projection.ts';
import { type Plan, sideWindows } from './plan.ts';

export const office: Plan = {
  openings: (index) => sideWindows(index % 2 === 0 ? 'right' : 'left', [2, 2]),
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
};
