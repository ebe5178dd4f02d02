import { darker, lighter, rect } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { bars } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { dimmed, GROUND, type Scene } from '../parts/scene.ts';
import { chimney, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function spanish(scene: Scene): void {
  const plaster = dimmed(scene, '#f0e2cb', '#2a3157', 0.4);
  const clay = scene.evening ? '#6f4351' : '#b9653f';
  wall(scene, 420, 370, 330, GROUND - 370, 'stucco', plaster);
  roof(scene, hip(376, 296, [394, 460, 710, 776]), { color: clay, eave: 40 });
  wall(scene, 700, 500, 540, GROUND - 500, 'stucco', lighter(plaster, 0.1));
  roof(scene, hip(506, 420, [676, 746, 1200, 1270]), { color: clay, eave: 40 });
  wall(scene, 290, 560, 150, GROUND - 560, 'stucco', plaster);
  roof(scene, hip(566, 520, [270, 306, 440, 440]), { color: clay, eave: 26 });
  row(scene, [480, 610], { y: 424, width: 74, height: 120, panes: [2, 3], arch: true });
  bars(scene, { from: 466, to: 706, step: 14, y: 520, height: 44, color: '#33302e' });
  scene.canvas.add(
    rect(460, 516, 250, 6, { fill: '#33302e' }),
    rect(456, 562, 258, 10, { fill: darker(plaster, 0.3) }),
  );
  row(scene, [800, 940, 1080], { y: 580, width: 100, height: 176, panes: [2, 3], arch: true });
  pane(scene, { x: 330, y: 640, width: 70, height: 100, panes: [2, 3], arch: true });
  door(scene, 546, { arch: true, top: GROUND - 186, width: 96 });
  chimney({ ...scene, stone: plaster }, 1100, 350, 450, 56);
  walk(scene, 594, 126, '#c98d6c');
}
