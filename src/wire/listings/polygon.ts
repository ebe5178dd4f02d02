import type { Position } from '../../../persistence/search/search-index.ts';

/** Corners that a caller may send. */
export const MOST_DRAWN_CORNERS = 200;
/** Corners that the database compares each listing with. */
export const MOST_CORNERS = 100;

/** Each edge takes the shorter way; if all edges together go round the globe, a pole is inside. */
export function holdsNoPole(points: readonly Pick<Position, 'longitude'>[]): boolean {
  const turns = points.reduce((sum, { longitude: to }, index) => {
    const step = to - (points.at(index - 1)?.longitude ?? to);
    return Math.abs(step) > 180 && Math.abs(step) < 360 ? sum - Math.sign(step) : sum;
  }, 0);
  return turns === 0;
}

/**
 * The same outline with at most `MOST_CORNERS` corners: those that matter least go first (Visvalingam and Whyatt, Line
 * generalisation by repeated elimination of points, 1993). Corners at edges that cross the antimeridian stay, however many.
 */
export function simplified<P extends Position>(points: readonly P[]): P[] {
  const corners = [...points];
  while (corners.length > MOST_CORNERS) {
    const areas = corners.map((corner, index) =>
      areaOf(corners.at(index - 1), corner, corners[(index + 1) % corners.length]),
    );
    const least = Math.min(...areas);
    if (least === Number.POSITIVE_INFINITY) break;
    corners.splice(areas.indexOf(least), 1);
  }
  return corners;
}

/** Twice the area that goes with a corner, in degrees; without end where its edges cross the antimeridian. */
function areaOf(before: Position | undefined, corner: Position, after: Position | undefined): number {
  if (before === undefined || after === undefined) return Number.POSITIVE_INFINITY;
  const [x1, x2] = [corner.longitude - before.longitude, after.longitude - before.longitude];
  const isFar = [x1, x2, x2 - x1].some((step) => Math.abs(step) >= 180);
  if (isFar) return Number.POSITIVE_INFINITY;
  return Math.abs(x1 * (after.latitude - before.latitude) - x2 * (corner.latitude - before.latitude));
}
