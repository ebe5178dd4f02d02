import type { Pool } from 'pg';
import type {
  AiJobPhase,
  AiJobStatus,
  AiProviderAttemptStatus,
  CanonicalRoomType,
  CanonicalStyle,
  ReviewStatus,
  WithdrawnBy,
} from '../../machines/vocabulary.ts';
import { PHOTO_ALTERED } from '../database/altered-photos.ts';
import { type Stored, toMillis, withMillis } from '../database/instants.ts';
import { APPROVED_WITHDRAWN } from '../database/objections.ts';
import { OTHER_ROOM_SHOWN } from '../database/shown-rooms.ts';
import { framedSizeOf, padColumn, type StoredSize } from '../database/staged-frame.ts';
import { type StagedStyle, stagedStyleColumns, stagedStyleJoin } from '../database/staged-style.ts';
import { driftColumn, type StoredDrift } from '../database/stored-drift.ts';
import { mayAct } from '../listings/agent-access.ts';

/** The queries of jobs and staged images for agents. Each query joins the authorization, so it is one look-up. */
export interface StagingJobView {
  aiJobId: string;
  status: AiJobStatus;
  phase: AiJobPhase | null;
  errorCode: string | null;
  originalImageId: string;
  /** The group of photos of one room that it was ordered with. */
  groupId: string | null;
  resultImageId: string | null;
  canonicalRoomType: CanonicalRoomType | null;
  canonicalStyle: CanonicalStyle | null;
  attempts: AttemptView[];
  /** The status of the result, while its row exists. */
  resultReviewStatus: ReviewStatus | null;
  retryAt: number | null;
  quarantined: boolean;
  createdAt: number;
  heartbeatAt: number | null;
  cancelRequestedAt: number | null;
  canceledAt: number | null;
}
export interface AttemptView {
  attemptNumber: number;
  status: AiProviderAttemptStatus;
  providerStatus: string | null;
  nextSendAt: number | null;
  createdAt: number;
}

type JobViewRow = Stored<
  Omit<StagingJobView, 'attempts'>,
  'retryAt' | 'createdAt' | 'heartbeatAt' | 'cancelRequestedAt' | 'canceledAt'
> & {
  attempts:
    | (Omit<AttemptView, 'nextSendAt' | 'createdAt'> & { nextSendAt: string | null; createdAt: string })[]
    | null;
};

const JOB_COLUMNS = `
  j.id AS "aiJobId", j.status, j.phase, j."errorCode", s."originalImageId", s."groupId", s."resultImageId",
  s."canonicalRoomType", s."canonicalStyle", j."retryAt", j."quarantinedAt" IS NOT NULL AS quarantined,
  j."createdAt", j."heartbeatAt", j."cancelRequestedAt", j."canceledAt",
  (SELECT i."reviewStatus" FROM property_images i WHERE i.id = s."resultImageId") AS "resultReviewStatus",
  (SELECT json_agg(json_build_object('attemptNumber', a."attemptNumber", 'status', a.status,
      'providerStatus', a."providerStatus", 'nextSendAt', a."nextSendAt", 'createdAt', a."createdAt")
      ORDER BY a."attemptNumber")
   FROM ai_provider_attempts a WHERE a."aiJobId" = j.id) AS attempts`;

/** Null when there is no such job for this agent. */
export async function stagingJobForAgent(
  pool: Pool,
  { aiJobId, agentId }: { aiJobId: string; agentId: string },
): Promise<StagingJobView | null> {
  const { rows } = await pool.query<JobViewRow>(
    `SELECT ${JOB_COLUMNS} FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
     JOIN properties p ON p.id = j."propertyId"
     WHERE j.id = $1 AND ${mayAct('p', '$2')}`,
    [aiJobId, agentId],
  );
  return rows[0] ? jobFromRow(rows[0]) : null;
}

export interface JobsPage {
  propertyId: string;
  agentId: string;
  statuses: readonly AiJobStatus[] | null;
  /** Id of the last job of the previous page. */
  afterId: string | null;
  limit: number;
}

/** The property's jobs, newest first; null when there is no such property for this agent. */
export async function stagingJobsOfProperty(pool: Pool, page: JobsPage): Promise<StagingJobView[] | null> {
  // LEFT JOIN: an empty page of the agent's own property is a row without a job; for another agent there is no row.
  const { rows } = await pool.query<JobViewRow | { aiJobId: null }>(
    `SELECT job.* FROM properties p LEFT JOIN LATERAL (
       SELECT ${JOB_COLUMNS} FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
       WHERE j."propertyId" = p.id AND ($3::ai_job_status[] IS NULL OR j.status = ANY($3))
         AND ($4::uuid IS NULL OR (j."createdAt", j.id) <
           (SELECT c."createdAt", c.id FROM ai_jobs c WHERE c.id = $4 AND c."propertyId" = p.id))
       ORDER BY j."createdAt" DESC, j.id DESC LIMIT $5
     ) AS job ON true
     WHERE p.id = $1 AND ${mayAct('p', '$2')}
     ORDER BY job."createdAt" DESC, job."aiJobId" DESC`,
    [page.propertyId, page.agentId, page.statuses, page.afterId, page.limit],
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.aiJobId === null ? [] : [jobFromRow(row)]));
}

export interface StagedVariantView extends StagedStyle {
  imageId: string;
  propertyId: string;
  styledFromId: string;
  roomType: CanonicalRoomType | null;
  reviewStatus: ReviewStatus;
  aiJobId: string | null;
  reviewedByUserId: string | null;
  reviewedAt: number | null;
  withdrawnAt: number | null;
  withdrawnBy: WithdrawnBy | null;
  withdrawals: number;
  /** The size at which it is shown. */
  width: number | null;
  height: number | null;
  /** The comparison with its photo; null until there is one. */
  drift: StoredDrift | null;
  createdAt: number;
}
type VariantRow = Stored<StagedVariantView, 'reviewedAt' | 'withdrawnAt' | 'createdAt'> & StoredSize;

const variantOf = (row: VariantRow): StagedVariantView => framedSizeOf(withMillis(row));

const VARIANT_COLUMNS = `
  v.id AS "imageId", v."propertyId", v."styledFromId", v."roomType", v."reviewStatus", ${stagedStyleColumns('v')},
  v."aiJobId", v."reviewedByUserId", v."reviewedAt", v."withdrawnAt", v."withdrawnBy", v.withdrawals,
  v."outputWidth" AS width, v."outputHeight" AS height, v."createdAt",
  ${padColumn('staged_by')}, ${driftColumn('v')}`;

/** Null when there is no such staged image for this agent. */
export async function stagedVariantForAgent(
  pool: Pool,
  { imageId, agentId }: { imageId: string; agentId: string },
): Promise<StagedVariantView | null> {
  const { rows } = await pool.query<VariantRow>(
    `SELECT ${VARIANT_COLUMNS} FROM property_images v JOIN properties p ON p.id = v."propertyId"
     ${stagedStyleJoin('v')}
     WHERE v.id = $1 AND v."isStyled" AND ${mayAct('p', '$2')}`,
    [imageId, agentId],
  );
  return rows[0] ? variantOf(rows[0]) : null;
}

/** Whether a second picture that the public sees shows the photo of a staged image as another kind of room. */
export async function showsOtherRoom(pool: Pool, imageId: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(OTHER_ROOM_SHOWN, [imageId]);
  return rows[0]?.found ?? false;
}

/** Whether the photo of a staged image was altered before it came here. */
export async function photoIsAltered(pool: Pool, imageId: string): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(PHOTO_ALTERED, [imageId]);
  return rows[0]?.found ?? false;
}

/** Whether this person may approve the staged image only with a second one: reports withdrew the one that they approved. */
export async function needsSecondPerson(
  pool: Pool,
  { imageId, userId }: { imageId: string; userId: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ found: boolean }>(APPROVED_WITHDRAWN, [imageId, userId]);
  return rows[0]?.found ?? false;
}

/**
 * Staged images of a property or of one original, after their originals and then oldest first; null when there
 * is no such property or original for this agent.
 */
export async function stagedVariants(
  pool: Pool,
  { of, id, agentId }: { of: 'property' | 'original'; id: string; agentId: string },
): Promise<StagedVariantView[] | null> {
  const source =
    of === 'property'
      ? `properties p LEFT JOIN property_images v ON v."propertyId" = p.id AND v."isStyled"
         ${stagedStyleJoin('v')} WHERE p.id = $1`
      : `property_images o JOIN properties p ON p.id = o."propertyId"
         LEFT JOIN property_images v ON v."styledFromId" = o.id AND v."isStyled"
         ${stagedStyleJoin('v')} WHERE o.id = $1 AND NOT o."isStyled"`;
  const { rows } = await pool.query<VariantRow | { imageId: null }>(
    `SELECT ${VARIANT_COLUMNS} FROM ${source} AND ${mayAct('p', '$2')}
     ORDER BY v.position, v."styledFromId", v."createdAt", v.id`,
    [id, agentId],
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.imageId === null ? [] : [variantOf(row)]));
}

function jobFromRow(row: JobViewRow): StagingJobView {
  return {
    ...withMillis(row),
    attempts: (row.attempts ?? []).map((attempt) => ({
      ...attempt,
      nextSendAt: toMillis(attempt.nextSendAt),
      createdAt: toMillis(attempt.createdAt),
    })),
  };
}
