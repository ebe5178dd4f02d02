import type { Pool, PoolClient } from 'pg';
import type { FurnitureBrief } from '../../machines/furniture-catalogue.ts';
import { MAX_GROUPS_PER_LISTING } from '../../machines/limits.ts';
import type { CanonicalRoomType, CanonicalStyle } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { isAltered, isShownVariant } from '../database/listing-visibility.ts';
import { named } from '../database/sql-values.ts';
import { mayAct } from '../listings/agent-access.ts';

/**
 * Groups of photos of one room, which share a furniture brief (docs/contract.md#room-groups). A group never changes; it
 * only loses the photos that are deleted, and ends with the last one (0059). Constraints and triggers hold all rules
 * besides permission.
 */
export interface RoomGroup {
  groupId: string;
  roomType: CanonicalRoomType;
  style: CanonicalStyle;
  brief: FurnitureBrief;
  /** In the order of the request. */
  originalImageIds: string[];
  createdAt: number;
}

export interface NewRoomGroup extends RoomGroup {
  propertyId: string;
  agentId: string;
}

export type GroupCreation =
  | { outcome: 'made' }
  /** The listing is gone or not the agent's. */
  | { outcome: 'missing' }
  /** Indexes of the photos that the listing does not have, or that are staged. */
  | { outcome: 'missing-photos' | 'not-originals'; indexes: number[] }
  | { outcome: 'full' };

const INSERT_GROUP = `
  INSERT INTO room_groups (id, "propertyId", number, "roomType", style, pieces, materials, colours, "createdAt")
  SELECT :groupId, :propertyId, free.number, :roomType, :style, :pieces::text[], :materials::text[],
    :colours::text[], :createdAt
  FROM (SELECT min(number) AS number FROM generate_series(1, ${MAX_GROUPS_PER_LISTING}) AS number
    WHERE number NOT IN (SELECT number FROM room_groups WHERE "propertyId" = :propertyId)) free
  WHERE free.number IS NOT NULL`;

/**
 * Makes a group, in the same transaction as `keep`, or nothing. The photos are locked before the listing, as a deletion
 * locks them. The lock of the listing serializes the groups of one listing, so that each gets a number of its own.
 */
export function createRoomGroup(
  pool: Pool,
  group: NewRoomGroup,
  keep: (client: PoolClient) => Promise<void>,
): Promise<GroupCreation> {
  const { propertyId, agentId, originalImageIds, brief, createdAt } = group;
  return inTransaction(pool, async (client): Promise<GroupCreation> => {
    const { rows: photos } = await client.query<{ id: string; isAltered: boolean }>(
      `SELECT i.id, ${isAltered('i')} AS "isAltered" FROM property_images i JOIN properties p ON p.id = i."propertyId"
       WHERE i."propertyId" = $1 AND ${mayAct('p', '$2')} AND i.id = ANY($3::uuid[])
       ORDER BY i.id FOR KEY SHARE OF i`,
      [propertyId, agentId, originalImageIds],
    );
    const { rowCount: allowed } = await client.query(
      `SELECT FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')} FOR NO KEY UPDATE OF p`,
      [propertyId, agentId],
    );
    if (allowed !== 1) return { outcome: 'missing' };
    const altered = new Map(photos.map((photo) => [photo.id, photo.isAltered]));
    const indexesOf = (wrong: (id: string) => boolean) =>
      originalImageIds.flatMap((id, index) => (wrong(id) ? [index] : []));
    const missing = indexesOf((id) => !altered.has(id));
    if (missing.length > 0) return { outcome: 'missing-photos', indexes: missing };
    const others = indexesOf((id) => altered.get(id) === true);
    if (others.length > 0) return { outcome: 'not-originals', indexes: others };
    const { rowCount: made } = await client.query(
      named(INSERT_GROUP, { ...group, ...brief, createdAt: toDate(createdAt) }),
    );
    if (made !== 1) return { outcome: 'full' };
    await client.query(
      `INSERT INTO room_group_photos ("groupId", "imageId", position)
       SELECT $1, id, place FROM unnest($2::uuid[]) WITH ORDINALITY AS photo (id, place)`,
      [group.groupId, originalImageIds],
    );
    await keep(client);
    return { outcome: 'made' };
  });
}

/** Room type, style, brief and photos of the group `g`. */
export const GROUP_CONTENT = `
  g."roomType", g.style,
  json_build_object('pieces', g.pieces, 'materials', g.materials, 'colours', g.colours) AS brief,
  ARRAY(SELECT f."imageId" FROM room_group_photos f WHERE f."groupId" = g.id ORDER BY f.position) AS "originalImageIds"`;
const COLUMNS = `g.id AS "groupId", ${GROUP_CONTENT}, g."createdAt"`;
type GroupRow = Stored<RoomGroup, 'createdAt'>;

/** Null when there is no such group for this agent. */
export async function roomGroupForAgent(
  pool: Pool,
  { groupId, agentId }: { groupId: string; agentId: string },
): Promise<RoomGroup | null> {
  const { rows } = await pool.query<GroupRow>(
    `SELECT ${COLUMNS} FROM room_groups g JOIN properties p ON p.id = g."propertyId"
     WHERE g.id = $1 AND ${mayAct('p', '$2')}`,
    [groupId, agentId],
  );
  return rows[0] ? withMillis(rows[0]) : null;
}

/** The groups of a listing, oldest first; null when there is no such listing for this agent. */
export async function roomGroupsOfListing(
  pool: Pool,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<RoomGroup[] | null> {
  // LEFT JOIN: a listing of the agent without groups is a row without a group; for another agent there is no row.
  const { rows } = await pool.query<GroupRow | { groupId: null }>(
    `SELECT ${COLUMNS} FROM properties p LEFT JOIN room_groups g ON g."propertyId" = p.id
     WHERE p.id = $1 AND ${mayAct('p', '$2')} ORDER BY g."createdAt", g.id`,
    [propertyId, agentId],
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.groupId === null ? [] : [withMillis(row)]));
}

/**
 * The object of the first approved picture of the group, null before there is one; always the same one, so that all
 * later pictures follow it. Its row is locked until the end of the transaction: it is still there when the job is
 * submitted.
 */
export async function referenceOfGroup(client: PoolClient, groupId: string): Promise<string | null> {
  const { rows } = await client.query<{ objectKey: string }>(
    `SELECT i."objectKey" FROM ai_room_staging_jobs s JOIN property_images i ON i."aiJobId" = s."aiJobId"
     WHERE s."groupId" = $1 AND ${isShownVariant('i')}
     ORDER BY i."reviewedAt", i.id LIMIT 1 FOR KEY SHARE OF i`,
    [groupId],
  );
  return rows[0]?.objectKey ?? null;
}
