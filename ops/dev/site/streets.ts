import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Feature, FeatureCollection, LineString, Point, Polygon, Position } from 'geojson';
import type { Plugin } from 'vite';

/**
 * The streets of the sample town for the built-in map. The names of layers and properties are those of Protomaps' tiles,
 * so that one style draws both; postal codes are a layer that those do not have.
 */
type StreetLayer = 'earth' | 'water' | 'roads' | 'postal_codes';
type Layers = Readonly<Record<StreetLayer, FeatureCollection<LineString | Point | Polygon>>>;

type Arterial = Feature<LineString, { readonly name: string; readonly class: keyof typeof KINDS }>;
type PostalCode = Feature<Polygon, { readonly ZCTA5CE10: string }>;

/** What the city counts the traffic of. */
export interface StreetSources {
  readonly arterials: readonly Arterial[];
  readonly city: readonly Feature<Polygon>[];
  readonly postalCodes: readonly PostalCode[];
}

const FOLDER = new URL('../../sample/map', import.meta.url).pathname;

/** @throws when a file of the sample is missing or damaged */
export function readStreetSources(): StreetSources {
  const features = <T extends Feature>(name: string): T[] =>
    (JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as { features: T[] }).features;
  return {
    arterials: features('arterials.geojson'),
    city: features('city.geojson'),
    postalCodes: features('postal-codes.geojson'),
  };
}

/** A meter or so, which is less than a pixel at the deepest zoom that has streets. */
const DECIMALS = 5;
const rounded = (position: Position): Position => position.map((value) => Number(value.toFixed(DECIMALS)));
const roundedRings = ({ coordinates }: Polygon): Polygon => ({
  type: 'Polygon',
  coordinates: coordinates.map((ring) => ring.map(rounded)),
});

export function streetLayers({ arterials, city, postalCodes }: StreetSources): Layers {
  const shores = city.map(({ geometry }) => geometry);
  const { true: onLand = [], false: inLakes = [] } = Object.groupBy(postalCodes, ({ properties }) =>
    ON_LAND.has(properties.ZCTA5CE10) ? 'true' : 'false',
  );
  return {
    // Painted in this order: the water around the city, then what is land.
    water: collection([
      polygon(SOUND, { kind: 'water' }),
      ...inLakes.map(({ geometry }) => polygon(geometry, { kind: 'water' })),
    ]),
    earth: collection([
      ...onLand.map(({ geometry }) => polygon(geometry, { kind: 'earth' })),
      ...shores.map((geometry) => polygon(geometry, { kind: 'city' })),
    ]),
    roads: collection(roadsOf(arterials)),
    postal_codes: collection(postalCodes.flatMap(postalCodeOf)),
  };
}

const collection = <G extends LineString | Point | Polygon>(
  features: Feature<G>[],
): FeatureCollection<LineString | Point | Polygon> => ({ type: 'FeatureCollection', features });

const polygon = (geometry: Polygon, properties: Record<string, string>): Feature<Polygon> => ({
  type: 'Feature',
  properties,
  geometry: roundedRings(geometry),
});

/**
 * Postal codes with land beyond the limits of the city. Of all others, what is outside its shores is a lake: their areas
 * of water say so.
 */
const ON_LAND = new Set(['98106', '98108', '98133', '98146', '98155', '98168', '98177', '98178']);

/** The part of Puget Sound along the city, which coarse outlines of the country take for land. */
const SOUND: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [-122.44, 47.4955],
      [-122.335, 47.4955],
      [-122.335, 47.734],
      [-122.44, 47.734],
      [-122.44, 47.4955],
    ],
  ],
};

function boxOf({ coordinates: [ring = []] }: Polygon): [number, number, number, number] {
  const [longitudes, latitudes] = [0, 1].map((axis) => ring.map((position) => position[axis] as number)) as [
    number[],
    number[],
  ];
  return [Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)];
}

/** The outline, and the point in the middle of its box where its digits are written. */
function postalCodeOf({ geometry, properties }: PostalCode): Feature<LineString | Point>[] {
  const name = properties.ZCTA5CE10;
  const [west, south, east, north] = boxOf(geometry);
  return [
    ...roundedRings(geometry).coordinates.map(
      (coordinates): Feature<LineString> => ({
        type: 'Feature',
        properties: {},
        geometry: { type: 'LineString', coordinates },
      }),
    ),
    {
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Point', coordinates: rounded([(west + east) / 2, (south + north) / 2]) },
    },
  ];
}

/** The city's classes, as kinds of Protomaps' roads. */
const KINDS = {
  highway: { kind: 'highway', kind_detail: 'motorway' },
  major: { kind: 'major_road', kind_detail: 'primary' },
  secondary: { kind: 'major_road', kind_detail: 'secondary' },
  minor: { kind: 'major_road', kind_detail: 'tertiary' },
  ramp: { kind: 'major_road', kind_detail: 'primary_link', is_link: true },
} as const;

/** Pieces of one name and class that meet are one line: their names need room, and a line is shorter than its pieces. */
function roadsOf(arterials: readonly Arterial[]): Feature<LineString>[] {
  const groups = Map.groupBy(
    arterials,
    ({ properties }) => `${properties.class} ${roadName(properties.name)}`,
  );
  return [...groups.values()].flatMap((pieces) => {
    const { name, class: kind } = (pieces[0] as Arterial).properties;
    const properties = kind === 'ramp' ? KINDS.ramp : { ...KINDS[kind], name: roadName(name) };
    return joined(pieces.map(({ geometry }) => geometry.coordinates.map(rounded))).map(
      (coordinates): Feature<LineString> => ({
        type: 'Feature',
        properties,
        geometry: { type: 'LineString', coordinates },
      }),
    );
  });
}

/** Lines put end to end, as far as they meet. */
export function joined(pieces: readonly Position[][]): Position[][] {
  const waiting = new Set(pieces);
  const ends = new Map<string, Position[][]>();
  for (const piece of pieces)
    for (const end of [piece[0], piece.at(-1)])
      ends.set(String(end), [...(ends.get(String(end)) ?? []), piece]);
  /** The line and all that follows its end. */
  const continued = (line: Position[]): Position[] => {
    for (;;) {
      const end = String(line.at(-1));
      const next = ends.get(end)?.find((piece) => waiting.has(piece));
      if (next === undefined) return line;
      waiting.delete(next);
      line = [...line, ...(String(next[0]) === end ? next : next.toReversed()).slice(1)];
    }
  };
  const lines: Position[][] = [];
  for (const piece of pieces) {
    if (!waiting.delete(piece)) continue;
    lines.push(continued(continued(piece).toReversed()));
  }
  return lines;
}

/** Written in full by the city here and there, and shortened elsewhere. */
const WORDS: Readonly<Record<string, string>> = {
  AV: 'Ave',
  BR: 'Bridge',
  PY: 'Pkwy',
  TUN: 'Tunnel',
  VI: 'Viaduct',
  WY: 'Way',
};
/** Of a road's two directions each, which have one name. */
const DIRECTIONS = /^[NSEW]B$/;
const QUARTERS = /^[NSEW]{1,2}$/;

/** `15TH AVE W,ELLIOTT AVE W` is `15th Ave W`: of several names the first. */
export function roadName(name: string): string {
  const [first = ''] = name.split(',');
  const words = first.split(' ').filter((word) => word !== '' && !DIRECTIONS.test(word));
  return words.map((word) => (QUARTERS.test(word) ? word : (WORDS[word] ?? capitalized(word)))).join(' ');
}

const capitalized = (word: string): string =>
  /^SR\d/.test(word)
    ? word.replace('SR', 'SR ')
    : word
        .toLowerCase()
        .replace(/^(mc)?[a-z]/, (start) =>
          start.length === 1 ? start.toUpperCase() : `Mc${start.slice(2).toUpperCase()}`,
        );

/** Makes the streets' files in a build for browsers, and tells its code their addresses as `STREETS`. */
export function streetFiles(): Plugin {
  const files = Object.entries(streetLayers(readStreetSources())).map(([layer, features]) => {
    const source = JSON.stringify(features);
    return { layer, source, fileName: `assets/${layer}-${hash('sha256', source).slice(0, 8)}.json` };
  });
  const addresses = Object.fromEntries(files.map(({ layer, fileName }) => [layer, `/${fileName}`]));
  return {
    name: 'street-files',
    config: () => ({ define: { STREETS: JSON.stringify(addresses) } }),
    generateBundle() {
      for (const { source, fileName } of files) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}
