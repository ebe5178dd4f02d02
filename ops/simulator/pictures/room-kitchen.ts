import { level, type Point3, type Range, upright } from './camera.ts';
import { shade } from './colours.ts';
import { tap } from './room-fittings.ts';
import type { RoomShell } from './room-shell.ts';
import type { Box, Sketch } from './sketch.ts';

/** What is built into a kitchen: units, worktop, hob, sink, hood and fridge along the back wall. */
export function kitchenFittings(s: Sketch, { halfWidth: w, depth: d }: RoomShell, front: string): string {
  const near = d - 0.62;
  const left = -w + 0.85;
  const count = Math.round((w - left) / 0.6);
  const width = (w - left) / count;
  const hob = left + width * 1.5;
  const sink = left + width * (count - 2);
  const hanging = [left, w - 0.62].map((x): Box => ({ x: [x, x + 0.6], y: [1.5, 2.2], z: [d - 0.35, d] }));
  return [
    splashback(s, { x: [left, w], y: [0.92, 1.5], z: d }),
    fridge(s, -w, d),
    s.box({ x: [left, w], y: [0, 0.13], z: [near + 0.06, d] }, '#4d4a46', 0),
    baseUnits(s, { left, width, count, z: [near, d] }, front),
    s.box({ x: [left, w], y: [0.86, 0.91], z: [near - 0.03, d] }, '#d8d2c8', 0.01),
    s.polygon(level([hob - 0.28, hob + 0.28], 0.912, [near + 0.1, near + 0.5]), '#26282b'),
    hood(s, hob, d),
    s.polygon(
      level([sink - 0.3, sink + 0.3], 0.912, [near + 0.12, near + 0.46]),
      s.gradient('#8f9397', '#c4c7ca'),
    ),
    tap(s, [sink, 0.91, d - 0.12]),
    ...hanging.map((at) => cabinet(s, at, { colour: front, oven: false })),
  ].join('');
}

/** A row of units, drawn from its ends to the middle: the side of a unit is behind the front of its inner neighbor. */
function baseUnits(
  s: Sketch,
  row: { left: number; width: number; count: number; z: Range },
  colour: string,
): string {
  const middle = (index: number) => row.left + (index + 0.5) * row.width;
  const outerFirst = Array.from({ length: row.count }, (_, index) => index).sort(
    (a, b) => Math.abs(middle(b)) - Math.abs(middle(a)),
  );
  const unit = (index: number): Box => {
    const from = row.left + index * row.width;
    return { x: [from, from + row.width], y: [0.12, 0.86], z: row.z };
  };
  return outerFirst.map((index) => cabinet(s, unit(index), { colour, oven: index === 1 })).join('');
}

function fridge(s: Sketch, wall: number, depth: number): string {
  const near = depth - 0.7;
  return [
    s.box({ x: [wall + 0.02, wall + 0.8], y: [0.02, 2.1], z: [near, depth] }, '#d5d7d9', 0.03),
    s.bar([wall + 0.7, 0.85, near - 0.02], [wall + 0.7, 1.25, near - 0.02], {
      width: 0.025,
      colour: '#8b8e92',
    }),
    s.bar([wall + 0.04, 1.37, near], [wall + 0.78, 1.37, near], { width: 0.015, colour: '#9a9da1' }),
  ].join('');
}

/** One unit; an oven shows its glass. */
function cabinet(s: Sketch, at: Box, { colour, oven }: { colour: string; oven: boolean }): string {
  const { x, y } = at;
  const near = at.z[0];
  const inset = 0.035;
  const panel: Point3[] = upright([x[0] + inset, x[1] - inset], [y[0] + inset, y[1] - inset], near);
  const body = s.box(at, colour, 0.008);
  const bar = (height: number, margin: number, tone: string) =>
    s.bar([x[0] + margin, height, near - 0.01], [x[1] - margin, height, near - 0.01], {
      width: 0.02,
      colour: tone,
    });
  if (oven)
    return body + s.polygon(panel, s.gradient('#3a3d41', '#16181a')) + bar(y[1] - 0.14, 0.1, '#c9ccd0');
  const fill = s.gradient(shade(colour, 1.08), shade(colour, 0.95));
  const door = s.polygon(panel, fill, `stroke="${shade(colour, 0.7)}" stroke-width="1"`);
  return body + door + bar(y[0] > 1 ? y[0] + 0.1 : y[1] - 0.1, 0.2, '#7d7a75');
}

function hood(s: Sketch, x: number, depth: number): string {
  const z = depth - 0.4;
  return [
    s.box({ x: [x - 0.12, x + 0.12], y: [1.75, 2.6], z: [depth - 0.3, depth] }, '#c3c6c9', 0.01),
    s.polygon(
      [
        [x - 0.3, 1.62, z],
        [x + 0.3, 1.62, z],
        [x + 0.14, 1.85, z + 0.1],
        [x - 0.14, 1.85, z + 0.1],
      ],
      s.gradient('#d7dadd', '#a5a8ac'),
    ),
    s.box({ x: [x - 0.3, x + 0.3], y: [1.56, 1.62], z: [z, depth] }, '#b4b7bb', 0.005),
  ].join('');
}

/** Small tiles on the back wall. */
function splashback(s: Sketch, { x, y, z }: { x: Range; y: Range; z: number }): string {
  const drawn = [s.polygon(upright(x, y, z), '#cfcac0')];
  let odd = false;
  for (let low = y[0]; low < y[1]; low += 0.1) {
    odd = !odd;
    for (let left = x[0] - (odd ? 0.1 : 0); left < x[1]; left += 0.2) {
      const [from, to] = [Math.max(left, x[0]), Math.min(left + 0.19, x[1])];
      const top = Math.min(low + 0.092, y[1]);
      drawn.push(s.polygon(upright([from, to], [low, top], z), '#f3f1ec'));
    }
  }
  return drawn.join('');
}
