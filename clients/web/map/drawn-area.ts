import { type Box, clamped, type Position, rounded, turned } from './map-area.ts';

/** The corners of an area that a person has drawn, in order; the last one is joined to the first. */
export type Corners = readonly Position[];

const MOST_CORNERS = 100;
/** `-179.12345,-89.12345;` */
const LONGEST_CORNER = 21;
/** Square degrees of the box around an area: the server searches no larger one. */
const LARGEST_BOX = 150;

/** An area as a part of an address: `lat,lon;lat,lon;…`. */
export const areaText = (corners: Corners): string =>
  corners.map(({ latitude, longitude }) => `${rounded(latitude)},${rounded(longitude)}`).join(';');

/** Reads what `areaText` wrote. Undefined for anything that is no area, or that the server would not search. */
export function areaIn(text: string | undefined): Corners | undefined {
  if (text === undefined || text.length > MOST_CORNERS * LONGEST_CORNER) return undefined;
  const corners = text.split(';').map(cornerIn);
  if (corners.length < 3 || corners.length > MOST_CORNERS || corners.includes(null)) return undefined;
  const area = corners as Corners;
  return holdsPole(area) || problemOf(area) !== null ? undefined : area;
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

/** Why an area cannot be searched: its outline crosses itself, or it is too large. */
export type Problem = 'crossed' | 'large';

/** Null for an area that can be searched. */
export function problemOf(corners: Corners): Problem | null {
  const points = outlineOf(corners);
  const span = (axis: 0 | 1): number => {
    const values = points.map((point) => point[axis]);
    return Math.max(...values) - Math.min(...values);
  };
  if (span(0) * span(1) > LARGEST_BOX) return 'large';
  const edges = points.map((from, index): Edge => [from, points[(index + 1) % points.length] ?? from]);
  const isCrossed = edges.some((edge, index) =>
    // Neighbors have a common corner.
    edges.some(
      (other, place) =>
        place > index + 1 && !(index === 0 && place === edges.length - 1) && doMeet(edge, other),
    ),
  );
  return isCrossed ? 'crossed' : null;
}

type Point = readonly [x: number, y: number];
type Edge = readonly [Point, Point];

/** Degrees that never jump at the antimeridian; no corner twice in a row. */
function outlineOf(corners: Corners): Point[] {
  let x = corners[0]?.longitude ?? 0;
  const points = corners.map(({ latitude, longitude }): Point => {
    const step = longitude - x;
    x += step - Math.round(step / 360) * 360;
    return [x, latitude];
  });
  return points.filter((point, index) => String(point) !== String(points.at(index - 1)));
}

/** Whether each edge has the ends of the other on both sides, or one end on itself. */
function doMeet([a, b]: Edge, [c, d]: Edge): boolean {
  const side = (from: Point, to: Point, point: Point): number =>
    Math.sign((to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0]));
  const isNear = ([0, 1] as const).every(
    (axis) =>
      Math.max(a[axis], b[axis]) >= Math.min(c[axis], d[axis]) &&
      Math.max(c[axis], d[axis]) >= Math.min(a[axis], b[axis]),
  );
  return isNear && side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

/** The part of the map that is shown as an area, which needs no pointer; undefined where it is too large to be one. */
export function areaOfBox([west, south, east, north]: Box): Corners | undefined {
  const area = [
    { latitude: south, longitude: west },
    { latitude: south, longitude: east },
    { latitude: north, longitude: east },
    { latitude: north, longitude: west },
  ];
  return (east < west ? east + 360 - west : east - west) * (north - south) > LARGEST_BOX ? undefined : area;
}

/** A ring of a drawing as an area. Of many corners, those that matter least are left out first. */
export function areaOfRing(ring: readonly (readonly number[])[]): Corners {
  const corners = ring.slice(0, -1).map(([longitude = 0, latitude = 0]) => ({ latitude, longitude }));
  while (corners.length > MOST_CORNERS) {
    const sizes = corners.map((corner, index) =>
      triangleOf(corners.at(index - 1) ?? corner, corner, corners[(index + 1) % corners.length] ?? corner),
    );
    corners.splice(sizes.indexOf(Math.min(...sizes)), 1);
  }
  return corners
    .map(({ latitude, longitude }) => ({ latitude: clamped(latitude), longitude: turned(longitude) }))
    .filter((corner, index, all) => index === 0 || !isSame(corner, all[index - 1] ?? corner));
}

/** A stroke begins with the same corner several times. */
const isSame = (one: Position, other: Position): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude;

const triangleOf = (one: Position, two: Position, three: Position): number =>
  Math.abs(
    (two.longitude - one.longitude) * (three.latitude - one.latitude) -
      (three.longitude - one.longitude) * (two.latitude - one.latitude),
  );
