import type { Reader } from '../database/reader.ts';
import { SqlValues } from '../database/sql-values.ts';
import { type Edges, extentOf } from './place-criteria.ts';
import { ONE_REGION, REGION_ROWS } from './region-counting.ts';
import type { GeoBox } from './search-index.ts';
import {
  anyWord,
  distance,
  everyWord,
  matchClass,
  SIMILAR_CLASS,
  type SuggestionKind,
  type SuggestionQuery,
} from './suggestion-words.ts';

/** Imported places, and the cities and postal codes of our own listings. */

/** A place that matches; before its homes are counted, the largest and nearest come first. */
interface FoundPlace {
  kind: Exclude<SuggestionKind, 'address'>;
  /** `city:us:wa:seattle` */
  id: string;
  label: string;
  /** Null when it is unknown. */
  box: GeoBox | null;
  latitude: number | null;
  longitude: number | null;
  class: number;
}

/** Places of each kind whose homes are counted: a name may be that of many, of which few have homes. */
const CANDIDATES = 25;
/** Allows one error in a word of six letters; the extension's default of 0.3 also finds other words. */
const LIKENESS = 0.4;

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
 * weights are added. Where more match than are counted, those with homes of ours are kept.
 */
export function findPlaces(pool: Reader, query: SuggestionQuery): Promise<FoundPlace[]> {
  const values = new SqlValues();
  const { words, near } = query;
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
        sum(weight) over (partition by id) as weight, bool_or(ours) over (partition by id) as ours
      from told
      -- A state alone is no reason to name all that lies in it.
      where ${anyWord(values, `(head || region)`, words)}
      order by id, latitude is null, ours, told.weight desc, label
    ), classed as (
      select *, ${matchClass(values, 'head', query)} as class, ${score(values, near)} as score from one_each
    )${bestOfEachKind('classed', 'class, ours desc')}`,
    values,
  );
}

/** Places whose name is nearly the text. */
export function similarPlaces(pool: Reader, { text, near }: SuggestionQuery): Promise<FoundPlace[]> {
  const values = new SqlValues();
  const whole = values.add(text, 'text');
  return read(
    pool,
    `with alike as (
      select *, ${SIMILAR_CLASS} as class, round(similarity("headText", ${whole})::numeric, 1) as likeness,
        ${score(values, near)} as score
      from places
      where "headText" % ${whole} and similarity("headText", ${whole}) >= ${LIKENESS} and kind <> 'postal_code'
    )${bestOfEachKind('alike', 'likeness desc')}`,
    values,
  );
}

/** The end of a statement, after its last CTE, which must have a `class` and a `score`. */
function bestOfEachKind(from: string, order: string) {
  return `, ranked as (
      select *, row_number() over (partition by kind order by ${order}, score desc, label, id) as place from ${from}
    )
    select kind, id, label, west, south, east, north, latitude, longitude, class from ranked
    where place <= ${CANDIDATES} order by ${order}, score desc, label, id`;
}

async function read(pool: Reader, sql: string, values: SqlValues): Promise<FoundPlace[]> {
  const { rows } = await pool.query<Omit<FoundPlace, 'box'> & Edges>(sql, values.list);
  return rows.map(({ west, south, east, north, ...place }) => ({
    ...place,
    box: extentOf({ west, south, east, north }),
  }));
}
