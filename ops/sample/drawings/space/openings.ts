import { darker, type Look, lighter } from '../canvas.ts';
import { face, onWallFace, stroke } from './faces.ts';
import { onWall, type Place, ROOM, type Space, scaleAt, type Wall } from './projection.ts';

export interface Opening {
  readonly wall: Wall;
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
  /** How many panes across, and up. */
  readonly panes: readonly [number, number];
}

const FRAME = '#ffffff';

/** A window or a glass door with what is outside. */
export function drawOpening(space: Space, opening: Opening): void {
  const { wall, from, to, bottom, top, panes } = opening;
  const { canvas, chance } = space;
  const sky = canvas.linear([
    [0, '#bcdcf0'],
    [0.55, '#e9f4f7'],
    [1, '#f7f6e8'],
  ]);
  onWallFace(space, wall, [from - 0.09, bottom - 0.09, to + 0.09, top + 0.09], {
    fill: FRAME,
    stroke: darker(FRAME, 0.25),
    line: 1.2,
  });
  onWallFace(space, wall, [from, bottom, to, top], { fill: sky });
  const leaves = ['#b5cf9f', '#8fb582', '#6f9c6a'];
  for (const [index, color] of leaves.entries()) {
    const high = bottom + (top - bottom) * (0.52 - index * 0.15);
    const crowns: Place[] = [];
    for (let part = 0; part <= 14; part += 1) {
      const along = from + ((to - from) * part) / 14;
      const up = high + (chance() - 0.5) * 0.3 + Math.sin(part * 1.1 + index * 2) * 0.12;
      crowns.push(onWall(wall, along, Math.max(bottom, Math.min(top, up))));
    }
    face(space, [onWall(wall, from, bottom), ...crowns, onWall(wall, to, bottom)], { fill: color });
  }
  // Light that the glass throws back.
  const wide = to - from;
  face(
    space,
    [
      onWall(wall, from + wide * 0.12, bottom),
      onWall(wall, from + wide * 0.34, bottom),
      onWall(wall, from + wide * 0.72, top),
      onWall(wall, from + wide * 0.5, top),
    ],
    { fill: '#ffffff', opacity: 0.2 },
  );
  const bars: Look = { stroke: FRAME, line: scaleAt(wall === 'back' ? ROOM.depth : (from + to) / 2) * 0.04 };
  for (let part = 0; part <= panes[0]; part += 1) {
    const along = from + (wide * part) / panes[0];
    stroke(space, onWall(wall, along, bottom), onWall(wall, along, top), bars);
  }
  for (let part = 0; part <= panes[1]; part += 1) {
    const up = bottom + ((top - bottom) * part) / panes[1];
    stroke(space, onWall(wall, from, up), onWall(wall, to, up), bars);
  }
  if (bottom > 0.2)
    onWallFace(space, wall, [from - 0.16, bottom - 0.15, to + 0.16, bottom - 0.08], {
      fill: lighter(FRAME, 0.3),
      stroke: darker(FRAME, 0.25),
      line: 0.8,
    });
}
