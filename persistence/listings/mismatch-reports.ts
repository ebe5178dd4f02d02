import type { Pool } from 'pg';
import type { MismatchReportStatus, WithdrawnBy } from '../../machines/vocabulary.ts';
import { type Stored, toDate, withMillis } from '../database/instants.ts';
import { mayAct } from './agent-access.ts';

/** A report as its author sees it. */
export interface OwnReport {
  reportId: string;
  imageId: string;
  note: string | null;
  status: MismatchReportStatus;
  createdAt: number;
  answeredAt: number | null;
}

/** SQL: the reports of the customer of the tour `t` about pictures of its listing, the oldest first. */
export const REPORTS_OF_CUSTOMER = `
  coalesce((SELECT jsonb_agg(jsonb_build_object('reportId', r.id, 'imageId', r."stagedImageId", 'note', r.note,
     'status', r.status, 'createdAt', (extract(epoch FROM r."createdAt") * 1000)::bigint,
     'answeredAt', (extract(epoch FROM r."answeredAt") * 1000)::bigint) ORDER BY r."createdAt", r.id)
   FROM mismatch_reports r WHERE r."customerId" = t."customerId" AND r."propertyId" = t."propertyId"), '[]')`;

/** A report as the agents of the listing see it: without its author, whom the tour names. */
export interface ReportForAgent extends OwnReport {
  propertyId: string;
  tourId: string;
  /** False when the picture was deleted. */
  hasPicture: boolean;
  withdrawnAt: number | null;
  withdrawnBy: WithdrawnBy | null;
}

type ReportRow = Stored<ReportForAgent, 'createdAt' | 'answeredAt' | 'withdrawnAt'>;

const SELECT = `
  SELECT r.id AS "reportId", r."stagedImageId" AS "imageId", r."propertyId", r."tourId", r.note, r.status,
    r."createdAt", r."answeredAt", i.id IS NOT NULL AS "hasPicture", i."withdrawnAt", i."withdrawnBy"
  FROM mismatch_reports r JOIN properties p ON p.id = r."propertyId"
    LEFT JOIN property_images i ON i.id = r."stagedImageId"`;

/** Null for anyone but the agents of its listing, as for an unknown id. */
export async function reportForAgent(
  pool: Pool,
  { reportId, agentId }: { reportId: string; agentId: string },
): Promise<ReportForAgent | null> {
  const { rows } = await pool.query<ReportRow>(`${SELECT} WHERE r.id = $1 AND ${mayAct('p', '$2')}`, [
    reportId,
    agentId,
  ]);
  return rows[0] ? withMillis(rows[0]) : null;
}

export interface ReportPage {
  propertyId: string;
  agentId: string;
  status: MismatchReportStatus | null;
  after: { at: number; id: string } | null;
  limit: number;
}

/** The reports of a listing, newest first; null for anyone but its agents, as for an unknown id. */
export async function reportsOfListing(pool: Pool, page: ReportPage): Promise<ReportForAgent[] | null> {
  const { propertyId, agentId, status, after, limit } = page;
  const { rows } = await pool.query<ReportRow>(
    `${SELECT} WHERE r."propertyId" = $1 AND ${mayAct('p', '$2')}
       AND ($3::mismatch_report_status IS NULL OR r.status = $3)
       AND ($4::timestamptz IS NULL OR (r."createdAt", r.id) < ($4, $5::uuid))
     ORDER BY r."createdAt" DESC, r.id DESC LIMIT $6`,
    [propertyId, agentId, status, toDate(after?.at ?? null), after?.id ?? null, limit],
  );
  if (rows.length > 0) return rows.map(withMillis);
  const { rowCount } = await pool.query(`SELECT FROM properties p WHERE p.id = $1 AND ${mayAct('p', '$2')}`, [
    propertyId,
    agentId,
  ]);
  return rowCount === 1 ? [] : null;
}

/** SQL: how many reports of the listing with this alias wait for an answer. */
export const openReportCount = (property: string): string =>
  `(SELECT count(*)::int FROM mismatch_reports r WHERE r."propertyId" = ${property}.id AND r.status = 'OPEN')`;
