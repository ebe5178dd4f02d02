import { darker, lighter, rect } from '../canvas.ts';
import { art } from '../furniture/art.ts';
import { floorLamp } from '../furniture/lamps.ts';
import { plant } from '../furniture/plants.ts';
import { armchair, couchFromBehind } from '../furniture/seats.ts';
import { coffeeTable } from '../furniture/tables.ts';
import { rug } from '../furniture/textiles.ts';
import { box } from '../space/box.ts';
import { stroke, upright } from '../space/faces.ts';
import { ROOM, type Space, seen } from '../space/projection.ts';
import type { RoomLook } from './looks.ts';
import { hangCurtains, type Plan, sideWindows, TALL } from './plan.ts';

export const livingRoom: Plan = {
  openings: (index) =>
    index % 2 === 0
      ? [...sideWindows('left', [2, 3]), { wall: 'back', from: 1.35, to: 2.35, ...TALL, panes: [2, 3] }]
      : [
          { wall: 'back', from: -2.3, to: -1.15, bottom: 0.45, top: 2.45, panes: [2, 1] },
          { wall: 'back', from: 1.15, to: 2.3, bottom: 0.45, top: 2.45, panes: [2, 1] },
          ...sideWindows('right', [1, 1]),
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
};

function fireplace(space: Space, { stone, trim, wall }: RoomLook, x: number): void {
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
  const hearth = space.canvas.linear([
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
