import type { Pool } from 'pg';
import { type ActorKind, definitionOf, KIND_NAMES } from '../actors/actor-kinds.ts';
import { CONSOLE_KINDS } from './kinds.ts';

/** A result: something with the id that an operator looks for. */
export interface Found {
  /** An actor of this kind, or something that has actors: a person, a listing, an original photo. */
  what: ActorKind | 'person' | 'property' | 'original';
  id: string;
  /** The name of the id that matched. */
  by: string;
}

/** Rows that are no actors but have some: an original photo, a listing, a person. */
const BESIDE = [
  {
    what: 'original',
    from: 'property_images t',
    base: 'NOT t."isStyled"',
    foundBy: { image: 'id', 'object key': 'objectKey' },
  },
  { what: 'property', from: 'properties t', base: 'true', foundBy: { property: 'id' } },
  { what: 'person', from: '"user" t', base: 'true', foundBy: { person: 'id' } },
];
/** Look-ups, each by an index; `$1` is the id. */
const LOOKS = [
  ...KIND_NAMES.map((kind) => {
    const { rows, foundBy } = definitionOf(kind);
    return { what: kind, from: rows.from, base: rows.base, foundBy };
  }),
  ...BESIDE,
].flatMap(({ what, from, base, foundBy }) =>
  Object.entries(foundBy).map(([by, column]) => ({
    isUuid: column === 'id',
    sql: `SELECT '${what}' AS what, t.id, '${by}' AS by FROM ${from} WHERE ${base} AND t."${column}" = $1`,
  })),
);
const looksBy = (uuid: boolean): string =>
  LOOKS.filter(({ isUuid }) => isUuid === uuid)
    .map(({ sql }) => sql)
    .join(' UNION ALL ');
const BY_UUID = looksBy(true);
const BY_TEXT = `${looksBy(false)} LIMIT 50`;

/** Actors whose row is gone but whose journal is not, for example a rejected staged image. */
const BY_JOURNAL = `
  SELECT kind AS what, $1::uuid AS id, 'journal' AS by FROM unnest($2::text[]) AS kind
  WHERE EXISTS (SELECT FROM actor_transitions WHERE "actorKind" = kind AND "actorId" = $1::uuid)`;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => UUID.test(text);

/**
 * Everything with this id: the id of a job, attempt, image, deletion, tour, listing or person, a prediction id or an
 * object key.
 */
export async function findById(pool: Pool, text: string): Promise<Found[]> {
  if (!isUuid(text)) return (await pool.query<Found>(BY_TEXT, [text])).rows;
  const { rows } = await pool.query<Found>(BY_UUID, [text]);
  return rows.length > 0
    ? rows
    : (await pool.query<Found>(BY_JOURNAL, [text, Object.keys(CONSOLE_KINDS)])).rows;
}

/** The staging jobs of an original photo, newest first. */
export async function jobsOfOriginal(pool: Pool, imageId: string, limit: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT "aiJobId" AS id FROM ai_room_staging_jobs WHERE "originalImageId" = $1
     ORDER BY "createdAt" DESC, "aiJobId" DESC LIMIT $2`,
    [imageId, limit],
  );
  return rows.map(({ id }) => id);
}
