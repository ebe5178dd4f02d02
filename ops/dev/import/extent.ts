/** [west, south, east, north] in degrees, as GeoJSON has it. */
export type Box = readonly [number, number, number, number];
export interface Point {
  latitude: number;
  longitude: number;
}

/** The box around all points; null when they are all equal, because one point has no extent. */
export function boxOf(points: readonly Point[]): Box | null {
  const box = points.reduce<Box | null>(
    (sum, { latitude, longitude }) => united(sum, [longitude, latitude, longitude, latitude]),
    null,
  );
  return box !== null && (box[0] < box[2] || box[1] < box[3]) ? box : null;
}

export function united(a: Box | null, b: Box | null): Box | null {
  if (a === null || b === null) return a ?? b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** The median of the points, each coordinate separately; one distant point does not move it. */
export function middleOf(points: readonly Point[]): Point | null {
  if (points.length === 0) return null;
  return {
    latitude: median(points.map(({ latitude }) => latitude)),
    longitude: median(points.map(({ longitude }) => longitude)),
  };
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? 0)) / 2;
}
