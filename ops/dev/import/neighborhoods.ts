import { stateName } from '../../../i18n/us-states.ts';
import type { ImportedPlace } from '../../../persistence/listings/place-import.ts';
import { type Box, type Point, united } from './extent.ts';
import type { Problems } from './problems.ts';
import type { NeighborhoodSource } from './source-file.ts';

/** The city of the neighborhoods: their file does not contain it. */
export interface City {
  name: string;
  state: string;
}

/** A shape and its area; the common center of several shapes is computed from these. */
interface Shape {
  box: Box;
  centre: Point;
  area: number;
}
interface Neighborhood extends Shape {
  name: string;
  group: string | null;
}

/** The file's name for neighborhoods without a group. */
const NO_GROUP = 'Other neighborhoods';
const LONGEST_NAME = 200;

export interface NeighborhoodReading {
  rows: number;
  neighborhoods: Neighborhood[];
}

/** Reads the features; a problem's "line" is the feature's number, from 1. */
export function readNeighborhoods(source: NeighborhoodSource, problems: Problems): NeighborhoodReading {
  const neighborhoods = source.features.flatMap((feature, index) => {
    const read = readFeature(feature);
    if (typeof read !== 'string') return [read];
    problems.failed(source.name, index + 1, [read]);
    return [];
  });
  return { rows: source.features.length, neighborhoods };
}

/** Each neighborhood once, and each group as a separate neighborhood: people search for both. */
export function toNeighborhoodPlaces(
  neighborhoods: readonly Neighborhood[],
  { name: city, state }: City,
): ImportedPlace[] {
  const shapes = new Map<string, { shape: Shape; groups: Set<string>; members: number }>();
  for (const { name, group, ...shape } of neighborhoods) {
    for (const title of group === null || group === name ? [name] : [name, group]) {
      const known = shapes.get(title) ?? { shape, groups: new Set(), members: 0 };
      const joined = known.members === 0 ? shape : joinedShape(known.shape, shape);
      if (group !== null && group !== title) known.groups.add(group);
      shapes.set(title, { ...known, shape: joined, members: known.members + 1 });
    }
  }
  return [...shapes].map(([name, { shape, groups, members }]) => ({
    kind: 'neighborhood' as const,
    name,
    label: `${name}, ${city}, ${state}`,
    city,
    county: null,
    stateOrProvince: state,
    country: 'US',
    alsoFoundBy: [stateName(state), ...groups].join(' '),
    box: shape.box,
    point: shape.centre,
    weight: members,
  }));
}

function readFeature(feature: unknown): Neighborhood | string {
  const { properties, geometry } = (feature ?? {}) as {
    properties?: { neighbourhood?: unknown; neighbourhood_group?: unknown };
    geometry?: { type?: unknown; coordinates?: unknown };
  };
  const name = titleOf(properties?.neighbourhood);
  if (name === null) return 'the feature has no "neighbourhood"';
  const polygons = geometry?.type === 'Polygon' ? [geometry.coordinates] : geometry?.coordinates;
  if ((geometry?.type !== 'Polygon' && geometry?.type !== 'MultiPolygon') || !Array.isArray(polygons)) {
    return `${name} is no Polygon and no MultiPolygon`;
  }
  const shapes = polygons.map((polygon: unknown) => shapeOf(Array.isArray(polygon) ? polygon[0] : undefined));
  const sound = shapes.filter((shape) => shape !== null);
  if (sound.length < shapes.length || sound.length === 0) {
    return `${name} has a ring that is not made of at least four [longitude, latitude] pairs`;
  }
  const group = titleOf(properties?.neighbourhood_group);
  return { name, group: group === NO_GROUP ? null : group, ...sound.reduce(joinedShape) };
}

function titleOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const title = value.trim();
  return title === '' || title.length > LONGEST_NAME || /\p{Cc}|\ufffd/u.test(title) ? null : title;
}

/** The outer ring's box and center of area; lengths of degrees cancel out within a city. */
function shapeOf(ring: unknown): Shape | null {
  if (!Array.isArray(ring) || ring.length < 4 || !ring.every(isPosition)) return null;
  const positions = ring as [number, number][];
  let [doubled, x, y] = [0, 0, 0];
  // Relative to the first corner, so that the sums stay small and exact.
  const [[originX, originY]] = positions as [[number, number]];
  for (const [index, [longitude, latitude]] of positions.entries()) {
    const [nextX, nextY] = positions[(index + 1) % positions.length] ?? [originX, originY];
    const [ax, ay, bx, by] = [longitude - originX, latitude - originY, nextX - originX, nextY - originY];
    const cross = ax * by - bx * ay;
    doubled += cross;
    x += (ax + bx) * cross;
    y += (ay + by) * cross;
  }
  const box = positions.reduce<Box>(
    (sum, [longitude, latitude]) => united(sum, [longitude, latitude, longitude, latitude]) ?? sum,
    [originX, originY, originX, originY],
  );
  const middle = { longitude: (box[0] + box[2]) / 2, latitude: (box[1] + box[3]) / 2 };
  const centre =
    doubled === 0
      ? middle
      : { longitude: originX + x / (3 * doubled), latitude: originY + y / (3 * doubled) };
  return { box, centre, area: Math.abs(doubled) / 2 };
}

function isPosition(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  const [longitude, latitude] = value;
  return (
    typeof longitude === 'number' &&
    typeof latitude === 'number' &&
    Math.abs(longitude) <= 180 &&
    Math.abs(latitude) <= 90
  );
}

function joinedShape(a: Shape, b: Shape): Shape {
  const area = a.area + b.area;
  const share = area === 0 ? 0.5 : b.area / area;
  return {
    area,
    box: united(a.box, b.box) ?? a.box,
    centre: {
      latitude: a.centre.latitude + (b.centre.latitude - a.centre.latitude) * share,
      longitude: a.centre.longitude + (b.centre.longitude - a.centre.longitude) * share,
    },
  };
}
