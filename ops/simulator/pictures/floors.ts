import { type seededRandom, shade } from './colors.ts';
import { EYE_HEIGHT_M, FOCAL } from './drawing.ts';

/** A floor seen from the middle of the room: meters, color `#rrggbb`. */
export interface Floor {
  halfWidth: number;
  depth: number;
  color: string;
  random: ReturnType<typeof seededRandom>;
}

type Range = readonly [from: number, to: number];

/** Where the floor begins: behind the lower edge of any picture. */
const NEAR = 0.9;

/** Boards that run away from the eye, each plank in its own tone. */
export function boards({ halfWidth, depth, color, random }: Floor): string {
  const width = 0.17;
  const drawn = [flat([-halfWidth, halfWidth], [NEAR, depth], shade(color, 0.6))];
  for (let x = -halfWidth; x < halfWidth; x += width) {
    const across: Range = [x, Math.min(x + width - 0.004, halfWidth)];
    for (let z = NEAR - random() * 1.5; z < depth; ) {
      const end = z + 1 + random() * 1.1;
      const tone = shade(color, 0.92 + random() * 0.16);
      const along: Range = [Math.max(z, NEAR), Math.min(end - 0.006, depth)];
      if (along[0] < along[1]) drawn.push(flat(across, along, tone), ...grain(across, along, tone, random));
      z = end;
    }
  }
  return drawn.join('');
}

function grain([left, right]: Range, [near, far]: Range, tone: string, random: () => number): string[] {
  return Array.from({ length: 3 }, () => {
    const at = left + (right - left) * random();
    const corners = [
      [at, near],
      [at + 0.006, near],
      [at + 0.004, far],
    ] as const;
    return polygon(corners, shade(tone, 0.8), ' opacity=".35"');
  });
}

export function tiles({ halfWidth, depth, color, random }: Floor, edge: number): string {
  const drawn = [flat([-halfWidth, halfWidth], [NEAR, depth], shade(color, 0.78))];
  for (let x = -Math.ceil(halfWidth / edge) * edge; x < halfWidth; x += edge)
    for (let z = depth - edge; z > NEAR - edge; z -= edge) {
      const across: Range = [Math.max(x, -halfWidth), Math.min(x + edge - 0.008, halfWidth)];
      const along: Range = [Math.max(z, NEAR), z + edge - 0.01];
      if (across[0] < across[1] && along[0] < along[1])
        drawn.push(flat(across, along, shade(color, 0.97 + random() * 0.06)));
    }
  return drawn.join('');
}

function flat([left, right]: Range, [near, far]: Range, fill: string): string {
  return polygon(
    [
      [left, near],
      [right, near],
      [right, far],
      [left, far],
    ],
    fill,
  );
}

function polygon(corners: readonly Range[], fill: string, extra = ''): string {
  const points = corners.map(([x, z]) =>
    [x, EYE_HEIGHT_M].map((length) => ((FOCAL * length) / z).toFixed(1)),
  );
  return `<polygon points="${points.map((pair) => pair.join(',')).join(' ')}" fill="${fill}"${extra}/>`;
}
