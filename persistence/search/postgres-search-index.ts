import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { rowsOfAll, type SlicePorts, type Sql, slicesOf } from './area-slices.ts';
import { isWide } from './cell-levels.ts';
import { countedArea, partsSql } from './counted-cells.ts';
import { criteriaSql, marketSideSql } from './criteria-sql.ts';
import { DEEPEST_ZOOM, STRIPE_BITS } from './map-cells.ts';
import { findMarks, type MapQuestion } from './search-grid.ts';
import type { Criteria, ListQuestion, Position, SortPosition } from './search-index.ts';
import { type PlaceRow, placeFromRow, placesInOrder, type SortSql, sortSql } from './search-sorts.ts';

/**
 * Always true: only listings with one of the requested statuses are found; `list` and `map` find the same listings for
 * the same criteria; a query sees everything that its server has.
 */
export type SearchIndex = ReturnType<typeof createPostgresSearchIndex>;

/** What decides how a question is asked. Tests make these small. */
export interface SearchLimits extends Omit<SlicePorts, 'pool'> {
  /** From this many matches on, sorting all of them takes longer than walking the index to the next few. */
  readonly many: number;
  /** The walk is given up after this many index entries, because all matches may be at the other end. */
  readonly steps: number;
}
/**
 * In a county of a million, 21,000 listings are found as quickly by an index of what is asked as in slices; for 31,000 slices
 * are twice as quick. With `many` matches among a million listings, a page is a few thousand steps away, and sorting reads
 * as many rows. With fewer listings or more matches the walk is far shorter.
 */
export const SEARCH_LIMITS: SearchLimits = { rare: 16, smallCity: 50_000, many: 5_000, steps: 20_000 };

interface Ports extends SearchLimits {
  readonly pool: Reader;
}

/**
 * Search in PostgreSQL: queries on `search_listings` (0013), which a trigger updates in the transaction of every
 * change. It holds no state; a crash leaves nothing. The planner cannot estimate how many listings a box holds, so the
 * plan is chosen here. When many listings match and the next one is near, the page is read along the sort's index. When
 * few match, all of them are sorted.
 *
 * Without filters, counts and maps come from counted cells (`counted-cells.ts`), so their time hardly grows with the area.
 * With filters they read an index alone: of a chosen city, its own listings; in wide areas, in slices at once
 * (`area-slices.ts`), the entries that rooms and price let through; else every entry of the area. The web role keeps wide
 * answers for a second (`src/search/wide-answers.ts`). How long they take among ten million listings:
 * docs/sizing.md#ten-million-listings; each standby adds as many searches (ARCHITECTURE.md#reading-from-standbys). Where that
 * is too slow, a separate engine (one that counts from bitmaps) becomes a `SearchIndex` in `src/search/`. The indexer then
 * feeds it from the same `searchDirtyAt` and `searchVersion` as the
 * key-value store's documents, and this file stays for the queries that must not lag.
 */
export function createPostgresSearchIndex(pool: Reader, limits = SEARCH_LIMITS) {
  const ports: Ports = { pool, ...limits };
  return {
    /** How many listings match. */
    count: (criteria: Criteria) => countMatching(ports, criteria),
    /**
     * The listings of a page in order, plus one when there is a next page; `total` counts all matches.
     * @param known the total, where it was counted a moment ago
     */
    async list(question: ListQuestion, known: number | null = null) {
      const few = known === null && question.after === null && !isWide(question.criteria.areas);
      const whole = few ? await wholePage(ports, question) : null;
      if (whole !== null) return whole;
      const total = known ?? (await countMatching(ports, question.criteria));
      const places = total === 0 ? [] : await pageOf(ports, question, total);
      return { places, total };
    },
    /** The marks in the box at an integer zoom of a web map (tiles of 512 pixels). */
    map: (question: MapQuestion) => findMarks(ports, question),
    /** The first listings in the order of RELEVANCE, without a count. */
    async featured({ criteria, limit }: Pick<ListQuestion, 'criteria' | 'limit'>) {
      const question: ListQuestion = { criteria, sort: 'RELEVANCE', origin: null, after: null, limit };
      return idsOf(await places(ports, question, walkSql('"onMarket"', ports.steps)), limit);
    },
    /** The listings nearest to a position, nearest first, without a count. */
    async nearest({ criteria, origin, limit }: Omit<ListQuestion, 'sort' | 'after'> & { origin: Position }) {
      const question: ListQuestion = { criteria, sort: 'DISTANCE', origin, after: null, limit };
      return idsOf(await pageByDistance(ports, question, origin), limit);
    },
    /** How many of the matching listings have each feature. Reads at most `FEATURE_ROWS` of them. */
    featureCounts: (criteria: Criteria) => countFeatures(pool, criteria),
    /** The types that listings on the market have, of each the most exact one, in alphabetical order. */
    async propertyTypes() {
      return (await pool.query<{ type: string }>(TYPES)).rows.map(({ type }) => type);
    },
  };
}

/** About 60 ms to read; more listings than this make no better choice of a filter. */
const FEATURE_ROWS = 50_000;

/** @returns `isWhole` is false when more listings match than were read: then the counts are least counts */
async function countFeatures(pool: Reader, criteria: Criteria) {
  const values = new SqlValues();
  const { rows } = await pool.query<{ key: string | null; count: number }>(
    `with found as materialized (
      select features from search_listings where ${criteriaSql(criteria, values)} limit ${FEATURE_ROWS + 1}
    )
    select null as key, count(*)::int as count from found
    union all select key, count(*)::int from found, unnest(features) as key group by key`,
    values.list,
  );
  const total = rows.find(({ key }) => key === null)?.count ?? 0;
  return {
    total: Math.min(total, FEATURE_ROWS),
    isWhole: total <= FEATURE_ROWS,
    counts: new Map(rows.flatMap(({ key, count }) => (key === null ? [] : [[key, count] as const]))),
  };
}

const idsOf = (found: readonly SortPosition[], limit: number) =>
  found.slice(0, limit).map(({ propertyId }) => propertyId);

/** One index look-up for each type instead of one for each listing. */
const TYPES = `
  WITH RECURSIVE kind AS (
    (SELECT "propertySubType" AS name FROM search_listings
     WHERE "onMarket" AND "propertySubType" IS NOT NULL ORDER BY "propertySubType" LIMIT 1)
    UNION ALL
    SELECT (SELECT "propertySubType" FROM search_listings
      WHERE "onMarket" AND "propertySubType" > kind.name ORDER BY "propertySubType" LIMIT 1)
    FROM kind WHERE kind.name IS NOT NULL),
  type AS (
    (SELECT "propertyType" AS name FROM search_listings
     WHERE "onMarket" AND "propertySubType" IS NULL AND "propertyType" IS NOT NULL ORDER BY "propertyType" LIMIT 1)
    UNION ALL
    SELECT (SELECT "propertyType" FROM search_listings
      WHERE "onMarket" AND "propertySubType" IS NULL AND "propertyType" > type.name ORDER BY "propertyType" LIMIT 1)
    FROM type WHERE type.name IS NOT NULL)
  SELECT name AS type FROM kind WHERE name IS NOT NULL
  UNION SELECT name FROM type WHERE name IS NOT NULL ORDER BY type`;

async function countMatching(ports: Ports, criteria: Criteria): Promise<number> {
  const rows = await rowsOfAll<{ total: number }>(ports.pool, await countSql(ports, criteria));
  return rows.reduce((sum, { total }) => sum + total, 0);
}

async function countSql(ports: Ports, criteria: Criteria): Promise<Sql[]> {
  const area = countedArea(criteria, null);
  if (area !== null)
    return [
      (values) =>
        `${partsSql(area, values)} SELECT coalesce(sum(count), 0)::int + (${unplacedSql(criteria)}) AS total FROM parts`,
    ];
  const slices = await slicesOf(ports, criteria, DEEPEST_ZOOM);
  return slices.map(
    (slice) => (values) => `SELECT count(*)::int AS total FROM search_listings WHERE ${slice(values)}`,
  );
}

/** Listings without a position are in no cell and in no area. */
const unplacedSql = ({ areas }: Criteria): string =>
  areas.length > 0
    ? '0'
    : `SELECT count(*)::int FROM search_listings WHERE "onMarket" AND ("cellX" >> ${STRIPE_BITS}) IS NULL`;

/** Reading and sorting this many takes about as long as counting them first. */
const FEW = 1_000;

/** The first page and the total by one statement; null when too many match. */
async function wholePage({ pool }: Ports, question: ListQuestion) {
  const values = new SqlValues();
  const sort = sortSql(question.sort, question, values);
  const { compared, read, found, byName } = partsOf(sort);
  const { rows } = await pool.query<PlaceRow & { total: number }>(
    `WITH matching AS MATERIALIZED (
      SELECT "propertyId", ${compared}, ${read} FROM search_listings
      WHERE ${criteriaSql(question.criteria, values)} LIMIT ${FEW})
    SELECT ${found}, (SELECT count(*)::int FROM matching) AS total FROM matching
    ORDER BY ${byName} LIMIT ${values.add(question.limit + 1, 'int')}`,
    values.list,
  );
  const total = rows[0]?.total ?? 0;
  if (total === FEW) return null;
  return { places: rows.map(({ total: _, ...place }) => placeFromRow(place as PlaceRow)), total };
}

async function pageOf(ports: Ports, question: ListQuestion, total: number): Promise<SortPosition[]> {
  const { sort, origin, criteria } = question;
  if (total < ports.many) return places(ports, question, sortedSql);
  if (sort === 'DISTANCE' && origin !== null) return pageByDistance(ports, question, origin);
  const side = marketSideSql(criteria);
  if (side === null) return pageOfBothSides(ports, question);
  const walked = await places(ports, question, walkSql(side, ports.steps));
  return walked.length > question.limit ? walked : places(ports, question, sortedSql);
}

/** Each sort's index holds listings on and off the market separately, so this merges two pages into one. */
async function pageOfBothSides(ports: Ports, question: ListQuestion): Promise<SortPosition[]> {
  const { criteria, sort, limit } = question;
  const onMarket = criteria.statuses.filter((status) => status !== 'Closed');
  const found: SortPosition[] = [];
  for (const statuses of [onMarket, ['Closed'] as const])
    found.push(...(await pageOf(ports, { ...question, criteria: { ...criteria, statuses } }, ports.many)));
  return found.sort(placesInOrder(sort)).slice(0, limit + 1);
}

/** A statement; `condition` writes the criteria, as `criteriaSql`. */
type Phrase = (sort: SortSql, condition: (orAnywhere: boolean) => string, limit: string) => string;

async function places(ports: Ports, question: ListQuestion, phrase: Phrase): Promise<SortPosition[]> {
  const values = new SqlValues();
  const sort = sortSql(question.sort, question, values);
  const condition = (orAnywhere: boolean) => criteriaSql(question.criteria, values, orAnywhere);
  const sql = phrase(sort, condition, values.add(question.limit + 1, 'int'));
  return (await ports.pool.query<PlaceRow>(sql, values.list)).rows.map(placeFromRow);
}

const orderBy = (names: readonly string[], way: string) =>
  [...names, '"propertyId"'].map((name) => `${name} ${way}`).join(', ');

/** The parts that both statements share. The compared expressions have names, so that the planner recognizes them. */
function partsOf({ keys, way, after }: SortSql) {
  const expressions = keys.map(({ order }) => order);
  const names = keys.map((_, index) => `"order${index}"`);
  return {
    compared: expressions.map((order, index) => `${order} AS ${names[index]}`).join(', '),
    read: keys.map(({ read }, index) => `${read} AS "key${index}"`).join(', '),
    found: ['"propertyId"', ...keys.map((_, index) => `"key${index}"`)].join(', '),
    byExpression: orderBy(expressions, way),
    byName: orderBy(names, way),
    andAfter: after === null ? '' : ` AND ${after}`,
  };
}

/** MATERIALIZED, so that no estimate makes the planner walk an index to its end. */
const sortedSql: Phrase = (sort, condition, limit) => {
  const { compared, read, found, byName, andAfter } = partsOf(sort);
  return `
    WITH matching AS MATERIALIZED (
      SELECT "propertyId", ${compared}, ${read} FROM search_listings WHERE ${condition(true)}${andAfter})
    SELECT ${found} FROM matching ORDER BY ${byName} LIMIT ${limit}`;
};

/** The index returns rows in order, and the outer limit stops it when the page is full. */
const walkSql =
  (side: string, steps: number): Phrase =>
  (sort, condition, limit) => {
    const { compared, read, found, byExpression, byName, andAfter } = partsOf(sort);
    const walked = [side, sort.within()].filter((each) => each !== null).join(' AND ');
    return `
      SELECT ${found} FROM (
        SELECT *, ${compared}, ${read} FROM search_listings WHERE ${walked}${andAfter}
        ORDER BY ${byExpression} LIMIT ${steps}) AS walked
      WHERE ${condition(false)} ORDER BY ${byName} LIMIT ${limit}`;
  };

/** Metres: the radius of the first ring, a few streets, and the factor by which each next ring is wider. */
const FIRST_RING = 500;
const WIDER = 4;
/** Half the circumference of the earth is 20,015 km, so this ring holds every position. */
const WHOLE_EARTH = 20_100_000;

/**
 * Finds the nearest listings in growing circles, so that a page near the origin never measures the whole country.
 * Listings without a position come last.
 */
async function pageByDistance(
  ports: Ports,
  question: ListQuestion,
  origin: Position,
): Promise<SortPosition[]> {
  const { criteria, after, limit } = question;
  const reached = after?.keys[0] ?? (after === null ? 0 : WHOLE_EARTH);
  for (let ring = Math.max(FIRST_RING, reached * 2); ring < WHOLE_EARTH; ring *= WIDER) {
    const areas = [...criteria.areas, { circle: { ...origin, radiusMeters: ring } }];
    const found = await places(ports, { ...question, criteria: { ...criteria, areas } }, sortedSql);
    if (found.length > limit) return found;
    if (isWithin(criteria, origin, ring)) return found;
  }
  return places(ports, question, sortedSql);
}

/**
 * True when an area of the criteria is a circle around the same origin and inside the ring: no listing can be outside.
 */
function isWithin({ areas }: Criteria, origin: Position, ring: number): boolean {
  return areas.some(
    (area) =>
      'circle' in area &&
      area.circle.latitude === origin.latitude &&
      area.circle.longitude === origin.longitude &&
      area.circle.radiusMeters <= ring,
  );
}
