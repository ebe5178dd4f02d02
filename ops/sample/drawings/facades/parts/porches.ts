import { darker, lighter, polygon, rect } from '../../canvas.ts';
import { GROUND, type Scene } from './scene.ts';
import { wall } from './walls.ts';

export function column(
  scene: Scene,
  x: number,
  top: number,
  { stoneBase = true, width = 26 }: { stoneBase?: boolean; width?: number } = {},
): void {
  const { canvas, trim, stone } = scene;
  const base = stoneBase ? GROUND - 82 : GROUND - 4;
  canvas.add(
    polygon(
      [
        [x - width * 0.36, top],
        [x + width * 0.36, top],
        [x + width / 2, base],
        [x - width / 2, base],
      ],
      {
        fill: canvas.linear(
          [
            [0, darker(trim, 0.12)],
            [0.4, lighter(trim, 0.2)],
            [1, darker(trim, 0.16)],
          ],
          [0, 0, 1, 0],
        ),
      },
    ),
  );
  canvas.add(rect(x - width * 0.6, top - 2, width * 1.2, 9, { fill: trim }));
  if (!stoneBase) return;
  wall(scene, x - width * 0.95, base, width * 1.9, GROUND - base, 'stone', stone);
  canvas.add(rect(x - width * 1.1, base - 7, width * 2.2, 9, { fill: lighter(stone, 0.3) }));
}

export function railing({ canvas, trim }: Scene, from: number, to: number, top = GROUND - 66): void {
  for (let x = from + 6; x < to; x += 13)
    canvas.add(rect(x, top, 5, GROUND - 12 - top, { fill: darker(trim, 0.06) }));
  canvas.add(
    rect(from, top - 5, to - from, 8, { fill: trim }),
    rect(from, GROUND - 20, to - from, 7, { fill: trim }),
  );
}

interface Bars {
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly y: number;
  readonly height: number;
  readonly color: string;
}

/** Of a balcony's railing, without its rails. */
export function bars({ canvas }: Scene, { from, to, step, y, height, color }: Bars): void {
  for (let x = from; x < to; x += step) canvas.add(rect(x, y, 3, height, { fill: color }));
}

/** The dark room below a porch's roof. */
export const recess = ({ canvas }: Scene, x: number, y: number, width: number, height: number): void =>
  canvas.add(
    rect(x, y, width, height, {
      fill: canvas.linear([
        [0, '#0d0a10', 0.5],
        [0.5, '#0d0a10', 0.16],
        [1, '#0d0a10', 0.08],
      ]),
    }),
  );

/** The shadow below what juts out. */
export const fade = (
  { canvas }: Scene,
  [x, y, width, height]: readonly [number, number, number, number],
  opacity: number,
): string =>
  rect(x, y, width, height, {
    fill: canvas.linear([
      [0, '#0d0a10', opacity],
      [1, '#0d0a10', 0],
    ]),
  });
