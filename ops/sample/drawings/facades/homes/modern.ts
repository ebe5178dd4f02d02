import { darker, lighter, rect } from '../../canvas.ts';
import { door, garage } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { bars, fade } from '../parts/porches.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function modern(scene: Scene): void {
  const { canvas } = scene;
  const wood = scene.evening ? '#77504a' : '#b27d4f';
  wall(scene, 300, 420, 560, GROUND - 420, 'stucco', lighter(scene.trim, 0.05));
  wall(scene, 760, 300, 460, 270, 'board', wood);
  wall(scene, 860, 570, 360, GROUND - 570, 'stucco', darker(scene.wall, 0.34));
  canvas.add(
    rect(740, 282, 500, 20, { fill: '#2e3136' }),
    rect(280, 402, 480, 20, { fill: '#2e3136' }),
    fade(scene, [860, 570, 380, 46], 0.6),
    fade(scene, [300, 422, 460, 34], 0.4),
  );
  row(scene, [820, 950, 1080], { y: 350, width: 104, height: 176, panes: [1, 2], dark: true });
  pane(scene, { x: 340, y: 480, width: 330, height: 110, panes: [4, 1], dark: true });
  pane(scene, { x: 340, y: 628, width: 220, height: 150, panes: [3, 1], dark: true });
  door(scene, 652, { glass: true, top: GROUND - 176, width: 88 });
  canvas.add(rect(600, 606, 210, 12, { fill: '#2e3136' }));
  garage(scene, 916, 260, { modern: true });
  bars(scene, { from: 770, to: 1210, step: 16, y: 532, height: 38, color: '#33363b' });
  canvas.add(rect(756, 528, 468, 7, { fill: '#33363b' }));
  walk(scene, 697, 104, '#bdbab4');
}
