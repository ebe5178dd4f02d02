import type { Pool } from 'pg';
import { SqlValues } from '../database/sql-values.ts';
import { criteriaSql, marketSideSql } from './criteria-sql.ts';
import { findMarks, type MapQuestion } from './search-grid.ts';
import type { Criteria, ListQuestion, Position, SortPosition } from './search-index.ts';
import { type PlaceRow, placeFromRow, placesInOrder, type SortSql, sortSql } from './search-sorts.ts';

/**
 * Always true: only listings with one of the asked statuses are found; `list` and `map` find the same listings for
 * the same criteria; what a transaction has committed, the next question sees.
 */
export type SearchIndex = ReturnType<typeof createPostgresSearchIndex>;

/** When a page is walked to. Tests make these small. */
export interface WalkLimits {
  /** From so many matches on, sorting all of them takes longer than looking for the next few along the index. */
  readonly many: number;
  /** Entries that are looked at before the walk is given up: what matches may all stand at the other end. */
  readonly steps: number;
}
/**
 * Of a million listings the page of so many matches is a few thousand steps away, and sorting as many reads the same
 * number of rows; with fewer listings or more matches the walk is the shorter by far.
 */
const WALK_LIMITS: WalkLimits = { many: 5_000, steps: 20_000 };

interface Ports {
  pool: Pool;
  limits: WalkLimits;
}

/**
 * Search in PostgreSQL: questions to `search_listings` (0013), which a trigger keeps right inside the transaction
 * of every change. It holds no state; a crash leaves nothing. The planner does not know how many listings a box
 * holds, so it is not left to guess: a page is either walked to along the sort's index, when many listings match
 * and the next one is near, or sorted from all that match, when few do.
 *
 * A count reads every entry that matches, so time grows with the answer: at a million listings in the order of
 * 100 ms for a third of them. Up to some ten million, or a few dozen searches a second over whole countries, this
 * serves; a read replica for `list` and `map` doubles that and costs the promise of seeing one's own writes.
 * Beyond, an engine of its own (one that counts from bitmaps) becomes a `SearchIndex` in `src/search/`, is fed by
 * the indexer beside the key-value store's documents, from the same `searchDirtyAt` and `searchVersion`, and this
 * file stays for the questions that must not lag.
 */
export function createPostgresSearchIndex(pool: Pool, limits = WALK_LIMITS) {
  const ports = { pool, limits };
  return {
    /** The listings of a page in order, and one more when there is a next page; `total` counts all. */
    async list(question: ListQuestion) {
      const total = await countMatching(pool, question.criteria);
      const places = total === 0 ? [] : await pageOf(ports, question, total);
      return { places, total };
    },
    /** What lies in the box at an integer zoom of a web map (tiles of 512 pixels). */
    map: (question: MapQuestion) => findMarks(pool, question),
    /** The first listings in the order of RELEVANCE, without a count. */
    async featured({ criteria, limit }: Pick<ListQuestion, 'criteria' | 'limit'>) {
      const question: ListQuestion = { criteria, sort: 'RELEVANCE', origin: null, after: null, limit };
      return idsOf(await places(ports, question, walkSql('"onMarket"', limits.steps)), limit);
    },
    /** The listings nearest to a position, nearest first, without a count. */
    async nearest({ criteria, origin, limit }: Omit<ListQuestion, 'sort' | 'after'> & { origin: Position }) {
      const question: ListQuestion = { criteria, sort: 'DISTANCE', origin, after: null, limit };
      return idsOf(await pageByDistance(ports, question, origin), limit);
    },
    /** The types that listings on the market have, in alphabetical order. */
    async propertyTypes() {
      return (await pool.query<{ type: string }>(TYPES)).rows.map(({ type }) => type);
    },
  };
}

const idsOf = (found: readonly SortPosition[], limit: number) =>
  found.slice(0, limit).map(({ propertyId }) => propertyId);

/** One look into the index for each type instead of one for each listing. */
const TYPES = `
  WITH RECURSIVE type AS (
    (SELECT "propertyType" AS type FROM search_listings
     WHERE "onMarket" AND "propertyType" IS NOT NULL ORDER BY "propertyType" LIMIT 1)
    UNION ALL
    SELECT (SELECT "propertyType" FROM search_listings
      WHERE "onMarket" AND "propertyType" > type.type ORDER BY "propertyType" LIMIT 1)
    FROM type WHERE type.type IS NOT NULL)
  SELECT type FROM type WHERE type IS NOT NULL`;

async function countMatching(pool: Pool, criteria: Criteria): Promise<number> {
  const values = new SqlValues();
  const sql = `SELECT count(*)::int AS total FROM search_listings WHERE ${criteriaSql(criteria, values)}`;
  const { rows } = await pool.query<{ total: number }>(sql, values.list);
  return rows[0]?.total ?? 0;
}

async function pageOf(ports: Ports, question: ListQuestion, total: number): Promise<SortPosition[]> {
  const { sort, origin, criteria } = question;
  if (total < ports.limits.many) return places(ports, question, sortedSql);
  if (sort === 'DISTANCE' && origin !== null) return pageByDistance(ports, question, origin);
  const side = marketSideSql(criteria);
  if (side === null) return pageOfBothSides(ports, question);
  const walked = await places(ports, question, walkSql(side, ports.limits.steps));
  return walked.length > question.limit ? walked : places(ports, question, sortedSql);
}

/** Each sort's index holds what is on the market and what is not apart: two pages, of which one is made. */
async function pageOfBothSides(ports: Ports, question: ListQuestion): Promise<SortPosition[]> {
  const { criteria, sort, limit } = question;
  const onMarket = criteria.statuses.filter((status) => status !== 'Closed');
  const found: SortPosition[] = [];
  for (const statuses of [onMarket, ['Closed'] as const])
    found.push(
      ...(await pageOf(ports, { ...question, criteria: { ...criteria, statuses } }, ports.limits.many)),
    );
  return found.sort(placesInOrder(sort)).slice(0, limit + 1);
}

type Phrase = (sort: SortSql, condition: string, limit: string) => string;

async function places(ports: Ports, question: ListQuestion, phrase: Phrase): Promise<SortPosition[]> {
  const values = new SqlValues();
  const sort = sortSql(question.sort, question, values);
  const condition = criteriaSql(question.criteria, values);
  const sql = phrase(sort, condition, values.add(question.limit + 1, 'int'));
  return (await ports.pool.query<PlaceRow>(sql, values.list)).rows.map(placeFromRow);
}

const orderBy = (names: readonly string[], way: string) =>
  [...names, '"propertyId"'].map((name) => `${name} ${way}`).join(', ');

/** The parts that both phrases are made of; what is compared has names, by which the planner knows it again. */
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

/** Materialized, so that no estimate can make it walk an index to its end. */
const sortedSql: Phrase = (sort, condition, limit) => {
  const { compared, read, found, byName, andAfter } = partsOf(sort);
  return `
    WITH matching AS MATERIALIZED (
      SELECT "propertyId", ${compared}, ${read} FROM search_listings WHERE ${condition}${andAfter})
    SELECT ${found} FROM matching ORDER BY ${byName} LIMIT ${limit}`;
};

/** The index yields in order, and the outer limit stops it as soon as the page is full. */
const walkSql =
  (side: string, steps: number): Phrase =>
  (sort, condition, limit) => {
    const { compared, read, found, byExpression, byName, andAfter } = partsOf(sort);
    return `
      SELECT ${found} FROM (
        SELECT *, ${compared}, ${read} FROM search_listings WHERE ${side}${andAfter}
        ORDER BY ${byExpression} LIMIT ${steps}) AS walked
      WHERE ${condition} ORDER BY ${byName} LIMIT ${limit}`;
  };

/** Metres: the first ring, about a city, and by how much each next one is wider. */
const FIRST_RING = 5_000;
const WIDER = 4;
/** Half the way round the earth is 20,015 km: everything that has a position. */
const WHOLE_EARTH = 20_100_000;

/**
 * The nearest are found in growing circles, so that a page near the origin never measures the whole country. What
 * has no position comes after everything that has.
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

/** A circle of the criteria around the same origin that the ring holds: nothing is left outside. */
function isWithin({ areas }: Criteria, origin: Position, ring: number): boolean {
  return areas.some(
    (area) =>
      'circle' in area &&
      area.circle.latitude === origin.latitude &&
      area.circle.longitude === origin.longitude &&
      area.circle.radiusMeters <= ring,
  );
}
