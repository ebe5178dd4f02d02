import type { Pool } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { type Stored, toDate, withMillis } from '../database/instants.ts';

/**
 * The signed manifests of public copies of staged pictures (docs/contract.md#marks). The rows stay when the picture,
 * its original or the listing are gone, and are never changed.
 */
export interface ManifestRow {
  stagedImageId: string;
  variant: string;
  manifestId: string;
}

/** The most manifests of one picture. A certificate takes some thirty, so new ones are recorded for years. */
export const MAX_MANIFESTS = 200;
/** SQL condition: picture $1 has a row of manifest $2, or fewer than $3. */
const HAS_ROOM = `(SELECT coalesce(bool_or(m."manifestId" = $2), false) OR count(*) < $3::int
  FROM provenance_manifests m WHERE m."stagedImageId" = $1)`;

export interface ManifestSources {
  hasRoom: boolean;
  /** Null for pictures of old releases. */
  providerModel: string | null;
  original: { imageId: string; objectKey: string; format: string | null; checksum: string | null };
  /** The provider's picture, as it was received. */
  staged: { objectKey: string };
  /** When it was made; ms since 1970. */
  stagedAt: number;
}

/** What a manifest of the staged picture tells, and whether there is room for it; null when the picture is gone. */
export async function findManifestSources(pool: Pool, row: ManifestRow): Promise<ManifestSources | null> {
  const { rows } = await pool.query<Stored<ManifestSources, 'stagedAt'>>(
    `SELECT ${HAS_ROOM} AS "hasRoom", i."providerModel", jsonb_build_object('imageId', o.id,
       'objectKey', o."objectKey", 'format', o."outputFormat", 'checksum', o."outputChecksum") AS original,
       jsonb_build_object('objectKey', i."objectKey") AS staged,
       i."createdAt" AS "stagedAt"
     FROM property_images i JOIN property_images o ON o.id = i."styledFromId" WHERE i.id = $1`,
    [row.stagedImageId, row.manifestId, MAX_MANIFESTS],
  );
  return rows[0] ? withMillis(rows[0]) : null;
}

/** Records a manifest; once for each id. False when the picture is gone, or when there is no room any more. */
export function recordManifest(pool: Pool, row: ManifestRow & { at: number }): Promise<boolean> {
  const { stagedImageId, variant, manifestId, at } = row;
  return inTransaction(pool, async (client) => {
    // The lock serializes the manifests of one picture, which are counted.
    const { rowCount: exists } = await client.query(
      'SELECT FROM property_images WHERE id = $1 FOR NO KEY UPDATE',
      [stagedImageId],
    );
    if (exists !== 1) return false;
    const { rows } = await client.query<{ hasRoom: boolean }>(
      `WITH room AS (SELECT ${HAS_ROOM} AS "hasRoom"), added AS (
         INSERT INTO provenance_manifests ("stagedImageId", variant, "manifestId", "signedAt")
         SELECT $1, $4, $2, $5 FROM room WHERE "hasRoom" ON CONFLICT DO NOTHING)
       SELECT "hasRoom" FROM room`,
      [stagedImageId, manifestId, MAX_MANIFESTS, variant, toDate(at)],
    );
    return rows[0]?.hasRoom === true;
  });
}
