import { darker, lighter, mix, rect } from '../../canvas.ts';
import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { bars, recess } from '../parts/porches.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function condo(scene: Scene): void {
  const { canvas } = scene;
  wall(scene, 290, 110, 956, GROUND - 110, 'brick', mix(scene.stone, '#a3664f', 0.45));
  wall(scene, 630, 80, 276, GROUND - 80, 'stucco', lighter(scene.wall, 0.15));
  canvas.add(
    rect(274, 92, 988, 24, { fill: darker(scene.roof, 0.1) }),
    rect(616, 60, 304, 24, { fill: darker(scene.roof, 0.2) }),
  );
  for (let floor = 0; floor < 4; floor += 1) {
    const y = 150 + floor * 136;
    for (const x of [330, 950]) {
      row(scene, [x, x + 140], { y, width: 100, height: 84, panes: [2, 1], dark: true });
      canvas.add(
        rect(x - 16, y + 92, 290, 12, { fill: scene.trim }),
        rect(x - 16, y + 104, 290, 10, { fill: '#0d0a10', opacity: 0.26 }),
      );
      bars(scene, { from: x - 12, to: x + 272, step: 13, y: y + 52, height: 42, color: '#3a3d42' });
      canvas.add(rect(x - 16, y + 48, 290, 6, { fill: '#3a3d42' }));
    }
    row(scene, [666, 786], { y: y - 10, width: 84, height: 98, panes: [1, 2], dark: true });
  }
  recess(scene, 560, 680, 416, 120);
  pane(scene, { x: 330, y: 700, width: 200, height: 80, panes: [3, 1], dark: true });
  pane(scene, { x: 1006, y: 700, width: 200, height: 80, panes: [3, 1], dark: true });
  door(scene, 690, { glass: true, top: GROUND - 110, width: 72 });
  door(scene, 776, { glass: true, top: GROUND - 110, width: 72 });
  canvas.add(rect(590, 664, 356, 18, { fill: '#34373c' }));
  walk(scene, 768, 190);
}
