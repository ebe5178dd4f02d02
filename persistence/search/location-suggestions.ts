import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { type Edges, extentOf } from './place-criteria.ts';

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
/** With fewer answers than this, and enough letters to compare, the text may contain a typing error. */
const FEW = 5;
const LETTERS_TO_COMPARE = 4;
/** Allows one error in a word of six letters; the extension's default of 0.3 also finds other words. */
const LIKENESS = 0.4;

/** The best of each kind, best first. Those that are merely similar come last, and only when few others are found. */
export async function suggestLocations(pool: Reader, question: SuggestionQuestion): Promise<Suggestion[]> {
  const { rows } = await pool.query<{ text: string }>('select search_text($1) as text', [question.text]);
  const text = rows[0]?.text ?? ' ';
  const words = [...new Set(text.split(' ').filter((word) => word !== ''))].slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const query: SuggestionQuery = { ...question, text, words };
  const found = (await Promise.all([findPlaces(pool, query), findAddresses(pool, query)])).flat();
  if (found.length >= FEW || !isComparable(text)) return found;
  const similar = await Promise.all([similarPlaces(pool, query), similarAddresses(pool, query)]);
  return withSimilar(found, similar.flat(), query.limit);
}

/** Numbers that differ by a digit are different, not misspelt. */
function isComparable(text: string): boolean {
  return text.trim().length >= LETTERS_TO_COMPARE && /\p{L}{3}/u.test(text);
}

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

/** The cities and postal codes of our listings, with the extent of the listings there. */
const OWN_REGIONS = (values: SqlValues, words: readonly string[]) => `
  own as materialized (
    select a.country, a."stateOrProvince" as state, a.city, a."postalCode" as code, count(*) as listings,
      min(a.longitude) as west, min(a.latitude) as south, max(a.longitude) as east, max(a.latitude) as north,
      sum(a.latitude) as latitudes, sum(a.longitude) as longitudes, count(a.latitude) as placed
    from listing_addresses a where ${everyWord(values, 'a."regionText"', words)}
    group by a.country, state, a.city, code
  ), own_regions as (
    select 'city' as kind, concat_ws(':', 'city', lower(country), lower(state), place_slug(min(city))) as id,
      concat_ws(', ', min(city), state) as label, search_text(min(city)) as head, '' as region,
      min(west) as west, min(south) as south, max(east) as east, max(north) as north,
      sum(latitudes) / nullif(sum(placed), 0) as latitude, sum(longitudes) / nullif(sum(placed), 0) as longitude,
      sum(listings) as weight, true as ours
    from own group by country, state, lower(city)
    union all
    select 'postal_code', concat_ws(':', 'postal_code', lower(country), place_slug(code)),
      concat_ws(', ', code, min(city), min(state)), search_text(code), search_text(min(city)),
      min(west), min(south), max(east), max(north),
      sum(latitudes) / nullif(sum(placed), 0), sum(longitudes) / nullif(sum(placed), 0), sum(listings), true
    from own where code is not null group by country, code
  )`;

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
      order by id, latitude is null, ours
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

function findAddresses(pool: Reader, query: SuggestionQuery): Promise<Suggestion[]> {
  const values = new SqlValues();
  const { words, near, limit } = query;
  const everywhere = words.map(
    (word) =>
      `(${beginsWord(values, 'a."addressText"', word)} or ${beginsWord(values, 'a."regionText"', word)})`,
  );
  return read(
    pool,
    `with found as (
      select a.*, ${matchClass(values, 'a."addressText"', query)} as class,
        ${near === null ? '0' : distance(values, near)} as km
      from listing_addresses a
      where ${anyWord(values, 'a."addressText"', words)} and ${everywhere.join(' and ')}
    )${bestAddresses(values, { order: 'class', limit })}`,
    values,
  );
}

function similarAddresses(pool: Reader, { text, near, limit }: SuggestionQuery): Promise<Suggestion[]> {
  const values = new SqlValues();
  const whole = values.add(text, 'text');
  return read(
    pool,
    `with found as (
      select a.*, round(word_similarity(${whole}, a."addressText")::numeric, 1) as likeness,
        ${near === null ? '0' : distance(values, near)} as km
      from listing_addresses a where ${whole} <% a."addressText"
    )${bestAddresses(values, { order: 'likeness desc', limit })}`,
    values,
  );
}

async function read(pool: Reader, sql: string, values: SqlValues): Promise<Suggestion[]> {
  const { rows } = await pool.query<SuggestionRow>(sql, values.list);
  return rows.map(({ west, south, east, north, ...suggestion }) => {
    const box = extentOf({ west, south, east, north });
    return { ...suggestion, bbox: box && [box.west, box.south, box.east, box.north] };
  });
}
