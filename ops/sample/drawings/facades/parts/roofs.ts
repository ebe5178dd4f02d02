import { darker, lighter, line, type Point, polygon, rect } from '../../canvas.ts';
import type { Scene } from './scene.ts';

/** Its own texture, and the shadow of the eave below. */
export function roof(
  scene: Scene,
  points: readonly Point[],
  { color = scene.roof, eave = 0 }: { color?: string; eave?: number } = {},
): void {
  const { canvas } = scene;
  const ys = points.map(([, y]) => y);
  const xs = points.map(([x]) => x);
  const [top, bottom, left, right] = [Math.min(...ys), Math.max(...ys), Math.min(...xs), Math.max(...xs)];
  if (eave > 0)
    canvas.add(
      rect(left + 24, bottom, right - left - 48, eave, {
        fill: canvas.linear([
          [0, '#0e0b12', 0.46],
          [1, '#0e0b12', 0],
        ]),
      }),
    );
  canvas.add(
    polygon(points, {
      fill: canvas.linear([
        [0, lighter(color, 0.14)],
        [1, darker(color, 0.12)],
      ]),
    }),
  );
  for (let y = top + 15; y < bottom - 4; y += 15) {
    const cuts = crossings(points, y);
    for (let pair = 0; pair + 1 < cuts.length; pair += 2) {
      const [from = 0, to = 0] = [cuts[pair], cuts[pair + 1]];
      canvas.add(line([from + 2, y], [to - 2, y], { stroke: darker(color, 0.3), line: 1.2, opacity: 0.7 }));
      for (let x = from + ((y * 7) % 23); x < to - 8; x += 23)
        canvas.add(
          line([x, y], [x, Math.min(y + 9, bottom)], { stroke: darker(color, 0.26), line: 1, opacity: 0.5 }),
        );
    }
  }
  canvas.add(
    rect(left, bottom - 3, right - left, 11, { fill: scene.trim }),
    rect(left, bottom + 6, right - left, 3, { fill: darker(scene.trim, 0.3) }),
  );
}

function crossings(points: readonly Point[], y: number): number[] {
  return points
    .flatMap(([x1, y1], index) => {
      const [x2, y2] = points[(index + 1) % points.length] ?? [0, 0];
      return y1 > y !== y2 > y ? [x1 + ((y - y1) / (y2 - y1)) * (x2 - x1)] : [];
    })
    .sort((a, b) => a - b);
}

/** The outline of a roof whose four corners, from left to right, lie at these x. */
export const hip = (
  eaves: number,
  ridge: number,
  [left, ridgeLeft, ridgeRight, right]: readonly [number, number, number, number],
): Point[] => [
  [left, eaves],
  [ridgeLeft, ridge],
  [ridgeRight, ridge],
  [right, eaves],
];
