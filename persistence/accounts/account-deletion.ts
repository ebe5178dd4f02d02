import type { Pool, PoolClient } from 'pg';
import { OPEN_TOUR_STATUSES, type OpenTourStatus } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { oneOf } from '../database/sql-values.ts';
import { endOffersOf } from '../listings/listing-offers.ts';
import { takeAccountCode } from './account-codes.ts';

/**
 * Account deletion. One transaction under the lock of the account's row makes the row a tombstone and removes the
 * personal data, or changes nothing. Every write that refers to the account takes the same lock (the triggers of 0039),
 * so none can fall between the checks and the deletion. The person's listings are locked before the account, in the
 * order of an answer to an offer. The outbox deletes the avatar's object. Tours, the journal, reviews, jobs, ended
 * offers and the listings that no one took stay and refer to the tombstone.
 */
export type AccountDeletion =
  | 'deleted'
  /** Already deleted, or never existed. */
  | 'gone'
  /** The tour machine must cancel the tours first. */
  | 'has-open-tours'
  /** A listing of the person still has photos, which are deleted with their staged pictures first. */
  | 'has-photos'
  | 'code-used';

export function deleteAccount(
  pool: Pool,
  { userId, codeHash, at }: { userId: string; codeHash: string; at: number },
): Promise<AccountDeletion> {
  return inTransaction(pool, async (client) => {
    await client.query(`SELECT FROM properties WHERE "ownerAgentId" = $1 ORDER BY id FOR NO KEY UPDATE`, [
      userId,
    ]);
    const { rows } = await client.query<{ email: string }>(
      `SELECT email FROM "user" WHERE id = $1 AND email IS NOT NULL FOR UPDATE`,
      [userId],
    );
    const [person] = rows;
    if (person === undefined) return 'gone';
    if ((await openToursOf(client, { userId, limit: 1 })).length > 0) return 'has-open-tours';
    if ((await photosOfOwner(client, { userId, limit: 1 })).length > 0) return 'has-photos';
    if (!(await takeAccountCode(client, { userId, purpose: 'deletion', codeHash }))) return 'code-used';
    await withdrawListings(client, { userId, at });
    await endOffersOf(client, { userId, at });
    for (const sql of REMOVALS) await client.query(sql, [userId]);
    await client.query('DELETE FROM sign_in_codes WHERE email = $1', [person.email]);
    await client.query('DELETE FROM agent_invitations WHERE email = $1', [person.email]);
    await client.query(MAKE_TOMBSTONE, [userId]);
    return 'deleted';
  });
}

/**
 * Rows that refer only to this person. The assigned agents of the person's listings go too, because these listings never
 * return to the market.
 */
const REMOVALS = [
  `DELETE FROM session WHERE "userId" = $1`,
  `DELETE FROM push_subscriptions WHERE "userId" = $1`,
  // Their deliveries and mails go with them.
  `DELETE FROM webhook_endpoints WHERE "userId" = $1`,
  `DELETE FROM account WHERE "userId" = $1`,
  `DELETE FROM account_codes WHERE "userId" = $1`,
  `DELETE FROM favorites WHERE "userId" = $1`,
  // Their keys, matches and alerts go with them.
  `DELETE FROM saved_searches WHERE "userId" = $1`,
  `DELETE FROM alert_settings WHERE "userId" = $1`,
  `DELETE FROM favorite_matches WHERE "userId" = $1`,
  `DELETE FROM alerts WHERE "userId" = $1`,
  `DELETE FROM shared_lists WHERE "userId" = $1`,
  `DELETE FROM seen_homes WHERE "userId" = $1`,
  `DELETE FROM hidden_homes WHERE "userId" = $1`,
  `DELETE FROM idempotency_keys WHERE "userId" = $1`,
  `DELETE FROM avatars WHERE "userId" = $1`,
  // The report stays and counts; its text was the person's.
  `UPDATE mismatch_reports SET note = NULL WHERE "customerId" = $1`,
  `DELETE FROM agent_standings WHERE "agentId" = $1`,
  `DELETE FROM growth_counts WHERE "userId" = $1`,
  `DELETE FROM mail_hours WHERE "userId" = $1`,
  `DELETE FROM tour_reads WHERE "userId" = $1`,
  // Messages stay with the other side.
  `DELETE FROM message_reads WHERE "userId" = $1`,
  `DELETE FROM message_mails WHERE "userId" = $1`,
  `UPDATE message_reports SET note = NULL WHERE "reporterId" = $1`,
  `DELETE FROM agent_invitations WHERE $1 IN ("invitedById", "acceptedById")`,
  `DELETE FROM property_agents WHERE "agentId" = $1
     OR "propertyId" IN (SELECT id FROM properties WHERE "ownerAgentId" = $1)`,
];
/** If a column is missing here, the constraint `user_tombstone_check` fails. */
const MAKE_TOMBSTONE = `
  UPDATE "user" SET email = NULL, name = '', "emailVerified" = false, image = NULL, phone = NULL, role = 'customer',
    locale = 'en', "licenseNumber" = NULL, "officeName" = NULL, "emailPublic" = false, "mutedMails" = '{}',
    "mutesMessages" = false, "createdAt" = 'epoch',
    "updatedAt" = 'epoch'
  WHERE id = $1`;

/**
 * Takes the person's listings off the market for good. A draft becomes deleted, because a withdrawn listing has a public
 * page and a draft never had one. A completed sale stays what it was. @returns the ids of the changed listings
 */
export async function withdrawListings(
  db: Pool | PoolClient,
  { userId, at }: { userId: string; at: number },
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `UPDATE properties SET "updatedAt" = $2,
       "standardStatus" = CASE "standardStatus" WHEN 'Incomplete' THEN 'Delete' ELSE 'Withdrawn' END
     WHERE "ownerAgentId" = $1 AND "standardStatus" NOT IN ('Withdrawn', 'Closed', 'Delete') RETURNING id`,
    [userId, toDate(at)],
  );
  return rows.map(({ id }) => id);
}

/** Original photos of the person's listings. */
export async function photosOfOwner(
  db: Pool | PoolClient,
  { userId, limit }: { userId: string; limit: number },
): Promise<{ imageId: string; propertyId: string }[]> {
  const { rows } = await db.query<{ imageId: string; propertyId: string }>(
    `SELECT i.id AS "imageId", i."propertyId" FROM property_images i JOIN properties p ON p.id = i."propertyId"
     WHERE p."ownerAgentId" = $1 AND NOT i."isStyled" ORDER BY i."propertyId", i.id LIMIT $2`,
    [userId, limit],
  );
  return rows;
}

/** An open tour and the person's side in it. */
export interface OpenTour {
  tourId: string;
  side: 'customer' | 'agent';
  status: OpenTourStatus;
}

/** The open tours that the person requested, is to give, or has proposed other times for. */
export async function openToursOf(
  db: Pool | PoolClient,
  { userId, limit }: { userId: string; limit: number },
): Promise<OpenTour[]> {
  const { rows } = await db.query<OpenTour>(
    `SELECT id AS "tourId", status::text, CASE WHEN "customerId" = $1::uuid THEN 'customer' ELSE 'agent' END AS side
     FROM tours WHERE $1::uuid IN ("customerId", "agentId", "proposedById")
       AND status IN ${oneOf(OPEN_TOUR_STATUSES)}
     ORDER BY id LIMIT $2`,
    [userId, limit],
  );
  return rows;
}
