import {
  type Canvas,
  chanceOf,
  createCanvas,
  darker,
  ellipse,
  HEIGHT,
  lighter,
  line,
  mix,
  type Point,
  path,
  polygon,
  rect,
  WIDTH,
} from './canvas.ts';

export const FACADES = [
  'CRAFTSMAN',
  'BUNGALOW',
  'MIDCENTURY',
  'MODERN',
  'TUDOR',
  'COLONIAL',
  'TOWNHOUSE',
  'CONDO',
  'VICTORIAN',
  'RANCH',
  'FARMHOUSE',
  'SPANISH',
] as const;
export type FacadeStyle = (typeof FACADES)[number];

interface Colors {
  readonly wall: string;
  readonly trim: string;
  readonly roof: string;
  readonly door: string;
  readonly stone: string;
}

const COLORS: readonly Colors[] = [
  { wall: '#5f7a6d', trim: '#f3eee0', roof: '#4a4540', door: '#b5532f', stone: '#9a8c7c' },
  { wall: '#c7b58f', trim: '#faf6ec', roof: '#5c4a3f', door: '#2d5a5c', stone: '#a08f83' },
  { wall: '#6b859b', trim: '#f6f4ee', roof: '#43474d', door: '#d9a441', stone: '#8f8c88' },
  { wall: '#e8e1d3', trim: '#ffffff', roof: '#6d5548', door: '#7a2f2b', stone: '#b09c86' },
  { wall: '#9c5f4b', trim: '#f2e7d5', roof: '#3f3a38', door: '#2c3f35', stone: '#7f6f64' },
];
export const COLOR_COUNT = COLORS.length;

interface FacadeDrawing {
  readonly style: FacadeStyle;
  /** Of `COLOR_COUNT`. */
  readonly colors: number;
  readonly evening: boolean;
}

interface Scene extends Colors {
  readonly canvas: Canvas;
  readonly chance: () => number;
  readonly evening: boolean;
}

const GROUND = 800;

/** The front of a home, its garden and the sky as SVG. */
export function drawFacade({ style, colors: index, evening }: FacadeDrawing): string {
  const canvas = createCanvas();
  const colors = COLORS[index % COLORS.length] ?? COLORS[0];
  if (colors === undefined) throw new Error('no colors');
  const dusk = (color: string) => (evening ? mix(color, '#2a3157', 0.42) : color);
  const scene: Scene = {
    canvas,
    chance: chanceOf(FACADES.indexOf(style) * 31 + index),
    evening,
    wall: dusk(colors.wall),
    trim: dusk(colors.trim),
    roof: dusk(colors.roof),
    door: dusk(colors.door),
    stone: dusk(colors.stone),
  };
  sky(scene);
  backdrop(scene);
  garden(scene);
  ellipseShadow(scene, 768, GROUND + 8, 560, 34);
  HOMES[style](scene);
  foreground(scene, style);
  // Nearer than it was drawn, so that the home is what one sees.
  return canvas.svg([96, 50, 1344, 896]);
}

function sky({ canvas, evening, chance }: Scene): void {
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
function backdrop(scene: Scene): void {
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

/** @param far 0 near, 1 lost in the air */
function tree({ canvas, chance, evening }: Scene, x: number, y: number, size: number, far = 0): void {
  const air = evening ? '#5d5a86' : '#c9dbdd';
  const tone = (color: string) => mix(evening ? mix(color, '#232c52', 0.55) : color, air, far);
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

function conifer({ canvas, evening }: Scene, x: number, y: number, size: number, far = 0): void {
  const air = evening ? '#5d5a86' : '#c9dbdd';
  const tone = (color: string) => mix(evening ? mix(color, '#1f2950', 0.55) : color, air, far);
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

function bush(
  { canvas, chance, evening }: Scene,
  x: number,
  y: number,
  size: number,
  flowers: string | null = null,
): void {
  const tone = (color: string) => (evening ? mix(color, '#202a4f', 0.5) : color);
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

function garden({ canvas, chance, evening }: Scene): void {
  const tone = (color: string) => (evening ? mix(color, '#232c52', 0.5) : color);
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

function walk({ canvas, evening }: Scene, x: number, width: number, color = '#cfc7b8'): void {
  const tone = evening ? mix(color, '#232c52', 0.5) : color;
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

function ellipseShadow({ canvas }: Scene, x: number, y: number, rx: number, ry: number): void {
  canvas.add(
    ellipse(x, y, rx, ry, {
      fill: canvas.radial([
        [0, '#141a12', 0.5],
        [0.75, '#141a12', 0.3],
        [1, '#141a12', 0],
      ]),
    }),
  );
}

type Texture = 'lap' | 'shingle' | 'brick' | 'stucco' | 'board' | 'stone';

function wall(
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

/** Its own texture, and the shadow of the eave below. */
function roof(
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

/** A gable with its wall, barge boards and a vent. */
function gable(
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

interface Pane {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly panes?: readonly [number, number];
  readonly shutters?: string;
  readonly arch?: boolean;
  readonly dark?: boolean;
}

function pane(
  scene: Scene,
  { x, y, width, height, panes = [2, 2], shutters, arch = false, dark = false }: Pane,
): void {
  const { canvas, evening, chance, trim } = scene;
  const lit = evening && chance() > 0.24;
  const frame = dark ? '#33363b' : trim;
  const glass = lit
    ? canvas.linear([
        [0, '#ffd98a'],
        [0.6, '#ffc46b'],
        [1, '#e89a4c'],
      ])
    : evening
      ? canvas.linear([
          [0, '#39466f'],
          [1, '#8a6f88'],
        ])
      : canvas.linear(
          [
            [0, '#7f9db4'],
            [0.5, '#b7cfdb'],
            [1, '#54708a'],
          ],
          [0, 0, 1, 1],
        );
  if (lit)
    canvas.add(
      ellipse(x + width / 2, y + height / 2, width * 1.3, height * 1.1, {
        fill: canvas.radial([
          [0, '#ffc873', 0.42],
          [1, '#ffc873', 0],
        ]),
      }),
    );
  if (shutters !== undefined)
    for (const sx of [x - width * 0.42 - 6, x + width + 6]) {
      canvas.add(
        rect(sx, y - 2, width * 0.42, height + 4, {
          fill: shutters,
          stroke: darker(shutters, 0.3),
          line: 1.5,
        }),
      );
      for (let up = y + 8; up < y + height; up += 9)
        canvas.add(
          line([sx + 5, up], [sx + width * 0.42 - 5, up], { stroke: darker(shutters, 0.26), line: 1.6 }),
        );
    }
  const rise = arch ? width / 2 : 0;
  const shape = (grow: number) =>
    arch
      ? `M${x - grow} ${y + height + grow}L${x - grow} ${y + rise}A${width / 2 + grow} ${width / 2 + grow} 0 0 1 ${x + width + grow} ${y + rise}L${x + width + grow} ${y + height + grow}Z`
      : `M${x - grow} ${y - grow}H${x + width + grow}V${y + height + grow}H${x - grow}Z`;
  canvas.add(
    path(shape(dark ? 5 : 9), { fill: frame, stroke: darker(frame, 0.26), line: 1.2 }),
    path(shape(0), { fill: glass }),
  );
  // Curtains, seen through the glass, and what the sky throws back.
  if (!dark)
    for (const [from, to] of [
      [x, x + width * 0.2],
      [x + width * 0.8, x + width],
    ] as const)
      canvas.add(
        rect(from, y + rise, to - from, height - rise, {
          fill: lit ? '#fff0cf' : '#f1ede4',
          opacity: lit ? 0.6 : 0.4,
        }),
      );
  if (!lit)
    canvas.add(
      polygon(
        [
          [x + width * 0.1, y + height],
          [x + width * 0.4, y + height],
          [x + width * 0.9, y + rise],
          [x + width * 0.6, y + rise],
        ],
        { fill: '#ffffff', opacity: evening ? 0.08 : 0.22 },
      ),
    );
  canvas.add(rect(x, y + rise * 0.3, width, 7, { fill: '#0e0b12', opacity: 0.25 }));
  for (let part = 1; part < panes[0]; part += 1)
    canvas.add(
      line([x + (width * part) / panes[0], y + (arch ? 4 : 0)], [x + (width * part) / panes[0], y + height], {
        stroke: frame,
        line: 4,
      }),
    );
  for (let part = 1; part < panes[1]; part += 1)
    canvas.add(
      line([x, y + (height * part) / panes[1]], [x + width, y + (height * part) / panes[1]], {
        stroke: frame,
        line: 4,
      }),
    );
  if (!dark)
    canvas.add(
      rect(x - 14, y + height + 8, width + 28, 9, {
        fill: lighter(frame, 0.2),
        stroke: darker(frame, 0.26),
        line: 1,
      }),
    );
}

function row(scene: Scene, xs: readonly number[], given: Omit<Pane, 'x'>): void {
  for (const x of xs) pane(scene, { ...given, x });
}

function door(
  scene: Scene,
  x: number,
  {
    top = GROUND - 172,
    width = 84,
    glass = false,
    arch = false,
  }: { top?: number; width?: number; glass?: boolean; arch?: boolean } = {},
): void {
  const { canvas, door: color, trim, evening } = scene;
  const height = GROUND - 10 - top;
  const r = width / 2;
  const shape = (grow: number) =>
    arch
      ? `M${x - grow} ${GROUND - 10}V${top + r}A${r + grow} ${r + grow} 0 0 1 ${x + width + grow} ${top + r}V${GROUND - 10}Z`
      : `M${x - grow} ${GROUND - 10}V${top - grow}H${x + width + grow}V${GROUND - 10}Z`;
  canvas.add(
    path(shape(11), { fill: trim, stroke: darker(trim, 0.25), line: 1.2 }),
    path(shape(0), {
      fill: canvas.linear([
        [0, lighter(color, 0.1)],
        [1, darker(color, 0.14)],
      ]),
    }),
  );
  const light = evening ? '#ffd58a' : '#a9c3d1';
  if (glass)
    for (let part = 0; part < 4; part += 1)
      canvas.add(
        rect(x + 14, top + 16 + part * ((height - 30) / 4), width - 28, (height - 30) / 4 - 10, {
          fill: light,
        }),
      );
  else {
    canvas.add(rect(x + 16, top + (arch ? 40 : 16), width - 32, 36, { fill: light, corner: 3 }));
    for (const dx of [12, width / 2 + 5])
      for (const dy of [66, 112])
        if (top + dy + 34 < GROUND - 10)
          canvas.add(
            rect(x + dx, top + dy, width / 2 - 17, 36, {
              stroke: darker(color, 0.34),
              line: 2,
              fill: darker(color, 0.05),
            }),
          );
  }
  canvas.add(ellipse(x + width - 12, top + height * 0.56, 4.4, 4.4, { fill: '#d8b45e' }));
  const [lx, ly] = [x - 32, top + 26];
  if (evening)
    canvas.add(
      ellipse(lx, ly + 12, 120, 120, {
        fill: canvas.radial([
          [0, '#ffd58a', 0.55],
          [1, '#ffd58a', 0],
        ]),
      }),
    );
  canvas.add(
    rect(lx - 7, ly, 14, 24, {
      fill: evening ? '#ffe7ae' : '#e8dfc8',
      stroke: '#2f2c2a',
      line: 3,
      corner: 2,
    }),
  );
  canvas.add(
    rect(x - 40, GROUND - 10, width + 80, 12, { fill: scene.stone }),
    rect(x - 54, GROUND, width + 108, 12, { fill: darker(scene.stone, 0.14) }),
  );
}

function garage(scene: Scene, x: number, width: number, { modern = false }: { modern?: boolean } = {}): void {
  const { canvas, trim, evening } = scene;
  const [top, height] = [GROUND - 158, 156];
  const color = modern ? '#5b5149' : lighter(trim, 0.1);
  canvas.add(
    rect(x - 10, top - 10, width + 20, height + 10, { fill: trim, stroke: darker(trim, 0.25), line: 1.2 }),
    rect(x, top, width, height, {
      fill: canvas.linear([
        [0, darker(color, 0.14)],
        [1, color],
      ]),
    }),
  );
  for (let up = 1; up < 4; up += 1)
    canvas.add(
      line([x, top + (height * up) / 4], [x + width, top + (height * up) / 4], {
        stroke: darker(color, 0.26),
        line: 2.4,
      }),
    );
  for (let part = 0; part < 4; part += 1) {
    const px = x + 10 + (part * (width - 20)) / 4;
    canvas.add(
      rect(px + 5, top + 8, (width - 20) / 4 - 10, 24, {
        fill: evening ? '#f6c06c' : '#8ba6b8',
        stroke: darker(color, 0.3),
        line: 1.5,
      }),
    );
  }
  walk(scene, x + width / 2, width * 1.02, '#c2bcb1');
}

function chimney(scene: Scene, x: number, top: number, bottom: number, width = 62): void {
  wall(scene, x, top, width, bottom - top, 'brick', mix(scene.stone, '#a4573f', 0.55));
  scene.canvas.add(rect(x - 8, top - 12, width + 16, 14, { fill: darker(scene.stone, 0.2) }));
}

function column(
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

function railing({ canvas, trim }: Scene, from: number, to: number, top = GROUND - 66): void {
  for (let x = from + 6; x < to; x += 13)
    canvas.add(rect(x, top, 5, GROUND - 12 - top, { fill: darker(trim, 0.06) }));
  canvas.add(
    rect(from, top - 5, to - from, 8, { fill: trim }),
    rect(from, GROUND - 20, to - from, 7, { fill: trim }),
  );
}

/** The dark room below a porch's roof. */
const recess = ({ canvas }: Scene, x: number, y: number, width: number, height: number): void =>
  canvas.add(
    rect(x, y, width, height, {
      fill: canvas.linear([
        [0, '#0d0a10', 0.5],
        [0.5, '#0d0a10', 0.16],
        [1, '#0d0a10', 0.08],
      ]),
    }),
  );

const HOMES: Readonly<Record<FacadeStyle, (scene: Scene) => void>> = {
  CRAFTSMAN(scene) {
    chimney(scene, 1010, 250, 470);
    roof(scene, [
      [250, 505],
      [380, 330],
      [1156, 330],
      [1286, 505],
    ]);
    wall(scene, 310, 510, 916, GROUND - 510, 'lap');
    wall(scene, 310, GROUND - 60, 916, 60, 'stone', scene.stone);
    gable(scene, 560, 420, 416, 150, 'shingle', darker(scene.wall, 0.12));
    row(scene, [640, 722, 804], { y: 332, width: 64, height: 74, panes: [2, 2] });
    recess(scene, 310, 510, 916, 150);
    pane(scene, { x: 392, y: 590, width: 150, height: 128, panes: [3, 2] });
    door(scene, 724, {});
    pane(scene, { x: 980, y: 590, width: 150, height: 128, panes: [3, 2] });
    gable(scene, 350, 520, 836, 128, 'shingle', lighter(scene.wall, 0.1));
    scene.canvas.add(
      rect(330, 512, 876, 24, { fill: scene.trim, stroke: darker(scene.trim, 0.25), line: 1 }),
    );
    for (const x of [366, 640, 892, 1170]) column(scene, x, 536);
    railing(scene, 394, 610);
    railing(scene, 922, 1140);
    walk(scene, 766, 130);
  },
  BUNGALOW(scene) {
    chimney(scene, 380, 300, 470);
    roof(
      scene,
      [
        [220, 560],
        [420, 370],
        [1116, 370],
        [1316, 560],
      ],
      { eave: 60 },
    );
    wall(scene, 280, 566, 976, GROUND - 566, 'shingle');
    roof(scene, [
      [640, 440],
      [690, 388],
      [850, 388],
      [900, 440],
    ]);
    wall(scene, 666, 448, 208, 74, 'lap', lighter(scene.wall, 0.2));
    row(scene, [690, 744, 798], { y: 462, width: 46, height: 44, panes: [1, 2] });
    pane(scene, { x: 340, y: 610, width: 190, height: 116, panes: [4, 2] });
    pane(scene, { x: 1004, y: 610, width: 190, height: 116, panes: [4, 2] });
    recess(scene, 610, 566, 320, 234);
    door(scene, 728);
    gable(scene, 590, 570, 360, 106, 'board', lighter(scene.wall, 0.22));
    for (const x of [622, 918]) column(scene, x, 580);
    walk(scene, 770, 128);
  },
  MIDCENTURY(scene) {
    const wood = scene.evening ? '#6b4a44' : '#a9713f';
    wall(scene, 230, 560, 460, GROUND - 560, 'board', wood);
    wall(scene, 690, 560, 300, GROUND - 560, 'stucco');
    wall(scene, 990, 520, 190, GROUND - 520, 'stone', scene.stone);
    wall(scene, 1180, 580, 190, GROUND - 580, 'stucco', lighter(scene.wall, 0.2));
    for (const x of [718, 812, 906])
      pane(scene, { x, y: 600, width: 74, height: 176, panes: [1, 1], dark: true });
    pane(scene, { x: 470, y: 600, width: 190, height: 70, panes: [3, 1], dark: true });
    door(scene, 590, { glass: true, top: GROUND - 170, width: 78 });
    garage(scene, 262, 250, { modern: true });
    pane(scene, { x: 1210, y: 620, width: 130, height: 110, panes: [2, 1], dark: true });
    const { canvas, roof: color, trim } = scene;
    canvas.add(
      rect(200, 562, 820, 58, {
        fill: canvas.linear([
          [0, '#0d0a10', 0.5],
          [1, '#0d0a10', 0],
        ]),
      }),
      polygon(
        [
          [170, 520],
          [1010, 556],
          [1010, 578],
          [170, 548],
        ],
        { fill: color },
      ),
      polygon(
        [
          [960, 552],
          [1440, 490],
          [1440, 520],
          [960, 580],
        ],
        { fill: darker(color, 0.12) },
      ),
      polygon(
        [
          [170, 548],
          [1010, 578],
          [1010, 586],
          [170, 558],
        ],
        { fill: trim },
      ),
      polygon(
        [
          [960, 580],
          [1440, 520],
          [1440, 529],
          [960, 588],
        ],
        { fill: trim },
      ),
    );
    chimney(scene, 1046, 440, 545, 84);
    for (const x of [560, 700]) canvas.add(rect(x, 574, 12, GROUND - 574, { fill: darker(trim, 0.1) }));
    walk(scene, 629, 96);
  },
  MODERN(scene) {
    const { canvas } = scene;
    const wood = scene.evening ? '#77504a' : '#b27d4f';
    wall(scene, 300, 420, 560, GROUND - 420, 'stucco', lighter(scene.trim, 0.05));
    wall(scene, 760, 300, 460, 270, 'board', wood);
    wall(scene, 860, 570, 360, GROUND - 570, 'stucco', darker(scene.wall, 0.34));
    canvas.add(
      rect(740, 282, 500, 20, { fill: '#2e3136' }),
      rect(280, 402, 480, 20, { fill: '#2e3136' }),
      rect(860, 570, 380, 46, {
        fill: canvas.linear([
          [0, '#0d0a10', 0.6],
          [1, '#0d0a10', 0],
        ]),
      }),
      rect(300, 422, 460, 34, {
        fill: canvas.linear([
          [0, '#0d0a10', 0.4],
          [1, '#0d0a10', 0],
        ]),
      }),
    );
    row(scene, [820, 950, 1080], { y: 350, width: 104, height: 176, panes: [1, 2], dark: true });
    pane(scene, { x: 340, y: 480, width: 330, height: 110, panes: [4, 1], dark: true });
    pane(scene, { x: 340, y: 628, width: 220, height: 150, panes: [3, 1], dark: true });
    door(scene, 652, { glass: true, top: GROUND - 176, width: 88 });
    canvas.add(rect(600, 606, 210, 12, { fill: '#2e3136' }));
    garage(scene, 916, 260, { modern: true });
    for (let x = 770; x < 1210; x += 16) canvas.add(rect(x, 532, 3, 38, { fill: '#33363b' }));
    canvas.add(rect(756, 528, 468, 7, { fill: '#33363b' }));
    walk(scene, 697, 104, '#bdbab4');
  },
  TUDOR(scene) {
    const plaster = lighter(scene.trim, 0.1);
    const beam = scene.evening ? '#2c2436' : '#4a3427';
    chimney(scene, 1064, 190, 480, 84);
    roof(
      scene,
      [
        [300, 490],
        [390, 250],
        [1130, 250],
        [1236, 490],
      ],
      { eave: 44 },
    );
    wall(scene, 330, 496, 876, GROUND - 496, 'brick', mix(scene.stone, '#9b5d45', 0.6));
    wall(scene, 380, 420, 380, 180, 'stucco', plaster);
    gable(scene, 370, 430, 400, 250, 'stucco', plaster);
    const { canvas } = scene;
    for (const x of [380, 476, 570, 664, 752]) canvas.add(rect(x, 430, 13, 170, { fill: beam }));
    canvas.add(
      rect(376, 424, 390, 15, { fill: beam }),
      rect(376, 590, 390, 17, { fill: beam }),
      rect(448, 330, 244, 12, { fill: beam }),
      line([394, 590], [470, 440], { stroke: beam, line: 11 }),
      line([752, 590], [672, 440], { stroke: beam, line: 11 }),
      rect(564, 210, 12, 120, { fill: beam }),
    );
    row(scene, [498, 586], { y: 452, width: 66, height: 116, panes: [3, 4] });
    row(scene, [440, 530, 620], { y: 640, width: 72, height: 116, panes: [3, 4] });
    row(scene, [960, 1040], { y: 600, width: 66, height: 128, panes: [3, 4] });
    gable(scene, 770, 620, 170, 150, 'stucco', plaster);
    wall(scene, 780, 620, 150, GROUND - 620, 'stone', scene.stone);
    door(scene, 812, { arch: true, top: GROUND - 176, width: 88 });
    roof(scene, [
      [980, 400],
      [1030, 340],
      [1090, 340],
      [1140, 400],
    ]);
    wall(scene, 1000, 408, 120, 66, 'stucco', plaster);
    pane(scene, { x: 1034, y: 418, width: 52, height: 46, panes: [2, 2] });
    walk(scene, 856, 116);
  },
  COLONIAL(scene) {
    chimney(scene, 330, 230, 420);
    chimney(scene, 1144, 230, 420);
    roof(
      scene,
      [
        [270, 420],
        [390, 272],
        [1146, 272],
        [1266, 420],
      ],
      { eave: 40 },
    );
    wall(scene, 310, 426, 916, GROUND - 426, 'lap', lighter(scene.wall, 0.25));
    const shutters = darker(scene.door, 0.1);
    row(scene, [390, 560, 732, 904, 1074], { y: 468, width: 72, height: 112, panes: [3, 4], shutters });
    row(scene, [390, 560, 904, 1074], { y: 640, width: 72, height: 118, panes: [3, 4], shutters });
    for (const x of [318, 1206]) scene.canvas.add(rect(x - 8, 428, 24, GROUND - 428, { fill: scene.trim }));
    recess(scene, 690, 610, 156, 190);
    door(scene, 726, { top: GROUND - 166 });
    scene.canvas.add(
      rect(668, 608, 200, 20, { fill: scene.trim }),
      polygon(
        [
          [652, 610],
          [768, 556],
          [884, 610],
        ],
        { fill: scene.trim, stroke: darker(scene.trim, 0.26), line: 1.5 },
      ),
      polygon(
        [
          [690, 602],
          [768, 568],
          [846, 602],
        ],
        { fill: darker(scene.trim, 0.1) },
      ),
    );
    for (const x of [684, 852]) column(scene, x, 628, { stoneBase: false, width: 24 });
    walk(scene, 768, 120, '#b8705a');
  },
  TOWNHOUSE(scene) {
    const { canvas } = scene;
    for (const [index, x] of [250, 600, 950].entries()) {
      const color =
        [scene.wall, lighter(scene.wall, 0.34), mix(scene.wall, scene.stone, 0.6)][index] ?? scene.wall;
      const top = 250 + (index % 2) * 36;
      wall(scene, x, top, 346, GROUND - top, index === 1 ? 'board' : index === 0 ? 'lap' : 'brick', color);
      canvas.add(
        rect(x - 6, top - 24, 358, 28, { fill: darker(scene.roof, 0.1) }),
        rect(x, top + 4, 346, 26, {
          fill: canvas.linear([
            [0, '#0d0a10', 0.4],
            [1, '#0d0a10', 0],
          ]),
        }),
      );
      row(scene, [x + 44, x + 200], { y: top + 56, width: 100, height: 112, panes: [2, 1], dark: true });
      pane(scene, { x: x + 44, y: top + 226, width: 256, height: 118, panes: [3, 1], dark: true });
      for (let bar = x + 40; bar < x + 306; bar += 15)
        canvas.add(rect(bar, top + 316, 3, 46, { fill: '#34373c' }));
      canvas.add(
        rect(x + 34, top + 312, 278, 7, { fill: '#34373c' }),
        rect(x + 30, top + 360, 286, 12, { fill: darker(scene.roof, 0.2) }),
      );
      recess(scene, x, top + 372, 346, 60);
      garage({ ...scene, trim: darker(scene.trim, 0.16) }, x + 36, 150, { modern: index === 1 });
      door({ ...scene, door: index === 1 ? scene.roof : scene.door }, x + 234, {
        top: GROUND - 160,
        width: 74,
      });
    }
  },
  CONDO(scene) {
    const { canvas } = scene;
    wall(scene, 290, 110, 956, GROUND - 110, 'brick', mix(scene.stone, '#a3664f', 0.45));
    wall(scene, 630, 80, 276, GROUND - 80, 'stucco', lighter(scene.wall, 0.15));
    canvas.add(
      rect(274, 92, 988, 24, { fill: darker(scene.roof, 0.1) }),
      rect(616, 60, 304, 24, { fill: darker(scene.roof, 0.2) }),
    );
    for (let floor = 0; floor < 4; floor += 1) {
      const y = 150 + floor * 136;
      for (const x of [330, 950]) {
        row(scene, [x, x + 140], { y, width: 100, height: 84, panes: [2, 1], dark: true });
        canvas.add(
          rect(x - 16, y + 92, 290, 12, { fill: scene.trim }),
          rect(x - 16, y + 104, 290, 10, { fill: '#0d0a10', opacity: 0.26 }),
        );
        for (let bar = x - 12; bar < x + 272; bar += 13)
          canvas.add(rect(bar, y + 52, 3, 42, { fill: '#3a3d42' }));
        canvas.add(rect(x - 16, y + 48, 290, 6, { fill: '#3a3d42' }));
      }
      row(scene, [666, 786], { y: y - 10, width: 84, height: 98, panes: [1, 2], dark: true });
    }
    recess(scene, 560, 680, 416, 120);
    pane(scene, { x: 330, y: 700, width: 200, height: 80, panes: [3, 1], dark: true });
    pane(scene, { x: 1006, y: 700, width: 200, height: 80, panes: [3, 1], dark: true });
    door(scene, 690, { glass: true, top: GROUND - 110, width: 72 });
    door(scene, 776, { glass: true, top: GROUND - 110, width: 72 });
    canvas.add(rect(590, 664, 356, 18, { fill: '#34373c' }));
    walk(scene, 768, 190);
  },
  VICTORIAN(scene) {
    chimney(scene, 980, 170, 380);
    roof(
      scene,
      [
        [430, 390],
        [520, 210],
        [1100, 210],
        [1196, 390],
      ],
      { eave: 36 },
    );
    wall(scene, 460, 396, 706, GROUND - 396, 'lap');
    gable(scene, 790, 400, 340, 210, 'shingle', lighter(scene.wall, 0.2));
    pane(scene, { x: 924, y: 284, width: 72, height: 92, panes: [2, 2], arch: true });
    wall(scene, 330, 360, 210, GROUND - 360, 'shingle', darker(scene.wall, 0.1));
    roof(
      scene,
      [
        [306, 364],
        [435, 120],
        [564, 364],
      ],
      { eave: 26, color: darker(scene.roof, 0.1) },
    );
    scene.canvas.add(
      line([435, 122], [435, 78], { stroke: '#c9a45c', line: 5 }),
      ellipse(435, 76, 7, 7, { fill: '#c9a45c' }),
    );
    row(scene, [356, 416, 476], { y: 410, width: 42, height: 124, panes: [1, 2] });
    row(scene, [356, 416, 476], { y: 628, width: 42, height: 124, panes: [1, 2] });
    row(scene, [640, 860, 1020], { y: 436, width: 72, height: 116, panes: [1, 2] });
    recess(scene, 540, 600, 640, 200);
    pane(scene, { x: 900, y: 640, width: 84, height: 122, panes: [1, 2] });
    pane(scene, { x: 1040, y: 640, width: 84, height: 122, panes: [1, 2] });
    door(scene, 690, { arch: true, top: GROUND - 180 });
    roof(
      scene,
      [
        [540, 604],
        [580, 562],
        [1160, 562],
        [1200, 604],
      ],
      { color: lighter(scene.roof, 0.1) },
    );
    for (const x of [566, 660, 812, 1006, 1174]) column(scene, x, 612, { stoneBase: false, width: 18 });
    railing(scene, 830, 1166);
    for (let x = 560; x < 1180; x += 22)
      scene.canvas.add(ellipse(x, 620, 9, 9, { stroke: scene.trim, line: 3.4 }));
    walk(scene, 732, 116);
  },
  RANCH(scene) {
    chimney(scene, 920, 420, 540, 90);
    roof(
      scene,
      [
        [150, 596],
        [290, 470],
        [1250, 470],
        [1390, 596],
      ],
      { eave: 56 },
    );
    wall(scene, 210, 602, 1120, GROUND - 602, 'lap', lighter(scene.wall, 0.12));
    wall(scene, 560, 700, 420, 100, 'stone', scene.stone);
    gable(scene, 900, 604, 400, 110, 'board', lighter(scene.wall, 0.3));
    garage(scene, 978, 250);
    pane(scene, { x: 600, y: 628, width: 90, height: 66, panes: [2, 2] });
    pane(scene, { x: 270, y: 640, width: 220, height: 112, panes: [3, 2], shutters: scene.door });
    recess(scene, 706, 602, 200, 198);
    door(scene, 766);
    for (const x of [716, 900]) column(scene, x, 604, { stoneBase: false, width: 20 });
    walk(scene, 806, 104);
  },
  FARMHOUSE(scene) {
    const white = scene.evening ? mix('#f4f1e8', '#2a3157', 0.42) : '#f4f1e8';
    const black = '#2f3236';
    roof(
      scene,
      [
        [290, 410],
        [380, 250],
        [1170, 250],
        [1256, 410],
      ],
      { eave: 40, color: '#4b4f55' },
    );
    wall(scene, 330, 416, 890, GROUND - 416, 'board', white);
    for (const x of [400, 892]) {
      gable(scene, x, 420, 250, 190, 'board', white);
      pane(scene, { x: x + 92, y: 316, width: 66, height: 92, panes: [2, 2], dark: true });
    }
    row(scene, [410, 560, 900, 1050], { y: 462, width: 90, height: 100, panes: [2, 2], dark: true });
    row(scene, [730], { y: 462, width: 76, height: 100, panes: [2, 2], dark: true });
    recess(scene, 340, 606, 870, 194);
    row(scene, [420, 560, 910, 1050], { y: 644, width: 90, height: 120, panes: [2, 2], dark: true });
    door(scene, 726, { top: GROUND - 170 });
    roof(
      scene,
      [
        [300, 608],
        [346, 572],
        [1204, 572],
        [1250, 608],
      ],
      { color: black },
    );
    for (const x of [346, 660, 876, 1204])
      column({ ...scene, trim: white }, x, 616, { stoneBase: false, width: 24 });
    railing({ ...scene, trim: white }, 360, 648);
    railing({ ...scene, trim: white }, 890, 1192);
    walk(scene, 768, 120);
  },
  SPANISH(scene) {
    const plaster = scene.evening ? mix('#f0e2cb', '#2a3157', 0.4) : '#f0e2cb';
    const clay = scene.evening ? '#6f4351' : '#b9653f';
    wall(scene, 420, 370, 330, GROUND - 370, 'stucco', plaster);
    roof(
      scene,
      [
        [394, 376],
        [460, 296],
        [710, 296],
        [776, 376],
      ],
      { color: clay, eave: 40 },
    );
    wall(scene, 700, 500, 540, GROUND - 500, 'stucco', lighter(plaster, 0.1));
    roof(
      scene,
      [
        [676, 506],
        [746, 420],
        [1200, 420],
        [1270, 506],
      ],
      { color: clay, eave: 40 },
    );
    wall(scene, 290, 560, 150, GROUND - 560, 'stucco', plaster);
    roof(
      scene,
      [
        [270, 566],
        [306, 520],
        [440, 520],
        [440, 566],
      ],
      { color: clay, eave: 26 },
    );
    row(scene, [480, 610], { y: 424, width: 74, height: 120, panes: [2, 3], arch: true });
    for (let bar = 466; bar < 706; bar += 14) scene.canvas.add(rect(bar, 520, 3, 44, { fill: '#33302e' }));
    scene.canvas.add(
      rect(460, 516, 250, 6, { fill: '#33302e' }),
      rect(456, 562, 258, 10, { fill: darker(plaster, 0.3) }),
    );
    row(scene, [800, 940, 1080], { y: 580, width: 100, height: 176, panes: [2, 3], arch: true });
    pane(scene, { x: 330, y: 640, width: 70, height: 100, panes: [2, 3], arch: true });
    door(scene, 546, { arch: true, top: GROUND - 186, width: 96 });
    chimney({ ...scene, stone: plaster }, 1100, 350, 450, 56);
    walk(scene, 594, 126, '#c98d6c');
  },
};

/** Shrubs at the walls and two trees in front. */
function foreground(scene: Scene, style: FacadeStyle): void {
  const { chance } = scene;
  const flowers = ['#e7a5b5', '#f2d16b', '#ffffff', '#b79ad6'];
  const isWide = style === 'TOWNHOUSE';
  const places = isWide ? [212, 1330] : [236, 300, 372, 1180, 1252, 1320];
  for (const x of places)
    bush(
      scene,
      x + (chance() - 0.5) * 30,
      GROUND + 14,
      40 + chance() * 26,
      chance() > 0.4 ? (flowers[Math.floor(chance() * 4)] ?? null) : null,
    );
  if (style === 'CONDO' || isWide) {
    tree(scene, 140, 905, 330);
    tree(scene, 1420, 905, 300);
    return;
  }
  if (chance() > 0.5) tree(scene, 130, 900, 420);
  else conifer(scene, 120, 900, 560);
  tree(scene, 1436, 912, 360);
  bush(scene, 60, 930, 70, '#f2d16b');
  bush(scene, 1490, 932, 64, '#e7a5b5');
}
