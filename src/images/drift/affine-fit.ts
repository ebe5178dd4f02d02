import type { Match } from './corner-matches.ts';

/**
 * An affine displacement around the middle of the picture: how far a point at (x, y) from the middle has moved, in
 * pixels: `dx = xx * x + xy * y + x0`, `dy = yx * x + yy * y + y0`.
 */
export interface Displacement {
  readonly xx: number;
  readonly xy: number;
  readonly x0: number;
  readonly yx: number;
  readonly yy: number;
  readonly y0: number;
}

export interface Fit {
  readonly displacement: Displacement;
  /** The share of matches that the displacement explains, 0 to 1. */
  readonly inliers: number;
}

const ROUNDS = 300;
const LEAST_MATCHES = 8;
const LEAST_INLIERS = 6;
/** Pixels between a match and what the displacement says: in the search, and in the end. */
const NEAR = 2.5;
const EXPLAINED = 3;
/** No room is widened by more in a picture that still shows it: such a sample is a wrong match. */
const MOST_SCALE = 0.3;

/**
 * The displacement that most matches agree on (RANSAC): three matches are drawn, their displacement is counted, the
 * best one is fitted to all that agree. Null for too few matches. The same matches always give the same answer.
 */
export function fitDisplacement(
  matches: readonly Match[],
  size: { width: number; height: number },
): Fit | null {
  if (matches.length < LEAST_MATCHES) return null;
  const centred = matches.map((match) => ({
    ...match,
    x: match.x - size.width / 2,
    y: match.y - size.height / 2,
  }));
  const draw = drawer(centred);
  let best: Match[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const sample = solve([draw(), draw(), draw()]);
    if (sample === null || Math.abs(sample.xx) > MOST_SCALE || Math.abs(sample.yy) > MOST_SCALE) continue;
    const agreeing = centred.filter((match) => distance(sample, match) < NEAR);
    if (agreeing.length > best.length) best = agreeing;
  }
  const displacement = best.length < LEAST_INLIERS ? null : solve(best);
  if (displacement === null) return null;
  const explained = centred.filter((match) => distance(displacement, match) < EXPLAINED);
  return { displacement, inliers: explained.length / matches.length };
}

/** Draws with a fixed sequence (Park and Miller), so that a comparison can be repeated. */
function drawer<T>(items: readonly T[]): () => T {
  let state = 7;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return items[Math.floor((state / 2_147_483_647) * items.length)]!;
  };
}

function distance({ xx, xy, x0, yx, yy, y0 }: Displacement, { x, y, dx, dy }: Match): number {
  return Math.hypot(xx * x + xy * y + x0 - dx, yx * x + yy * y + y0 - dy);
}

/** Least squares by the normal equations (Cramer's rule); null when the points lie on a line. */
function solve(points: readonly Match[]): Displacement | null {
  let [sxx, sxy, syy, sx, sy] = [0, 0, 0, 0, 0];
  const right = { x: [0, 0, 0], y: [0, 0, 0] };
  for (const { x, y, dx, dy } of points) {
    sxx += x * x;
    sxy += x * y;
    syy += y * y;
    sx += x;
    sy += y;
    for (const [at, factor] of [x, y, 1].entries()) {
      right.x[at]! += factor * dx;
      right.y[at]! += factor * dy;
    }
  }
  const columns = [
    [sxx, sxy, sx],
    [sxy, syy, sy],
    [sx, sy, points.length],
  ];
  const whole = determinant(columns);
  if (Math.abs(whole) < 1e-3) return null;
  const solved = (values: number[]) =>
    columns.map((_, at) => determinant(columns.with(at, values)) / whole) as [number, number, number];
  const [xx, xy, x0] = solved(right.x);
  const [yx, yy, y0] = solved(right.y);
  return { xx, xy, x0, yx, yy, y0 };
}

/** Of three columns. */
function determinant(columns: readonly (readonly number[])[]): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = columns as [number[], number[], number[]] as never as [
    [number, number, number],
    [number, number, number],
    [number, number, number],
  ];
  return a * (e * i - f * h) - d * (b * i - c * h) + g * (b * f - c * e);
}
