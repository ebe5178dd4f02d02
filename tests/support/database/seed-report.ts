import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { MANUAL_EPOCH } from '../manual-time.ts';

/** A completed tour of the listing. */
export async function seedCompletedTour(
  pool: Pool,
  { propertyId, customerId, at = MANUAL_EPOCH }: { propertyId: string; customerId: string; at?: number },
): Promise<string> {
  const id = randomUUID();
  await pool.query(
    `insert into tours (id, "customerId", "propertyId", "agentId", kind, status, "heldStartsAt", "heldEndsAt",
       "closedAt", "closedBy", "closedFrom", version, "createdAt", "updatedAt")
     select $1, $2, p.id, p."ownerAgentId", 'IN_PERSON', 'COMPLETED', $4::timestamptz - interval '1 hour', $4, $4,
       'agent', 'CONFIRMED', 1, $4, $4
     from properties p where p.id = $3`,
    [id, customerId, propertyId, new Date(at)],
  );
  return id;
}

/** An open report of a picture, after a completed tour of the same customer. */
export async function seedReport(
  pool: Pool,
  of: { reportId: string; imageId: string; propertyId: string; customerId: string },
): Promise<void> {
  const tourId = await seedCompletedTour(pool, of);
  await pool.query(
    `insert into mismatch_reports (id, "customerId", "tourId", "stagedImageId", "propertyId", status, "createdAt",
       version)
     values ($1, $2, $3, $4, $5, 'OPEN', $6, 1)`,
    [of.reportId, of.customerId, tourId, of.imageId, of.propertyId, new Date(MANUAL_EPOCH)],
  );
}
