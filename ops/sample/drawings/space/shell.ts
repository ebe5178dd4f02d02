import { darker, lighter } from '../canvas.ts';
import { level, onWallFace } from './faces.ts';
import { drawFloor, type Floor } from './floors.ts';
import { ROOM, type Space, type Wall } from './projection.ts';
import { corners, panels, skirting, wainscot } from './walls.ts';

export interface Shell {
  readonly wall: string;
  /** The color of the back wall, when it differs. */
  readonly accent?: string;
  readonly trim: string;
  readonly floor: Floor;
  /** The wall that the light comes from. */
  readonly light: Wall;
  readonly molding?: 'panels' | 'wainscot' | 'none';
}

/** Floor, walls and ceiling. */
export function drawShell(space: Space, shell: Shell): void {
  const { half, height, depth, front } = ROOM;
  const { canvas } = space;
  const { wall, accent = wall, trim, light } = shell;
  const white = '#fbf8f1';
  const ceiling = canvas.linear([
    [0, darker(white, 0.13)],
    [1, darker(white, 0.03)],
  ]);
  level(space, [-half, front, half, depth], height, { fill: ceiling });
  const side = (which: Wall) => {
    const lit = which !== light;
    const [near, far] = lit
      ? [darker(wall, 0.1), lighter(wall, 0.14)]
      : [darker(wall, 0.3), darker(wall, 0.16)];
    const way = which === 'left' ? ([0, 0, 1, 0] as const) : ([1, 0, 0, 0] as const);
    return canvas.linear(
      [
        [0, near],
        [1, far],
      ],
      way,
    );
  };
  onWallFace(space, 'left', [front, 0, depth, height], { fill: side('left') });
  onWallFace(space, 'right', [front, 0, depth, height], { fill: side('right') });
  const across = light === 'right' ? ([1, 0, 0, 1] as const) : ([0, 0, 1, 1] as const);
  const toward = light === 'back' ? 0.12 : 0.02;
  onWallFace(space, 'back', [-half, 0, half, height], {
    fill: canvas.linear(
      [
        [0, darker(accent, toward)],
        [0.6, lighter(accent, 0.12 - toward)],
        [1, darker(accent, 0.06)],
      ],
      across,
    ),
  });
  drawFloor(space, shell.floor);
  corners(space);
  if (shell.molding === 'panels') panels(space, accent);
  if (shell.molding === 'wainscot') wainscot(space, trim);
  skirting(space, trim);
}
