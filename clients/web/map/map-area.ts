/** West, south, east, north, in degrees. */
export type Box = readonly [west: number, south: number, east: number, north: number];

export const WORLD: Box = [-180, -85, 180, 85];
/** About a metre: so that an address stays short, and the same view is the same address. */
const DECIMALS = 5;
/** A single home is shown with its surroundings. */
const LEAST_DEGREES = 0.02;

/** A box with rounded edges, which fits on the earth once. */
export function boxOf(bounds: {
  getWest(): number;
  getSouth(): number;
  getEast(): number;
  getNorth(): number;
}): Box {
  const [west, east] = [bounds.getWest(), bounds.getEast()];
  const isAround = east - west >= 360;
  return [
    isAround ? -180 : turned(west),
    clamped(bounds.getSouth()),
    isAround ? 180 : turned(east),
    clamped(bounds.getNorth()),
  ];
}

export const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));
export const turned = (longitude: number): number => rounded(((((longitude + 180) % 360) + 360) % 360) - 180);
export const clamped = (latitude: number): number => rounded(Math.min(90, Math.max(-90, latitude)));

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** A cell of the grid that makes clusters, at zoom 0, in degrees of longitude (`persistence/search/search-grid.ts`). */
const CELL_DEGREES = (40 / 512) * 360;

/** Two corners of a box that holds all homes of a cluster: one zoom before it splits, they share a cell. */
export function cornersOfCluster({
  latitude,
  longitude,
  expansionZoom,
}: Position & { readonly expansionZoom: number }): Position[] {
  const east = CELL_DEGREES / 2 ** Math.max(0, expansionZoom - 1);
  const north = east * Math.cos((latitude * Math.PI) / 180);
  return [-1, 1].map((side) => ({ latitude: latitude + side * north, longitude: longitude + side * east }));
}

/** The box around positions; null for none. */
export function boxAround(positions: readonly Position[]): Box | null {
  if (positions.length === 0) return null;
  const latitudes = positions.map(({ latitude }) => latitude);
  const longitudes = positions.map(({ longitude }) => longitude);
  const grown = (values: readonly number[]): readonly [number, number] => {
    const [least, most] = [Math.min(...values), Math.max(...values)];
    const more = Math.max(LEAST_DEGREES - (most - least), (most - least) / 10) / 2;
    return [least - more, most + more];
  };
  const [south, north] = grown(latitudes);
  const [west, east] = grown(longitudes);
  return [Math.max(-180, west), Math.max(-85, south), Math.min(180, east), Math.min(85, north)];
}

/** The corners as the map takes them: an east edge beyond the antimeridian is larger than 180. */
export const cornersOf = ([west, south, east, north]: Box): [[number, number], [number, number]] => [
  [west, south],
  [east < west ? east + 360 : east, north],
];

/** Some tens of centimeters: positions may be rounded. */
const TIGHT_DEGREES = 0.000003;

/** The box around positions that are as good as one. */
export const withEdge = ([west, south, east, north]: Box): Box => [
  west - TIGHT_DEGREES,
  south - TIGHT_DEGREES,
  east + TIGHT_DEGREES,
  north + TIGHT_DEGREES,
];
