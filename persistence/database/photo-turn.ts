import type { PoolClient } from 'pg';

/**
 * Locks the listing first, then all its photos without waiting (NOWAIT). A deletion locks its photo before the listing,
 * so a wait here would be a deadlock; this transaction fails instead and is retried. The submission of a staging job
 * also locks the photo, and writes its room type.
 */
export async function takeTurn(client: PoolClient, propertyId: string): Promise<void> {
  await client.query('SELECT FROM properties WHERE id = $1 FOR NO KEY UPDATE', [propertyId]);
  await client.query(
    `SELECT FROM property_images WHERE "propertyId" = $1 AND NOT "isStyled" FOR NO KEY UPDATE NOWAIT`,
    [propertyId],
  );
}
