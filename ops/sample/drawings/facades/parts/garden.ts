import { darker, ellipse, HEIGHT, line, polygon, rect, WIDTH } from '../../canvas.ts';
import { dimmed, GROUND, type Scene } from './scene.ts';

/** The grass, the sidewalk and the street. */
export function garden(scene: Scene): void {
  const { canvas, chance } = scene;
  const tone = (color: string) => dimmed(scene, color, '#232c52', 0.5);
  canvas.add(
    rect(0, GROUND - 10, WIDTH, HEIGHT - GROUND + 10, {
      fill: canvas.linear([
        [0, tone('#8fae6c')],
        [1, tone('#5f8450')],
      ]),
    }),
  );
  for (let stripe = 0; stripe < 7; stripe += 1) {
    const x = stripe * 260 - 140;
    canvas.add(
      polygon(
        [
          [x, GROUND - 8],
          [x + 100, GROUND - 8],
          [x + 60, 930],
          [x - 90, 930],
        ],
        { fill: '#ffffff', opacity: 0.05 },
      ),
    );
  }
  for (let blade = 0; blade < 240; blade += 1) {
    const [x, y] = [chance() * WIDTH, GROUND + chance() * 120];
    canvas.add(
      line([x, y], [x + (chance() - 0.5) * 6, y - 5 - chance() * 6], {
        stroke: tone(chance() > 0.5 ? '#a3c07d' : '#557a49'),
        line: 1.4,
        opacity: 0.7,
      }),
    );
  }
  // The sidewalk and the street.
  canvas.add(
    rect(0, 926, WIDTH, 40, {
      fill: canvas.linear([
        [0, tone('#d5cfc2')],
        [1, tone('#bbb4a6')],
      ]),
    }),
    rect(0, 962, WIDTH, 10, { fill: tone('#9a948a') }),
    rect(0, 972, WIDTH, 52, {
      fill: canvas.linear([
        [0, tone('#6c6d72')],
        [1, tone('#55565b')],
      ]),
    }),
  );
  for (let x = 40; x < WIDTH; x += 150)
    canvas.add(line([x, 926], [x - 14, 966], { stroke: tone('#a7a093'), line: 1.6 }));
}

/** From the street to a door. */
export function walk(scene: Scene, x: number, width: number, color = '#cfc7b8'): void {
  const { canvas } = scene;
  const tone = dimmed(scene, color, '#232c52', 0.5);
  canvas.add(
    polygon(
      [
        [x - width / 2, GROUND],
        [x + width / 2, GROUND],
        [x + width * 0.86, 928],
        [x - width * 0.86, 928],
      ],
      {
        fill: canvas.linear([
          [0, darker(tone, 0.1)],
          [1, tone],
        ]),
      },
    ),
  );
  for (let y = GROUND + 26; y < 926; y += 34)
    canvas.add(
      line(
        [x - width * (0.5 + ((y - GROUND) / 128) * 0.36), y],
        [x + width * (0.5 + ((y - GROUND) / 128) * 0.36), y],
        { stroke: darker(tone, 0.2), line: 1.4 },
      ),
    );
}

/** Of the home, on the grass. */
export function homeShadow({ canvas }: Scene): void {
  const fill = canvas.radial([
    [0, '#141a12', 0.5],
    [0.75, '#141a12', 0.3],
    [1, '#141a12', 0],
  ]);
  canvas.add(ellipse(WIDTH / 2, GROUND + 8, 560, 34, { fill }));
}
