import { expectedRows } from '../database/expected-rows.ts';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { Sql } from './area-slices.ts';
import {
  anyWord,
  distance,
  everyWord,
  isComparable,
  matchClass,
  SIMILAR_CLASS,
  type SuggestionQuery,
} from './suggestion-words.ts';

/** Addresses of listings with a public page (`listing_addresses`), so no suggestion reveals another one. */

/** An address that matches, best first. */
interface FoundAddress {
  kind: 'address';
  /** The property's. */
  id: string;
  label: string;
  latitude: number | null;
  longitude: number | null;
  class: number;
}

/** So many addresses are read at most. */
const MANY = 20_000;
/** Enough: where `MANY` of ten million addresses match, forty of these do (computed). */
const SAMPLED = 20_000;
/** Fewer, because misspelt words are compared with all of an address. */
const COMPARED = 5_000;
/** Of the addresses that begin with the text, in their order. */
const BEGINNING = 1_000;
/** Of the text to the most similar words of an address. */
const WORD_LIKENESS = 0.6;

/** The address and where it lies, of `listing_addresses a`. Each begins with a space. */
const WHOLE_ADDRESS = `(a."addressText" || a."regionText")`;

/** The end of a statement, after its CTE `found`. */
function bestAddresses(values: SqlValues, { order, limit }: { order: string; limit: number }) {
  return `, ranked as (
      select * from found order by ${order}, km, "addressText", "propertyId" limit ${values.add(limit, 'int')}
    )
    select 'address' as kind, r."propertyId" as id,
      concat_ws(', ', concat_ws(' ', p.address, p."unitNumber"), p.city,
        nullif(concat_ws(' ', p."stateOrProvince", p."postalCode"), '')) as label,
      r.latitude, r.longitude, r.class
    from ranked r join properties p on p.id = r."propertyId"
    order by r.${order}, r.km, r."addressText", r."propertyId"`;
}

/**
 * Where very many addresses match, such as all with a word like `street`: those that begin with the text, and those in a
 * sample of the table. One word alone is looked for in addresses only, because a place names none of those in it.
 */
export async function findAddresses(pool: Reader, query: SuggestionQuery): Promise<FoundAddress[]> {
  const { words } = query;
  const few =
    (words.length > 1 ? await whereFew(pool, (values) => everyWord(values, WHOLE_ADDRESS, words)) : null) ??
    (await whereFew(pool, (values) => anyWord(values, 'a."addressText"', words)));
  return addressesAmong(pool, query, few ?? ((values) => beginningOrSampled(values, query)));
}

/**
 * The addresses of a condition, to follow FROM. Null when the planner expects more than `MANY`; it may be wrong, so no more
 * than that are read.
 */
async function whereFew(pool: Reader, condition: Sql): Promise<Sql | null> {
  const values = new SqlValues();
  const sql = `select from listing_addresses a where ${condition(values)}`;
  if ((await expectedRows(pool, sql, values.list)) > MANY) return null;
  return (some) => `(select * from listing_addresses a where ${condition(some)} limit ${MANY}) a`;
}

function addressesAmong(pool: Reader, query: SuggestionQuery, among: Sql): Promise<FoundAddress[]> {
  const values = new SqlValues();
  const { words, near, limit } = query;
  return read(
    pool,
    `with found as (
      select a.*, ${matchClass(values, 'a."addressText"', query)} as class,
        ${near === null ? '0' : distance(values, near)} as km
      from ${among(values)}
      -- A city alone is no reason to name all addresses in it.
      where ${anyWord(values, 'a."addressText"', words)} and ${everyWord(values, WHOLE_ADDRESS, words)}
    )${bestAddresses(values, { order: 'class', limit })}`,
    values,
  );
}

function beginningOrSampled(values: SqlValues, { text }: SuggestionQuery): string {
  const first = values.add(text, 'text');
  const behind = values.add(`${text}\u{10ffff}`, 'text');
  return `((select a.* from listing_addresses a
      where a."addressText" collate "C" >= ${first} and a."addressText" collate "C" < ${behind}
      order by a."addressText" collate "C" limit ${BEGINNING})
    union select * from ${sampleOf(SAMPLED)}) a`;
}

/**
 * One word may contain a typing error: the others begin words of the address or its region. Where that leaves very many,
 * those in a sample are compared.
 */
export async function similarAddresses(pool: Reader, query: SuggestionQuery): Promise<FoundAddress[]> {
  const few = await whereFew(pool, (values) => allButOneWord(values, query.words));
  return similarAmong(pool, query, few ?? (() => sampleOf(COMPARED)));
}

function allButOneWord(values: SqlValues, words: readonly string[]): string {
  const ways = words.flatMap((word, wrong) => (isComparable(word) ? [words.toSpliced(wrong, 1)] : []));
  return `(${ways.map((others) => (others.length === 0 ? 'true' : `(${everyWord(values, WHOLE_ADDRESS, others)})`)).join(' or ')})`;
}

function similarAmong(
  pool: Reader,
  { text, near, limit }: SuggestionQuery,
  among: Sql,
): Promise<FoundAddress[]> {
  const values = new SqlValues();
  const whole = values.add(text, 'text');
  return read(
    pool,
    `with compared as (
      select a.*, word_similarity(${whole}, a."addressText") as exactly from ${among(values)}
    ), found as (
      select *, round(exactly::numeric, 1) as likeness, ${SIMILAR_CLASS} as class, ${near === null ? '0' : distance(values, near)} as km
      from compared where exactly >= ${WORD_LIKENESS}
    )${bestAddresses(values, { order: 'likeness desc', limit })}`,
    values,
  );
}

/** About so many addresses, the same ones each time; all of a smaller table. */
const sampleOf = (rows: number) => `listing_addresses a tablesample system ((
  select 100 * ${rows} / greatest(reltuples, ${rows}) from pg_class where oid = 'listing_addresses'::regclass)) repeatable (0)`;

async function read(pool: Reader, sql: string, values: SqlValues): Promise<FoundAddress[]> {
  return (await pool.query<FoundAddress>(sql, values.list)).rows;
}
