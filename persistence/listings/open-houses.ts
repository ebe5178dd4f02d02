import pg, { type Pool, type PoolClient } from 'pg';
import { MAX_OPEN_HOUSES, MAX_PAST_OPEN_HOUSES } from '../../machines/limits.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { isOffered } from '../database/listing-visibility.ts';
import type { OpenHouseTime } from '../database/open-houses-ahead.ts';
import type { Reader } from '../database/reader.ts';
import { mayAct } from './agent-access.ts';

export interface OpenHouse extends OpenHouseTime {
  openHouseId: string;
  propertyId: string;
  remarks: string | null;
  /** The last change. */
  changedAt: number;
  version: number;
  canceledAt: number | null;
}
type OpenHouseRow = Stored<OpenHouse, 'startsAt' | 'endsAt' | 'changedAt' | 'canceledAt'>;

const COLUMNS = `o.id AS "openHouseId", o."propertyId", o."startsAt", o."endsAt", o.remarks, o."changedAt", o.version,
  o."canceledAt"`;

/** Why an open house was not added or changed: `full` has as many ahead as a listing may have. */
export type OpenHouseOutcome = { changed: true } | { changed: false; fault: 'missing' | 'full' | 'overlaps' };

interface ByAgent {
  agentId: string;
  at: number;
}

/**
 * Adds an open house, in the same transaction as what `keep` writes. Of those that are over or canceled, only the last
 * ones stay.
 */
export function addOpenHouse(
  pool: Pool,
  house: OpenHouseTime & ByAgent & { openHouseId: string; propertyId: string; remarks: string | null },
  keep: (client: PoolClient) => Promise<void>,
): Promise<OpenHouseOutcome> {
  const { openHouseId, propertyId, agentId, startsAt, endsAt, remarks, at } = house;
  return changing(pool, async (client) => {
    if (!(await lockListing(client, { propertyId, agentId }))) return { changed: false, fault: 'missing' };
    if ((await countAhead(client, { propertyId, at })) >= MAX_OPEN_HOUSES)
      return { changed: false, fault: 'full' };
    await removeOldest(client, { propertyId, at });
    await client.query(
      `INSERT INTO open_houses (id, "propertyId", "startsAt", "endsAt", remarks, "createdAt", "changedAt")
       VALUES ($1, $2, $3, $4, $5, $6, $6)`,
      [openHouseId, propertyId, toDate(startsAt), toDate(endsAt), remarks, toDate(at)],
    );
    await keep(client);
    return { changed: true };
  });
}

/** Changes one that is neither over nor canceled. Undefined fields stay as they are. */
export function changeOpenHouse(
  pool: Pool,
  change: ByAgent & {
    openHouseId: string;
    startsAt?: number | undefined;
    endsAt?: number | undefined;
    remarks?: string | null | undefined;
  },
  keep: (client: PoolClient) => Promise<void>,
): Promise<OpenHouseOutcome> {
  const { openHouseId, agentId, at } = change;
  return changing(pool, async (client) => {
    const house = await lockOpenHouse(client, { openHouseId, agentId, at });
    if (house === null) return { changed: false, fault: 'missing' };
    const { startsAt = house.startsAt, endsAt = house.endsAt, remarks = house.remarks } = change;
    await client.query(
      `UPDATE open_houses SET "startsAt" = $2, "endsAt" = $3, remarks = $4, "changedAt" = $5, version = version + 1
       WHERE id = $1`,
      [openHouseId, toDate(startsAt), toDate(endsAt), remarks, toDate(at)],
    );
    await keep(client);
    return { changed: true };
  });
}

/** Cancels one that is not over. Idempotent. False for an unknown one, and for one that is over. */
export function cancelOpenHouse(
  pool: Pool,
  { openHouseId, agentId, at }: ByAgent & { openHouseId: string },
): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `UPDATE open_houses o SET version = o.version + (o."canceledAt" IS NULL)::int,
         "changedAt" = coalesce(o."canceledAt", $3), "canceledAt" = coalesce(o."canceledAt", $3)
       FROM properties p WHERE o.id = $1 AND p.id = o."propertyId" AND ${mayAct('p', '$2')} AND o."endsAt" > $3`,
      [openHouseId, agentId, toDate(at)],
    );
    return rowCount === 1;
  });
}

/** Those of a listing for one of its agents, the latest first; null for everyone else. */
export async function openHousesForAgent(
  pool: Pool,
  { propertyId, agentId, limit }: { propertyId: string; agentId: string; limit: number },
): Promise<OpenHouse[] | null> {
  const { rows } = await pool.query<OpenHouseRow | { openHouseId: null }>(
    `SELECT ${COLUMNS} FROM properties p
       LEFT JOIN LATERAL (SELECT * FROM open_houses WHERE "propertyId" = p.id ORDER BY "startsAt" DESC, id LIMIT $3) o
         ON true
     WHERE p.id = $1 AND ${mayAct('p', '$2')} ORDER BY o."startsAt" DESC, o.id`,
    [propertyId, agentId, limit],
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.openHouseId === null ? [] : [withMillis(row)]));
}

/** An open house of a listing on the market, with what a calendar says of it; null for any other. */
export interface PublicOpenHouse extends OpenHouse {
  address: string;
  unitNumber: string | null;
  city: string;
  stateOrProvince: string | null;
  postalCode: string | null;
  country: string;
}
export async function readOpenHouse(reader: Reader, openHouseId: string): Promise<PublicOpenHouse | null> {
  const { rows } = await reader.query<
    Stored<PublicOpenHouse, 'startsAt' | 'endsAt' | 'changedAt' | 'canceledAt'>
  >(
    `SELECT ${COLUMNS}, p.address, p."unitNumber", p.city, p."stateOrProvince", p."postalCode", p.country
     FROM open_houses o JOIN properties p ON p.id = o."propertyId"
     WHERE o.id = $1 AND ${isOffered('p')}`,
    [openHouseId],
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

/** The lock under which the open houses of a listing are counted. False when the agent may not act for it. */
async function lockListing(
  client: PoolClient,
  { propertyId, agentId }: { propertyId: string; agentId: string },
): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')} FOR NO KEY UPDATE OF p`,
    [propertyId, agentId],
  );
  return rowCount === 1;
}

/** With its lock; null when the agent may not act for its listing, or it is over or canceled. */
async function lockOpenHouse(
  client: PoolClient,
  { openHouseId, agentId, at }: ByAgent & { openHouseId: string },
): Promise<OpenHouse | null> {
  const { rows } = await client.query<OpenHouseRow>(
    `SELECT ${COLUMNS} FROM open_houses o JOIN properties p ON p.id = o."propertyId"
     WHERE o.id = $1 AND ${mayAct('p', '$2')} AND o."canceledAt" IS NULL AND o."endsAt" > $3
     FOR NO KEY UPDATE OF o`,
    [openHouseId, agentId, toDate(at)],
  );
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

/** Asked with the listing's lock. */
async function countAhead(
  client: PoolClient,
  { propertyId, at }: { propertyId: string; at: number },
): Promise<number> {
  const { rows } = await client.query<{ ahead: number }>(
    `SELECT count(*)::int AS ahead FROM open_houses
     WHERE "propertyId" = $1 AND "canceledAt" IS NULL AND "endsAt" > $2`,
    [propertyId, toDate(at)],
  );
  return rows[0]?.ahead ?? 0;
}

/** Asked with the listing's lock. */
async function removeOldest(
  client: PoolClient,
  { propertyId, at }: { propertyId: string; at: number },
): Promise<void> {
  await client.query(
    `DELETE FROM open_houses WHERE id IN (
       SELECT id FROM open_houses WHERE "propertyId" = $1 AND ("canceledAt" IS NOT NULL OR "endsAt" <= $2)
       ORDER BY coalesce("canceledAt", "endsAt") DESC, id OFFSET ${MAX_PAST_OPEN_HOUSES})`,
    [propertyId, toDate(at)],
  );
}

/** A transaction that may take a time which the listing has given away. The constraint says so. */
async function changing(
  pool: Pool,
  work: (client: PoolClient) => Promise<OpenHouseOutcome>,
): Promise<OpenHouseOutcome> {
  try {
    return await inTransaction(pool, work);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.constraint === 'open_houses_do_not_overlap')
      return { changed: false, fault: 'overlaps' };
    throw error;
  }
}
