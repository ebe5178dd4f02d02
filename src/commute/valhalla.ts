import { z } from 'zod';
import { COMMUTE_MODES, type CommuteMode } from '../../machines/vocabulary.ts';
import type { Position } from '../../persistence/search/search-index.ts';
import type { RoutingService } from './routing-service.ts';

const COSTINGS: Readonly<Record<CommuteMode, string>> = {
  CAR: 'auto',
  BIKE: 'bicycle',
  FOOT: 'pedestrian',
};
/** Metres. A finer outline has more corners than a search takes. */
const TOLERANCE = 150;

const matrix = z.object({
  sources_to_targets: z.array(z.tuple([z.object({ time: z.number().min(0).nullable() })])),
});

const corner = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]);
/** The outer ring and its holes. */
const polygon = z.array(z.array(corner).min(4).max(100_000)).min(1);
const contours = z.object({
  features: z.array(
    z.object({
      geometry: z.discriminatedUnion('type', [
        z.object({ type: z.literal('Polygon'), coordinates: polygon }),
        z.object({ type: z.literal('MultiPolygon'), coordinates: z.array(polygon) }),
      ]),
    }),
  ),
});

const place = ({ latitude, longitude }: Position) => ({ lat: latitude, lon: longitude });

/** Valhalla's matrix and isochrone services. One process knows all ways of travel. */
export const valhalla = (url: string): RoutingService => ({
  modes: COMMUTE_MODES,
  times: ({ from, to, mode }) => ({
    url: `${url}/sources_to_targets`,
    body: { sources: from.map(place), targets: [place(to)], costing: COSTINGS[mode] },
  }),
  readTimes: (answer, count) =>
    matrix
      .refine(({ sources_to_targets: rows }) => rows.length === count)
      .parse(answer)
      .sources_to_targets.map(([{ time }]) => time),
  reach: {
    ask: ({ to, mode, minutes }) => ({
      url: `${url}/isochrone`,
      body: {
        locations: [place(to)],
        costing: COSTINGS[mode],
        contours: [{ time: minutes }],
        polygons: true,
        // Towards the place, not from it.
        reverse: true,
        denoise: 1,
        generalize: TOLERANCE,
      },
    }),
    read(answer) {
      const rings = contours
        .parse(answer)
        .features.flatMap(({ geometry }) =>
          geometry.type === 'Polygon'
            ? geometry.coordinates.slice(0, 1)
            : geometry.coordinates.flatMap((one) => one.slice(0, 1)),
        );
      const [largest] = rings.toSorted((one, other) => areaOf(other) - areaOf(one));
      // The last corner is the first one again.
      return largest?.slice(0, -1).map(([longitude, latitude]) => ({ latitude, longitude })) ?? null;
    },
  },
});

/** In square degrees, to compare areas of one place. */
function areaOf(ring: readonly (readonly [number, number])[]): number {
  const twice = ring.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = ring[(index + 1) % ring.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
  return Math.abs(twice) / 2;
}
