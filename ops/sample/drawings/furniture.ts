import { darker, ellipse, lighter, line, mix, path, polygon } from './canvas.ts';
import { box } from './space/box.ts';
import { face, level, onWallFace, stroke, upright } from './space/faces.ts';
import { shadow } from './space/light.ts';
import { type Place, ROOM, type Space, scaleAt, seen, type Wall } from './space/projection.ts';

/** The colors of a style. */
export interface Palette {
  readonly wood: string;
  readonly fabric: string;
  readonly second: string;
  readonly accent: string;
  readonly metal: string;
  readonly rug: string;
}

const legs = (
  space: Space,
  {
    x,
    z,
    width,
    depth,
    height,
    color,
  }: Record<'x' | 'z' | 'width' | 'depth' | 'height', number> & { color: string },
): void => {
  for (const dz of [depth - 0.05, 0])
    for (const dx of [0, width - 0.05])
      box(space, { at: [x + dx, 0, z + dz], size: [0.05, height, 0.05], color });
};

export function rug(
  space: Space,
  [x, z, width, depth]: readonly [number, number, number, number],
  palette: Palette,
): void {
  const flat = (inset: number, fill: string, border?: string) =>
    level(
      space,
      [x + inset, z + inset, x + width - inset, z + depth - inset],
      0.01,
      border === undefined ? { fill } : { fill, stroke: border, line: 2 },
    );
  shadow(space, [x, z, width, depth], 0.16);
  flat(0, palette.rug, darker(palette.rug, 0.2));
  flat(0.12, mix(palette.rug, palette.accent, 0.28), lighter(palette.rug, 0.4));
  flat(0.2, lighter(palette.rug, 0.14));
  for (let row = 0; row < 4; row += 1)
    for (let column = 0; column < 6; column += 1) {
      const cx = x + 0.35 + ((width - 0.7) * (column + 0.5)) / 6;
      const cz = z + 0.3 + ((depth - 0.6) * (row + 0.5)) / 4;
      const [w, d] = [(width - 0.7) / 18, (depth - 0.6) / 12];
      face(
        space,
        [
          [cx - w, 0.01, cz],
          [cx, 0.01, cz - d],
          [cx + w, 0.01, cz],
          [cx, 0.01, cz + d],
        ],
        { fill: mix(palette.rug, palette.accent, 0.38) },
      );
    }
}

export function armchair(space: Space, x: number, z: number, palette: Palette): void {
  const color = palette.second;
  shadow(space, [x, z, 0.8, 0.75]);
  legs(space, { x: x + 0.06, z: z + 0.06, width: 0.68, depth: 0.62, height: 0.2, color: palette.wood });
  box(space, {
    at: [x + 0.06, 0.2, z + 0.55],
    size: [0.68, 0.66, 0.18],
    color: darker(color, 0.05),
    soft: 0.12,
  });
  box(space, {
    at: [x + 0.06, 0.2, z + 0.05],
    size: [0.68, 0.22, 0.6],
    color: lighter(color, 0.07),
    soft: 0.08,
  });
  for (const side of [x, x + 0.67])
    box(space, { at: [side, 0.2, z + 0.02], size: [0.13, 0.38, 0.66], color, soft: 0.07 });
}

export function coffeeTable(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 1.15, 0.6], 0.34);
  legs(space, {
    x: x + 0.05,
    z: z + 0.04,
    width: 1.05,
    depth: 0.52,
    height: 0.36,
    color: darker(palette.metal, 0.1),
  });
  box(space, { at: [x, 0.36, z], size: [1.15, 0.05, 0.6], color: palette.wood });
  box(space, { at: [x + 0.2, 0.41, z + 0.2], size: [0.36, 0.04, 0.24], color: palette.accent });
  box(space, { at: [x + 0.23, 0.45, z + 0.22], size: [0.3, 0.03, 0.2], color: lighter(palette.rug, 0.2) });
  vase(space, [x + 0.85, 0.41, z + 0.3], palette, 0.7);
}

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

export function floorLamp(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x - 0.15, z - 0.15, 0.3, 0.3], 0.3);
  const [cx, cy] = seen(space, [x, 0, z]);
  const s = scaleAt(z);
  space.canvas.add(
    ellipse(cx, cy, s * 0.14, s * 0.035, { fill: darker(palette.metal, 0.2) }),
    line([cx, cy], [cx, cy - s * 1.4], { stroke: palette.metal, line: s * 0.025 }),
    ...shade(space, cx, cy - s * 1.28, s * 0.5, palette),
  );
}

function shade(space: Space, x: number, bottom: number, size: number, palette: Palette): string[] {
  const cloth = mix(palette.rug, '#fff1d6', 0.6);
  const light = space.evening ? 0.62 : 0.2;
  return [
    ellipse(x, bottom - size * 0.3, size * 1.9, size * 1.6, {
      fill: space.canvas.radial([
        [0, '#ffdf9e', light],
        [1, '#ffdf9e', 0],
      ]),
    }),
    polygon(
      [
        [x - size * 0.46, bottom],
        [x + size * 0.46, bottom],
        [x + size * 0.3, bottom - size * 0.6],
        [x - size * 0.3, bottom - size * 0.6],
      ],
      {
        fill: space.canvas.linear([
          [0, lighter(cloth, 0.3)],
          [0.6, space.evening ? '#ffe3a6' : lighter(cloth, 0.5)],
          [1, darker(cloth, 0.06)],
        ]),
      },
    ),
  ];
}

export function tableLamp(space: Space, at: Place, palette: Palette): void {
  const [x, y] = seen(space, at);
  const s = scaleAt(at[2]);
  space.canvas.add(
    path(
      `M${x - s * 0.05} ${y}Q${x - s * 0.13} ${y - s * 0.12} ${x} ${y - s * 0.26}Q${x + s * 0.13} ${y - s * 0.12} ${x + s * 0.05} ${y}Z`,
      { fill: darker(palette.accent, 0.05) },
    ),
    ...shade(space, x, y - s * 0.22, s * 0.36, palette),
  );
}

export function pendant(space: Space, x: number, y: number, z: number, palette: Palette, wide = 0.42): void {
  const [cx, cy] = seen(space, [x, y, z]);
  const [, top] = seen(space, [x, ROOM.height, z]);
  const s = scaleAt(z) * wide;
  space.canvas.add(
    line([cx, top], [cx, cy - s * 0.5], { stroke: darker(palette.metal, 0.3), line: 2 }),
    ellipse(cx, cy, s * 1.5, s * 1.1, {
      fill: space.canvas.radial([
        [0, '#ffe2a3', space.evening ? 0.7 : 0.25],
        [1, '#ffe2a3', 0],
      ]),
    }),
    path(
      `M${cx - s * 0.5} ${cy}Q${cx - s * 0.46} ${cy - s * 0.52} ${cx} ${cy - s * 0.56}Q${cx + s * 0.46} ${cy - s * 0.52} ${cx + s * 0.5} ${cy}Z`,
      {
        fill: space.canvas.linear(
          [
            [0, lighter(palette.metal, 0.25)],
            [1, darker(palette.metal, 0.25)],
          ],
          [0, 0, 1, 0],
        ),
      },
    ),
    ellipse(cx, cy, s * 0.5, s * 0.09, { fill: '#fff2cf' }),
  );
}

/** A picture on a wall: a quiet abstract landscape. */
export function art(
  space: Space,
  wall: Wall,
  area: readonly [number, number, number, number],
  palette: Palette,
  kind = 0,
): void {
  const [from, bottom, to, top] = area;
  const inset = 0.05;
  onWallFace(space, wall, [from + 0.02, bottom - 0.04, to + 0.04, top - 0.02], {
    fill: '#1a120a',
    opacity: 0.2,
  });
  onWallFace(space, wall, area, { fill: kind % 2 === 0 ? darker(palette.wood, 0.25) : '#2d2a27' });
  onWallFace(space, wall, [from + 0.02, bottom + 0.02, to - 0.02, top - 0.02], { fill: '#f8f4ea' });
  const inner = [from + inset + 0.04, bottom + inset + 0.04, to - inset - 0.04, top - inset - 0.04] as const;
  const tall = inner[3] - inner[1];
  onWallFace(space, wall, inner, { fill: lighter(palette.second, 0.5) });
  const band = (low: number, high: number, fill: string) =>
    onWallFace(space, wall, [inner[0], inner[1] + tall * low, inner[2], inner[1] + tall * high], { fill });
  band(0, 0.3 + (kind % 3) * 0.06, mix(palette.accent, palette.second, 0.3));
  band(0.24, 0.44, lighter(palette.accent, 0.3));
  const place: Place =
    wall === 'back'
      ? [(inner[0] + inner[2]) / 2, inner[1] + tall * 0.66, ROOM.depth]
      : [wall === 'left' ? -ROOM.half : ROOM.half, inner[1] + tall * 0.66, (inner[0] + inner[2]) / 2];
  const [x, y] = seen(space, place);
  const r = scaleAt(place[2]) * tall * 0.15;
  space.canvas.add(ellipse(x, y, wall === 'back' ? r : r * 0.55, r, { fill: lighter(palette.accent, 0.12) }));
}

/** Curtains on both sides of an opening. */
export function curtains(
  space: Space,
  wall: Wall,
  [from, to, top]: readonly [number, number, number],
  color: string,
): void {
  for (const [start, end] of [
    [from - 0.42, from + 0.06],
    [to - 0.06, to + 0.42],
  ] as const) {
    const folds = 6;
    for (let fold = 0; fold < folds; fold += 1) {
      const a = start + ((end - start) * fold) / folds;
      const b = start + ((end - start) * (fold + 1)) / folds;
      const tone = fold % 2 === 0 ? lighter(color, 0.14) : darker(color, 0.1);
      onWallFace(space, wall, [a, 0.03, b, top + 0.2], { fill: tone }, 0.03);
    }
  }
  const rod = (along: number): Place =>
    wall === 'back'
      ? [along, top + 0.22, ROOM.depth - 0.03]
      : [wall === 'left' ? -ROOM.half + 0.03 : ROOM.half - 0.03, top + 0.22, along];
  stroke(space, rod(from - 0.5), rod(to + 0.5), { stroke: '#4a4038', line: 4 });
}

export function bookshelf(space: Space, x: number, z: number, palette: Palette): void {
  const [width, height, deep] = [1.1, 1.95, 0.32];
  shadow(space, [x, z, width, deep], 0.36);
  box(space, { at: [x, 0, z], size: [width, height, deep], color: palette.wood });
  const colors = [
    palette.accent,
    palette.second,
    lighter(palette.fabric, 0.2),
    darker(palette.accent, 0.3),
    '#e6dcc8',
    darker(palette.second, 0.3),
  ];
  for (let shelf = 0; shelf < 5; shelf += 1) {
    const low = 0.06 + shelf * 0.38;
    upright(space, [x + 0.05, low, x + width - 0.05, low + 0.34], z, { fill: darker(palette.wood, 0.42) });
    let at = x + 0.08;
    const end = x + width * (0.55 + ((shelf * 3) % 4) * 0.1);
    while (at < end) {
      const wide = 0.03 + space.chance() * 0.035;
      const tall = 0.2 + space.chance() * 0.1;
      upright(space, [at, low, at + wide, low + tall], z, {
        fill: colors[Math.floor(space.chance() * colors.length)] ?? palette.accent,
      });
      at += wide + 0.004;
    }
    if (shelf % 2 === 1) vase(space, [x + width - 0.16, low, z], palette, 0.42);
  }
}

export function mediaUnit(space: Space, x: number, z: number, palette: Palette, width = 1.9): void {
  shadow(space, [x, z, width, 0.42], 0.36);
  legs(space, {
    x: x + 0.06,
    z: z + 0.04,
    width: width - 0.12,
    depth: 0.34,
    height: 0.14,
    color: palette.metal,
  });
  box(space, { at: [x, 0.14, z], size: [width, 0.42, 0.42], color: palette.wood });
  for (let part = 1; part < 4; part += 1)
    stroke(space, [x + (width * part) / 4, 0.16, z], [x + (width * part) / 4, 0.54, z], {
      stroke: darker(palette.wood, 0.35),
      line: 1.5,
    });
  const tv: Place = [x + width / 2 - 0.72, 0.62, z + 0.2];
  box(space, { at: tv, size: [1.44, 0.82, 0.05], color: '#23252a' });
  face(
    space,
    [
      [tv[0] + 0.1, 0.7, tv[2]],
      [tv[0] + 0.5, 0.7, tv[2]],
      [tv[0] + 0.95, 1.42, tv[2]],
      [tv[0] + 0.55, 1.42, tv[2]],
    ],
    { fill: '#ffffff', opacity: 0.06 },
  );
}

export function bed(space: Space, x: number, palette: Palette, width = 1.75): void {
  const z = ROOM.depth - 2.15;
  shadow(space, [x, z, width, 2.05], 0.46);
  box(space, {
    at: [x - 0.08, 0, ROOM.depth - 0.14],
    size: [width + 0.16, 1.18, 0.12],
    color: mix(palette.second, palette.wood, 0.4),
    soft: 0.06,
  });
  for (let part = 1; part < 5; part += 1) {
    const along = x - 0.08 + ((width + 0.16) * part) / 5;
    stroke(space, [along, 0.5, ROOM.depth - 0.14], [along, 1.14, ROOM.depth - 0.14], {
      stroke: darker(palette.second, 0.3),
      line: 1.4,
      opacity: 0.6,
    });
  }
  box(space, { at: [x, 0.1, z], size: [width, 0.24, 2.02], color: palette.wood });
  box(space, {
    at: [x + 0.02, 0.32, z + 0.03],
    size: [width - 0.04, 0.24, 1.96],
    color: '#f7f3ea',
    soft: 0.07,
  });
  const pillow = (px: number, pz: number, wide: number, color: string) =>
    box(space, { at: [px, 0.58, pz], size: [wide, 0.34, 0.16], color, soft: 0.13 });
  for (const px of [x + 0.1, x + width / 2 + 0.04])
    pillow(px, ROOM.depth - 0.42, width / 2 - 0.14, '#fbf8f1');
  for (const px of [x + 0.2, x + width / 2 + 0.1])
    pillow(px, ROOM.depth - 0.6, width / 2 - 0.3, palette.second);
  pillow(x + width / 2 - 0.24, ROOM.depth - 0.76, 0.48, palette.accent);
  // The cover, folded back.
  box(space, {
    at: [x - 0.03, 0.3, z - 0.02],
    size: [width + 0.06, 0.3, 1.2],
    color: palette.fabric,
    soft: 0.08,
  });
  level(space, [x, z + 1, x + width, z + 1.2], 0.62, { fill: lighter(palette.fabric, 0.5) });
  box(space, {
    at: [x - 0.05, 0.3, z + 0.16],
    size: [width + 0.1, 0.33, 0.46],
    color: palette.accent,
    soft: 0.06,
  });
  for (let part = 1; part < 12; part += 1) {
    const along = x + (width * part) / 12;
    stroke(space, [along, 0.34, z + 0.14], [along, 0.62, z + 0.14], {
      stroke: darker(palette.accent, 0.2),
      line: 1,
      opacity: 0.5,
    });
  }
}

export function nightstand(space: Space, x: number, palette: Palette): void {
  const z = ROOM.depth - 0.55;
  shadow(space, [x, z, 0.5, 0.42], 0.36);
  legs(space, {
    x: x + 0.04,
    z: z + 0.03,
    width: 0.42,
    depth: 0.36,
    height: 0.2,
    color: darker(palette.wood, 0.2),
  });
  box(space, { at: [x, 0.18, z], size: [0.5, 0.36, 0.42], color: palette.wood });
  stroke(space, [x + 0.03, 0.36, z], [x + 0.47, 0.36, z], { stroke: darker(palette.wood, 0.4), line: 1.6 });
  tableLamp(space, [x + 0.25, 0.54, z + 0.2], palette);
}

export function bench(space: Space, x: number, z: number, palette: Palette, width = 1.2): void {
  shadow(space, [x, z, width, 0.42], 0.34);
  legs(space, {
    x: x + 0.05,
    z: z + 0.03,
    width: width - 0.1,
    depth: 0.36,
    height: 0.3,
    color: palette.wood,
  });
  box(space, { at: [x, 0.28, z], size: [width, 0.16, 0.42], color: palette.second, soft: 0.07 });
}

export function diningTable(space: Space, palette: Palette): void {
  const [x, z, width, depth] = [-1.05, 3.2, 2.1, 1.1];
  rug(space, [x - 0.5, z - 0.5, width + 1, depth + 1.2], palette);
  shadow(space, [x, z, width, depth], 0.42);
  for (const px of [-0.95, -0.25, 0.45]) chair(space, px, z + depth - 0.06, palette, 'away');
  legs(space, {
    x: x + 0.12,
    z: z + 0.1,
    width: width - 0.24,
    depth: depth - 0.2,
    height: 0.7,
    color: darker(palette.wood, 0.14),
  });
  box(space, { at: [x, 0.7, z], size: [width, 0.06, depth], color: palette.wood });
  for (let part = 1; part < 5; part += 1)
    stroke(space, [x, 0.76, z + (depth * part) / 5], [x + width, 0.76, z + (depth * part) / 5], {
      stroke: darker(palette.wood, 0.2),
      line: 0.8,
      opacity: 0.6,
    });
  for (const px of [-0.7, 0, 0.7])
    for (const pz of [z + 0.25, z + depth - 0.25]) {
      const [cx, cy] = seen(space, [px, 0.77, pz]);
      const s = scaleAt(pz);
      space.canvas.add(
        ellipse(cx, cy, s * 0.14, s * 0.035, { fill: '#f7f2e7', stroke: darker(palette.rug, 0.2), line: 1 }),
        ellipse(cx, cy, s * 0.09, s * 0.02, { fill: lighter(palette.accent, 0.5) }),
      );
    }
  vase(space, [0, 0.77, z + depth / 2], palette, 1);
  for (const px of [-0.95, -0.25, 0.45]) chair(space, px, z - 0.36, palette, 'toward');
}

function chair(space: Space, x: number, z: number, palette: Palette, looks: 'toward' | 'away'): void {
  const [width, depth] = [0.48, 0.46];
  shadow(space, [x, z, width, depth], 0.3);
  const back = () => {
    const at = looks === 'away' ? z + depth - 0.05 : z;
    for (const px of [x, x + width - 0.05])
      box(space, { at: [px, 0.44, at], size: [0.05, 0.5, 0.05], color: darker(palette.wood, 0.1) });
    box(space, { at: [x, 0.62, at], size: [width, 0.28, 0.05], color: palette.fabric, soft: 0.05 });
  };
  if (looks === 'away') back();
  legs(space, { x, z, width, depth, height: 0.42, color: darker(palette.wood, 0.1) });
  box(space, { at: [x, 0.42, z], size: [width, 0.07, depth], color: palette.fabric, soft: 0.05 });
  if (looks === 'toward') back();
}

export function stool(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 0.36, 0.34], 0.32);
  legs(space, { x, z, width: 0.36, depth: 0.34, height: 0.62, color: palette.metal });
  stroke(space, [x, 0.24, z], [x + 0.36, 0.24, z], { stroke: palette.metal, line: 4 });
  box(space, { at: [x - 0.01, 0.62, z - 0.01], size: [0.38, 0.08, 0.36], color: palette.accent, soft: 0.06 });
}

export function desk(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 1.6, 0.72], 0.4);
  legs(space, { x: x + 0.04, z: z + 0.04, width: 1.52, depth: 0.64, height: 0.7, color: palette.metal });
  box(space, { at: [x + 1.08, 0.24, z + 0.06], size: [0.46, 0.46, 0.6], color: darker(palette.wood, 0.1) });
  for (const up of [0.39, 0.54])
    stroke(space, [x + 1.1, up, z + 0.06], [x + 1.52, up, z + 0.06], {
      stroke: darker(palette.wood, 0.45),
      line: 1.5,
    });
  box(space, { at: [x, 0.7, z], size: [1.6, 0.05, 0.72], color: palette.wood });
  box(space, { at: [x + 0.5, 0.75, z + 0.5], size: [0.2, 0.1, 0.06], color: '#3a3d42' });
  box(space, { at: [x + 0.24, 0.84, z + 0.48], size: [0.72, 0.44, 0.04], color: '#24272c' });
  box(space, { at: [x + 0.3, 0.75, z + 0.14], size: [0.56, 0.02, 0.16], color: '#d7d3ca' });
  box(space, { at: [x + 1.04, 0.75, z + 0.2], size: [0.26, 0.05, 0.2], color: palette.accent });
  tableLamp(space, [x + 1.4, 0.75, z + 0.45], palette);
}

export function officeChair(space: Space, x: number, z: number, palette: Palette): void {
  shadow(space, [x, z, 0.56, 0.5], 0.36);
  const [cx, cy] = seen(space, [x + 0.28, 0, z + 0.25]);
  const s = scaleAt(z + 0.25);
  for (const dx of [-0.24, -0.12, 0.12, 0.24])
    space.canvas.add(
      line([cx, cy - s * 0.1], [cx + dx * s, cy + s * 0.02], {
        stroke: darker(palette.metal, 0.2),
        line: s * 0.03,
      }),
    );
  space.canvas.add(line([cx, cy - s * 0.1], [cx, cy - s * 0.42], { stroke: palette.metal, line: s * 0.05 }));
  box(space, { at: [x + 0.02, 0.42, z], size: [0.52, 0.09, 0.5], color: palette.fabric, soft: 0.07 });
  box(space, { at: [x + 0.05, 0.56, z], size: [0.46, 0.52, 0.07], color: palette.fabric, soft: 0.09 });
}
