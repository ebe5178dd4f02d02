import { darker } from '../canvas.ts';
import { floorLamp } from '../furniture/lamps.ts';
import { plant, vase } from '../furniture/plants.ts';
import { armchair, couchFromBehind } from '../furniture/seats.ts';
import { mediaUnit } from '../furniture/shelves.ts';
import { coffeeTable } from '../furniture/tables.ts';
import { rug } from '../furniture/textiles.ts';
import { box } from '../space/box.ts';
import { upright } from '../space/faces.ts';
import { ROOM } from '../space/projection.ts';
import { doors } from './cabinets.ts';
import { type Plan, sideWindows } from './plan.ts';

export const tvRoom: Plan = {
  openings: () => sideWindows('right', [2, 2]),
  draw: (space, { trim, wall }) => {
    for (const x of [-2.6, 1.6]) {
      box(space, { at: [x, 0, ROOM.depth - 0.32], size: [1, 2.3, 0.32], color: trim });
      for (let shelf = 0; shelf < 5; shelf += 1) {
        const low = 0.62 + shelf * 0.33;
        const z = ROOM.depth - 0.32;
        upright(space, [x + 0.06, low, x + 0.94, low + 0.29], z, { fill: darker(wall, 0.2) });
      }
      doors(space, { x: x + 0.03, y: 0.05, z: ROOM.depth - 0.32, width: 0.94, height: 0.52, count: 2 }, trim);
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
};
