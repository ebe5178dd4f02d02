import { lighter } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, gable, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function bungalow(scene: Scene): void {
  chimney(scene, 380, 300, 470);
  roof(scene, hip(560, 370, [220, 420, 1116, 1316]), { eave: 60 });
  wall(scene, 280, 566, 976, GROUND - 566, 'shingle');
  roof(scene, hip(440, 388, [640, 690, 850, 900]));
  wall(scene, 666, 448, 208, 74, 'lap', lighter(scene.wall, 0.2));
  row(scene, [690, 744, 798], { y: 462, width: 46, height: 44, panes: [1, 2] });
  pane(scene, { x: 340, y: 610, width: 190, height: 116, panes: [4, 2] });
  pane(scene, { x: 1004, y: 610, width: 190, height: 116, panes: [4, 2] });
  recess(scene, 610, 566, 320, 234);
  door(scene, 728);
  gable(scene, 590, 570, 360, 106, 'board', lighter(scene.wall, 0.22));
  for (const x of [622, 918]) column(scene, x, 580);
  walk(scene, 770, 128);
}
