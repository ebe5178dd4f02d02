import type { Pool, PoolClient } from 'pg';
import type {
  CanonicalRoomType,
  CanonicalStyle,
  StagingAspectRatio,
  StagingOutputFormat,
} from '../machines/vocabulary.ts';
import { toDate } from './instants.ts';
import { noteSubmissionTrace } from './job-traces.ts';
import { inTransaction } from './postgres-actor-store.ts';
import { nextStartOrder } from './start-order.ts';

/**
 * The birth of a staging job. Everything that the provider will be asked for is fixed here and stored with the
 * job (decisions.md section 6). Always true: one non-terminal job per original and style, none while a live
 * variant of them exists; of simultaneous identical submissions one makes the job and the others are told its
 * id, because the original's row lock makes them take turns and the partial unique index stands behind it.
 * A crash before the commit leaves nothing; after it the dispatcher finds the job without any queue entry.
 */
export interface StagingSubmission {
  /** Id that the job gets if this submission makes it. */
  aiJobId: string;
  originalImageId: string;
  /** Null when nobody is known to have asked, which happens with old messages only. */
  requestedByUserId: string | null;
  canonicalRoomType: CanonicalRoomType;
  canonicalStyle: CanonicalStyle;
  styleModifier: string | null;
  /** As the client sent it. */
  submittedStyle: string;
  /** The same when it was an alias, else null. */
  legacyStyle: string | null;
  /** The old message that the job comes from (platform.md, Versioning). */
  legacy?: { messageKey: string; metadata: Record<string, string | number> };
  prompt: string;
  promptVersion: string;
  providerModel: string;
  quality: string;
  aspectRatio: StagingAspectRatio;
  outputFormat: StagingOutputFormat;
  outputCompression: number;
  /** The span that submits, while tracing is on. */
  traceparent?: string | null;
  at: number;
}

export type SubmissionResult = { outcome: 'missing' } | { outcome: 'not-original' } | Submitted;
/** `roomType` is the one that counts: of the job or of the variant, which keep theirs whatever is asked later. */
export type Submitted = { outcome: 'submitted'; roomType: CanonicalRoomType | null } & (
  | { disposition: 'ENQUEUED'; aiJobId: string; stagedImageId: null }
  | { disposition: 'EXISTING'; aiJobId: string; stagedImageId: null }
  | { disposition: 'style_exists'; aiJobId: null; stagedImageId: string }
);

export function dedupeKey(originalImageId: string, style: CanonicalStyle): string {
  return `staging:${originalImageId}:${style}`;
}

/** The job that was in the way may end between two statements; then the way is free. */
const MAX_TRIES = 3;

/** One submission, in one transaction (platform.md, States and transitions: the three rows that begin a job). */
export function submitStagingJob(pool: Pool, request: StagingSubmission): Promise<SubmissionResult> {
  return inTransaction(pool, async (client) => {
    const original = await lockOriginal(client, request.originalImageId);
    if (original === null) return { outcome: 'missing' };
    if (original.isStyled) return { outcome: 'not-original' };
    return submitFor(client, request, original);
  });
}

/** The submission of a locked original, for callers who have a transaction of their own. */
export async function submitFor(
  client: PoolClient,
  request: StagingSubmission,
  original: LockedOriginal,
): Promise<Submitted> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const found = await findEarlier(client, original.id, request.canonicalStyle);
    if (found !== null) return found;
    if (await insertJob(client, request, original)) {
      await insertDetails(client, request, original);
      await noteRoomType(client, request);
      await noteSubmissionTrace(client, request);
      return {
        outcome: 'submitted',
        disposition: 'ENQUEUED',
        roomType: request.canonicalRoomType,
        aiJobId: request.aiJobId,
        stagedImageId: null,
      };
    }
  }
  throw new Error(`jobs of ${request.originalImageId} come and go too fast to submit another`);
}

export interface LockedOriginal {
  /** As the database spells it: the dedupe key is compared as text. */
  id: string;
  propertyId: string;
  isStyled: boolean;
  providerInputKey: string | null;
  roomType: CanonicalRoomType | null;
}

/** NO KEY UPDATE: submissions take turns, while a result of another style may still be inserted meanwhile. */
export async function lockOriginal(client: PoolClient, imageId: string): Promise<LockedOriginal | null> {
  const { rows } = await client.query<LockedOriginal>(
    `SELECT id, "propertyId", "isStyled", "providerInputKey", "roomType" FROM property_images WHERE id = $1
     FOR NO KEY UPDATE`,
    [imageId],
  );
  return rows[0] ?? null;
}

/**
 * One statement, so both questions see the same instant: between two, a job could end and leave its variant
 * unseen, and the picture would be bought again.
 */
async function findEarlier(
  client: PoolClient,
  originalImageId: string,
  canonicalStyle: CanonicalStyle,
): Promise<Submitted | null> {
  const { rows } = await client.query<{
    variantId: string | null;
    jobId: string | null;
    roomType: CanonicalRoomType | null;
  }>(
    `SELECT v.id AS "variantId", NULL AS "jobId", coalesce(v."roomType", o."roomType") AS "roomType"
     FROM property_images v JOIN property_images o ON o.id = v."styledFromId"
     WHERE v."isStyled" AND v."styledFromId" = $1 AND v."canonicalStyle" = $2
     UNION ALL
     SELECT NULL, j.id, s."canonicalRoomType" FROM ai_jobs j
       LEFT JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
     WHERE j."dedupeKey" = $3 AND j.type = 'ROOM_STAGING'
       AND j.status IN ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')
     ORDER BY "variantId" NULLS LAST LIMIT 1`,
    [originalImageId, canonicalStyle, dedupeKey(originalImageId, canonicalStyle)],
  );
  const [found] = rows;
  if (found === undefined) return null;
  const { variantId, jobId, roomType } = found;
  const known = { outcome: 'submitted', roomType } as const;
  if (variantId !== null)
    return { ...known, disposition: 'style_exists', aiJobId: null, stagedImageId: variantId };
  return jobId === null ? null : { ...known, disposition: 'EXISTING', aiJobId: jobId, stagedImageId: null };
}

async function insertJob(
  client: PoolClient,
  request: StagingSubmission,
  { id, propertyId }: LockedOriginal,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO ai_jobs (id, type, status, phase, "dedupeKey", "requestedByUserId", "propertyId", "createdAt",
       "updatedAt", "startOrder")
     SELECT $1, 'ROOM_STAGING', 'PENDING', 'QUEUED', $2, $3::uuid, $4, $5, $5, ${nextStartOrder('$3::uuid')}
     ON CONFLICT ("dedupeKey") WHERE type = 'ROOM_STAGING'
       AND status IN ('PENDING', 'PROCESSING', 'RETRYING', 'CANCEL_REQUESTED')
     DO NOTHING`,
    [
      request.aiJobId,
      dedupeKey(id, request.canonicalStyle),
      request.requestedByUserId,
      propertyId,
      toDate(request.at),
    ],
  );
  return rowCount === 1;
}

async function insertDetails(
  client: PoolClient,
  request: StagingSubmission,
  { providerInputKey }: LockedOriginal,
): Promise<void> {
  await client.query(
    `INSERT INTO ai_room_staging_jobs ("aiJobId", "originalImageId", "canonicalRoomType", "canonicalStyle",
       "styleModifier", prompt, "promptVersion", "providerModel", quality, "aspectRatio", "outputFormat",
       "outputCompression", "providerInputKey", "submittedStyle", "legacyStyle", "createdAt",
       "legacyMessageKey", "legacyMetadata")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      request.aiJobId,
      request.originalImageId,
      request.canonicalRoomType,
      request.canonicalStyle,
      request.styleModifier,
      request.prompt,
      request.promptVersion,
      request.providerModel,
      request.quality,
      request.aspectRatio,
      request.outputFormat,
      request.outputCompression,
      providerInputKey,
      request.submittedStyle,
      request.legacyStyle,
      toDate(request.at),
      request.legacy?.messageKey ?? null,
      request.legacy ? JSON.stringify(request.legacy.metadata) : null,
    ],
  );
}

/**
 * Only with a new job: the classification is the original's from now on (platform.md, property_images.roomType). An old message is
 * older than whatever an agent has said of the photo since.
 */
async function noteRoomType(
  client: PoolClient,
  { originalImageId, canonicalRoomType, legacy }: StagingSubmission,
): Promise<void> {
  await client.query(
    `UPDATE property_images SET "roomType" = $2 WHERE id = $1 AND (NOT $3 OR "roomType" IS NULL)`,
    [originalImageId, canonicalRoomType, legacy !== undefined],
  );
}
