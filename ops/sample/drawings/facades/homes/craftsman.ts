import { darker, lighter, rect } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, railing, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, gable, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function craftsman(scene: Scene): void {
  chimney(scene, 1010, 250, 470);
  roof(scene, hip(505, 330, [250, 380, 1156, 1286]));
  wall(scene, 310, 510, 916, GROUND - 510, 'lap');
  wall(scene, 310, GROUND - 60, 916, 60, 'stone', scene.stone);
  gable(scene, 560, 420, 416, 150, 'shingle', darker(scene.wall, 0.12));
  row(scene, [640, 722, 804], { y: 332, width: 64, height: 74, panes: [2, 2] });
  recess(scene, 310, 510, 916, 150);
  pane(scene, { x: 392, y: 590, width: 150, height: 128, panes: [3, 2] });
  door(scene, 724);
  pane(scene, { x: 980, y: 590, width: 150, height: 128, panes: [3, 2] });
  gable(scene, 350, 520, 836, 128, 'shingle', lighter(scene.wall, 0.1));
  scene.canvas.add(rect(330, 512, 876, 24, { fill: scene.trim, stroke: darker(scene.trim, 0.25), line: 1 }));
  for (const x of [366, 640, 892, 1170]) column(scene, x, 536);
  railing(scene, 394, 610);
  railing(scene, 922, 1140);
  walk(scene, 766, 130);
}
