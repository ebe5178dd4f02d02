import { ellipse, path, rect, WIDTH } from '../../canvas.ts';
import { GROUND, type Scene } from './scene.ts';
import { conifer, tree } from './trees.ts';

export function sky({ canvas, evening, chance }: Scene): void {
  const fill = evening
    ? canvas.linear([
        [0, '#232f5c'],
        [0.4, '#59548a'],
        [0.68, '#b9788c'],
        [0.85, '#efb184'],
        [1, '#f9d9a4'],
      ])
    : canvas.linear([
        [0, '#86b8dd'],
        [0.55, '#c4dfee'],
        [1, '#f3f1e4'],
      ]);
  canvas.add(rect(0, 0, WIDTH, GROUND, { fill }));
  if (evening)
    for (let index = 0; index < 46; index += 1)
      canvas.add(
        ellipse(chance() * WIDTH, chance() * 330, 0.8 + chance(), 0.8 + chance(), {
          fill: '#fff6dd',
          opacity: 0.3 + chance() * 0.5,
        }),
      );
  for (let cloud = 0; cloud < 4; cloud += 1) {
    const [x, y, size] = [chance() * WIDTH, 70 + chance() * 230, 60 + chance() * 70];
    const color = evening ? '#d98f93' : '#ffffff';
    for (const [dx, dy, rx, ry] of [
      [0, 0, 1.6, 0.34],
      [-0.7, -0.16, 0.7, 0.34],
      [0.1, -0.32, 0.8, 0.42],
      [0.85, -0.12, 0.6, 0.3],
    ] as const)
      canvas.add(
        ellipse(x + dx * size, y + dy * size, rx * size, ry * size, {
          fill: color,
          opacity: evening ? 0.2 : 0.62,
        }),
      );
  }
}

/** Hills, and trees behind the home. */
export function backdrop(scene: Scene): void {
  const { canvas, chance, evening } = scene;
  const hill = (base: number, swing: number, fill: string) => {
    let d = `M0 ${GROUND}L0 ${base}`;
    for (let x = 0; x <= WIDTH; x += 128)
      d += `Q${x + 32} ${base - swing * chance()} ${x + 128} ${base - swing * 0.4 * chance()}`;
    canvas.add(path(`${d}L${WIDTH} ${GROUND}Z`, { fill }));
  };
  hill(610, 110, evening ? '#5b5580' : '#b4ccd3');
  hill(680, 70, evening ? '#454770' : '#9dbcae');
  for (let index = 0; index < 15; index += 1) {
    const x = (index + chance() * 0.8) * (WIDTH / 14.5) - 30;
    if (index % 3 === 0) conifer(scene, x, GROUND - 8, 250 + chance() * 150, 0.3);
    else tree(scene, x, GROUND - 8, 130 + chance() * 110, 0.3);
  }
}
