import type { Plane, Raster } from '../drift/raster.ts';
import type { Box } from './hashes.ts';
import type { SmallPicture } from './small-picture.ts';

/**
 * Where the points of a template lie in another picture: x' = a0 + a1 x + a2 y and y' = a3 + a4 x + a5 y, as shares of
 * the sides from the middle.
 */
export type Affine = readonly [number, number, number, number, number, number];

/** For each level: which of the pictures' planes, how many rounds, and every how many pixels. */
interface Pass {
  readonly level: 0 | 1 | 2;
  readonly rounds: number;
  readonly step: number;
}
const COARSE: Pass = { level: 0, rounds: 14, step: 1 };
const FINE: readonly Pass[] = [COARSE, { level: 1, rounds: 10, step: 1 }, { level: 2, rounds: 6, step: 2 }];
const UNKNOWNS = 6;
/** How fast a pixel that does not agree loses weight: furniture must not lead. */
const DISTRUST = 2.5;
const DAMPING = 1.001;
const MOST_CHANGE = 0.05;
const STILL = 0.0004;
/** Of the template: less says nothing. */
export const LEAST_OVERLAP = 0.15;

/** The map for a template that lies in this box. */
export function affineOf([left, top, right, bottom]: Box, mirrored: boolean): Affine {
  const width = right - left;
  return [(left + right) / 2 - 0.5, mirrored ? -width : width, 0, (top + bottom) / 2 - 0.5, 0, bottom - top];
}

/** Moves the map until the picture lies over the template; null when it says nothing about a direction. */
export function aligned(
  picture: SmallPicture,
  template: SmallPicture,
  start: Affine,
  passes = FINE,
): Affine | null {
  let map = start;
  for (const { level, rounds, step } of passes) {
    for (let round = 0; round < rounds; round++) {
      const change = improvement(picture.levels[level], template.levels[level], map, step);
      if (change === null) return null;
      map = moved(map, change);
      if (Math.max(...change.map(Math.abs)) < STILL) break;
    }
  }
  return map;
}

/** No number of the map changes by more than `MOST_CHANGE`. */
function moved([a0, a1, a2, a3, a4, a5]: Affine, change: readonly number[]): Affine {
  const [d0, d1, d2, d3, d4, d5] = change.map((value) => clamp(value, MOST_CHANGE));
  return [a0 + d0!, a1 + d1!, a2 + d2!, a3 + d3!, a4 + d4!, a5 + d5!];
}

const clamp = (value: number, most: number): number => Math.max(-most, Math.min(most, value));

/** One step of Gauss and Newton. */
function improvement(picture: Plane, template: Plane, map: Affine, step: number): number[] | null {
  const { width, height, values } = template;
  const [pw, ph, pixels] = [picture.width, picture.height, picture.values];
  const [a0, a1, a2, a3, a4, a5] = map;
  const matrix = new Float64Array(UNKNOWNS * UNKNOWNS);
  const right = new Float64Array(UNKNOWNS);
  const slope = new Float64Array(UNKNOWNS);
  for (let y = 1; y < height - 1; y += step) {
    const down = (y + 0.5) / height - 0.5;
    for (let x = 1; x < width - 1; x += step) {
      const across = (x + 0.5) / width - 0.5;
      const px = (a0 + a1 * across + a2 * down + 0.5) * pw - 0.5;
      const py = (a3 + a4 * across + a5 * down + 0.5) * ph - 0.5;
      if (px < 1 || py < 1 || px >= pw - 2 || py >= ph - 2) continue;
      const [left, top] = [px | 0, py | 0];
      const [fx, fy] = [px - left, py - top];
      const at = top * pw + left;
      const [p, q, r, s] = [pixels[at]!, pixels[at + 1]!, pixels[at + pw]!, pixels[at + pw + 1]!];
      const here = (p * (1 - fx) + q * fx) * (1 - fy) + (r * (1 - fx) + s * fx) * fy;
      const toRight = ((q - p) * (1 - fy) + (s - r) * fy) * pw;
      const toBelow = ((r - p) * (1 - fx) + (s - q) * fx) * ph;
      const wrong = values[y * width + x]! - here;
      const weight = 1 / (1 + wrong * wrong * DISTRUST);
      slope[0] = toRight;
      slope[1] = toRight * across;
      slope[2] = toRight * down;
      slope[3] = toBelow;
      slope[4] = toBelow * across;
      slope[5] = toBelow * down;
      for (let m = 0; m < UNKNOWNS; m++) {
        const weighed = weight * slope[m]!;
        right[m]! += weighed * wrong;
        for (let n = m; n < UNKNOWNS; n++) matrix[m * UNKNOWNS + n]! += weighed * slope[n]!;
      }
    }
  }
  const rows = Array.from({ length: UNKNOWNS }, (_, m) => [
    ...Array.from(
      { length: UNKNOWNS },
      (_, n) => matrix[Math.min(m, n) * UNKNOWNS + Math.max(m, n)]! * (m === n ? DAMPING : 1),
    ),
    right[m]!,
  ]);
  return solved(rows);
}

/** Solves six equations, each with its right side last; null when they do not decide. */
function solved(rows: number[][]): number[] | null {
  for (let at = 0; at < UNKNOWNS; at++) {
    let pivot = at;
    for (let row = at + 1; row < UNKNOWNS; row++)
      if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row;
    if (Math.abs(rows[pivot]![at]!) < 1e-9) return null;
    [rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!];
    for (let row = 0; row < UNKNOWNS; row++) {
      if (row === at) continue;
      const factor = rows[row]![at]! / rows[at]![at]!;
      for (let column = at; column <= UNKNOWNS; column++) rows[row]![column]! -= factor * rows[at]![column]!;
    }
  }
  return rows.map((row, at) => row[UNKNOWNS]! / row[at]!);
}

/** The picture in the frame of a template, three values a pixel; NaN where the picture does not reach. */
export function laidOver(
  picture: Raster,
  map: Affine,
  { width, height }: { width: number; height: number },
): Float32Array {
  const [a0, a1, a2, a3, a4, a5] = map;
  const { rgb } = picture;
  const row = picture.width * 3;
  const laid = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    const down = (y + 0.5) / height - 0.5;
    for (let x = 0; x < width; x++) {
      const across = (x + 0.5) / width - 0.5;
      const px = (a0 + a1 * across + a2 * down + 0.5) * picture.width - 0.5;
      const py = (a3 + a4 * across + a5 * down + 0.5) * picture.height - 0.5;
      const to = (y * width + x) * 3;
      if (px < 0 || py < 0 || px > picture.width - 1.001 || py > picture.height - 1.001) {
        laid.fill(Number.NaN, to, to + 3);
        continue;
      }
      const [left, top] = [px | 0, py | 0];
      const [fx, fy] = [px - left, py - top];
      const at = (top * picture.width + left) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const from = at + channel;
        laid[to + channel] =
          (rgb[from]! * (1 - fx) + rgb[from + 3]! * fx) * (1 - fy) +
          (rgb[from + row]! * (1 - fx) + rgb[from + row + 3]! * fx) * fy;
      }
    }
  }
  return laid;
}

/** How well the two agree under a map, on the coarsest plane: -1 to 1, and -1 when too little lies over the other. */
export function agreement(picture: SmallPicture, template: SmallPicture, map: Affine): number {
  const [a0, a1, a2, a3, a4, a5] = map;
  const [coarse, under] = [picture.levels[0], template.levels[0]];
  let [count, both, own, other] = [0, 0, 0, 0];
  for (let y = 0; y < under.height; y++) {
    const down = (y + 0.5) / under.height - 0.5;
    for (let x = 0; x < under.width; x++) {
      const across = (x + 0.5) / under.width - 0.5;
      const px = Math.round((a0 + a1 * across + a2 * down + 0.5) * coarse.width - 0.5);
      const py = Math.round((a3 + a4 * across + a5 * down + 0.5) * coarse.height - 0.5);
      if (px < 0 || py < 0 || px >= coarse.width || py >= coarse.height) continue;
      const [p, q] = [under.values[y * under.width + x]!, coarse.values[py * coarse.width + px]!];
      count += 1;
      both += p * q;
      own += p * p;
      other += q * q;
    }
  }
  if (count < LEAST_OVERLAP * under.width * under.height) return -1;
  return both / Math.sqrt(own * other + 1e-9);
}

/** Whether it may be the same room: the agreement after a coarse alignment. */
export function roomAgreement(picture: SmallPicture, template: SmallPicture, start: Affine): number {
  const map = aligned(picture, template, start, [COARSE]);
  return map === null ? -1 : agreement(picture, template, map);
}
