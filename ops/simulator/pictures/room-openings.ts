import { level, type Point3, type Range } from './camera.ts';
import { shade } from './colours.ts';
import type { RoomShell } from './room-shell.ts';
import { n, type Sketch } from './sketch.ts';

/** Which wall; `across` runs along it: x on the back wall, z on the sides. Heights and lengths in metres. */
export interface Opening {
  wall: 'back' | 'left' | 'right';
  across: Range;
  height: Range;
}

type WallPoint = (along: number, y: number) => Point3;

function pointsOn(room: RoomShell, wall: Opening['wall']): WallPoint {
  if (wall === 'back') return (along, y) => [along, y, room.depth];
  return (along, y) => [wall === 'left' ? -room.halfWidth : room.halfWidth, y, along];
}

function rectangle(pointAt: WallPoint, [a, b]: Range, [low, high]: Range): Point3[] {
  return [pointAt(a, low), pointAt(b, low), pointAt(b, high), pointAt(a, high)];
}

/** A window with its frame, bars, sill and a calm view. */
export function drawWindow(s: Sketch, room: RoomShell, opening: Opening, random: () => number): string {
  const pointAt = pointsOn(room, opening.wall);
  const {
    across: [a, b],
    height: [low, high],
  } = opening;
  const frame = 0.07;
  const glass = rectangle(pointAt, [a + frame, b - frame], [low + frame, high - frame]);
  const panes = Math.max(2, Math.round((b - a) / 0.8));
  const bars = Array.from({ length: panes - 1 }, (_, index) => {
    const at = a + ((index + 1) * (b - a)) / panes;
    return s.polygon(rectangle(pointAt, [at - 0.022, at + 0.022], [low, high]), '#f4f2ee');
  });
  const rail = low + (high - low) * 0.68;
  return [
    s.polygon(
      rectangle(pointAt, [a - 0.09, b + 0.09], [low - 0.09, high + 0.09]),
      shade('#f6f4f0', 0.95),
      'stroke="#00000030"',
    ),
    s.polygon(rectangle(pointAt, [a, b], [low, high]), '#d9d6d0'),
    view(s, glass, random),
    ...bars,
    s.polygon(rectangle(pointAt, [a, b], [rail - 0.02, rail + 0.02]), '#f4f2ee'),
    s.polygon(rectangle(pointAt, [a, b], [low, high]), 'none', 'stroke="#ffffff" stroke-width="3"'),
    sill(s, room, opening),
  ].join('');
}

function sill(s: Sketch, room: RoomShell, { wall, across: [a, b], height: [low] }: Opening): string {
  if (wall === 'back') {
    return s.box(
      { x: [a - 0.12, b + 0.12], y: [low - 0.13, low - 0.08], z: [room.depth - 0.14, room.depth] },
      '#f4f1ec',
    );
  }
  const x = wall === 'left' ? -room.halfWidth : room.halfWidth;
  const inner = x - Math.sign(x) * 0.12;
  return s.polygon(level([x, inner], low - 0.09, [a - 0.1, b + 0.1]), '#f4f1ec', 'stroke="#00000030"');
}

/** Sky, far trees and a lawn, out of focus. */
function view(s: Sketch, glass: Point3[], random: () => number): string {
  const corners = glass.map((point) => s.camera.project(point));
  const [us, vs] = [corners.map(([u]) => u), corners.map(([, v]) => v)];
  const [left, top] = [Math.min(...us), Math.min(...vs)];
  const [width, height] = [Math.max(...us) - left, Math.max(...vs) - top];
  const trees = Array.from({ length: 9 }, (_, index) => {
    const u = left + (width * (index + random())) / 9;
    const radius = height * (0.1 + random() * 0.14);
    const tone = shade('#7f9b72', 0.85 + random() * 0.35);
    return `<ellipse cx="${n(u)}" cy="${n(top + height * 0.68)}" rx="${n(Math.max(radius, width / 14))}" ry="${n(radius)}" fill="${tone}"/>`;
  });
  const lawn = `<rect x="${n(left - 9)}" y="${n(top + height * 0.74)}" width="${n(width + 18)}" height="${n(height * 0.3)}" fill="#a9bd8f"/>`;
  const land = `<g filter="${s.blur(height * 0.02)}" opacity=".8">${trees.join('')}${lawn}</g>`;
  return [
    s.polygon(glass, s.gradient('#cfe3f3', '#f4f6ef')),
    `<g clip-path="${s.clip(corners)}">${land}</g>`,
    s.polygon(glass, '#ffffff', 'opacity=".22"'),
  ].join('');
}

/** Daylight that falls through a window onto the floor. */
export function drawDaylight(s: Sketch, room: RoomShell, { wall, across: [a, b] }: Opening): string {
  const soft = `filter="${s.blur(s.camera.width * 0.008)}" opacity=".34"`;
  const sign = wall === 'left' ? 1 : -1;
  const z = room.depth;
  const onFloor = (fromWall: number, along: number): Point3 => [sign * (fromWall - room.halfWidth), 0, along];
  const patch: Point3[] =
    wall === 'back'
      ? [
          [a, 0, z - 0.7],
          [b, 0, z - 0.7],
          [b + 0.5, 0, z - 2.5],
          [a + 0.5, 0, z - 2.5],
        ]
      : [onFloor(0.7, a - 0.2), onFloor(2.7, a - 0.8), onFloor(2.7, b - 0.8), onFloor(0.7, b - 0.2)];
  return s.polygon(patch, '#fff4dc', soft);
}

/** A closed panel door. */
export function drawDoor(
  s: Sketch,
  room: RoomShell,
  { wall, across: [a, b], height: [, high] }: Opening,
): string {
  const pointAt = pointsOn(room, wall);
  const panel = (from: number, to: number) =>
    s.polygon(
      rectangle(pointAt, [a + 0.14, b - 0.14], [from, to]),
      s.gradient('#e9e6e0', '#f7f5f1'),
      'stroke="#00000026" stroke-width="1.5"',
    );
  const knob = pointAt(a + 0.08, 1.02);
  const [u, v] = s.camera.project(knob);
  const radius = 0.035 * s.camera.scaleAt(knob[2]);
  return [
    s.polygon(rectangle(pointAt, [a - 0.09, b + 0.09], [0, high + 0.09]), '#f3f1ec', 'stroke="#00000030"'),
    s.polygon(
      rectangle(pointAt, [a, b], [0.01, high]),
      s.gradient('#f4f2ee', '#e6e3dd'),
      'stroke="#00000040"',
    ),
    panel(0.2, 0.9),
    panel(1.05, high - 0.16),
    `<circle cx="${n(u)}" cy="${n(v)}" r="${n(radius)}" fill="#9a8f80"/>`,
  ].join('');
}
