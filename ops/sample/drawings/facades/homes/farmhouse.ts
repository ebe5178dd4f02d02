import { door } from '../parts/doors.ts';
import { walk } from '../parts/garden.ts';
import { column, railing, recess } from '../parts/porches.ts';
import { hip, roof } from '../parts/roofs.ts';
import { dimmed, GROUND, type Scene } from '../parts/scene.ts';
import { gable, wall } from '../parts/walls.ts';
import { pane, row } from '../parts/windows.ts';

export function farmhouse(scene: Scene): void {
  const white = dimmed(scene, '#f4f1e8', '#2a3157', 0.42);
  const black = '#2f3236';
  roof(scene, hip(410, 250, [290, 380, 1170, 1256]), { eave: 40, color: '#4b4f55' });
  wall(scene, 330, 416, 890, GROUND - 416, 'board', white);
  for (const x of [400, 892]) {
    gable(scene, x, 420, 250, 190, 'board', white);
    pane(scene, { x: x + 92, y: 316, width: 66, height: 92, panes: [2, 2], dark: true });
  }
  row(scene, [410, 560, 900, 1050], { y: 462, width: 90, height: 100, panes: [2, 2], dark: true });
  row(scene, [730], { y: 462, width: 76, height: 100, panes: [2, 2], dark: true });
  recess(scene, 340, 606, 870, 194);
  row(scene, [420, 560, 910, 1050], { y: 644, width: 90, height: 120, panes: [2, 2], dark: true });
  door(scene, 726, { top: GROUND - 170 });
  roof(scene, hip(608, 572, [300, 346, 1204, 1250]), { color: black });
  for (const x of [346, 660, 876, 1204])
    column({ ...scene, trim: white }, x, 616, { stoneBase: false, width: 24 });
  railing({ ...scene, trim: white }, 360, 648);
  railing({ ...scene, trim: white }, 890, 1192);
  walk(scene, 768, 120);
}
