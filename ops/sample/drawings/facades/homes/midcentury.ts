import { darker, lighter, polygon, rect } from '../../canvas.ts';
import { door, garage } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { fade } from '../parts/porches.ts';
import { GROUND, type Scene } from '../parts/scene.ts';
import { chimney, wall } from '../parts/walls.ts';
import { pane } from '../parts/windows.ts';

export function midcentury(scene: Scene): void {
  const wood = scene.evening ? '#6b4a44' : '#a9713f';
  wall(scene, 230, 560, 460, GROUND - 560, 'board', wood);
  wall(scene, 690, 560, 300, GROUND - 560, 'stucco');
  wall(scene, 990, 520, 190, GROUND - 520, 'stone', scene.stone);
  wall(scene, 1180, 580, 190, GROUND - 580, 'stucco', lighter(scene.wall, 0.2));
  for (const x of [718, 812, 906])
    pane(scene, { x, y: 600, width: 74, height: 176, panes: [1, 1], dark: true });
  pane(scene, { x: 470, y: 600, width: 190, height: 70, panes: [3, 1], dark: true });
  door(scene, 590, { glass: true, top: GROUND - 170, width: 78 });
  garage(scene, 262, 250, { modern: true });
  pane(scene, { x: 1210, y: 620, width: 130, height: 110, panes: [2, 1], dark: true });
  const { canvas, roof: color, trim } = scene;
  canvas.add(
    fade(scene, [200, 562, 820, 58], 0.5),
    polygon(
      [
        [170, 520],
        [1010, 556],
        [1010, 578],
        [170, 548],
      ],
      { fill: color },
    ),
    polygon(
      [
        [960, 552],
        [1440, 490],
        [1440, 520],
        [960, 580],
      ],
      { fill: darker(color, 0.12) },
    ),
    polygon(
      [
        [170, 548],
        [1010, 578],
        [1010, 586],
        [170, 558],
      ],
      { fill: trim },
    ),
    polygon(
      [
        [960, 580],
        [1440, 520],
        [1440, 529],
        [960, 588],
      ],
      { fill: trim },
    ),
  );
  chimney(scene, 1046, 440, 545, 84);
  for (const x of [560, 700]) canvas.add(rect(x, 574, 12, GROUND - 574, { fill: darker(trim, 0.1) }));
  walk(scene, 629, 96);
}
