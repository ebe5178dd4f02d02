import { type CellBox, cellsAround, DEEPEST_ZOOM } from './map-cells.ts';
import type { Area, GeoBox } from './search-index.ts';

/**
 * How a box is made up of counted cells (`search_cells`): the largest inside, smaller ones round them, and at the edge the
 * listings themselves. Sizes are shifts of the grid at zoom 16; a cell of one size is 8 by 8 of the next smaller.
 */
export const SMALLEST = 3;
export const STEP = 3;
export const SHIFTS = [3, 6, 9, 12] as const;

/** The cells of one size that belong to an answer while none of their listings has changed. */
export interface Level {
  readonly shift: number;
  /** All cells of this size inside the box. */
  readonly inside: CellBox;
  /** Those that no larger cell covers, in up to four parts. */
  readonly rest: readonly CellBox[];
}

/** The parts of a box, the largest cells first. */
export interface CellCover {
  readonly levels: readonly Level[];
  /** Where the listings are read one by one, in cells of zoom 16. */
  readonly edge: readonly CellBox[];
  /** The box in the smallest counted cells. */
  readonly around: CellBox;
}

/** With fewer of the smallest cells inside, reading the listings is as quick. */
const LEAST_CELLS = 100;

/**
 * @param zoom of the marks: a counted cell is used when it is inside one mark's cell; null where only the sum matters
 * @returns null when the listings themselves are to be read: the box is small, or crosses the antimeridian
 */
export function coverOf(box: GeoBox, zoom: number | null): CellCover | null {
  if (box.west > box.east) return null;
  const around = cellsAround(box);
  const within = shrunk(box, around);
  const levels: Level[] = [];
  for (const shift of SHIFTS.toReversed()) {
    if (zoom !== null && shift > DEEPEST_ZOOM - zoom) continue;
    const inside = cellsInside(within, shift);
    if (inside === null) continue;
    const larger = levels.at(-1)?.inside;
    levels.push({
      shift,
      inside,
      rest: larger === undefined ? [inside] : difference(inside, scaled(larger, STEP)),
    });
  }
  const smallest = levels.at(-1);
  if (smallest === undefined || smallest.shift !== SMALLEST || sizeOf(smallest.inside) < LEAST_CELLS)
    return null;
  return {
    levels,
    edge: difference(around, scaled(smallest.inside, SMALLEST)),
    around: {
      west: around.west >> SMALLEST,
      east: around.east >> SMALLEST,
      north: around.north >> SMALLEST,
      south: around.south >> SMALLEST,
    },
  };
}

/** Beyond every cell. */
const OUTSIDE = 1 << 20;

/**
 * The cells that are wholly in the box: those at its edges are not, and one more may be off by rounding. At an edge of the
 * world everything is inside.
 */
function shrunk(box: GeoBox, { west, east, north, south }: CellBox): CellBox {
  return {
    west: box.west <= -180 ? -OUTSIDE : west + 3,
    east: box.east >= 180 ? OUTSIDE - 1 : east - 3,
    north: box.north >= 90 ? -OUTSIDE : north + 3,
    south: box.south <= -90 ? OUTSIDE - 1 : south - 3,
  };
}

function cellsInside({ west, east, north, south }: CellBox, shift: number): CellBox | null {
  const size = 1 << shift;
  const inside = {
    west: Math.ceil(west / size),
    east: Math.floor((east + 1) / size) - 1,
    north: Math.ceil(north / size),
    south: Math.floor((south + 1) / size) - 1,
  };
  return inside.west > inside.east || inside.north > inside.south ? null : inside;
}

/** The same box in cells that are 2^bits times smaller. */
function scaled({ west, east, north, south }: CellBox, bits: number): CellBox {
  const last = (1 << bits) - 1;
  return {
    west: west << bits,
    east: (east << bits) + last,
    north: north << bits,
    south: (south << bits) + last,
  };
}

/** The outer box without the inner one, which is inside it. */
function difference(outer: CellBox, inner: CellBox): CellBox[] {
  const { north, south } = inner;
  return [
    { ...outer, south: north - 1 },
    { ...outer, north: south + 1 },
    { north, south, west: outer.west, east: inner.west - 1 },
    { north, south, west: inner.east + 1, east: outer.east },
  ].filter((part) => part.west <= part.east && part.north <= part.south);
}

const sizeOf = ({ west, east, north, south }: CellBox): number => (east - west + 1) * (south - north + 1);

/** In the smallest counted cells, of 250 metres: about five kilometres each way. */
const WIDE_CELLS = 400;

/** Whether a question is about more than a few streets: then it may read very many listings. */
export function isWide(areas: readonly Area[]): boolean {
  return areas.every((area) => {
    if ('polygon' in area) return true;
    if ('circle' in area) return area.circle.radiusMeters > 2_500;
    const { west, east } = area.box;
    return west > east || sizeOf(cellsAround(area.box)) > WIDE_CELLS * 4 ** SMALLEST;
  });
}
