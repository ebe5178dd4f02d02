import type { GeoBox } from './search-index.ts';

/**
 * The grid over the web-Mercator world by which maps group listings: a cell is 40 pixels wide where a tile is 512.
 * `search_listings` holds each listing's cell at zoom 16 (0013). A shift by one bit gives the cell one zoom further out, so
 * cells nest.
 */
export const DEEPEST_ZOOM = 16;
/** Cells round the world at zoom 16: 512 * 2^16 / 40. The same number makes `cellX` and `cellY`. */
export const WORLD_CELLS = 838_860.8;
/**
 * Columns of cells that are together one stripe of the index (0075), as a shift. A stripe is 760 m wide at the equator:
 * narrow for a city, and few enough for a continent, because the index is descended once for each stripe of a box.
 */
export const STRIPE_BITS = 4;
/** Cells each way that are together one tile of the index for filters (0083), as a shift. A tile is 3 km wide at the equator. */
export const TILE_BITS = 6;

/** Cells, both ends included. */
export interface CellBox {
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

/** @returns 0 at the north of the map, 1 at its south */
export function mercator(latitude: number): number {
  const angle = (Math.min(Math.max(latitude, -85.06), 85.06) * Math.PI) / 180;
  const along = 0.5 - Math.log(Math.tan(Math.PI / 4 + angle / 2)) / (2 * Math.PI);
  return Math.min(Math.max(along, 0), 1);
}

/** The cells that hold every position in the box, and at most one more on each side: logarithms may differ in the last bit. */
export function cellsAround({ west, south, east, north }: GeoBox): CellBox {
  const column = (longitude: number) => Math.floor((longitude / 360 + 0.5) * WORLD_CELLS);
  const row = (latitude: number) => Math.floor(mercator(latitude) * WORLD_CELLS);
  return {
    west: column(west) - 1,
    east: column(east) + 1,
    north: row(north) - 1,
    south: row(south) + 1,
  };
}
