import { darker, ellipse, lighter, mix, path, polygon } from '../canvas.ts';
import { shadow } from '../space/light.ts';
import { type Place, type Space, scaleAt, seen } from '../space/projection.ts';
import type { Palette } from './palettes.ts';

/** A vase with a few stems. */
export function vase(space: Space, at: Place, palette: Palette, size = 1): void {
  const [x, y] = seen(space, at);
  const s = scaleAt(at[2]) * size;
  const stems = [-0.2, -0.1, 0.02, 0.12, 0.22].map((lean, index) => {
    const top = [x + lean * s * 0.9, y - s * (0.52 + (index % 3) * 0.09)] as const;
    return (
      path(`M${x} ${y - s * 0.2}Q${x + lean * s * 0.2} ${y - s * 0.4} ${top[0]} ${top[1]}`, {
        stroke: '#5b7350',
        line: s * 0.012,
      }) +
      [0, 1, 2]
        .map((leaf) =>
          ellipse(top[0] + (leaf - 1) * s * 0.035, top[1] + leaf * s * 0.045, s * 0.03, s * 0.05, {
            fill: leaf === 1 ? '#7d9a6b' : '#5f7f55',
          }),
        )
        .join('')
    );
  });
  const body = lighter(palette.accent, 0.35);
  space.canvas.add(
    ...stems,
    path(
      `M${x - s * 0.04} ${y - s * 0.24}C${x - s * 0.13} ${y - s * 0.16} ${x - s * 0.12} ${y} ${x - s * 0.05} ${y}L${x + s * 0.05} ${y}C${x + s * 0.12} ${y} ${x + s * 0.13} ${y - s * 0.16} ${x + s * 0.04} ${y - s * 0.24}Z`,
      { fill: body },
    ),
    path(
      `M${x - s * 0.07} ${y - s * 0.14}Q${x - s * 0.085} ${y - s * 0.06} ${x - s * 0.04} ${y - s * 0.02}`,
      { stroke: '#ffffff', line: s * 0.018, opacity: 0.5 },
    ),
  );
}

export function plant(space: Space, x: number, z: number, palette: Palette, tall = 1.5): void {
  shadow(space, [x - 0.22, z - 0.2, 0.44, 0.4], 0.4);
  const [cx, cy] = seen(space, [x, 0, z]);
  const s = scaleAt(z);
  const pot = mix(palette.accent, '#b9aa97', 0.55);
  const leaf = (angle: number, length: number, color: string) => {
    const tip = [cx + Math.sin(angle) * length * s, cy - s * 0.36 - Math.cos(angle) * length * s] as const;
    const bend = [
      cx + Math.sin(angle * 0.4) * length * s * 0.5,
      cy - s * 0.36 - Math.cos(angle * 0.4) * length * s * 0.62,
    ] as const;
    const wide = s * 0.075;
    return path(
      `M${cx} ${cy - s * 0.3}Q${bend[0] - wide} ${bend[1]} ${tip[0]} ${tip[1]}Q${bend[0] + wide} ${bend[1] + wide * 0.4} ${cx} ${cy - s * 0.3}Z`,
      { fill: color },
    );
  };
  const colors = ['#3f6047', '#4f7655', '#638a60', '#7ba173'];
  const leaves = Array.from({ length: 15 }, (_, index) =>
    leaf(
      (((index * 7) % 15) / 14 - 0.5) * 2.5,
      (tall - 0.36) * (0.62 + ((index * 5) % 7) / 16),
      colors[index % 4] ?? '#4f7655',
    ),
  );
  space.canvas.add(
    ...leaves,
    polygon(
      [
        [cx - s * 0.2, cy - s * 0.36],
        [cx + s * 0.2, cy - s * 0.36],
        [cx + s * 0.15, cy],
        [cx - s * 0.15, cy],
      ],
      {
        fill: space.canvas.linear(
          [
            [0, lighter(pot, 0.2)],
            [1, darker(pot, 0.22)],
          ],
          [0, 0, 1, 0],
        ),
      },
    ),
    ellipse(cx, cy - s * 0.36, s * 0.2, s * 0.05, { fill: darker(pot, 0.4) }),
  );
}

export function fruit(space: Space, x: number, z: number, palette: Palette): void {
  const [cx, cy] = seen(space, [x, 0.95, z]);
  const s = scaleAt(z);
  for (const [dx, color] of [
    [-0.07, '#d88a3c'],
    [0, '#b9473a'],
    [0.07, '#8fa64a'],
  ] as const)
    space.canvas.add(ellipse(cx + dx * s, cy - s * 0.1, s * 0.05, s * 0.05, { fill: color }));
  space.canvas.add(
    `<path d="M${cx - s * 0.16} ${cy - s * 0.09}Q${cx} ${cy + s * 0.06} ${cx + s * 0.16} ${cy - s * 0.09}Z" fill="${lighter(palette.second, 0.3)}"/>`,
  );
}
