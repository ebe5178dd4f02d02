import { darker, lighter, mix, rect } from '../../canvas.ts';
import { door, garage } from '../parts/doors.ts';
import { bars, fade, recess } from '../parts/porches.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function townhouse(scene: Scene): void {
  const { canvas } = scene;
  for (const [index, x] of [250, 600, 950].entries()) {
    const color =
      [scene.wall, lighter(scene.wall, 0.34), mix(scene.wall, scene.stone, 0.6)][index] ?? scene.wall;
    const top = 250 + (index % 2) * 36;
    wall(scene, x, top, 346, GROUND - top, index === 1 ? 'board' : index === 0 ? 'lap' : 'brick', color);
    canvas.add(
      rect(x - 6, top - 24, 358, 28, { fill: darker(scene.roof, 0.1) }),
      fade(scene, [x, top + 4, 346, 26], 0.4),
    );
    row(scene, [x + 44, x + 200], { y: top + 56, width: 100, height: 112, panes: [2, 1], dark: true });
    pane(scene, { x: x + 44, y: top + 226, width: 256, height: 118, panes: [3, 1], dark: true });
    bars(scene, { from: x + 40, to: x + 306, step: 15, y: top + 316, height: 46, color: '#34373c' });
    canvas.add(
      rect(x + 34, top + 312, 278, 7, { fill: '#34373c' }),
      rect(x + 30, top + 360, 286, 12, { fill: darker(scene.roof, 0.2) }),
    );
    recess(scene, x, top + 372, 346, 60);
    garage({ ...scene, trim: darker(scene.trim, 0.16) }, x + 36, 150, { modern: index === 1 });
    door({ ...scene, door: index === 1 ? scene.roof : scene.door }, x + 234, {
      top: GROUND - 160,
      width: 74,
    });
  }
}
