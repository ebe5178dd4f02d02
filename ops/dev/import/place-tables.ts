import { stateName } from '../../../i18n/us-states.ts';
import type { ImportedPlace } from '../../../persistence/listings/place-import.ts';
import { type Box, boxOf, middleOf, type Point, united } from './extent.ts';
import type { Problems } from './problems.ts';
import { type RowFields, readFields, rowFault } from './row-fields.ts';
import type { TableKind, TableSource } from './source-file.ts';
import { tableRows } from './table-file.ts';
import { countyName } from './us-names.ts';

/**
 * Postal codes and cities from tables. Places are derived from several rows too: a city has the extent of its
 * postal codes; a county and a state have that of the places in them.
 */
export interface PlacesReading {
  places: ImportedPlace[];
  rows: number;
  /** Rows with a position that is known to be wrong: the place is kept without it. */
  unplaced: number;
}

interface PlaceRow {
  kind: 'postal_code' | 'city';
  /** The code of a postal code, the name of a city. */
  name: string;
  city: string;
  county: string | null;
  state: string;
  point: Point | null;
  box: Box | null;
}

const LATITUDE = { min: -90, max: 90 };
const LONGITUDE = { min: -180, max: 180 };
/**
 * In the table of all postal codes, codes that were never surveyed share one point of their county: 68 of King County's
 * lie in a forest. Two neighboring towns may share the point of a post office; three do not.
 */
const PLACEHOLDER_CITIES = 3;

/** The reliability of the sources; a later import never overwrites data of a better source. */
export const SOURCE_RANKS = {
  'us-postal-codes': 1,
  'us-cities': 2,
  'postal-code-boxes': 3,
  neighborhoods: 3,
} as const;

export function readPlaces(source: TableSource, problems: Problems): PlacesReading {
  const read = ROW_READERS[source.kind as Exclude<TableKind, 'king-county-sales'>];
  const found: PlaceRow[] = [];
  let rows = 0;
  for (const row of tableRows(source.lines, source.firstLine)) {
    rows += 1;
    const fault = 'reason' in row ? row.reason : rowFault(row, source.width);
    if (fault !== null || 'reason' in row) {
      problems.failed(source.name, row.line, [fault ?? '']);
      continue;
    }
    const fields = readFields(source.columns, row);
    const place = read(fields);
    if (place === null || fields.reasons.length > 0) problems.failed(source.name, row.line, fields.reasons);
    else found.push(place);
  }
  const unplaced = source.kind === 'us-postal-codes' ? dropPlaceholders(found) : 0;
  // A file of one region's postal codes contains whole cities, but no whole county or state.
  const parents =
    source.kind === 'postal-code-boxes' ? citiesOf(found) : [...citiesOf(found), ...regionsOf(found)];
  return { places: [...found.map(toPlace), ...parents], rows, unplaced };
}

const ROW_READERS = {
  'us-postal-codes': (fields: RowFields) =>
    readRow(fields, {
      kind: 'postal_code',
      name: 'code',
      city: 'city',
      county: 'county',
      state: 'state',
      latitude: 'lat',
      longitude: 'lon',
    }),
  'us-cities': (fields: RowFields) =>
    readRow(fields, {
      kind: 'city',
      name: 'city',
      city: 'city',
      county: 'county',
      state: 'state_code',
      latitude: 'latitude',
      longitude: 'longitude',
    }),
  'postal-code-boxes': (fields: RowFields) =>
    readRow(fields, {
      kind: 'postal_code',
      name: 'zipcode',
      city: 'city',
      county: null,
      state: 'state',
      latitude: 'lat',
      longitude: 'lon',
      box: ['lon_min', 'lat_min', 'lon_max', 'lat_max'],
    }),
};

interface RowColumns {
  kind: PlaceRow['kind'];
  name: string;
  city: string;
  county: string | null;
  state: string;
  latitude: string;
  longitude: string;
  box?: readonly [string, string, string, string];
}

function readRow(fields: RowFields, columns: RowColumns): PlaceRow | null {
  for (const column of new Set([columns.name, columns.city, columns.state])) fields.require(column);
  const name =
    columns.kind === 'postal_code'
      ? fields.matching(columns.name, /^\d{5}$/, 'a postal code of five digits')
      : fields.text(columns.name);
  const city = fields.text(columns.city);
  const state = fields.text(columns.state);
  if (state !== null && stateName(state) === null) fields.fault(`${columns.state} "${state}" is no state`);
  const latitude = fields.number(columns.latitude, LATITUDE);
  const longitude = fields.number(columns.longitude, LONGITUDE);
  const box = columns.box === undefined ? null : readBox(fields, columns.box);
  if (name === null || city === null || state === null) return null;
  return {
    kind: columns.kind,
    name,
    city,
    state,
    box,
    county: columns.county === null ? null : fields.text(columns.county),
    point: latitude === null || longitude === null ? null : { latitude, longitude },
  };
}

function readBox(fields: RowFields, columns: readonly [string, string, string, string]): Box | null {
  const [west, south, east, north] = columns.map((column, index) =>
    fields.number(column, index % 2 === 0 ? LONGITUDE : LATITUDE),
  );
  if (west == null || south == null || east == null || north == null) return null;
  if (west > east || south > north) {
    fields.fault(`${columns.join(', ')} do not make a box: the least is larger than the largest`);
  }
  return [west, south, east, north];
}

function dropPlaceholders(rows: PlaceRow[]): number {
  const citiesAt = new Map<string, Set<string>>();
  const spot = ({ latitude, longitude }: Point) => `${latitude} ${longitude}`;
  for (const { point, city, state } of rows) {
    if (point === null) continue;
    const cities = citiesAt.get(spot(point)) ?? new Set();
    citiesAt.set(spot(point), cities.add(`${city}, ${state}`));
  }
  let dropped = 0;
  for (const row of rows) {
    if (row.point === null || (citiesAt.get(spot(row.point))?.size ?? 0) < PLACEHOLDER_CITIES) continue;
    row.point = null;
    dropped += 1;
  }
  return dropped;
}

function toPlace({ kind, name, city, county, state, point, box }: PlaceRow): ImportedPlace {
  const label = kind === 'city' ? `${name}, ${state}` : `${name}, ${city}, ${state}`;
  return {
    kind,
    name,
    label,
    box,
    point,
    weight: 1,
    city,
    county: county === null ? null : countyName(county, state),
    stateOrProvince: state,
    country: 'US',
    alsoFoundBy: stateName(state),
  };
}

function citiesOf(rows: readonly PlaceRow[]): ImportedPlace[] {
  return grouped(rows, ({ kind, city }) => (kind === 'city' ? null : city)).map(([members, first]) => {
    const place = { ...first, kind: 'city' as const, name: first.city };
    return { ...toPlace(place), ...extentOf(members) };
  });
}

function regionsOf(rows: readonly PlaceRow[]): ImportedPlace[] {
  const counties = grouped(rows, ({ county }) => county).map(([members, { county, state }]) => {
    const name = countyName(county ?? '', state);
    const label = `${name}, ${state}`;
    return {
      kind: 'county' as const,
      name,
      label,
      city: null,
      county: name,
      stateOrProvince: state,
      country: 'US',
      alsoFoundBy: stateName(state),
      ...extentOf(members),
    };
  });
  const states = grouped(rows, () => '').map(([members, { state }]) => {
    const name = stateName(state) ?? state;
    return {
      kind: 'state' as const,
      name,
      label: name,
      city: null,
      county: null,
      stateOrProvince: state,
      country: 'US',
      alsoFoundBy: null,
      ...extentOf(members),
    };
  });
  return [...counties, ...states];
}

/** Rows of one state with the same name; `first` has the values that they share. */
function grouped(
  rows: readonly PlaceRow[],
  nameOf: (row: PlaceRow) => string | null,
): [PlaceRow[], PlaceRow][] {
  const groups = new Map<string, [PlaceRow[], PlaceRow]>();
  for (const row of rows) {
    const name = nameOf(row);
    if (name === null) continue;
    const key = `${row.state} ${name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [[row], row]);
    else group[0].push(row);
  }
  return [...groups.values()];
}

function extentOf(members: readonly PlaceRow[]): Pick<ImportedPlace, 'box' | 'point' | 'weight'> {
  const points = members.flatMap(({ point }) => (point === null ? [] : [point]));
  const box = members.reduce<Box | null>((sum, row) => united(sum, row.box), boxOf(points));
  return { box, point: middleOf(points), weight: members.length };
}
