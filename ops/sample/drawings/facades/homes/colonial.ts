import { darker, lighter, polygon, rect } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, wall } from '../parts/walls.ts';
import { row } from '../parts/windows.ts';

export function colonial(scene: Scene): void {
  chimney(scene, 330, 230, 420);
  chimney(scene, 1144, 230, 420);
  roof(scene, hip(420, 272, [270, 390, 1146, 1266]), { eave: 40 });
  wall(scene, 310, 426, 916, GROUND - 426, 'lap', lighter(scene.wall, 0.25));
  const shutters = darker(scene.door, 0.1);
  row(scene, [390, 560, 732, 904, 1074], { y: 468, width: 72, height: 112, panes: [3, 4], shutters });
  row(scene, [390, 560, 904, 1074], { y: 640, width: 72, height: 118, panes: [3, 4], shutters });
  for (const x of [318, 1206]) scene.canvas.add(rect(x - 8, 428, 24, GROUND - 428, { fill: scene.trim }));
  recess(scene, 690, 610, 156, 190);
  door(scene, 726, { top: GROUND - 166 });
  scene.canvas.add(
    rect(668, 608, 200, 20, { fill: scene.trim }),
    polygon(
      [
        [652, 610],
        [768, 556],
        [884, 610],
      ],
      { fill: scene.trim, stroke: darker(scene.trim, 0.26), line: 1.5 },
    ),
    polygon(
      [
        [690, 602],
        [768, 568],
        [846, 602],
      ],
      { fill: darker(scene.trim, 0.1) },
    ),
  );
  for (const x of [684, 852]) column(scene, x, 628, { stoneBase: false, width: 24 });
  walk(scene, 768, 120, '#b8705a');
}
