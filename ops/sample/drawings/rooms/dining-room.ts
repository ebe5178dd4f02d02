import { darker, lighter } from '../canvas.ts';
import { art } from '../furniture/art.ts';
import { pendant } from '../furniture/lamps.ts';
import { PALETTES } from '../furniture/palettes.ts';
import { plant } from '../furniture/plants.ts';
import { diningTable } from '../furniture/tables.ts';
import { hangCurtains, type Plan, sideWindows } from './plan.ts';

export const diningRoom: Plan = {
  openings: (index) => [
    { wall: 'back', from: -1.1, to: 1.1, bottom: 0.06, top: 2.3, panes: [4, 3] },
    ...sideWindows(index % 2 === 0 ? 'left' : 'right', [1, 3]).slice(1),
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
};
