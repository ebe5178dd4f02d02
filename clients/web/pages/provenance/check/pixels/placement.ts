/**
 * Finds where one picture lies in another: one is the whole of the other, a part of it, or has it as a part. First
 * every place in a coarse picture is tried, then the best ones are moved until they fit (Gauss-Newton on six numbers, so
 * that a small turn or stretch is followed too).
 */
import { channelOf, normalized, type Plane, type Raster, resized, sampled } from './raster.ts';

/** From a place in the reference to one in the file, both in shares around the middle: a, then b for x and y. */
export type Placement = readonly [x: number, xx: number, xy: number, y: number, yx: number, yy: number];

/** The same brightness in three sizes, the smallest first. */
export interface Levels {
  readonly coarse: Plane;
  readonly middle: Plane;
  readonly fine: Plane;
}

/** Pixels of the longer side of the smallest size. */
const COARSE = 40;

export function levelsOf({ width, height, gray }: Raster): Levels {
  const fine: Plane = { width, height, values: gray };
  const of = (longest: number): Plane => {
    const factor = Math.min(1, longest / Math.max(width, height));
    return normalized(
      resized(fine, Math.max(8, Math.round(width * factor)), Math.max(8, Math.round(height * factor))),
    );
  };
  return { coarse: of(COARSE), middle: of(64), fine: normalized(fine) };
}

/** How much of the other picture's longer side a part has. A smaller part shows too little to be known again. */
const SHARES = [1, 0.93, 0.86, 0.79, 0.73, 0.67, 0.61, 0.56, 0.51, 0.47, 0.43, 0.39, 0.36];
/** A picture that was turned or stretched a little sticks out. */
const TOLERANCE = 1.04;

interface Found {
  readonly score: number;
  readonly placement: Placement;
}

/** The best places, the best one first. */
export function placesOf(file: Levels, reference: Levels, count: number): Placement[] {
  const found = [
    ...partsIn(reference.coarse, file.coarse, true),
    ...partsIn(file.coarse, reference.coarse, false),
  ];
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, count)
    .map(({ placement }) => placement);
}

/** The best place of `part` in `whole` for each of its possible sizes. */
function partsIn(whole: Plane, part: Plane, isFile: boolean): Found[] {
  const longest = Math.max(whole.width / part.width, whole.height / part.height);
  const shortest = Math.min(whole.width / part.width, whole.height / part.height);
  return SHARES.flatMap((share) => {
    // Up to the size at which it fills the other picture in one direction.
    const factor = Math.min(share * longest, shortest * TOLERANCE);
    const width = Math.min(whole.width, Math.round(part.width * factor));
    const height = Math.min(whole.height, Math.round(part.height * factor));
    if (width < 8 || height < 8) return [];
    const { score, left, top } = bestPlace(whole, normalized(resized(part, width, height)));
    const [w, h] = [width / whole.width, height / whole.height];
    const x = left / whole.width + w / 2 - 0.5;
    const y = top / whole.height + h / 2 - 0.5;
    const placement: Placement = isFile ? [-x / w, 1 / w, 0, -y / h, 0, 1 / h] : [x, w, 0, y, 0, h];
    return [{ score, placement }];
  });
}

function bestPlace(whole: Plane, part: Plane): { score: number; left: number; top: number } {
  let best = { score: -1, left: 0, top: 0 };
  for (let top = 0; top + part.height <= whole.height; top += 1)
    for (let left = 0; left + part.width <= whole.width; left += 1) {
      const sums = new Correlation();
      for (let y = 0; y < part.height; y += 1)
        for (let x = 0; x < part.width; x += 1)
          sums.add(
            whole.values[(top + y) * whole.width + left + x] ?? 0,
            part.values[y * part.width + x] ?? 0,
          );
      // A larger part that fits nearly as well says more.
      const score = sums.value * (part.width * part.height) ** 0.08;
      if (score > best.score) best = { score, left, top };
    }
  return best;
}

class Correlation {
  count = 0;
  #first = 0;
  #second = 0;
  #both = 0;

  add(first: number, second: number): void {
    this.count += 1;
    this.#first += first * first;
    this.#second += second * second;
    this.#both += first * second;
  }

  /** From -1 to 1, of values around zero. */
  get value(): number {
    return this.#both / Math.sqrt(this.#first * this.#second + 1e-9);
  }
}

/** The place in the file, in pixels of a plane. */
function target([x, xx, xy, y, yx, yy]: Placement, from: Plane, to: Plane, column: number, row: number) {
  const [across, down] = [(column + 0.5) / from.width - 0.5, (row + 0.5) / from.height - 0.5];
  return {
    across,
    down,
    x: (x + xx * across + xy * down + 0.5) * to.width - 0.5,
    y: (y + yx * across + yy * down + 0.5) * to.height - 0.5,
  };
}

/** Less of the reference in sight says nothing. */
const LEAST_SHARE = 0.1;

/** How well structure agrees where the two lie over each other, from -1 to 1. */
export function agreement(file: Plane, reference: Plane, placement: Placement): number {
  const sums = new Correlation();
  for (let row = 0; row < reference.height; row += 1)
    for (let column = 0; column < reference.width; column += 1) {
      const { x, y } = target(placement, reference, file, column, row);
      const value = sampled(file, x, y);
      if (!Number.isNaN(value)) sums.add(reference.values[row * reference.width + column] ?? 0, value);
    }
  return sums.count < LEAST_SHARE * reference.values.length ? -1 : sums.value;
}

const ROUNDS = 12;
const LONGEST_STEP = 0.05;
const SETTLED = 0.0004;

/** Moves a placement until it fits; null when it loses its hold. */
export function refined(file: Levels, reference: Levels, start: Placement): Placement | null {
  let placement: Placement | null = start;
  for (const level of ['middle', 'fine'] as const)
    for (let round = 0; round < ROUNDS && placement !== null; round += 1) {
      const step = stepOf(file[level], reference[level], placement);
      if (step === null) return null;
      const moved = placement.map(
        (value, at) => value + Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, step[at] ?? 0)),
      );
      placement = moved as unknown as Placement;
      if (step.every((value) => Math.abs(value) < SETTLED)) break;
    }
  return placement;
}

/** One step towards the least difference. Where the two do not agree, furniture for example, a pixel counts little. */
function stepOf(file: Plane, reference: Plane, placement: Placement): number[] | null {
  const equations = Array.from({ length: 6 }, () => new Float64Array(7));
  for (let row = 1; row < reference.height - 1; row += 1)
    for (let column = 1; column < reference.width - 1; column += 1) {
      const { across, down, x, y } = target(placement, reference, file, column, row);
      const [value, right, below] = [sampled(file, x, y), sampled(file, x + 1, y), sampled(file, x, y + 1)];
      if (Number.isNaN(value + right + below)) continue;
      const difference = (reference.values[row * reference.width + column] ?? 0) - value;
      const weight = 1 / (1 + 2.5 * difference * difference);
      const [slopeX, slopeY] = [(right - value) * file.width, (below - value) * file.height];
      const slopes = [slopeX, slopeX * across, slopeX * down, slopeY, slopeY * across, slopeY * down];
      for (const [at, slope] of slopes.entries()) {
        const equation = equations[at] as Float64Array;
        for (let other = 0; other < 6; other += 1)
          equation[other] = (equation[other] ?? 0) + weight * slope * (slopes[other] ?? 0);
        equation[6] = (equation[6] ?? 0) + weight * slope * difference;
      }
    }
  return solved(equations);
}

/** Gauss-Jordan elimination; null for equations without one solution. */
function solved(equations: Float64Array[]): number[] | null {
  const size = equations.length;
  for (let at = 0; at < size; at += 1) {
    const rest = equations.slice(at);
    const largest = rest.reduce((best, one) =>
      Math.abs(one[at] ?? 0) > Math.abs(best[at] ?? 0) ? one : best,
    );
    const pivot = largest[at] ?? 0;
    if (Math.abs(pivot) < 1e-9) return null;
    const place = equations.indexOf(largest);
    [equations[at], equations[place]] = [largest, equations[at] as Float64Array];
    for (const other of equations) {
      if (other === largest) continue;
      const factor = (other[at] ?? 0) / pivot;
      for (let column = at; column <= size; column += 1)
        other[column] = (other[column] ?? 0) - factor * (largest[column] ?? 0);
    }
  }
  return equations.map((one, at) => (one[size] ?? 0) / (one[at] ?? 1));
}

/** The colors of the file in the frame of a reference; NaN where it does not reach. */
export function laidOver(file: Raster, reference: Raster, placement: Placement): Float32Array {
  const result = new Float32Array(reference.width * reference.height * 3);
  const channels = [0, 1, 2].map((channel) => channelOf(file, channel));
  const frame: Plane = { ...reference, values: reference.gray };
  for (let row = 0; row < reference.height; row += 1)
    for (let column = 0; column < reference.width; column += 1) {
      const at = (row * reference.width + column) * 3;
      for (const [channel, plane] of channels.entries()) {
        const { x, y } = target(placement, frame, plane, column, row);
        result[at + channel] = sampled(plane, x, y);
      }
    }
  return result;
}
