import { darker, ellipse, lighter, line, mix, type Point, polygon, rect } from '../../canvas.ts';
import type { Scene } from './scene.ts';

export type Texture = 'lap' | 'shingle' | 'brick' | 'stucco' | 'board' | 'stone';

export function wall(
  scene: Scene,
  x: number,
  y: number,
  width: number,
  height: number,
  texture: Texture,
  color = scene.wall,
): void {
  const { canvas, chance } = scene;
  canvas.add(
    rect(x, y, width, height, {
      fill: canvas.linear(
        [
          [0, darker(color, 0.06)],
          [0.25, lighter(color, 0.07)],
          [1, color],
        ],
        [0, 0, 1, 1],
      ),
    }),
  );
  const thin = { stroke: darker(color, 0.18), line: 1.3, opacity: 0.75 };
  if (texture === 'lap')
    for (let up = y + 13; up < y + height; up += 13) canvas.add(line([x, up], [x + width, up], thin));
  if (texture === 'board')
    for (let along = x + 18; along < x + width; along += 18)
      canvas.add(line([along, y], [along, y + height], thin));
  if (texture === 'shingle')
    for (let up = y, row = 0; up < y + height - 2; up += 15, row += 1)
      for (let along = x + (row % 2) * 9; along < x + width - 4; along += 18)
        canvas.add(
          rect(along, up, Math.min(18, x + width - along), Math.min(15, y + height - up), {
            fill: mix(color, chance() > 0.5 ? '#ffffff' : '#191410', chance() * 0.1),
            stroke: darker(color, 0.2),
            line: 0.7,
          }),
        );
  if (texture === 'brick' || texture === 'stone') {
    const [long, high] = texture === 'brick' ? [30, 11] : [44, 24];
    for (let up = y, row = 0; up < y + height - 2; up += high, row += 1)
      for (let along = x - (row % 2) * (long / 2); along < x + width; along += long) {
        const from = Math.max(x, along);
        const to = Math.min(x + width, along + long);
        if (to - from > 2)
          canvas.add(
            rect(from, up, to - from, Math.min(high, y + height - up), {
              fill: mix(color, chance() > 0.5 ? '#f4dcc4' : '#2a1a14', chance() * 0.16),
              stroke: lighter(color, 0.3),
              line: 0.8,
            }),
          );
      }
  }
  if (texture === 'stucco')
    for (let dot = 0; dot < (width * height) / 900; dot += 1)
      canvas.add(
        ellipse(x + chance() * width, y + chance() * height, 1.4, 1.4, {
          fill: darker(color, 0.14),
          opacity: 0.4,
        }),
      );
}

/** A gable with its wall, barge boards and a vent. */
export function gable(
  scene: Scene,
  x: number,
  base: number,
  width: number,
  height: number,
  texture: Texture,
  color = scene.wall,
): void {
  const { canvas, trim } = scene;
  const [left, right, top]: [Point, Point, Point] = [
    [x, base],
    [x + width, base],
    [x + width / 2, base - height],
  ];
  canvas.add(
    polygon([left, right, top], {
      fill: canvas.linear([
        [0, darker(color, 0.2)],
        [1, lighter(color, 0.03)],
      ]),
    }),
  );
  const step = texture === 'board' ? 18 : 13;
  if (texture === 'board')
    for (let along = x + step; along < x + width; along += step) {
      const share = 1 - Math.abs(along - x - width / 2) / (width / 2);
      canvas.add(
        line([along, base], [along, base - height * share], {
          stroke: darker(color, 0.18),
          line: 1.2,
          opacity: 0.7,
        }),
      );
    }
  else if (texture !== 'stucco')
    for (let up = step; up < height - 4; up += step) {
      const half = (width / 2) * (1 - up / height);
      canvas.add(
        line([x + width / 2 - half, base - up], [x + width / 2 + half, base - up], {
          stroke: darker(color, 0.2),
          line: 1.2,
          opacity: 0.7,
        }),
      );
    }
  const over = 30;
  const slope = height / (width / 2);
  for (const side of [-1, 1]) {
    const end: Point = [x + width / 2 + side * (width / 2 + over), base + over * slope];
    canvas.add(
      line(end, [x + width / 2, base - height - 10], { stroke: '#120e14', line: 26, opacity: 0.18 }),
      line(end, [x + width / 2, base - height - 14], { stroke: scene.roof, line: 20 }),
      line([end[0], end[1] + 9], [x + width / 2, base - height - 2], { stroke: trim, line: 9 }),
    );
  }
}

export function chimney(scene: Scene, x: number, top: number, bottom: number, width = 62): void {
  wall(scene, x, top, width, bottom - top, 'brick', mix(scene.stone, '#a4573f', 0.55));
  scene.canvas.add(rect(x - 8, top - 12, width + 16, 14, { fill: darker(scene.stone, 0.2) }));
}
