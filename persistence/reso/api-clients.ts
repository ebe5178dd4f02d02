import type { Pool } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type ActTrail, actCount, recordAct } from '../console/operator-acts.ts';
import { type Millis, toDate, withMillis } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';

/**
 * Clients of the feed and their tokens (docs/feeds.md#clients). Secrets and tokens are random, so their SHA-256 is enough; neither is
 * stored. Always true: a token is valid while it has not ended and its client has neither ended nor been revoked, because each
 * request reads both rows on the primary.
 */
export const SCOPES = ['reso.read'] as const;
export type Scope = (typeof SCOPES)[number];
export const TOKEN_SECONDS = 3_600;
/** Valid at a time for one client. The oldest goes when there are more. */
const MOST_TOKENS = 20;

export interface ApiClient {
  clientId: string;
  name: string;
  scopes: Scope[];
  /** Requests a minute. */
  perMinute: number;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** How many acts of operators there were about it. */
  version: number;
}

const CLIENT = `
  SELECT c.id AS "clientId", c.name, c.scopes, c."perMinute", c."createdAt", c."expiresAt", c."revokedAt",
    ${actCount('clientId', 'c.id')} AS version
  FROM api_clients c`;

/** The newest first. */
export async function listClients(pool: Pool, limit: number): Promise<Millis<ApiClient>[]> {
  const { rows } = await pool.query<ApiClient>(`${CLIENT} ORDER BY c."createdAt" DESC, c.id LIMIT $1`, [
    limit,
  ]);
  return rows.map(withMillis);
}

/** False when a client has this name. */
export function addClient(
  pool: Pool,
  client: {
    clientId: string;
    name: string;
    secretHash: Buffer;
    scopes: readonly Scope[];
    perMinute: number;
    expiresAt: number;
  },
  trail: ActTrail,
): Promise<boolean> {
  const { clientId, name, secretHash, scopes, perMinute, expiresAt } = client;
  return inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      `INSERT INTO api_clients (id, name, "secretHash", scopes, "perMinute", "createdAt", "expiresAt")
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (name) DO NOTHING`,
      [clientId, name, secretHash, scopes, perMinute, toDate(trail.at), toDate(expiresAt)],
    );
    if (rowCount !== 1) return false;
    await recordAct(connection, { act: 'add-client', clientId }, trail);
    return true;
  });
}

/** Ends the client and all its tokens. False when it is not there, or was revoked before. */
export function revokeClient(pool: Pool, clientId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (connection) => {
    const { rowCount } = await connection.query(
      'UPDATE api_clients SET "revokedAt" = $2 WHERE id = $1 AND "revokedAt" IS NULL',
      [clientId, toDate(trail.at)],
    );
    if (rowCount !== 1) return false;
    await connection.query('DELETE FROM api_tokens WHERE "clientId" = $1', [clientId]);
    await recordAct(connection, { act: 'revoke-client', clientId }, trail);
    return true;
  });
}

/** By its name or its id. */
export async function findClient(pool: Pool, nameOrId: string): Promise<Millis<ApiClient> | null> {
  const { rows } = await pool.query<ApiClient>(`${CLIENT} WHERE c.name = $1 OR c.id::text = $1 LIMIT 1`, [
    nameOrId,
  ]);
  return rows[0] === undefined ? null : withMillis(rows[0]);
}

/** Times are the database's, so a process with a wrong clock neither prolongs a token nor ends it. */
const IS_VALID = `c."revokedAt" IS NULL AND c."expiresAt" > clock_timestamp()`;
const ADD_TOKEN = `
  WITH client AS (
    SELECT c.id, c.scopes, least(c."expiresAt", clock_timestamp() + interval '${TOKEN_SECONDS} seconds') AS until FROM api_clients c
    WHERE c.id = $1 AND c."secretHash" = $2 AND ${IS_VALID} FOR UPDATE),
  old AS (
    DELETE FROM api_tokens t USING client WHERE t."clientId" = client.id AND (t."expiresAt" <= clock_timestamp()
      OR t.hash IN (SELECT hash FROM api_tokens WHERE "clientId" = client.id
        ORDER BY "createdAt" DESC, hash OFFSET ${MOST_TOKENS - 1}))),
  added AS (
    INSERT INTO api_tokens (hash, "clientId", "createdAt", "expiresAt")
    SELECT $3, id, clock_timestamp(), until FROM client)
  SELECT scopes, greatest(1, round(extract(epoch FROM until - clock_timestamp())))::int AS seconds FROM client`;

/** Stores a token of the client; null when the secret is not the client's, or it has ended. */
export async function addToken(
  pool: Pool,
  { clientId, secretHash, tokenHash }: { clientId: string; secretHash: Buffer; tokenHash: Buffer },
): Promise<{ scopes: Scope[]; seconds: number } | null> {
  const { rows } = await pool.query<{ scopes: Scope[]; seconds: number }>(ADD_TOKEN, [
    clientId,
    secretHash,
    tokenHash,
  ]);
  return rows[0] ?? null;
}

export interface TokenHolder {
  clientId: string;
  scopes: Scope[];
  perMinute: number;
}

const HOLDER = `
  SELECT c.id AS "clientId", c.scopes, c."perMinute" FROM api_tokens t JOIN api_clients c ON c.id = t."clientId"
  WHERE t.hash = $1 AND t."expiresAt" > clock_timestamp() AND ${IS_VALID}`;

/** Whose token this is; null when it is not valid now. */
export async function holderOf(pool: Pool, tokenHash: Buffer): Promise<TokenHolder | null> {
  const { rows } = await pool.query<TokenHolder>(prepared(HOLDER, [tokenHash]));
  return rows[0] ?? null;
}
