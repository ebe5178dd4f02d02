import { darker, ellipse, lighter, line } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, railing, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, gable, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function victorian(scene: Scene): void {
  chimney(scene, 980, 170, 380);
  roof(scene, hip(390, 210, [430, 520, 1100, 1196]), { eave: 36 });
  wall(scene, 460, 396, 706, GROUND - 396, 'lap');
  gable(scene, 790, 400, 340, 210, 'shingle', lighter(scene.wall, 0.2));
  pane(scene, { x: 924, y: 284, width: 72, height: 92, panes: [2, 2], arch: true });
  wall(scene, 330, 360, 210, GROUND - 360, 'shingle', darker(scene.wall, 0.1));
  roof(
    scene,
    [
      [306, 364],
      [435, 120],
      [564, 364],
    ],
    { eave: 26, color: darker(scene.roof, 0.1) },
  );
  scene.canvas.add(
    line([435, 122], [435, 78], { stroke: '#c9a45c', line: 5 }),
    ellipse(435, 76, 7, 7, { fill: '#c9a45c' }),
  );
  row(scene, [356, 416, 476], { y: 410, width: 42, height: 124, panes: [1, 2] });
  row(scene, [356, 416, 476], { y: 628, width: 42, height: 124, panes: [1, 2] });
  row(scene, [640, 860, 1020], { y: 436, width: 72, height: 116, panes: [1, 2] });
  recess(scene, 540, 600, 640, 200);
  pane(scene, { x: 900, y: 640, width: 84, height: 122, panes: [1, 2] });
  pane(scene, { x: 1040, y: 640, width: 84, height: 122, panes: [1, 2] });
  door(scene, 690, { arch: true, top: GROUND - 180 });
  roof(scene, hip(604, 562, [540, 580, 1160, 1200]), { color: lighter(scene.roof, 0.1) });
  for (const x of [566, 660, 812, 1006, 1174]) column(scene, x, 612, { stoneBase: false, width: 18 });
  railing(scene, 830, 1166);
  for (let x = 560; x < 1180; x += 22)
    scene.canvas.add(ellipse(x, 620, 9, 9, { stroke: scene.trim, line: 3.4 }));
  walk(scene, 732, 116);
}
