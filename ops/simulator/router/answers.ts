/**
 * What OSRM's table service and Valhalla's matrix and isochrone services answer, in a country without obstacles: time is
 * the straight line by the speed of the way of travel.
 */

/** Longitude and latitude. */
type Point = readonly [longitude: number, latitude: number];

/** Metres a second. */
const SPEEDS: Readonly<Record<string, number>> = {
  car: 10,
  auto: 10,
  bike: 4,
  bicycle: 4,
  foot: 1.25,
  pedestrian: 1.25,
};
const METERS_PER_DEGREE = 111_200;
/** No road goes there: south of the polar circle. */
const ROADLESS_LATITUDE = -66;
/** Corners of an outline. Real ones have hundreds. */
const CORNERS = 240;

/** The answer to `GET /table/v1/{profile}/{positions}`; null where the request is none of OSRM's. */
export function tableAnswer(path: string, query: URLSearchParams): { status: number; body: unknown } | null {
  const [, profile = '', list = ''] = /^\/table\/v1\/(\w+)\/([^/]+)$/.exec(path) ?? [];
  const speed = SPEEDS[profile];
  const points = list.split(';').map((pair) => pair.split(',').map(Number));
  if (speed === undefined || !points.every(isPoint))
    return { status: 400, body: { code: 'InvalidQuery', message: 'Query string malformed' } };
  const [sources, destinations] = ['sources', 'destinations'].map((name) =>
    (query.get(name) ?? '').split(';').map((index) => points[Number(index)]),
  ) as [(Point | undefined)[], (Point | undefined)[]];
  if (![...sources, ...destinations].every((one) => one !== undefined))
    return { status: 400, body: { code: 'InvalidOptions', message: 'Index out of bounds' } };
  const durations = sources.map((from) => destinations.map((to) => seconds(from, to, speed)));
  const waypoint = (location: Point | undefined) => ({ hint: '', distance: 4.1, name: '', location });
  return {
    status: 200,
    body: {
      code: 'Ok',
      durations,
      sources: sources.map(waypoint),
      destinations: destinations.map(waypoint),
    },
  };
}

interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** The answer to `POST /sources_to_targets`. */
export function matrixAnswer({
  sources,
  targets,
  costing,
}: {
  sources: Place[];
  targets: Place[];
  costing: string;
}) {
  const speed = SPEEDS[costing];
  if (speed === undefined) return refused(125, 'No costing method found');
  const rows = sources.map((from, fromIndex) =>
    targets.map((to, toIndex) => {
      const time = seconds([from.lon, from.lat], [to.lon, to.lat], speed);
      const distance = time === null ? null : (time * speed) / 1_000;
      return { distance, time, to_index: toIndex, from_index: fromIndex };
    }),
  );
  return {
    status: 200,
    body: { sources: [sources], targets: [targets], sources_to_targets: rows, units: 'kilometers' },
  };
}

/** The answer to `POST /isochrone`: a circle. */
export function isochroneAnswer({
  locations,
  costing,
  contours,
}: {
  locations: Place[];
  costing: string;
  contours: { time: number }[];
}) {
  const speed = SPEEDS[costing];
  const [location, contour] = [locations[0], contours[0]];
  if (speed === undefined || location === undefined || contour === undefined)
    return refused(125, 'No costing method found');
  if (contour.time > 120) return refused(151, 'Exceeded max time: 120');
  const radius = (contour.time * 60 * speed) / METERS_PER_DEGREE;
  const narrow = Math.cos((location.lat * Math.PI) / 180);
  const ring = Array.from({ length: CORNERS }, (_, index) => {
    const angle = (index / CORNERS) * 2 * Math.PI;
    return [location.lon + (radius * Math.cos(angle)) / narrow, location.lat + radius * Math.sin(angle)];
  });
  return {
    status: 200,
    body: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { contour: contour.time, metric: 'time', color: '#bf4040' },
          geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] },
        },
      ],
    },
  };
}

const refused = (code: number, error: string) => ({
  status: 400,
  body: { error_code: code, error, status_code: 400, status: 'Bad Request' },
});

const isPoint = (pair: readonly number[]): pair is [number, number] =>
  pair.length === 2 && pair.every(Number.isFinite);

function seconds(from: Point | undefined, to: Point | undefined, speed: number): number | null {
  if (from === undefined || to === undefined) return null;
  if (Math.min(from[1], to[1]) < ROADLESS_LATITUDE) return null;
  const across = (from[0] - to[0]) * Math.cos((from[1] * Math.PI) / 180);
  return Math.round((METERS_PER_DEGREE * Math.hypot(across, from[1] - to[1])) / speed);
}
