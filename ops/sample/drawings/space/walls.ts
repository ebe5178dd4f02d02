import { darker, type Look, lighter } from '../canvas.ts';
import { onWallFace, stroke } from './faces.ts';
import { onWall, ROOM, type Space, type Wall } from './projection.ts';

/** Where two walls meet it is darker. */
export function corners(space: Space): void {
  const { half, height, depth } = ROOM;
  const { canvas } = space;
  const dark = (way: readonly [number, number, number, number]) =>
    canvas.linear(
      [
        [0, '#1a120a', 0.2],
        [1, '#1a120a', 0],
      ],
      way,
    );
  onWallFace(space, 'back', [-half, 0, -half + 0.7, height], { fill: dark([0, 0, 1, 0]) });
  onWallFace(space, 'back', [half - 0.7, 0, half, height], { fill: dark([1, 0, 0, 0]) });
  onWallFace(space, 'left', [depth - 0.9, 0, depth, height], { fill: dark([1, 0, 0, 0]) });
  onWallFace(space, 'right', [depth - 0.9, 0, depth, height], { fill: dark([0, 0, 1, 0]) });
  onWallFace(space, 'back', [-half, height - 0.5, half, height], { fill: dark([0, 0, 0, 1]) });
  onWallFace(space, 'back', [-half, 0, half, 0.6], { fill: dark([0, 1, 0, 0]) });
}

export function skirting(space: Space, trim: string): void {
  const { half, height, depth, front } = ROOM;
  const board = (wall: Wall, from: number, to: number, shade: number) => {
    onWallFace(space, wall, [from, 0, to, 0.14], { fill: darker(trim, shade) });
    onWallFace(space, wall, [from, 0.125, to, 0.14], { fill: lighter(trim, 0.4) });
    onWallFace(space, wall, [from, height - 0.09, to, height], { fill: darker(trim, shade * 0.6) });
    onWallFace(space, wall, [from, height - 0.1, to, height - 0.085], {
      fill: darker(trim, 0.25),
      opacity: 0.6,
    });
  };
  board('left', front, depth, 0.16);
  board('right', front, depth, 0.08);
  board('back', -half, half, 0.05);
}

/** Frames on the back wall, as in old houses. */
export function panels(space: Space, color: string): void {
  const { half, height } = ROOM;
  const wide = (half * 2 - 0.25) / 5;
  for (let index = 0; index < 5; index += 1) {
    const from = -half + 0.25 + index * wide;
    const frame = (inset: number, look: Look) =>
      onWallFace(
        space,
        'back',
        [from + inset, 0.35 + inset, from + wide - 0.25 - inset, height - 0.35 - inset],
        look,
      );
    frame(0, { stroke: darker(color, 0.16), line: 3 });
    frame(0.025, { stroke: lighter(color, 0.5), line: 1.4 });
  }
}

export function wainscot(space: Space, trim: string): void {
  const { half, depth, front } = ROOM;
  const walls: readonly (readonly [Wall, number, number, number])[] = [
    ['left', front, depth, 0.12],
    ['right', front, depth, 0.06],
    ['back', -half, half, 0.03],
  ];
  for (const [wall, from, to, shade] of walls) {
    onWallFace(space, wall, [from, 0, to, 1], { fill: darker(trim, shade) });
    for (let along = from; along < to; along += 0.12)
      stroke(space, onWall(wall, along, 0.14), onWall(wall, along, 0.95), {
        stroke: darker(trim, 0.2),
        line: 0.8,
      });
    onWallFace(space, wall, [from, 0.96, to, 1.02], {
      fill: lighter(trim, 0.3),
      stroke: darker(trim, 0.2),
      line: 0.6,
    });
  }
}
