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

const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));
const turned = (longitude: number): number => rounded(((((longitude + 180) % 360) + 360) % 360) - 180);
const clamped = (latitude: number): number => rounded(Math.min(90, Math.max(-90, latitude)));

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

/** The corners of an area that a person has drawn, in order; the last one is joined to the first. */
export type Corners = readonly Position[];

export const MOST_CORNERS = 100;
/** `-179.12345,-89.12345;` */
const LONGEST_CORNER = 21;

/** An area as a part of an address: `lat,lon;lat,lon;…`. */
export const areaText = (corners: Corners): string =>
  corners.map(({ latitude, longitude }) => `${rounded(latitude)},${rounded(longitude)}`).join(';');

/** Reads what `areaText` wrote. Undefined for anything that is no area, or that the server would not search. */
export function areaIn(text: string | undefined): Corners | undefined {
  if (text === undefined || text.length > MOST_CORNERS * LONGEST_CORNER) return undefined;
  const corners = text.split(';').map(cornerIn);
  if (corners.length < 3 || corners.length > MOST_CORNERS || corners.includes(null)) return undefined;
  return holdsPole(corners as Corners) ? undefined : (corners as Corners);
}

const NUMBER = /^-?\d{1,3}(?:\.\d{1,5})?$/;

function cornerIn(text: string): Position | null {
  const parts = text.split(',');
  const [latitude = 0, longitude = 0] = parts.map(Number);
  const isCorner = parts.length === 2 && parts.every((part) => NUMBER.test(part));
  return isCorner && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** Each edge takes the shorter way. If all of them together go round the globe, a pole is inside. */
function holdsPole(corners: Corners): boolean {
  const turn = corners.reduce((sum, { longitude }, index) => {
    const step = longitude - (corners.at(index - 1)?.longitude ?? longitude);
    return sum + ((step + 540) % 360) - 180;
  }, 0);
  return Math.abs(turn) > 1;
}

/** The part of the map that is shown as an area: what is drawn by those who use no pointer. */
export const areaOfBox = ([west, south, east, north]: Box): Corners => [
  { latitude: south, longitude: west },
  { latitude: south, longitude: east },
  { latitude: north, longitude: east },
  { latitude: north, longitude: west },
];

/** A ring of a drawing as an area. Of many corners, those that matter least are left out first. */
export function areaOfRing(ring: readonly (readonly number[])[]): Corners {
  const corners = ring.slice(0, -1).map(([longitude = 0, latitude = 0]) => ({ latitude, longitude }));
  while (corners.length > MOST_CORNERS) {
    const sizes = corners.map((corner, index) =>
      triangleOf(corners.at(index - 1) ?? corner, corner, corners[(index + 1) % corners.length] ?? corner),
    );
    corners.splice(sizes.indexOf(Math.min(...sizes)), 1);
  }
  return corners.map(({ latitude, longitude }) => ({
    latitude: clamped(latitude),
    longitude: turned(longitude),
  }));
}

const triangleOf = (one: Position, two: Position, three: Position): number =>
  Math.abs(
    (two.longitude - one.longitude) * (three.latitude - one.latitude) -
      (three.longitude - one.longitude) * (two.latitude - one.latitude),
  );

/** Some tens of centimeters: positions may be rounded. */
const TIGHT_DEGREES = 0.000003;

/** The box around positions that are as good as one. */
export const withEdge = ([west, south, east, north]: Box): Box => [
  west - TIGHT_DEGREES,
  south - TIGHT_DEGREES,
  east + TIGHT_DEGREES,
  north + TIGHT_DEGREES,
];
