import { lighter } from '../../canvas.ts';
import { door, garage } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, gable, wall } from '../parts/walls.ts';
import { pane } from '../parts/windows.ts';

export function ranch(scene: Scene): void {
  chimney(scene, 920, 420, 540, 90);
  roof(scene, hip(596, 470, [150, 290, 1250, 1390]), { eave: 56 });
  wall(scene, 210, 602, 1120, GROUND - 602, 'lap', lighter(scene.wall, 0.12));
  wall(scene, 560, 700, 420, 100, 'stone', scene.stone);
  gable(scene, 900, 604, 400, 110, 'board', lighter(scene.wall, 0.3));
  garage(scene, 978, 250);
  pane(scene, { x: 600, y: 628, width: 90, height: 66, panes: [2, 2] });
  pane(scene, { x: 270, y: 640, width: 220, height: 112, panes: [3, 2], shutters: scene.door });
  recess(scene, 706, 602, 200, 198);
  door(scene, 766);
  for (const x of [716, 900]) column(scene, x, 604, { stoneBase: false, width: 20 });
  walk(scene, 806, 104);
}
