import type { SqlValues } from '../database/sql-values.ts';
import { rowsOfAll, type SlicePorts, type Sql, slicesOf } from './area-slices.ts';
import { isWide } from './cell-levels.ts';
import { countedArea, partsSql } from './counted-cells.ts';
import { criteriaSql } from './criteria-sql.ts';
import { DEEPEST_ZOOM, mercator, TILE_BITS, WORLD_CELLS } from './map-cells.ts';
import type { Criteria, GeoBox } from './search-index.ts';

/** More marks than this are useless; a box with more is answered with the next coarser grid that has fewer. */
export const MAX_MARKS = 400;
/** Most cells of a large screen are empty; a box with more cells than this gets a coarser grid. */
const MAX_CELLS = 32_000;

export interface MapQuestion {
  criteria: Criteria;
  box: GeoBox;
  zoom: number;
}

/** What its listings match. Clients may name the box among the criteria, too. */
export function criteriaOfMap({ criteria, box }: Omit<MapQuestion, 'zoom'>): Criteria {
  const isNamed = criteria.areas.some((area) => 'box' in area && isSame(area.box, box));
  return isNamed ? criteria : { ...criteria, areas: [...criteria.areas, { box }] };
}

const isSame = (one: GeoBox, other: GeoBox): boolean =>
  (['west', 'south', 'east', 'north'] as const).every((side) => one[side] === other[side]);

export async function findMarks(ports: SlicePorts, question: MapQuestion): Promise<MapAnswer> {
  const { box, zoom } = question;
  const within = criteriaOfMap(question);
  let coarser = zoomFor(box, zoom);
  for (;;) {
    const groups = await groupsOf(ports, within, coarser);
    if (groups.length <= MAX_MARKS || coarser === 0) return answerOf(groups, coarser);
    coarser = Math.max(0, coarser - levelsAbove(groups));
  }
}

/** How many zooms at least have too many marks still: each has a fourth of those of the next one, or more. */
function levelsAbove(groups: readonly Group[]): number {
  const marks = groups.reduce((most, { marks: ofStatement }) => Math.max(most, ofStatement), groups.length);
  return Math.max(1, Math.ceil(Math.log(marks / MAX_MARKS) / Math.log(4)));
}

/** The deepest zoom, at most the requested one, at which the box has a limited number of cells. */
function zoomFor(box: GeoBox, zoom: number): number {
  let coarser = Math.min(zoom, DEEPEST_ZOOM + 1);
  while (coarser > 0 && cellsAcross(box) / 4 ** (DEEPEST_ZOOM - coarser) > MAX_CELLS) coarser -= 1;
  return coarser;
}

function cellsAcross({ west, south, east, north }: GeoBox): number {
  const width = (west <= east ? east - west : east - west + 360) / 360;
  return width * WORLD_CELLS * (mercator(south) - mercator(north)) * WORLD_CELLS;
}

interface Group {
  /** How many its statement has found, the ones that it does not return included. */
  marks: number;
  count: number;
  propertyId: string;
  /** Null for prices in several currencies, which cannot be compared. */
  currency: string | null;
  latitude: number;
  longitude: number;
  minPrice: number;
  maxPrice: number;
  westCell: number;
  eastCell: number;
  northCell: number;
  southCell: number;
}

/** Returns at most one group more than may be shown of each slice, which is enough to detect that there are too many. */
async function groupsOf(ports: SlicePorts, criteria: Criteria, zoom: number): Promise<Group[]> {
  const statements = await groupsSql(ports, criteria, zoom);
  return rowsOfAll(ports.pool, statements.map(readSql));
}

/** MATERIALIZED groups, because for a limit the planner would sort all listings to begin with the first group. */
const readSql =
  (groups: Sql): Sql =>
  (values) =>
    `${groups(values)}
    SELECT (SELECT count(*) FROM groups)::int AS marks, count::int, "propertyId", case when "firstCurrency" = "lastCurrency" then "firstCurrency" end AS currency,
      latitude, longitude, "minPrice", "maxPrice", "westCell", "eastCell", "northCell", "southCell"
    FROM groups LIMIT ${MAX_MARKS + 1}`;

/** @returns the starts of statements without a common mark: `WITH ... groups (count, "propertyId", ...)` */
async function groupsSql(ports: SlicePorts, criteria: Criteria, zoom: number): Promise<Sql[]> {
  const area = zoom > DEEPEST_ZOOM ? null : countedArea(criteria, zoom);
  if (area !== null) return [(values) => cellsSql(partsSql(area, values), zoom)];
  if (zoom > DEEPEST_ZOOM || !isWide(criteria.areas))
    return [(values) => listingsSql(criteria, zoom, values)];
  const slices = await slicesOf(ports, criteria, zoom);
  return slices.map((slice) => (values) => cellsSql(tilesSql(slice(values), zoom), zoom));
}

function cellsSql(parts: string, zoom: number): string {
  const shift = DEEPEST_ZOOM - zoom;
  return `${parts}, groups AS MATERIALIZED (
    SELECT sum(count) AS count, any_value("propertyId") AS "propertyId",
      min(coalesce(currency, '')) AS "firstCurrency", nullif(max(coalesce(currency, '')), '') AS "lastCurrency",
      sum(latitude) / sum(count) AS latitude, sum(longitude) / sum(count) AS longitude,
      min("minPrice") AS "minPrice", max("maxPrice") AS "maxPrice",
      min("westCell") AS "westCell", max("eastCell") AS "eastCell", min("northCell") AS "northCell", max("southCell") AS "southCell"
    FROM parts GROUP BY "westCell" >> ${shift}, "northCell" >> ${shift})`;
}

/** Any order will do here, and comparing bytes is quicker. */
const CODE = 'currency COLLATE "C"';
const RANGES = `
      min("listPrice") AS "minPrice", max("listPrice") AS "maxPrice",
      min("cellX") AS "westCell", max("cellX") AS "eastCell", min("cellY") AS "northCell", max("cellY") AS "southCell"`;

/** Few listings. Beyond the deepest zoom, marks are the listings of one position. */
function listingsSql(criteria: Criteria, zoom: number, values: SqlValues): string {
  const isExact = zoom > DEEPEST_ZOOM;
  const shift = DEEPEST_ZOOM - zoom;
  const cell = isExact ? 'longitude, latitude' : `"cellX" >> ${shift}, "cellY" >> ${shift}`;
  // The average of equal numbers may differ from them.
  const middle = (degrees: string) => (isExact ? degrees : `sum(${degrees}) / count(*)`);
  return `WITH groups AS MATERIALIZED (
    SELECT count(*) AS count, any_value("propertyId") AS "propertyId",
      min(${CODE}) AS "firstCurrency", max(${CODE}) AS "lastCurrency",
      ${middle('latitude')} AS latitude, ${middle('longitude')} AS longitude,
      ${RANGES}
    FROM search_listings WHERE ${criteriaSql(criteria, values)}
    GROUP BY ${cell})`;
}

/**
 * Many listings. A part is a tile, or a mark's cell where that is smaller. The index returns one tile after the other,
 * so they are grouped as they come; marks of several tiles would be sorted.
 * @returns the start of a statement, as `partsSql`
 */
function tilesSql(condition: string, zoom: number): string {
  const shift = Math.min(DEEPEST_ZOOM - zoom, TILE_BITS);
  return `WITH parts AS (
    SELECT count(*) AS count, any_value("propertyId") AS "propertyId",
      case when min(${CODE}) = max(${CODE}) then min(${CODE}) end AS currency,
      sum(latitude) AS latitude, sum(longitude) AS longitude,
      ${RANGES}
    FROM search_listings WHERE ${condition}
    GROUP BY "cellX" >> ${shift}, "cellY" >> ${shift})`;
}

function answerOf(groups: readonly Group[], zoom: number) {
  const clusters = groups.filter(({ count }) => count > 1).map((group) => clusterOf(group, zoom));
  const pins = groups.filter(({ count }) => count === 1).map(pinOf);
  return { clusters, pins, total: groups.reduce((sum, { count }) => sum + count, 0) };
}
export type MapAnswer = ReturnType<typeof answerOf>;

/** Two or more listings in one cell. */
function clusterOf(group: Group, zoom: number) {
  const { count, latitude, longitude, minPrice, maxPrice, currency } = group;
  const id = idOf(group, zoom);
  return {
    id,
    latitude,
    longitude,
    count,
    minPrice,
    maxPrice,
    currency,
    expansionZoom: expansionZoomOf(group),
  };
}

/** The same for the same cell of the same zoom. */
function idOf({ westCell, northCell, latitude, longitude }: Group, zoom: number): string {
  if (zoom > DEEPEST_ZOOM) return `${zoom}/${longitude}/${latitude}`;
  const shift = DEEPEST_ZOOM - zoom;
  return `${zoom}/${westCell >> shift}/${northCell >> shift}`;
}

/**
 * The first zoom that shows its members apart: that of the highest bit in which their cells differ. When there is none,
 * one above the deepest zoom: then only a list can show them apart.
 */
function expansionZoomOf({ westCell, eastCell, northCell, southCell }: Group): number {
  const bits = 32 - Math.clz32((westCell ^ eastCell) | (northCell ^ southCell));
  return DEEPEST_ZOOM + 1 - bits;
}

function pinOf({ propertyId, latitude, longitude, minPrice, currency }: Group) {
  return { propertyId, latitude, longitude, listPrice: minPrice, currency: currency ?? '' };
}
export type Pin = ReturnType<typeof pinOf>;
