import type { Pool, PoolClient } from 'pg';
import { ACTIVE_JOB_STATUSES, type AiJobType, OPEN_TOUR_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type ActTrail, actCount, type Page, recordAct } from '../console/operator-acts.ts';
import { toDate } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';

/**
 * The suspension of an account by an operator, and the end of its sessions. Always true: a listing is hidden for
 * `OWNER_SUSPENDED` exactly while its owner is suspended. The lock of the account's row decides between a
 * suspension and a write of the person that is under way: the triggers of 0103 take it too.
 */
export interface Account {
  personId: string;
  suspendedAt: Date | null;
  isDeleted: boolean;
  /** How many acts of operators there were about the person. */
  version: number;
  sessions: number;
  listings: number;
  openTours: number;
  unboughtJobs: number;
}

/** Of a suspended customer, agent or proposer, and of the listings of a suspended owner. */
const TOUR_OF = (person: string) => `
  t.status IN ${oneOf(OPEN_TOUR_STATUSES)} AND (${person} IN (t."customerId", t."agentId", t."proposedById")
    OR t."propertyId" IN (SELECT p.id FROM properties p WHERE p."ownerAgentId" = ${person}))`;
/** A purchase that was sent is paid for, so its job continues. */
const UNBOUGHT_JOB_OF = (person: string) => `
  j."requestedByUserId" = ${person} AND j.status IN ${oneOf(ACTIVE_JOB_STATUSES)} AND j.status <> 'CANCEL_REQUESTED'
    AND NOT EXISTS (SELECT FROM ai_provider_attempts a WHERE a."aiJobId" = j.id
      AND a.status IN ('SENT', 'UNCONFIRMED', 'RUNNING', 'COLLECTING', 'CANCELING', 'SUCCEEDED'))`;

const ACCOUNT = `
  SELECT u.id AS "personId", u."suspendedAt", u.email IS NULL AS "isDeleted", ${actCount('personId', 'u.id')} AS version,
    (SELECT count(*)::int FROM session s WHERE s."userId" = u.id AND s."expiresAt" > now()) AS sessions,
    (SELECT count(*)::int FROM properties p WHERE p."ownerAgentId" = u.id AND p."standardStatus" <> 'Delete') AS listings,
    (SELECT count(*)::int FROM tours t WHERE ${TOUR_OF('u.id')}) AS "openTours",
    (SELECT count(*)::int FROM ai_jobs j WHERE ${UNBOUGHT_JOB_OF('u.id')}) AS "unboughtJobs"
  FROM "user" u WHERE u.id = $1`;

/** Null when the account never existed. */
export async function readAccount(db: Pool | PoolClient, personId: string): Promise<Account | null> {
  const { rows } = await db.query<Account>(ACCOUNT, [personId]);
  return rows[0] ?? null;
}

/** False when the account is suspended already. */
export function suspendAccount(pool: Pool, personId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `WITH person AS (SELECT id FROM "user" WHERE id = $1 FOR UPDATE)
       UPDATE "user" u SET "suspendedAt" = $2 FROM person WHERE u.id = person.id AND u."suspendedAt" IS NULL`,
      [personId, toDate(trail.at)],
    );
    if (rowCount !== 1) return false;
    await client.query(
      `UPDATE properties SET "hiddenFor" = "hiddenFor" || '{OWNER_SUSPENDED}'
       WHERE "ownerAgentId" = $1 AND NOT 'OWNER_SUSPENDED' = ANY ("hiddenFor")`,
      [personId],
    );
    await recordAct(client, { act: 'suspend-account', personId }, trail);
    return true;
  });
}

/** False when the account is not suspended. Listings that are hidden for another reason stay hidden. */
export function restoreAccount(pool: Pool, personId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `WITH person AS (SELECT id FROM "user" WHERE id = $1 FOR UPDATE)
       UPDATE "user" u SET "suspendedAt" = NULL FROM person WHERE u.id = person.id AND u."suspendedAt" IS NOT NULL`,
      [personId],
    );
    if (rowCount !== 1) return false;
    await client.query(
      `UPDATE properties SET "hiddenFor" = array_remove("hiddenFor", 'OWNER_SUSPENDED')
       WHERE "ownerAgentId" = $1 AND 'OWNER_SUSPENDED' = ANY ("hiddenFor")`,
      [personId],
    );
    await recordAct(client, { act: 'restore-account', personId }, trail);
    return true;
  });
}

/** False when the person has no session. */
export function endSessions(pool: Pool, personId: string, trail: ActTrail): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query('DELETE FROM session WHERE "userId" = $1', [personId]);
    if (rowCount === 0) return false;
    await recordAct(client, { act: 'end-sessions', personId }, trail);
    return true;
  });
}

/** A page of open tours that a suspension ends. */
export async function toursToEnd(
  pool: Pool,
  personId: string,
  { afterId, limit }: Page,
): Promise<{ id: string }[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT t.id FROM tours t WHERE ${TOUR_OF('$1::uuid')} AND ($2::uuid IS NULL OR t.id > $2) ORDER BY t.id LIMIT $3`,
    [personId, afterId, limit],
  );
  return rows;
}

/** A page of jobs for which nothing was bought yet. */
export async function unboughtJobs(
  pool: Pool,
  personId: string,
  { afterId, limit }: Page,
): Promise<{ id: string; type: AiJobType }[]> {
  const { rows } = await pool.query<{ id: string; type: AiJobType }>(
    `SELECT j.id, j.type FROM ai_jobs j WHERE ${UNBOUGHT_JOB_OF('$1::uuid')} AND ($2::uuid IS NULL OR j.id > $2)
     ORDER BY j.id LIMIT $3`,
    [personId, afterId, limit],
  );
  return rows;
}

/** A page of suspended accounts by id. */
export async function suspendedAccounts(pool: Pool, { afterId, limit }: Page): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM "user" WHERE "suspendedAt" IS NOT NULL AND ($1::uuid IS NULL OR id > $1) ORDER BY id LIMIT $2`,
    [afterId, limit],
  );
  return rows.map(({ id }) => id);
}

/** Null when no account has this address. Addresses are stored in lower case. */
export async function personByEmail(pool: Pool, email: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM "user" WHERE email = lower($1)', [
    email.trim(),
  ]);
  return rows[0]?.id ?? null;
}
