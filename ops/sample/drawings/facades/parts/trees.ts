import { ellipse, mix, polygon, rect } from '../../canvas.ts';
import { dimmed, type Scene } from './scene.ts';

/** @param far 0 near, 1 lost in the air */
export function tree(scene: Scene, x: number, y: number, size: number, far = 0): void {
  const { canvas, chance } = scene;
  const tone = (color: string) => distant(scene, color, '#232c52', far);
  canvas.add(
    polygon(
      [
        [x - size * 0.05, y],
        [x + size * 0.05, y],
        [x + size * 0.025, y - size * 0.6],
        [x - size * 0.025, y - size * 0.6],
      ],
      { fill: tone('#6b5442') },
    ),
  );
  const greens = ['#5d7f52', '#6c9060', '#83a56f', '#9aba80'];
  for (let ring = 0; ring < 4; ring += 1)
    for (let leaf = 0; leaf < 7; leaf += 1) {
      const angle = chance() * Math.PI * 2;
      const reach = size * (0.38 - ring * 0.07) * Math.sqrt(chance());
      canvas.add(
        ellipse(
          x + Math.cos(angle) * reach - ring * size * 0.02,
          y - size * 0.82 + Math.sin(angle) * reach * 0.85 - ring * size * 0.05,
          size * (0.2 - ring * 0.03),
          size * (0.17 - ring * 0.025),
          { fill: tone(greens[ring] ?? '#6c9060') },
        ),
      );
    }
}

export function conifer(scene: Scene, x: number, y: number, size: number, far = 0): void {
  const { canvas } = scene;
  const tone = (color: string) => distant(scene, color, '#1f2950', far);
  canvas.add(rect(x - size * 0.02, y - size * 0.14, size * 0.04, size * 0.14, { fill: tone('#5b4637') }));
  for (let layer = 0; layer < 6; layer += 1) {
    const top = y - size + layer * size * 0.145;
    const half = size * (0.06 + layer * 0.034);
    canvas.add(
      polygon(
        [
          [x, top],
          [x + half, top + size * 0.24],
          [x - half, top + size * 0.24],
        ],
        { fill: tone('#3f6650') },
      ),
      polygon(
        [
          [x, top],
          [x - half * 0.1, top + size * 0.22],
          [x - half, top + size * 0.24],
        ],
        { fill: tone('#55806a') },
      ),
    );
  }
}

export function bush(scene: Scene, x: number, y: number, size: number, flowers: string | null = null): void {
  const { canvas, chance } = scene;
  const tone = (color: string) => dimmed(scene, color, '#202a4f', 0.5);
  for (const [dx, dy, r, color] of [
    [0, 0, 0.6, '#4f7350'],
    [-0.55, 0.1, 0.45, '#5a8159'],
    [0.5, 0.1, 0.46, '#5a8159'],
    [-0.1, -0.22, 0.42, '#74986a'],
    [0.3, -0.14, 0.3, '#8aac78'],
  ] as const)
    canvas.add(
      ellipse(x + dx * size, y - size * 0.4 + dy * size, r * size, r * size * 0.86, { fill: tone(color) }),
    );
  if (flowers === null) return;
  for (let index = 0; index < 12; index += 1)
    canvas.add(
      ellipse(x + (chance() - 0.5) * size * 1.5, y - size * (0.2 + chance() * 0.6), 4, 4, {
        fill: tone(flowers),
      }),
    );
}

/** A color that the air between is mixed into. */
const distant = (scene: Scene, color: string, night: string, far: number): string =>
  mix(dimmed(scene, color, night, 0.55), scene.evening ? '#5d5a86' : '#c9dbdd', far);
