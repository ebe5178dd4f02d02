import { seededRandom, shade } from './colours.ts';
import { legs } from './furniture-tables.ts';
import type { Piece } from './palettes.ts';
import { n } from './sketch.ts';

/** A potted plant with arching leaves. */
export function plant(x: number, z: number, size: { height?: number; seed?: number } = {}): Piece {
  const { height = 1.35, seed = 3 } = size;
  return {
    depth: z - 0.2,
    footprint: { x: [x - 0.17, x + 0.17], z: [z - 0.17, z + 0.17] },
    draw: (s, p) => {
      const random = seededRandom(seed);
      const potTop = Math.min(0.36, height * 0.32);
      const [u, v] = s.camera.project([x, potTop, z]);
      const scale = s.camera.scaleAt(z);
      const leaves = Array.from({ length: 15 }, (_, index) => {
        const lean = (index % 2 ? 1 : -1) * (0.08 + random() * 0.42) * height * 0.6;
        const reach = (height - potTop) * (0.45 + random() * 0.55) * (1 - Math.abs(lean) / height / 1.6);
        return leaf(
          { u, v, du: lean * scale, dv: -reach * scale },
          (0.05 + random() * 0.035) * scale,
          shade(p.leaf, 0.7 + random() * 0.55),
        );
      });
      const pot = s.drum({ x, z, y: [0.01, potTop], radius: [0.13, 0.17] }, p.pot);
      const soil = s.drum({ x, z, y: [potTop - 0.002, potTop], radius: [0.15, 0.15] }, '#3a2d22');
      return pot + soil + leaves.join('');
    },
  };
}

/** One leaf on its stalk, from (u, v) towards (u + du, v + dv), bending outwards. */
function leaf(at: { u: number; v: number; du: number; dv: number }, width: number, colour: string): string {
  const tip = { u: at.u + at.du, v: at.v + at.dv };
  const start = { u: at.u + at.du * 0.3, v: at.v + at.dv * 0.5 };
  const bend = { u: start.u + at.du * 0.15, v: at.v + at.dv * 0.95 };
  const blade = `M${n(start.u)} ${n(start.v)} Q${n(bend.u - width)} ${n(bend.v)} ${n(tip.u)} ${n(tip.v)} Q${n(bend.u + width)} ${n(bend.v + width)} ${n(start.u)} ${n(start.v)}Z`;
  const stalk = `<path d="M${n(at.u)} ${n(at.v)} Q${n(at.u)} ${n(start.v)} ${n(start.u)} ${n(start.v)}" fill="none" stroke="${shade(colour, 0.7)}" stroke-width="${n(Math.max(1, width * 0.14))}"/>`;
  const vein = `<path d="M${n(start.u)} ${n(start.v)} Q${n(bend.u)} ${n(bend.v)} ${n(tip.u)} ${n(tip.v)}" fill="none" stroke="${shade(colour, 1.25)}" stroke-opacity=".5" stroke-width="1"/>`;
  return `${stalk}<path d="${blade}" fill="${colour}"/>${vein}`;
}

/** A standing lamp, lit. */
export function floorLamp(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.13, x + 0.13], z: [z - 0.13, z + 0.13] },
    draw: (s, p) =>
      [
        s.drum({ x, z, y: [0.005, 0.03], radius: [0.15, 0.15] }, p.metal),
        s.bar([x, 0.03, z], [x, 1.42, z], { width: 0.022, colour: p.metal }),
        s.glow([x, 1.5, z], { radius: 1.0, colour: '#ffdf9e', strength: 0.38 }),
        s.drum({ x, z, y: [1.36, 1.66], radius: [0.22, 0.16] }, p.shade),
      ].join(''),
  };
}

/** A stool with folded towels and a soap bottle. */
export function towelStool(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.2, x + 0.2], z: [z, z + 0.34] },
    draw: (s, p) =>
      [
        legs(s, { x: [x - 0.16, x + 0.16], z: [z + 0.04, z + 0.3], top: 0.42 }, p.wood),
        s.box({ x: [x - 0.21, x + 0.21], y: [0.41, 0.45], z: [z, z + 0.34] }, p.wood, 0.02),
        s.box({ x: [x - 0.17, x + 0.09], y: [0.45, 0.53], z: [z + 0.05, z + 0.3] }, p.fabricLight, 0.05),
        s.box({ x: [x - 0.16, x + 0.08], y: [0.53, 0.6], z: [z + 0.05, z + 0.29] }, p.accent, 0.05),
        s.drum({ x: x + 0.15, z: z + 0.16, y: [0.45, 0.6], radius: [0.032, 0.028] }, p.accentDeep),
      ].join(''),
  };
}

/** A leaning ladder with hanging towels. */
export function towelLadder(x: number, z: number): Piece {
  return {
    depth: z,
    footprint: { x: [x - 0.24, x + 0.24], z: [z - 0.05, z + 0.1] },
    draw: (s, p) => {
      const rung = (y: number) => s.bar([x - 0.22, y, z], [x + 0.22, y, z], { width: 0.028, colour: p.wood });
      const towel = (y: number, drop: number, colour: string) =>
        s.box({ x: [x - 0.16, x + 0.16], y: [y - drop, y + 0.015], z: [z - 0.04, z - 0.005] }, colour, 0.025);
      return [
        s.bar([x - 0.22, 0.01, z], [x - 0.22, 1.62, z + 0.12], { width: 0.04, colour: p.wood }),
        s.bar([x + 0.22, 0.01, z], [x + 0.22, 1.62, z + 0.12], { width: 0.04, colour: shade(p.wood, 0.85) }),
        ...[0.32, 0.68, 1.04, 1.4].map(rung),
        towel(1.4, 0.46, p.fabricLight),
        towel(0.68, 0.4, p.accent),
      ].join('');
    },
  };
}

/** A woven basket with rolled towels. */
export function basket(x: number, z: number): Piece {
  return {
    depth: z - 0.2,
    footprint: { x: [x - 0.2, x + 0.2], z: [z - 0.2, z + 0.2] },
    draw: (s, p) => {
      return [
        s.drum({ x, z, y: [0.01, 0.34], radius: [0.19, 0.225] }, '#b48d5c'),
        ...[-0.1, 0.08].map((dx, index) =>
          s.drum({ x: x + dx, z, y: [0.32, 0.47], radius: [0.085, 0.085] }, index ? p.accent : p.fabricLight),
        ),
        s.drum({ x: x, z: z - 0.09, y: [0.31, 0.44], radius: [0.085, 0.085] }, shade(p.fabricLight, 0.95)),
      ].join('');
    },
  };
}
