import type { Point3, Range } from './camera.ts';
import { n, type Sketch } from './sketch.ts';

/** A tap whose spout points towards the viewer. */
export function tap(s: Sketch, [x, y, z]: Point3): string {
  return (
    s.bar([x, y, z], [x, y + 0.26, z], { width: 0.025, colour: '#9ea2a6' }) +
    s.bar([x, y + 0.26, z], [x, y + 0.24, z - 0.16], { width: 0.022, colour: '#b6babd' })
  );
}

/** A plain pendant over where a table would stand. */
export function pendant(s: Sketch, z: number, ceiling: number): string {
  return [
    s.bar([0, ceiling, z], [0, 2.05, z], { width: 0.008, colour: '#3b3b3b' }),
    s.glow([0, 1.95, z], { radius: 0.7, colour: '#ffe9bd', strength: 0.5 }),
    s.drum({ x: 0, z, y: [1.82, 2.06], radius: [0.24, 0.07] }, '#d9d4ca'),
  ].join('');
}

/** A flat ceiling lamp. */
export function ceilingLamp(s: Sketch, z: number, ceiling: number): string {
  const [u, v] = s.camera.project([0, ceiling, z]);
  const radius = 0.2 * s.camera.scaleAt(z);
  return `${s.glow([0, ceiling, z], { radius: 0.8, colour: '#fff3d6', strength: 0.6 })}<ellipse cx="${n(u)}" cy="${n(v + 3)}" rx="${n(radius)}" ry="${n(radius * 0.3)}" fill="#fffdf6" stroke="#d6d1c6"/>`;
}

/** A radiator under a window of the back wall. */
export function radiator(s: Sketch, x: Range, depth: number): string {
  const fins = Math.round((x[1] - x[0]) / 0.07);
  const width = (x[1] - x[0]) / fins;
  return Array.from({ length: fins }, (_, index) => {
    const left = x[0] + index * width;
    return s.box(
      { x: [left, left + width - 0.012], y: [0.16, 0.68], z: [depth - 0.1, depth - 0.03] },
      '#f3f2ef',
      0.012,
    );
  }).join('');
}
