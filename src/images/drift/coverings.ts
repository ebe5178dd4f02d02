import type { Gradients } from './gradients.ts';
import type { Lab } from './lab.ts';
import { type Plane, planeOf } from './raster.ts';
import { middleRow, regionsOf } from './regions.ts';

/** Pixels of a side: a pattern of wallpaper fits in. */
const CELL = 12;
/** Cells of one wall differ from their neighbors by no more: L*a*b* units, and L* a pixel of texture. */
const STEP = { color: 5, texture: 1 };
/** The share of the picture from which a wall counts. */
const LEAST_AREA = 0.05;
/** Most of a wall lies above this row: furniture and rugs cover what is below. */
const LOWEST_MIDDLE = 0.5;
/** Only cells with less furniture count, if that share of the wall's cells is left. */
const BESIDE = { furniture: 0.05, least: 0.5 };
/** L* a pixel; weaker texture is the grain of cameras and encoders. */
const LEAST_TEXTURE = 0.7;
/** Correlation of the gradients; the same texture in other light has more. */
const LEAST_LIKENESS = 0.35;
/** The rest of alignment. */
const REACH = 1;

/**
 * Wallpaper hardly changes the color of a wall, but its texture: the share of a wall, next to furniture, whose texture is
 * another one now, 0 to 1; of the most changed wall. Floors are left out: large tiles and boards are mostly plain.
 * @param now the gradients of the staged picture, moved back over the photo, in its tone
 */
export function papered(
  lab: Lab,
  photo: Gradients,
  { now, furniture }: { now: Gradients; furniture: Plane },
) {
  const grid = { width: Math.floor(photo.width / CELL), height: Math.floor(photo.height / CELL) };
  const means = (plane: Plane) => cellMeans(plane, grid);
  const [l, a, b] = [means(lab.lightness), means(lab.a), means(lab.b)];
  const before = means({ ...photo, values: photo.strength });
  const after = means({ ...now, values: now.strength });
  const covered = means(furniture);
  const isChanged = (cell: number): boolean =>
    Math.max(before[cell]!, after[cell]!) > LEAST_TEXTURE &&
    likeness(photo, now, grid, cell) < LEAST_LIKENESS;
  const surfaces = regionsOf(grid, () => true, {
    least: LEAST_AREA * grid.width * grid.height,
    joins: (at, next) =>
      Math.hypot(l[at]! - l[next]!, a[at]! - a[next]!, b[at]! - b[next]!) <= STEP.color &&
      Math.abs(before[at]! - before[next]!) <= STEP.texture,
  });
  return surfaces
    .filter((surface) => middleRow(surface, grid.width) < LOWEST_MIDDLE * grid.height)
    .reduce((most, wall) => {
      const beside = wall.filter((cell) => covered[cell]! < BESIDE.furniture);
      if (beside.length < BESIDE.least * wall.length) return most;
      return Math.max(most, beside.filter(isChanged).length / beside.length);
    }, 0);
}

function cellMeans({ width, values }: Plane, grid: { width: number; height: number }): Float32Array {
  const means = planeOf(grid).values;
  for (let cell = 0; cell < means.length; cell++) {
    let sum = 0;
    eachPixel(width, grid, cell, (at) => {
      sum += values[at]!;
    });
    means[cell] = sum / (CELL * CELL);
  }
  return means;
}

function eachPixel(width: number, grid: { width: number }, cell: number, visit: (at: number) => void): void {
  const first = Math.floor(cell / grid.width) * CELL * width + (cell % grid.width) * CELL;
  for (let row = 0; row < CELL; row++)
    for (let column = 0; column < CELL; column++) visit(first + row * width + column);
}

/** Correlation of the two fields of gradients in a cell, at the best of nine places; -1 to 1. */
function likeness(photo: Gradients, now: Gradients, grid: { width: number }, cell: number): number {
  let best = -1;
  for (let v = -REACH; v <= REACH; v++) {
    for (let u = -REACH; u <= REACH; u++) {
      let [product, square, other] = [0, 0, 0];
      eachPixel(photo.width, grid, cell, (at) => {
        const there = at + v * photo.width + u;
        const [x, y] = [now.x[there] ?? 0, now.y[there] ?? 0];
        product += photo.x[at]! * x + photo.y[at]! * y;
        square += photo.x[at]! ** 2 + photo.y[at]! ** 2;
        other += x * x + y * y;
      });
      if (square > 0 && other > 0) best = Math.max(best, product / Math.sqrt(square * other));
    }
  }
  return best;
}
