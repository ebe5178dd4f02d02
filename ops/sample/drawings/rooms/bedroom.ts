import { darker, lighter } from '../canvas.ts';
import { art } from '../furniture/art.ts';
import { bed } from '../furniture/beds.ts';
import { plant } from '../furniture/plants.ts';
import { armchair, bench } from '../furniture/seats.ts';
import { nightstand } from '../furniture/tables.ts';
import { rug } from '../furniture/textiles.ts';
import { onWallFace, stroke } from '../space/faces.ts';
import { ROOM } from '../space/projection.ts';
import { hangCurtains, type Plan, sideWindows, TALL } from './plan.ts';

export const bedroom: Plan = {
  openings: (index) =>
    index % 2 === 0
      ? sideWindows('right', [2, 2])
      : [...sideWindows('left', [1, 2]), { wall: 'back', from: 1.5, to: 2.4, ...TALL, panes: [1, 2] }],
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
};
