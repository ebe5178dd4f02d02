import type { Pool } from 'pg';
import { mayAct } from '../listings/agent-access.ts';

/** Our own staged picture that an uploaded file names (docs/contract.md#intake). */
export interface NamedStagedPicture {
  stagedImageId: string;
  /** Whether the agent works for its listing, and so may learn which picture it is. */
  isOfAgent: boolean;
}

/** Staged pictures of all times: of one that was never approved and is deleted, only its comparison is left. */
const IS_STAGED = `(i.id IS NOT NULL OR r."stagedImageId" IS NOT NULL
  OR EXISTS (SELECT FROM drift_comparisons d WHERE d."stagedImageId" = named.id))`;

/** The staged picture that is named by one of these ids, or of which one of these is a manifest; null when none is. */
export async function stagedPictureNamedBy(
  pool: Pool,
  named: { pictureIds: readonly string[]; manifestIds: readonly string[]; agentId: string },
): Promise<NamedStagedPicture | null> {
  const { pictureIds, manifestIds, agentId } = named;
  if (pictureIds.length + manifestIds.length === 0) return null;
  const { rows } = await pool.query<NamedStagedPicture>(
    `SELECT named.id AS "stagedImageId", coalesce(${mayAct('p', '$3')}, false) AS "isOfAgent"
     FROM (SELECT unnest($1::uuid[]) AS id
           UNION SELECT "stagedImageId" FROM provenance_manifests WHERE "manifestId" = ANY ($2::text[])) named
       LEFT JOIN property_images i ON i.id = named.id AND i."isStyled"
       LEFT JOIN provenance_records r ON r."stagedImageId" = named.id
       LEFT JOIN properties p ON p.id = coalesce(i."propertyId", r."propertyId")
     WHERE ${IS_STAGED} LIMIT 1`,
    [pictureIds, manifestIds, agentId],
  );
  return rows[0] ?? null;
}
