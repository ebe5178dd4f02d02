import type { Pool } from 'pg';
import { columnList, named } from '../database/sql-values.ts';
import type { Place } from '../entities/place.ts';

/** A place from an import file. */
export interface ImportedPlace
  extends Pick<Place, 'kind' | 'name' | 'label' | 'city' | 'county' | 'country'> {
  /** Two capital letters. */
  stateOrProvince: string;
  /** Further words that find it, besides its own, its city's and its state's. */
  alsoFoundBy: string | null;
  /** [west, south, east, north] in degrees. */
  box: readonly [number, number, number, number] | null;
  point: { latitude: number; longitude: number } | null;
  /** Its size among the places of its kind. */
  weight: number;
}

export interface PlaceBatch {
  source: string;
  /** The reliability of the source. Values of a more reliable source stay. */
  rank: number;
  places: readonly ImportedPlace[];
}

/**
 * The new row wins when two sources have the same place: the more reliable source wins, and of equals the later one.
 */
const BETTER = `excluded."sourceRank" >= p."sourceRank"`;
const newer = (column: string) =>
  `"${column}" = case when ${BETTER} then excluded."${column}" else p."${column}" end`;
/** The winner's value, or the other's where the winner has none. */
const known = (column: string) =>
  `"${column}" = case when ${BETTER} then coalesce(excluded."${column}", p."${column}")
     else coalesce(p."${column}", excluded."${column}") end`;
const ALL_TOLD = ['name', 'label', 'source', 'headText', 'searchText'];
const MAYBE_TOLD = ['city', 'county', 'latitude', 'longitude', 'west', 'south', 'east', 'north'];
const COLUMNS = columnList([...ALL_TOLD, ...MAYBE_TOLD, 'weight', 'sourceRank']);

/**
 * One statement inserts new places, updates those of which more or better values are known now, and leaves the others
 * alone.
 * The outer condition compares the row that would be written with the existing one.
 */
const IMPORT = `
  with told as (
    select concat_ws(':', g.kind, lower(g.country),
        case when g.kind <> 'postal_code' then lower(g."stateOrProvince") end,
        case when g.kind = 'neighborhood' then place_slug(g.city) end,
        case when g.kind <> 'state' then place_slug(g.name) end) as id,
      g.*, box[1] as west, box[2] as south, box[3] as east, box[4] as north,
      (point ->> 'latitude')::float8 as latitude, (point ->> 'longitude')::float8 as longitude,
      case when g.kind = 'state' then search_text(g.name || ' ' || g."stateOrProvince")
        else search_text(g.name) end as "headText",
      search_text(concat_ws(' ', g.name, g.city, g."stateOrProvince", g."alsoFoundBy")) as "searchText"
    from jsonb_to_recordset(:places::jsonb) as g(kind text, name text, label text, city text, county text,
      "stateOrProvince" text, country text, "alsoFoundBy" text, box float8[], point jsonb, weight int)
  ), one_each as (
    select distinct on (id) * from told order by id, weight desc, label
  )
  insert into places as p (id, kind, "stateOrProvince", country, ${COLUMNS})
  select id, kind, "stateOrProvince", country, name, label, :source, "headText", "searchText", city, county,
    latitude, longitude, west, south, east, north, weight, :rank
  from one_each
  on conflict (id) do update set
    ${[...ALL_TOLD.map(newer), ...MAYBE_TOLD.map(known)].join(',\n    ')},
    weight = greatest(p.weight, excluded.weight), "sourceRank" = greatest(p."sourceRank", excluded."sourceRank")
  where (${BETTER} and (${columnList([...ALL_TOLD, 'sourceRank'], 'p.')})
      is distinct from (${columnList([...ALL_TOLD, 'sourceRank'], 'excluded.')}))
    or (${BETTER} and (${columnList(MAYBE_TOLD, 'p.')})
      is distinct from (${MAYBE_TOLD.map((name) => `coalesce(excluded."${name}", p."${name}")`).join(', ')}))
    or (not ${BETTER} and (${columnList(MAYBE_TOLD, 'p.')})
      is distinct from (${MAYBE_TOLD.map((name) => `coalesce(p."${name}", excluded."${name}")`).join(', ')}))
    or p.weight < excluded.weight
  returning (xmax = 0) as created`;

/** Writes a batch of places; counts the new ones and the updated ones. */
export async function importPlaces(
  pool: Pool,
  { source, rank, places }: PlaceBatch,
): Promise<{ created: number; changed: number }> {
  const { rows } = await pool.query<{ created: boolean }>(
    named(IMPORT, { source, rank, places: JSON.stringify(places) }),
  );
  const created = rows.filter((row) => row.created).length;
  return { created, changed: rows.length - created };
}

/** The cities of the postal codes of a state, by postal code. */
export async function citiesOfPostalCodes(
  pool: Pool,
  { country, stateOrProvince }: { country: string; stateOrProvince: string },
): Promise<Map<string, string>> {
  const { rows } = await pool.query<{ name: string; city: string }>(
    `select name, city from places
     where kind = 'postal_code' and country = $1 and "stateOrProvince" = $2 and city is not null`,
    [country, stateOrProvince],
  );
  return new Map(rows.map(({ name, city }) => [name, city]));
}

/**
 * The city whose postal codes contain most of the points, for files of neighborhoods without their cities.
 * Only postal codes with a bounding box count; null when no point lies in any.
 */
export async function cityAround(
  pool: Pool,
  points: readonly { latitude: number; longitude: number }[],
): Promise<{ name: string; state: string } | null> {
  const { rows } = await pool.query<{ name: string; state: string }>(
    `select p.city as name, p."stateOrProvince" as state
     from unnest($1::float8[], $2::float8[]) with ordinality as point(latitude, longitude, n)
       join places p on p.kind = 'postal_code' and p.city is not null
         and point.latitude between p.south and p.north and point.longitude between p.west and p.east
     group by p.city, p."stateOrProvince" order by count(distinct n) desc, name limit 1`,
    [points.map(({ latitude }) => latitude), points.map(({ longitude }) => longitude)],
  );
  return rows[0] ?? null;
}
