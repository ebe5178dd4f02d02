import { lateral, type Point3, type Range, upright } from './camera.ts';
import { shade } from './colours.ts';
import { tap } from './room-fittings.ts';
import type { RoomShell } from './room-shell.ts';
import type { Sketch } from './sketch.ts';

/** What is built into a bathroom: half-tiled walls, a tub along the back, a vanity with mirror on the left, a toilet. */
export function bathroomFittings(s: Sketch, room: RoomShell, tileColour: string): string {
  const { halfWidth: w, depth: d } = room;
  return [
    wallTiles(s, room, tileColour),
    tub(s, [-w, w * 0.25], d),
    vanity(s, room),
    toilet(s, w - 0.42, d),
  ].join('');
}

function wallTiles(s: Sketch, { halfWidth: w, depth: d }: RoomShell, colour: string): string {
  const top = 1.35;
  const faces: Point3[][] = [
    upright([-w, w], [0, top], d),
    lateral(-w, [0, top], [0.9, d]),
    lateral(w, [0, top], [0.9, d]),
  ];
  const line = (from: Point3, to: Point3) => s.bar(from, to, { width: 0.006, colour: shade(colour, 0.82) });
  const rows = [0.3, 0.6, 0.9, 1.2].flatMap((y) => [
    line([-w, y, d], [w, y, d]),
    line([-w, y, 0.9], [-w, y, d]),
    line([w, y, 0.9], [w, y, d]),
  ]);
  const columns: string[] = [];
  for (let x = -w + 0.3; x < w; x += 0.3) columns.push(line([x, 0, d], [x, top, d]));
  for (let z = d - 0.3; z > 0.9; z -= 0.3)
    columns.push(line([-w, 0, z], [-w, top, z]), line([w, 0, z], [w, top, z]));
  const trim = [
    line([-w, top, d], [w, top, d]),
    s.bar([-w, top, 0.9], [-w, top, d], { width: 0.02, colour: shade(colour, 0.7) }),
    s.bar([w, top, 0.9], [w, top, d], { width: 0.02, colour: shade(colour, 0.7) }),
  ];
  const tones = [1, 0.93, 1.03];
  return [
    ...faces.map((face, index) => s.polygon(face, shade(colour, tones[index]!))),
    ...rows,
    ...columns,
    ...trim,
  ].join('');
}

function tub(s: Sketch, x: Range, depth: number): string {
  const near = depth - 0.78;
  const y = 0.58;
  const inner: Point3[] = [
    [x[0] + 0.12, y, near + 0.1],
    [x[1] - 0.12, y, near + 0.1],
    [x[1] - 0.18, y, depth - 0.1],
    [x[0] + 0.12, y, depth - 0.1],
  ];
  return [
    s.shadow(x, [near, depth], 0.3),
    s.box({ x: x, y: [0, y], z: [near, depth] }, '#f5f4f1', 0.05),
    s.polygon(
      inner,
      s.gradient('#d4d6d7', '#eceded'),
      'stroke="#dcdcda" stroke-width="8" stroke-linejoin="round"',
    ),
    tap(s, [x[0] + 0.45, y, depth - 0.06]),
  ].join('');
}

function vanity(s: Sketch, { halfWidth: w, depth: d }: RoomShell): string {
  const [near, far] = [d - 2.15, d - 1.2];
  const x: [number, number] = [-w, -w + 0.5];
  const mirror: Point3[] = lateral(-w, [1.12, 1.95], [near + 0.08, far - 0.08]);
  return [
    s.shadow(x, [near, far], 0.35),
    s.box({ x, y: [0.22, 0.8], z: [near, far] }, '#8f7458', 0.01),
    s.bar([x[1], 0.52, near + 0.02], [x[1], 0.52, far - 0.02], { width: 0.01, colour: '#5f4c39' }),
    s.box({ x: [x[0], x[1] + 0.03], y: [0.8, 0.85], z: [near - 0.02, far + 0.02] }, '#efeeea', 0.01),
    s.drum({ x: -w + 0.27, z: (near + far) / 2, y: [0.85, 0.95], radius: [0.15, 0.2] }, '#f7f7f5'),
    s.bar([-w + 0.05, 0.85, (near + far) / 2], [-w + 0.05, 1.05, (near + far) / 2], {
      width: 0.022,
      colour: '#a3a7ab',
    }),
    s.polygon(mirror, s.gradient('#dfe7ea', '#b7c3c8'), 'stroke="#6e7478" stroke-width="3"'),
    s.polygon(
      [mirror[0]!, [-w, 1.12, near + 0.4], [-w, 1.95, near + 0.65], [-w, 1.95, near + 0.3]],
      '#ffffff',
      'opacity=".3"',
    ),
  ].join('');
}

function toilet(s: Sketch, x: number, depth: number): string {
  const z = depth - 0.46;
  return [
    s.shadow([x - 0.18, x + 0.18], [depth - 0.65, depth], 0.35),
    s.box({ x: [x - 0.2, x + 0.2], y: [0.38, 0.82], z: [depth - 0.2, depth - 0.02] }, '#f5f5f3', 0.04),
    s.drum({ x, z, y: [0.01, 0.36], radius: [0.13, 0.19] }, '#f1f1ee'),
    s.drum({ x, z, y: [0.36, 0.41], radius: [0.205, 0.205] }, '#fbfbfa'),
  ].join('');
}
