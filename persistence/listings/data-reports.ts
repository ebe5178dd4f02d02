import type { Pool } from 'pg';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { toDate } from '../database/instants.ts';
import { hasPublicPage } from '../database/listing-visibility.ts';

/** What of a listing is said to be wrong. */
export const DATA_SUBJECTS = ['PRICE', 'STATUS', 'PICTURES', 'FACTS', 'OTHER'] as const;
type DataSubject = (typeof DATA_SUBJECTS)[number];

/** A report of wrong data, for the operators. Its author is not known. */
export interface DataReport {
  id: string;
  propertyId: string;
  subject: DataSubject;
  note: string;
  createdAt: Date;
}

/** Anyone may report, so a listing and the installation take so many in 24 hours. */
const REPORTS_OF_LISTING_PER_DAY = 20;
const REPORTS_PER_DAY = 2_000;
export const DATA_REPORTS_KEPT_DAYS = 180;
const DAY_MS = 86_400_000;

/**
 * Keeps a report. `missing`: the listing has no public page. `full`: as many were kept in the last 24 hours as are taken.
 */
export function writeDataReport(
  pool: Pool,
  { at, ...report }: Omit<DataReport, 'createdAt'> & { at: number },
): Promise<'kept' | 'missing' | 'full'> {
  return inTransaction(pool, async (client) => {
    // One at a time, so that the counts hold.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('data_reports'))`);
    const { rows } = await client.query<{ isFull: boolean }>(
      `SELECT (SELECT count(*) FROM data_reports WHERE "propertyId" = p.id AND "createdAt" > $2) >= ${REPORTS_OF_LISTING_PER_DAY}
         OR (SELECT count(*) FROM data_reports WHERE "createdAt" > $2) >= ${REPORTS_PER_DAY} AS "isFull"
       FROM properties p WHERE p.id = $1 AND ${hasPublicPage('p')}`,
      [report.propertyId, toDate(at - DAY_MS)],
    );
    const [listing] = rows;
    if (listing === undefined) return 'missing';
    if (listing.isFull) return 'full';
    await client.query(
      `INSERT INTO data_reports (id, "propertyId", subject, note, "createdAt") VALUES ($1, $2, $3, $4, $5)`,
      [report.id, report.propertyId, report.subject, report.note, toDate(at)],
    );
    return 'kept';
  });
}

/** The latest report first. */
export async function latestDataReports(pool: Pool, limit: number): Promise<DataReport[]> {
  const { rows } = await pool.query<DataReport>(
    `SELECT id, "propertyId", subject, note, "createdAt" FROM data_reports
     ORDER BY "createdAt" DESC, id DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** How many reports there are since an instant, at most `limit`. */
export async function countDataReports(
  pool: Pool,
  { since, limit }: { since: number; limit: number },
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (SELECT FROM data_reports WHERE "createdAt" > $1 LIMIT $2) r`,
    [toDate(since), limit],
  );
  return rows[0]?.count ?? 0;
}
