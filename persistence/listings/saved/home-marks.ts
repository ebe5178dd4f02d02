import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../actors/postgres-actor-store.ts';
import { toDate } from '../../database/instants.ts';
import { hasPublicPage } from '../../database/listing-visibility.ts';

/** Ids of homes, the latest first. */
export interface HomeMarks {
  seen: string[];
  hidden: string[];
}

/**
 * Adds what a device knows to what is kept of the person, and says what is kept then. The table keeps the latest of each
 * kind (0145). A home without a public page is neither kept nor named.
 * @param restored homes that the person wants to see again; they count after `hidden`
 */
export function mergeHomes(
  pool: Pool,
  { userId, at, seen, hidden, restored }: HomeMarks & { userId: string; at: number; restored: string[] },
): Promise<HomeMarks> {
  return inTransaction(pool, async (client) => {
    // The lock that keeping the latest takes (0145), before any row's: devices that write at once would wait for each other.
    await client.query('SELECT FROM "user" WHERE id = $1 FOR NO KEY UPDATE', [userId]);
    await keep(client, 'seen_homes', { userId, at, ids: seen });
    await keep(client, 'hidden_homes', { userId, at, ids: hidden });
    if (restored.length > 0)
      await client.query('DELETE FROM hidden_homes WHERE "userId" = $1 AND "propertyId" = ANY ($2::uuid[])', [
        userId,
        restored,
      ]);
    return {
      seen: await kept(client, 'seen_homes', userId),
      hidden: await kept(client, 'hidden_homes', userId),
    };
  });
}

type Table = 'seen_homes' | 'hidden_homes';

/** The ids are the latest first: each is a millisecond older than the one before it. */
async function keep(
  client: PoolClient,
  table: Table,
  { userId, at, ids }: { userId: string; at: number; ids: readonly string[] },
): Promise<void> {
  if (ids.length === 0) return;
  await client.query(
    `INSERT INTO ${table} ("userId", "propertyId", at)
     SELECT $1, p.id, $3::timestamptz - min(given.place) * interval '1 millisecond'
     FROM unnest($2::uuid[]) WITH ORDINALITY AS given (id, place) JOIN properties p ON p.id = given.id
     WHERE ${hasPublicPage('p')} GROUP BY p.id ORDER BY p.id
     ON CONFLICT ("userId", "propertyId") DO UPDATE SET at = greatest(${table}.at, excluded.at)`,
    [userId, ids, toDate(at)],
  );
}

async function kept(client: PoolClient, table: Table, userId: string): Promise<string[]> {
  const { rows } = await client.query<{ propertyId: string }>(
    `SELECT k."propertyId" FROM ${table} k JOIN properties p ON p.id = k."propertyId"
     WHERE k."userId" = $1 AND ${hasPublicPage('p')} ORDER BY k.at DESC, k."propertyId"`,
    [userId],
  );
  return rows.map(({ propertyId }) => propertyId);
}
