import { lighter, line, mix, rect } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { hip, roof } from '../parts/roofs.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, gable, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function tudor(scene: Scene): void {
  const plaster = lighter(scene.trim, 0.1);
  const beam = scene.evening ? '#2c2436' : '#4a3427';
  chimney(scene, 1064, 190, 480, 84);
  roof(scene, hip(490, 250, [300, 390, 1130, 1236]), { eave: 44 });
  wall(scene, 330, 496, 876, GROUND - 496, 'brick', mix(scene.stone, '#9b5d45', 0.6));
  wall(scene, 380, 420, 380, 180, 'stucco', plaster);
  gable(scene, 370, 430, 400, 250, 'stucco', plaster);
  const { canvas } = scene;
  for (const x of [380, 476, 570, 664, 752]) canvas.add(rect(x, 430, 13, 170, { fill: beam }));
  canvas.add(
    rect(376, 424, 390, 15, { fill: beam }),
    rect(376, 590, 390, 17, { fill: beam }),
    rect(448, 330, 244, 12, { fill: beam }),
    line([394, 590], [470, 440], { stroke: beam, line: 11 }),
    line([752, 590], [672, 440], { stroke: beam, line: 11 }),
    rect(564, 210, 12, 120, { fill: beam }),
  );
  row(scene, [498, 586], { y: 452, width: 66, height: 116, panes: [3, 4] });
  row(scene, [440, 530, 620], { y: 640, width: 72, height: 116, panes: [3, 4] });
  row(scene, [960, 1040], { y: 600, width: 66, height: 128, panes: [3, 4] });
  gable(scene, 770, 620, 170, 150, 'stucco', plaster);
  wall(scene, 780, 620, 150, GROUND - 620, 'stone', scene.stone);
  door(scene, 812, { arch: true, top: GROUND - 176, width: 88 });
  roof(scene, hip(400, 340, [980, 1030, 1090, 1140]));
  wall(scene, 1000, 408, 120, 66, 'stucco', plaster);
  pane(scene, { x: 1034, y: 418, width: 52, height: 46, panes: [2, 2] });
  walk(scene, 856, 116);
}
