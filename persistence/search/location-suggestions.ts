import { expectedRows } from '../database/expected-rows.ts';
import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import type { Sql } from './area-slices.ts';
import { type Edges, extentOf } from './place-criteria.ts';
import { ONE_REGION, REGION_ROWS } from './region-counting.ts';

/**
 * Suggestions for typed text: imported places, the cities and postal codes of our own listings, and their addresses.
 * `listing_addresses` holds only listings with a public page, so no suggestion reveals another one.
 */
export const SUGGESTION_KINDS = [
  'city',
  'neighborhood',
  'postal_code',
  'address',
  'county',
  'state',
] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

export interface Suggestion {
  kind: SuggestionKind;
  /** For a place its id (`city:us:wa:seattle`), for an address the property's id. */
  id: string;
  label: string;
  /** [west, south, east, north]; null when the extent is unknown. */
  bbox: [number, number, number, number] | null;
  latitude: number | null;
  longitude: number | null;
}

export interface SuggestionQuestion {
  text: string;
  near: { latitude: number; longitude: number } | null;
  /** The maximum for each kind. */
  limit: number;
}

/** `text` is in the normal form of `search_text`, with a space before the first word. */
interface SuggestionQuery extends SuggestionQuestion {
  words: readonly string[];
}
type SuggestionRow = Omit<Suggestion, 'bbox'> & Edges;

/** The words beyond this are ignored; no address has more. */
const MAX_WORDS = 8;
/** So many addresses are read at most. */
const MANY = 20_000;
/** Enough: where `MANY` of ten million addresses match, forty of these do (computed). */
const SAMPLED = 20_000;
/** Fewer, because misspelt words are compared with all of an address. */
const COMPARED = 5_000;
/** Of the addresses that begin with the text, in their order. */
const BEGINNING = 1_000;
/** With fewer answers than this, and enough letters to compare, the text may contain a typing error. */
const FEW = 5;
const LETTERS_TO_COMPARE = 4;
/** Allows one error in a word of six letters; the extension's default of 0.3 also finds other words. */
const LIKENESS = 0.4;
/** Of the text to the most similar words of an address. */
const WORD_LIKENESS = 0.6;

/** The best of each kind, best first. Those that are merely similar come last, and only when few others are found. */
export async function suggestLocations(pool: Reader, question: SuggestionQuestion): Promise<Suggestion[]> {
  const { rows } = await pool.query<{ text: string }>('select search_text($1) as text', [question.text]);
  const text = rows[0]?.text ?? ' ';
  const words = longestWords(text).slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const query: SuggestionQuery = { ...question, text, words };
  const found = (await Promise.all([findPlaces(pool, query), findAddresses(pool, query)])).flat();
  if (found.length >= FEW || !words.some(isComparable)) return found;
  const similar = await Promise.all([similarPlaces(pool, query), similarAddresses(pool, query)]);
  return withSimilar(found, similar.flat(), query.limit);
}

/** Without those that another one begins with: they say nothing more. */
function longestWords(text: string): string[] {
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))];
  return words.filter((word) => !words.some((other) => other !== word && other.startsWith(word)));
}

/** Numbers that differ by a digit are different, not misspelt. */
const isComparable = (word: string): boolean => word.length >= LETTERS_TO_COMPARE && /\p{L}{3}/u.test(word);

function withSimilar(found: Suggestion[], similar: readonly Suggestion[], limit: number): Suggestion[] {
  const all = [...found];
  for (const suggestion of similar) {
    const ofKind = all.filter(({ kind }) => kind === suggestion.kind);
    if (ofKind.length < limit && !ofKind.some(({ id }) => id === suggestion.id)) all.push(suggestion);
  }
  return all;
}

/** Words that gazetteers write out and people abbreviate, or the reverse. */
const SAME_WORD = new Map([
  ...[
    ['st', 'saint'],
    ['ste', 'sainte'],
    ['ft', 'fort'],
    ['mt', 'mount'],
  ].flatMap(([short = '', long = '']) => [[short, long] as const, [long, short] as const]),
]);

/** The word begins a word of the column. `search_text` leaves no characters that LIKE would treat as wildcards. */
function beginsWord(values: SqlValues, column: string, word: string): string {
  const spellings = [word, SAME_WORD.get(word)].filter((spelling) => spelling !== undefined);
  const ways = spellings.map((spelling) => `${column} like ${values.add(`% ${spelling}%`, 'text')}`);
  return ways.length === 1 ? ways.join('') : `(${ways.join(' or ')})`;
}
const everyWord = (values: SqlValues, column: string, words: readonly string[]) =>
  words.map((word) => beginsWord(values, column, word)).join(' and ');
const anyWord = (values: SqlValues, column: string, words: readonly string[]) =>
  `(${words.map((word) => beginsWord(values, column, word)).join(' or ')})`;

/** The address and where it lies, of `listing_addresses a`. Each begins with a space. */
const WHOLE_ADDRESS = `(a."addressText" || a."regionText")`;

/** 0: the name itself. 1: its beginning. 2: beginnings of its words. 3: some words match only where it lies. */
function matchClass(values: SqlValues, column: string, { text, words }: SuggestionQuery): string {
  const whole = values.add(text, 'text');
  return `case when ${column} = ${whole} then 0 when starts_with(${column}, ${whole}) then 1
    when ${everyWord(values, column, words)} then 2 else 3 end`;
}

/**
 * Kilometres to the caller, exact enough for an order; a place without a position is far away. Rounded to a tenth of a
 * metre, because PostgreSQL cannot square the smallest numbers.
 */
function distance(values: SqlValues, near: { latitude: number; longitude: number }): string {
  const latitude = values.add(Number(near.latitude.toFixed(6)), 'float8');
  const longitude = values.add(Number(near.longitude.toFixed(6)), 'float8');
  const turn = `abs(longitude - ${longitude})`;
  return `coalesce(111.2 * sqrt((latitude - ${latitude}) ^ 2
    + (least(${turn}, 360 - ${turn}) * cos(radians(${latitude}))) ^ 2), 20000)`;
}

/** Large places first; with a position, a place ten times as large may be about three times as far away. */
function score(values: SqlValues, near: SuggestionQuery['near']): string {
  const size = 'ln(1 + weight)';
  return near === null ? size : `${size} - 2 * ln(1 + ${distance(values, near)} / 10)`;
}

/**
 * The cities and postal codes of our listings, with the extent of the listings there. Regions that changed since they
 * were counted are counted here.
 */
const OWN_REGIONS = (values: SqlValues, words: readonly string[]) => `
  changed as materialized (
    select distinct c."regionText" from listing_region_changes c where ${everyWord(values, 'c."regionText"', words)}
  ), counted as (
    select r.* from listing_regions r
    where ${everyWord(values, 'r."regionText"', words)} and r."regionText" not in (select "regionText" from changed)
    union all
    (${REGION_ROWS}
     from changed join listing_addresses a using ("regionText") ${ONE_REGION})
  ), own as materialized (
    select * from counted where ${anyWord(values, `("cityText" || coalesce("codeText", ''))`, words)}
  ), own_regions as (
    select 'city' as kind, concat_ws(':', 'city', lower(country), lower("stateOrProvince"), ${slug('"cityText"')}) as id,
      concat_ws(', ', min(city), "stateOrProvince") as label, "cityText" as head, '' as region,
      min(west) as west, min(south) as south, max(east) as east, max(north) as north,
      sum(latitudes) / nullif(sum(placed), 0) as latitude, sum(longitudes) / nullif(sum(placed), 0) as longitude,
      sum(listings) as weight, true as ours
    from own group by country, "stateOrProvince", "cityText"
    union all
    select 'postal_code', concat_ws(':', 'postal_code', lower(country), ${slug('"codeText"')}),
      concat_ws(', ', min("postalCode"), min(city), min("stateOrProvince")), "codeText", min("cityText"),
      min(west), min(south), max(east), max(north),
      sum(latitudes) / nullif(sum(placed), 0), sum(longitudes) / nullif(sum(placed), 0), sum(listings), true
    from own where "codeText" is not null group by country, "codeText"
  )`;

/** As `place_slug`, of text that is in the normal form. */
const slug = (text: string) => `replace(btrim(${text}), ' ', '-')`;

/**
 * When two sources have the same place, the one with a position is shown, then the imported one before ours. The
 * weights are added.
 */
function findPlaces(pool: Reader, query: SuggestionQuery): Promise<Suggestion[]> {
  const values = new SqlValues();
  const { words, near, limit } = query;
  return read(
    pool,
    `with ${OWN_REGIONS(values, words)}, told as (
      select kind, id, label, "headText" as head,
        case when kind in ('postal_code', 'neighborhood') then coalesce(search_text(city), '') else '' end as region,
        west, south, east, north, latitude, longitude, weight, false as ours
      from places where ${everyWord(values, '"searchText"', words)}
      union all select * from own_regions
    ), one_each as (
      select distinct on (id) kind, id, label, head, west, south, east, north, latitude, longitude,
        sum(weight) over (partition by id) as weight
      from told
      -- A state alone is no reason to name all that lies in it.
      where ${anyWord(values, `(head || region)`, words)}
      order by id, latitude is null, ours, told.weight desc, label
    ), classed as (
      select *, ${matchClass(values, 'head', query)} as class, ${score(values, near)} as score from one_each
    )${bestOfEachKind(values, 'classed', { order: 'class', limit })}`,
    values,
  );
}

function similarPlaces(pool: Reader, { text, near, limit }: SuggestionQuery): Promise<Suggestion[]> {
  const values = new SqlValues();
  const whole = values.add(text, 'text');
  return read(
    pool,
    `with alike as (
      select *, round(similarity("headText", ${whole})::numeric, 1) as likeness, ${score(values, near)} as score
      from places
      where "headText" % ${whole} and similarity("headText", ${whole}) >= ${LIKENESS} and kind <> 'postal_code'
    )${bestOfEachKind(values, 'alike', { order: 'likeness desc', limit })}`,
    values,
  );
}

/** The end of a statement, after its last CTE, which must have a `score`. */
function bestOfEachKind(values: SqlValues, from: string, { order, limit }: { order: string; limit: number }) {
  return `, ranked as (
      select *, row_number() over (partition by kind order by ${order}, score desc, label, id) as place from ${from}
    )
    select kind, id, label, west, south, east, north, latitude, longitude from ranked
    where place <= ${values.add(limit, 'int')} order by kind, place`;
}

/** The end of a statement, after its CTE `found`. */
function bestAddresses(values: SqlValues, { order, limit }: { order: string; limit: number }) {
  return `, ranked as (
      select * from found order by ${order}, km, "addressText", "propertyId" limit ${values.add(limit, 'int')}
    )
    select 'address' as kind, r."propertyId" as id,
      concat_ws(', ', concat_ws(' ', p.address, p."unitNumber"), p.city,
        nullif(concat_ws(' ', p."stateOrProvince", p."postalCode"), '')) as label,
      null::float8 as west, null::float8 as south, null::float8 as east, null::float8 as north,
      r.latitude, r.longitude
    from ranked r join properties p on p.id = r."propertyId"
    order by r.${order}, r.km, r."addressText", r."propertyId"`;
}

/**
 * Where very many addresses match, such as all with a word like `street`: those that begin with the text, and those in a
 * sample of the table. One word alone is looked for in addresses only, because a place names none of those in it.
 */
async function findAddresses(pool: Reader, query: SuggestionQuery): Promise<Suggestion[]> {
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

function addressesAmong(pool: Reader, query: SuggestionQuery, among: Sql): Promise<Suggestion[]> {
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
async function similarAddresses(pool: Reader, query: SuggestionQuery): Promise<Suggestion[]> {
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
): Promise<Suggestion[]> {
  const values = new SqlValues();
  const whole = values.add(text, 'text');
  return read(
    pool,
    `with compared as (
      select a.*, word_similarity(${whole}, a."addressText") as exactly from ${among(values)}
    ), found as (
      select *, round(exactly::numeric, 1) as likeness, ${near === null ? '0' : distance(values, near)} as km
      from compared where exactly >= ${WORD_LIKENESS}
    )${bestAddresses(values, { order: 'likeness desc', limit })}`,
    values,
  );
}

/** About so many addresses, the same ones each time; all of a smaller table. */
const sampleOf = (rows: number) => `listing_addresses a tablesample system ((
  select 100 * ${rows} / greatest(reltuples, ${rows}) from pg_class where oid = 'listing_addresses'::regclass)) repeatable (0)`;

async function read(pool: Reader, sql: string, values: SqlValues): Promise<Suggestion[]> {
  const { rows } = await pool.query<SuggestionRow>(sql, values.list);
  return rows.map(({ west, south, east, north, ...suggestion }) => {
    const box = extentOf({ west, south, east, north });
    return { ...suggestion, bbox: box && [box.west, box.south, box.east, box.north] };
  });
}
