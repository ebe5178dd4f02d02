import {
  type Canvas,
  chanceOf,
  darker,
  ellipse,
  HEIGHT,
  type Look,
  lighter,
  line,
  mix,
  type Point,
  polygon,
  WIDTH,
} from './canvas.ts';

/**
 * A room in perspective, in meters: x to the right from its middle, y up from the floor, z away from the camera. Vertical
 * lines stay vertical, as in a good photo.
 */
export type Place = readonly [x: number, y: number, z: number];
export type Wall = 'back' | 'left' | 'right';

export const ROOM = { half: 2.8, height: 2.75, depth: 6, front: 1.55 } as const;
const EYE = 1.38;
const FOCAL = 1000;
const HORIZON = 470;

export interface Space {
  readonly canvas: Canvas;
  readonly chance: () => number;
  /** Where the camera stands, left or right of the middle. */
  readonly camera: number;
  readonly evening: boolean;
}

export function createSpace(
  canvas: Canvas,
  given: { seed: number; camera: number; evening: boolean },
): Space {
  return { canvas, chance: chanceOf(given.seed), camera: given.camera, evening: given.evening };
}

export const seen = ({ camera }: Space, [x, y, z]: Place): Point => [
  WIDTH / 2 + ((x - camera) * FOCAL) / z,
  HORIZON - ((y - EYE) * FOCAL) / z,
];
/** Pixels of a meter at this distance. */
export const scaleAt = (z: number): number => FOCAL / z;

export function face(space: Space, places: readonly Place[], look: Look): void {
  space.canvas.add(
    polygon(
      places.map((place) => seen(space, place)),
      look,
    ),
  );
}

export function stroke(space: Space, from: Place, to: Place, look: Look): void {
  space.canvas.add(line(seen(space, from), seen(space, to), look));
}

/** A place on a wall: along it (x, or z for the side walls), and up. */
const onWall = (wall: Wall, along: number, up: number, off = 0): Place =>
  wall === 'back'
    ? [along, up, ROOM.depth - off]
    : [wall === 'left' ? -ROOM.half + off : ROOM.half - off, up, along];

/** A rectangle on a wall. */
export function onWallFace(
  space: Space,
  wall: Wall,
  [from, bottom, to, top]: readonly [number, number, number, number],
  look: Look,
  off = 0,
): void {
  const corners: Place[] = [
    onWall(wall, from, bottom, off),
    onWall(wall, to, bottom, off),
    onWall(wall, to, top, off),
    onWall(wall, from, top, off),
  ];
  face(space, corners, look);
}

interface Box {
  /** The left, lower, front corner. */
  readonly at: Place;
  /** Width, height, depth. */
  readonly size: Place;
  readonly color: string;
  /** How round its edges are, in meters. */
  readonly soft?: number;
}

/** The faces of a box that the camera sees, each in its own light. */
export function box(
  space: Space,
  { at: [x, y, z], size: [width, height, depth], color, soft = 0 }: Box,
): void {
  const [right, top, back] = [x + width, y + height, z + depth];
  const look = (fill: string): Look =>
    soft === 0 ? { fill, stroke: fill, line: 0.6 } : { fill, stroke: fill, line: soft * scaleAt(z) };
  const inset = soft / 2;
  const [l, r, b, t] = [x + inset, right - inset, y + inset, top - inset];
  if (y > EYE)
    face(
      space,
      [
        [l, b, z],
        [r, b, z],
        [r, b, back],
        [l, b, back],
      ],
      look(darker(color, 0.34)),
    );
  if (l > space.camera)
    face(
      space,
      [
        [l, b, z],
        [l, b, back],
        [l, t, back],
        [l, t, z],
      ],
      look(darker(color, 0.22)),
    );
  if (r < space.camera)
    face(
      space,
      [
        [r, b, z],
        [r, b, back],
        [r, t, back],
        [r, t, z],
      ],
      look(darker(color, 0.16)),
    );
  if (top < EYE)
    face(
      space,
      [
        [l, t, z],
        [r, t, z],
        [r, t, back],
        [l, t, back],
      ],
      look(lighter(color, 0.2)),
    );
  const front = soft === 0 ? shaded(space, color) : color;
  face(
    space,
    [
      [l, b, z],
      [r, b, z],
      [r, t, z],
      [l, t, z],
    ],
    {
      ...look(color),
      fill: front,
      stroke: soft === 0 ? darker(color, 0.12) : color,
    },
  );
}

/** A little darker toward the floor. */
function shaded({ canvas }: Space, color: string): string {
  return canvas.linear([
    [0, lighter(color, 0.06)],
    [1, darker(color, 0.1)],
  ]);
}

/** The soft shadow of what stands here. */
export function shadow(
  space: Space,
  [x, z, width, depth]: readonly [number, number, number, number],
  opacity = 0.42,
): void {
  const [left] = seen(space, [x, 0, z + depth / 2]);
  const [right] = seen(space, [x + width, 0, z + depth / 2]);
  const [, near] = seen(space, [x, 0, z]);
  const [, far] = seen(space, [x, 0, z + depth]);
  const fill = space.canvas.radial([
    [0, '#1a120a', opacity],
    [0.62, '#1a120a', opacity * 0.72],
    [1, '#1a120a', 0],
  ]);
  const [rx, ry] = [((right - left) / 2) * 1.24, ((near - far) / 2) * 1.5 + 7];
  space.canvas.add(ellipse((left + right) / 2, (near + far) / 2 + 2, rx, ry, { fill }));
}

export interface Floor {
  readonly kind: 'planks' | 'herringbone' | 'tiles' | 'checks';
  readonly color: string;
}

function drawFloor(space: Space, { kind, color }: Floor): void {
  const { half, depth, front } = ROOM;
  face(
    space,
    [
      [-half, 0, front],
      [half, 0, front],
      [half, 0, depth],
      [-half, 0, depth],
    ],
    { fill: color },
  );
  if (kind === 'planks') planks(space, color);
  else if (kind === 'herringbone') herringbone(space, color);
  else tiles(space, color, kind === 'checks');
  const { canvas } = space;
  const glow = canvas.linear([
    [0, '#ffffff', space.evening ? 0.02 : 0.16],
    [0.5, '#ffffff', 0.02],
    [1, '#140d07', 0.26],
  ]);
  face(
    space,
    [
      [-half, 0, front],
      [half, 0, front],
      [half, 0, depth],
      [-half, 0, depth],
    ],
    { fill: glow },
  );
}

function planks(space: Space, color: string): void {
  const { half, depth, front } = ROOM;
  const wide = 0.165;
  for (let x = -half; x < half - 0.01; x += wide) {
    let z = front - space.chance() * 1.4;
    while (z < depth) {
      const end = Math.min(depth, z + 1 + space.chance() * 0.9);
      const tone = mix(darker(color, 0.16), lighter(color, 0.14), space.chance());
      const from = Math.max(front, z);
      if (end > front)
        face(
          space,
          [
            [x, 0, from],
            [x + wide, 0, from],
            [x + wide, 0, end],
            [x, 0, end],
          ],
          {
            fill: tone,
            stroke: darker(color, 0.34),
            line: 0.7,
          },
        );
      z = end;
    }
  }
}

function herringbone(space: Space, color: string): void {
  const { half, depth, front } = ROOM;
  const [long, wide] = [0.5, 0.14];
  const reach = long * Math.SQRT1_2;
  const step = wide * Math.SQRT2;
  for (let z = front - long; z < depth; z += step)
    for (let x = -half, lean = 1; x < half; x += reach, lean = -lean) {
      const [near, far] = lean > 0 ? [z, z + reach] : [z + reach, z];
      const end = Math.min(half, x + reach);
      const corners: Place[] = [
        [x, 0, near],
        [end, 0, far],
        [end, 0, far + step],
        [x, 0, near + step],
      ];
      if (corners.some(([, , depthOf]) => depthOf < front || depthOf > depth)) continue;
      face(space, corners, {
        fill: mix(darker(color, 0.18), lighter(color, 0.12), space.chance() * 0.7 + (lean > 0 ? 0.3 : 0)),
        stroke: darker(color, 0.36),
        line: 0.6,
      });
    }
}

function tiles(space: Space, color: string, checked: boolean): void {
  const { half, depth, front } = ROOM;
  const side = 0.4;
  let row = 0;
  for (let z = front; z < depth - 0.01; z += side, row += 1) {
    let column = 0;
    for (let x = -half; x < half - 0.01; x += side, column += 1) {
      const isDark = checked && (row + column) % 2 === 1;
      const base = isDark ? darker(color, 0.62) : color;
      const end = Math.min(depth, z + side);
      face(
        space,
        [
          [x, 0, z],
          [x + side, 0, z],
          [x + side, 0, end],
          [x, 0, end],
        ],
        {
          fill: mix(base, lighter(base, 0.2), space.chance() * 0.5),
          stroke: darker(color, 0.2),
          line: 1,
        },
      );
    }
  }
}

export interface Shell {
  readonly wall: string;
  /** The color of the back wall, when it differs. */
  readonly accent?: string;
  readonly trim: string;
  readonly floor: Floor;
  /** The wall that the light comes from. */
  readonly light: Wall;
  readonly molding?: 'panels' | 'wainscot' | 'none';
}

/** Floor, walls and ceiling. */
export function drawShell(space: Space, shell: Shell): void {
  const { half, height, depth, front } = ROOM;
  const { canvas, evening } = space;
  const { wall, accent = wall, trim, light } = shell;
  const tint = (color: string) => (evening ? mix(color, '#c98a4b', 0.2) : color);
  const white = tint('#fbf8f1');
  const ceiling = canvas.linear([
    [0, darker(white, 0.13)],
    [1, darker(white, 0.03)],
  ]);
  face(
    space,
    [
      [-half, height, front],
      [half, height, front],
      [half, height, depth],
      [-half, height, depth],
    ],
    {
      fill: ceiling,
    },
  );
  const side = (which: Wall) => {
    const lit = which !== light;
    const color = tint(wall);
    const [near, far] = lit
      ? [darker(color, 0.1), lighter(color, 0.14)]
      : [darker(color, 0.3), darker(color, 0.16)];
    const way = which === 'left' ? ([0, 0, 1, 0] as const) : ([1, 0, 0, 0] as const);
    return canvas.linear(
      [
        [0, near],
        [1, far],
      ],
      way,
    );
  };
  onWallFace(space, 'left', [front, 0, depth, height], { fill: side('left') });
  onWallFace(space, 'right', [front, 0, depth, height], { fill: side('right') });
  const back = tint(accent);
  const across = light === 'right' ? ([1, 0, 0, 1] as const) : ([0, 0, 1, 1] as const);
  const toward = light === 'back' ? 0.12 : 0.02;
  onWallFace(space, 'back', [-half, 0, half, height], {
    fill: canvas.linear(
      [
        [0, darker(back, toward)],
        [0.6, lighter(back, 0.12 - toward)],
        [1, darker(back, 0.06)],
      ],
      across,
    ),
  });
  drawFloor(space, shell.floor);
  corners(space);
  if (shell.molding === 'panels') panels(space, back);
  if (shell.molding === 'wainscot') wainscot(space, tint(trim));
  skirting(space, tint(trim));
}

/** Where two walls meet it is darker. */
function corners(space: Space): void {
  const { half, height, depth } = ROOM;
  const { canvas } = space;
  const dark = (way: readonly [number, number, number, number]) =>
    canvas.linear(
      [
        [0, '#1a120a', 0.2],
        [1, '#1a120a', 0],
      ],
      way,
    );
  onWallFace(space, 'back', [-half, 0, -half + 0.7, height], { fill: dark([0, 0, 1, 0]) });
  onWallFace(space, 'back', [half - 0.7, 0, half, height], { fill: dark([1, 0, 0, 0]) });
  onWallFace(space, 'left', [depth - 0.9, 0, depth, height], { fill: dark([1, 0, 0, 0]) });
  onWallFace(space, 'right', [depth - 0.9, 0, depth, height], { fill: dark([0, 0, 1, 0]) });
  onWallFace(space, 'back', [-half, height - 0.5, half, height], { fill: dark([0, 0, 0, 1]) });
  onWallFace(space, 'back', [-half, 0, half, 0.6], { fill: dark([0, 1, 0, 0]) });
}

function skirting(space: Space, trim: string): void {
  const { half, height, depth, front } = ROOM;
  const board = (wall: Wall, from: number, to: number, shade: number) => {
    onWallFace(space, wall, [from, 0, to, 0.14], { fill: darker(trim, shade) });
    onWallFace(space, wall, [from, 0.125, to, 0.14], { fill: lighter(trim, 0.4) });
    onWallFace(space, wall, [from, height - 0.09, to, height], { fill: darker(trim, shade * 0.6) });
    onWallFace(space, wall, [from, height - 0.1, to, height - 0.085], {
      fill: darker(trim, 0.25),
      opacity: 0.6,
    });
  };
  board('left', front, depth, 0.16);
  board('right', front, depth, 0.08);
  board('back', -half, half, 0.05);
}

/** Frames on the back wall, as in old houses. */
function panels(space: Space, color: string): void {
  const { half, height } = ROOM;
  const wide = (half * 2 - 0.25) / 5;
  for (let index = 0; index < 5; index += 1) {
    const from = -half + 0.25 + index * wide;
    const frame = (inset: number, look: Look) =>
      onWallFace(
        space,
        'back',
        [from + inset, 0.35 + inset, from + wide - 0.25 - inset, height - 0.35 - inset],
        look,
      );
    frame(0, { stroke: darker(color, 0.16), line: 3 });
    frame(0.025, { stroke: lighter(color, 0.5), line: 1.4 });
  }
}

function wainscot(space: Space, trim: string): void {
  const { half, depth, front } = ROOM;
  const walls: readonly (readonly [Wall, number, number, number])[] = [
    ['left', front, depth, 0.12],
    ['right', front, depth, 0.06],
    ['back', -half, half, 0.03],
  ];
  for (const [wall, from, to, shade] of walls) {
    onWallFace(space, wall, [from, 0, to, 1], { fill: darker(trim, shade) });
    for (let along = from; along < to; along += 0.12)
      stroke(space, onWall(wall, along, 0.14), onWall(wall, along, 0.95), {
        stroke: darker(trim, 0.2),
        line: 0.8,
      });
    onWallFace(space, wall, [from, 0.96, to, 1.02], {
      fill: lighter(trim, 0.3),
      stroke: darker(trim, 0.2),
      line: 0.6,
    });
  }
}

export interface Opening {
  readonly wall: Wall;
  readonly from: number;
  readonly to: number;
  readonly bottom: number;
  readonly top: number;
  /** How many panes across, and up. */
  readonly panes: readonly [number, number];
  readonly frame: string;
}

/** A window or a glass door with what is outside. */
export function drawOpening(space: Space, opening: Opening): void {
  const { wall, from, to, bottom, top, panes, frame } = opening;
  const { canvas, evening, chance } = space;
  const sky = evening
    ? canvas.linear([
        [0, '#2b3a67'],
        [0.5, '#7d6a97'],
        [0.8, '#e0a183'],
        [1, '#f3c99b'],
      ])
    : canvas.linear([
        [0, '#bcdcf0'],
        [0.55, '#e9f4f7'],
        [1, '#f7f6e8'],
      ]);
  onWallFace(space, wall, [from - 0.09, bottom - 0.09, to + 0.09, top + 0.09], {
    fill: frame,
    stroke: darker(frame, 0.25),
    line: 1.2,
  });
  onWallFace(space, wall, [from, bottom, to, top], { fill: sky });
  const leaves = evening ? ['#33405a', '#27334a'] : ['#b5cf9f', '#8fb582', '#6f9c6a'];
  for (const [index, color] of leaves.entries()) {
    const high = bottom + (top - bottom) * (0.52 - index * 0.15);
    const crowns: Place[] = [];
    for (let part = 0; part <= 14; part += 1) {
      const along = from + ((to - from) * part) / 14;
      const up = high + (chance() - 0.5) * 0.3 + Math.sin(part * 1.1 + index * 2) * 0.12;
      crowns.push(onWall(wall, along, Math.max(bottom, Math.min(top, up))));
    }
    face(space, [onWall(wall, from, bottom), ...crowns, onWall(wall, to, bottom)], { fill: color });
  }
  // Light that the glass throws back.
  const wide = to - from;
  face(
    space,
    [
      onWall(wall, from + wide * 0.12, bottom),
      onWall(wall, from + wide * 0.34, bottom),
      onWall(wall, from + wide * 0.72, top),
      onWall(wall, from + wide * 0.5, top),
    ],
    { fill: '#ffffff', opacity: evening ? 0.07 : 0.2 },
  );
  const bars: Look = { stroke: frame, line: scaleAt(wall === 'back' ? ROOM.depth : (from + to) / 2) * 0.04 };
  for (let part = 0; part <= panes[0]; part += 1) {
    const along = from + (wide * part) / panes[0];
    stroke(space, onWall(wall, along, bottom), onWall(wall, along, top), bars);
  }
  for (let part = 0; part <= panes[1]; part += 1) {
    const up = bottom + ((top - bottom) * part) / panes[1];
    stroke(space, onWall(wall, from, up), onWall(wall, to, up), bars);
  }
  if (bottom > 0.2)
    onWallFace(space, wall, [from - 0.16, bottom - 0.15, to + 0.16, bottom - 0.08], {
      fill: lighter(frame, 0.3),
      stroke: darker(frame, 0.25),
      line: 0.8,
    });
}

/** The sun on the floor, pane by pane. */
export function drawSun(space: Space, { wall, from, to, bottom, top, panes }: Opening): void {
  if (space.evening) return;
  const { half, front, depth } = ROOM;
  const falls = (along: number, up: number): Place => {
    const [x, , z] = onWall(wall, along, up);
    const [dx, dz] = wall === 'back' ? [0.34, -1.15] : wall === 'left' ? [1.15, -0.42] : [-1.15, -0.42];
    const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));
    return [clamp(x + up * dx, -half, half), 0, clamp(z + up * dz, front, depth)];
  };
  const fill = space.canvas.linear([
    [0, '#fff3d2', 0.5],
    [1, '#fff3d2', 0.2],
  ]);
  for (let column = 0; column < panes[0]; column += 1)
    for (let row = 0; row < panes[1]; row += 1) {
      const part = (index: number, count: number, start: number, end: number) =>
        start + ((end - start) * index) / count;
      const [a, b] = [part(column + 0.06, panes[0], from, to), part(column + 0.94, panes[0], from, to)];
      const [c, d] = [part(row + 0.05, panes[1], bottom, top), part(row + 0.95, panes[1], bottom, top)];
      face(space, [falls(a, c), falls(b, c), falls(b, d), falls(a, d)], { fill });
    }
}

/** Soft light in the whole picture: of the window by day, of the lamps in the evening. */
export function drawAir(space: Space, light: Wall): void {
  const { canvas, evening } = space;
  const at = light === 'left' ? 0.1 : light === 'right' ? 0.9 : 0.5;
  const glow = canvas.radial([
    [0, evening ? '#ffc878' : '#fff6dd', evening ? 0.2 : 0.3],
    [1, evening ? '#ffc878' : '#fff6dd', 0],
  ]);
  canvas.add(ellipse(WIDTH * at, HEIGHT * 0.42, WIDTH * 0.6, HEIGHT * 0.62, { fill: glow }));
  const edge = canvas.radial([
    [0.62, '#120c06', 0],
    [1, '#120c06', evening ? 0.34 : 0.2],
  ]);
  canvas.add(ellipse(WIDTH / 2, HEIGHT / 2, WIDTH * 0.86, HEIGHT * 0.9, { fill: edge }));
}
