import type { Position } from '../../../persistence/search/search-index.ts';

/** Corners that a caller may send. */
export const MOST_DRAWN_CORNERS = 200;
/** Corners that the database compares each listing with. */
export const MOST_CORNERS = 100;

/** Square degrees of the box around an outline, all of which is read. Every state but Alaska has fewer. */
const LARGEST_BOX = 150;

/** Each edge takes the shorter way; if all edges together go round the globe, a pole is inside. */
export function holdsNoPole(points: readonly Pick<Position, 'longitude'>[]): boolean {
  const turns = points.reduce((sum, { longitude: to }, index) => {
    const step = to - (points.at(index - 1)?.longitude ?? to);
    return Math.abs(step) > 180 && Math.abs(step) < 360 ? sum - Math.sign(step) : sum;
  }, 0);
  return turns === 0;
}

/** The corners with longitudes that never jump, so that an outline over the antimeridian is one shape; none twice in a row. */
function unrolled(points: readonly Position[]): Corner[] {
  let x = points[0]?.longitude ?? 0;
  const corners = points.map(({ longitude, latitude }): Corner => {
    const step = longitude - x;
    x += step - Math.round(step / 360) * 360;
    return [x, latitude];
  });
  return corners.filter(([x, y], index) => {
    const [beforeX, beforeY] = corners.at(index - 1) ?? [];
    return x !== beforeX || y !== beforeY;
  });
}

/** Whether two edges without a common corner meet. */
export function crossesItself(points: readonly Position[]): boolean {
  const corners = unrolled(points);
  const edges = corners.map((from, index) => [from, corners[(index + 1) % corners.length] ?? from] as const);
  return edges.some((edge, index) =>
    edges.slice(index + 2, index === 0 ? -1 : undefined).some((other) => meet(edge, other)),
  );
}

type Corner = readonly [x: number, y: number];
type Edge = readonly [Corner, Corner];

function meet([a, b]: Edge, [c, d]: Edge): boolean {
  const sides = [sideOf(a, b, c), sideOf(a, b, d), sideOf(c, d, a), sideOf(c, d, b)] as const;
  if (sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0) return true;
  return (
    (sides[0] === 0 && isBetween(a, b, c)) ||
    (sides[1] === 0 && isBetween(a, b, d)) ||
    (sides[2] === 0 && isBetween(c, d, a)) ||
    (sides[3] === 0 && isBetween(c, d, b))
  );
}

/** Positive to the left of the line from `a` to `b`, 0 on it. */
const sideOf = ([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): number =>
  Math.sign((bx - ax) * (y - ay) - (by - ay) * (x - ax));

const isBetween = ([ax, ay]: Corner, [bx, by]: Corner, [x, y]: Corner): boolean =>
  Math.min(ax, bx) <= x && x <= Math.max(ax, bx) && Math.min(ay, by) <= y && y <= Math.max(ay, by);

/** Whether the box around the outline is larger than any search of a drawn area needs. */
export function isLargeArea(points: readonly Position[]): boolean {
  const corners = unrolled(points);
  const span = (values: number[]): number => Math.max(...values) - Math.min(...values);
  return span(corners.map(([x]) => x)) * span(corners.map(([, y]) => y)) > LARGEST_BOX;
}

/**
 * The same outline with at most `MOST_CORNERS` corners: those that matter least go first (Visvalingam and Whyatt, Line
 * generalisation by repeated elimination of points, 1993). Corners at edges that cross the antimeridian stay, however
 * many. While there are more than people draw, as in the outline of a router, about a quarter goes at a time, because each
 * step reads all that are left.
 */
export function simplified<P extends Position>(points: readonly P[]): P[] {
  let corners = [...points];
  while (corners.length > MOST_CORNERS) {
    const areas = corners.map((corner, index) =>
      areaOf(corners.at(index - 1), corner, corners[(index + 1) % corners.length]),
    );
    const finite = Float64Array.from(areas.filter(Number.isFinite)).sort();
    const [least] = finite;
    if (least === undefined) break;
    if (corners.length > MOST_DRAWN_CORNERS) {
      const middle = finite[finite.length >> 1] ?? least;
      corners = withoutSmall(corners, (index) => (areas[index] ?? Number.POSITIVE_INFINITY) <= middle);
    } else corners.splice(areas.indexOf(least), 1);
  }
  return corners;
}

/** Never two neighbors, because what goes with a corner depends on both. */
function withoutSmall<P>(corners: readonly P[], isSmall: (index: number) => boolean): P[] {
  let isBeforeGone = isSmall(corners.length - 1);
  return corners.filter((_, index) => {
    isBeforeGone = !isBeforeGone && isSmall(index);
    return !isBeforeGone;
  });
}

/** Twice the area that goes with a corner, in degrees; without end where its edges cross the antimeridian. */
function areaOf(before: Position | undefined, corner: Position, after: Position | undefined): number {
  if (before === undefined || after === undefined) return Number.POSITIVE_INFINITY;
  const [x1, x2] = [corner.longitude - before.longitude, after.longitude - before.longitude];
  const isFar = [x1, x2, x2 - x1].some((step) => Math.abs(step) >= 180);
  if (isFar) return Number.POSITIVE_INFINITY;
  return Math.abs(x1 * (after.latitude - before.latitude) - x2 * (corner.latitude - before.latitude));
}
