import type { Pool, PoolClient } from 'pg';
import type {
  CanonicalRoomType,
  CanonicalStyle,
  StagingAspectRatio,
  StagingFraming,
  StagingOutputFormat,
} from '../../machines/vocabulary.ts';
import { ACTIVE_JOB_STATUSES } from '../../machines/vocabulary.ts';
import { inTransaction } from '../actors/postgres-actor-store.ts';
import { isAltered } from '../database/listing-visibility.ts';
import { prepared } from '../database/prepared.ts';
import { oneOf } from '../database/sql-values.ts';
import { createJob } from './job-birth.ts';
import { type ShapedOriginal, shapeColumns } from './job-inputs.ts';
import { noteSubmissionTrace } from './job-traces.ts';
import { referenceOfGroup } from './room-groups.ts';
import {
  type AgentStanding,
  countStagingJobs,
  lockStanding,
  type QuotaShortage,
  readStanding,
  type StagingLimits,
  shortageOf,
  stagingQuota,
} from './staging-quotas.ts';
import { nextStartOrder } from './start-order.ts';

/**
 * Creates staging jobs. Everything that is sent to the provider is fixed here and stored with each job
 * (docs/contract.md#submitting). Always true: at most one open job per original and style, and none while they have a
 * live variant. Of concurrent identical submissions one creates the job and the others get its id: the lock of the
 * original's row serializes them, and the partial unique index holds in any case. A call creates all of its jobs or
 * none, and never exceeds its quota (`staging-quotas.ts`). A crash before the commit leaves nothing; after it the
 * dispatcher finds the jobs without a queue entry.
 *
 * Locks of a call, in this order: the agent's row, the originals by their ids, the counters.
 */
export interface StagingSubmission {
  /** Id of the job, if this submission creates it. */
  aiJobId: string;
  originalImageId: string;
  /** Null when the requester is unknown, which happens with old messages only. */
  requestedByUserId: string | null;
  canonicalRoomType: CanonicalRoomType;
  canonicalStyle: CanonicalStyle;
  styleModifier: string | null;
  /** The name that the client sent. */
  submittedStyle: string;
  /** The name that the client sent when it was an alias, else null. */
  legacyStyle: string | null;
  /** The group that the original belongs to, with the same room type and style. */
  groupId?: string | null;
  /** The old message that the job comes from (docs/contract.md#old-stage-room-messages). */
  legacy?: { messageKey: string; metadata: Record<string, string | number> };
  prompt: string;
  promptVersion: string;
  providerModel: string;
  quality: string;
  framing: StagingFraming;
  /** The shape of all pictures when it is fixed; with the framing `photo` the photo decides. */
  aspectRatio: StagingAspectRatio;
  outputFormat: StagingOutputFormat;
  outputCompression: number;
  /** The span of the submission, while tracing is on. */
  traceparent?: string | null;
  at: number;
}

export interface SubmissionCall {
  agentId: string;
  /** In the order of the answers; all are for this agent. */
  submissions: readonly StagingSubmission[];
  limits: StagingLimits;
  /** Only approved agents may submit. */
  approvedOnly: boolean;
  at: number;
  /** Wraps the creation of each job, and passes the span of its submission. */
  around?(make: (traceparent: string | null) => Promise<Submitted>): Promise<Submitted>;
  /** Writes further rows in the transaction of the jobs. */
  keep?(client: PoolClient, results: readonly Submitted[]): Promise<void>;
}
export type SubmissionResult =
  | { outcome: 'submitted'; results: Submitted[] }
  | { outcome: 'missing' | 'not-original'; index: number }
  /** The account is gone. */
  | { outcome: 'no-agent' | 'suspended' }
  | { outcome: 'not-approved' }
  | { outcome: 'quota-reached'; shortage: QuotaShortage };
/** `roomType` is the one that counts: that of the job or of the variant, which later submissions do not change. */
export type Submitted = { roomType: CanonicalRoomType | null } & (
  | { disposition: 'ENQUEUED'; aiJobId: string; stagedImageId: null }
  | { disposition: 'EXISTING'; aiJobId: string; stagedImageId: null }
  | { disposition: 'style_exists'; aiJobId: null; stagedImageId: string }
);

function dedupeKey(originalImageId: string, style: CanonicalStyle): string {
  return `staging:${originalImageId}:${style}`;
}

/** The job in the way may end between two statements; then the next try succeeds. */
const MAX_TRIES = 3;

/** All submissions of one call, in one transaction (docs/contract.md#submitting: the three rows that begin a job). */
export async function submitStagingJobs(pool: Pool, call: SubmissionCall): Promise<SubmissionResult> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const answer = await inTransaction(pool, (client) => submitAll(client, call)).catch(unlessDayFilled);
    if (answer !== null) return answer;
  }
  throw new Error(`the platform's day changes too fast to submit for ${call.agentId}`);
}

/** Why a call would be rejected, for a check before expensive work. It locks nothing. */
export async function submissionDenial(
  pool: Pool,
  call: SubmissionCall,
): Promise<Exclude<SubmissionResult, { outcome: 'submitted' }> | null> {
  const standing = await readStanding(pool, call.agentId);
  if (standing === null) return { outcome: 'no-agent' };
  return denialOf(pool, call, { standing, jobs: (await lookedUp(pool, call)).newJobs });
}

/**
 * The transaction was rolled back because other submissions used up the platform's day. The next try reads what is
 * left.
 */
class DayFilled extends Error {}
function unlessDayFilled(error: unknown): null {
  if (error instanceof DayFilled) return null;
  throw error;
}

async function submitAll(client: PoolClient, call: SubmissionCall): Promise<SubmissionResult> {
  const { agentId, submissions, limits, at, around = (make) => make(null) } = call;
  const standing = await lockStanding(client, agentId);
  if (standing === null) return { outcome: 'no-agent' };
  if (standing.suspended) return { outcome: 'suspended' };
  const originals = await lockOriginals(client, submissions);
  for (const [index, { originalImageId }] of submissions.entries()) {
    const original = originals.get(originalImageId.toLowerCase());
    if (original === undefined) return { outcome: 'missing', index };
    if (original.isAltered) return { outcome: 'not-original', index };
  }
  const { found, newJobs } = await lookedUp(client, call);
  const denial = await denialOf(client, call, { standing, jobs: newJobs });
  if (denial !== null) return denial;
  const results: Submitted[] = [];
  for (const [index, submission] of submissions.entries()) {
    const original = originals.get(submission.originalImageId.toLowerCase());
    if (original === undefined) throw new Error('an original was not locked');
    const make = async (traceparent: string | null) =>
      found[index] ?? makeJob(client, { ...submission, traceparent }, original);
    results.push(await around(make));
  }
  await call.keep?.(client, results);
  const jobs = results.filter(({ disposition }) => disposition === 'ENQUEUED').length;
  const counted = { agentId, approved: standing.approved, jobs, at, platformDay: limits.platformDay };
  if (jobs > 0 && !(await countStagingJobs(client, counted))) throw new DayFilled();
  return { outcome: 'submitted', results };
}

/** What exists already for each submission, and how many jobs the others would create. */
async function lookedUp(
  db: Pool | PoolClient,
  { submissions }: SubmissionCall,
): Promise<{ found: (Submitted | null)[]; newJobs: number }> {
  const found: (Submitted | null)[] = [];
  const keys = new Set<string>();
  for (const { originalImageId, canonicalStyle } of submissions) {
    const earlier = await findEarlier(db, originalImageId.toLowerCase(), canonicalStyle);
    found.push(earlier);
    if (earlier === null) keys.add(dedupeKey(originalImageId.toLowerCase(), canonicalStyle));
  }
  return { found, newJobs: keys.size };
}

async function denialOf(
  db: Pool | PoolClient,
  { limits, approvedOnly, at }: SubmissionCall,
  { standing, jobs }: { standing: AgentStanding; jobs: number },
): Promise<{ outcome: 'not-approved' } | { outcome: 'quota-reached'; shortage: QuotaShortage } | null> {
  if (approvedOnly && !standing.approved) return { outcome: 'not-approved' };
  if (jobs === 0) return null;
  const shortage = shortageOf(await stagingQuota(db, { standing, limits, at }), jobs);
  return shortage && { outcome: 'quota-reached', shortage };
}

/** One submission for a locked original. It is not counted: the caller counts the jobs of the transaction. */
export async function submitFor(
  client: PoolClient,
  request: StagingSubmission,
  original: LockedOriginal,
): Promise<Submitted> {
  const found = await findEarlier(client, original.id, request.canonicalStyle);
  return found ?? makeJob(client, request, original);
}

/** For a locked original for which no job or variant was found. */
async function makeJob(
  client: PoolClient,
  request: StagingSubmission,
  original: LockedOriginal,
): Promise<Submitted> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    if (await insertJob(client, request, original)) {
      await noteRoomType(client, request);
      await noteSubmissionTrace(client, request);
      return {
        disposition: 'ENQUEUED',
        roomType: request.canonicalRoomType,
        aiJobId: request.aiJobId,
        stagedImageId: null,
      };
    }
    // Created by the same call, or by a writer without a lock on the original.
    const found = await findEarlier(client, original.id, request.canonicalStyle);
    if (found !== null) return found;
  }
  throw new Error(`jobs of ${request.originalImageId} come and go too fast to submit another`);
}

export interface LockedOriginal extends ShapedOriginal {
  /** As the database writes it, because the dedupe key is compared as text. */
  id: string;
  propertyId: string;
  isAltered: boolean;
  roomType: CanonicalRoomType | null;
}

/** NO KEY UPDATE serializes submissions, but a result of another style may still be inserted. */
const LOCK_ORIGINALS = `
  SELECT i.id, i."propertyId", ${isAltered('i')} AS "isAltered", i."providerInputKey", i."paddedInputKey",
    i."outputWidth" AS width, i."outputHeight" AS height, i."roomType"
  FROM property_images i WHERE i.id = ANY($1::uuid[]) ORDER BY i.id FOR NO KEY UPDATE`;

/** By id, as the database writes it. */
async function lockOriginals(
  client: PoolClient,
  submissions: readonly StagingSubmission[],
): Promise<Map<string, LockedOriginal>> {
  const ids = submissions.map(({ originalImageId }) => originalImageId);
  const { rows } = await client.query<LockedOriginal>(prepared(LOCK_ORIGINALS, [ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

export async function lockOriginal(client: PoolClient, imageId: string): Promise<LockedOriginal | null> {
  const { rows } = await client.query<LockedOriginal>(prepared(LOCK_ORIGINALS, [[imageId]]));
  return rows[0] ?? null;
}

const EARLIER = `
  SELECT v.id AS "variantId", NULL AS "jobId", coalesce(v."roomType", o."roomType") AS "roomType"
  FROM property_images v JOIN property_images o ON o.id = v."styledFromId"
  WHERE v."isStyled" AND v."styledFromId" = $1 AND v."canonicalStyle" = $2 AND v."withdrawnAt" IS NULL
  UNION ALL
  SELECT NULL, j.id, s."canonicalRoomType" FROM ai_jobs j
    LEFT JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id
  WHERE j."dedupeKey" = $3 AND j.type = 'ROOM_STAGING'
    AND j.status IN ${oneOf(ACTIVE_JOB_STATUSES)}
  ORDER BY "variantId" NULLS LAST LIMIT 1`;

/**
 * One statement, so that both questions have the same snapshot. Between two statements a job could end and its variant
 * would be missed: the picture would be bought again.
 */
async function findEarlier(
  client: Pool | PoolClient,
  originalImageId: string,
  canonicalStyle: CanonicalStyle,
): Promise<Submitted | null> {
  const { rows } = await client.query<{
    variantId: string | null;
    jobId: string | null;
    roomType: CanonicalRoomType | null;
  }>(prepared(EARLIER, [originalImageId, canonicalStyle, dedupeKey(originalImageId, canonicalStyle)]));
  const [found] = rows;
  if (found === undefined) return null;
  const { variantId, jobId, roomType } = found;
  if (variantId !== null)
    return { roomType, disposition: 'style_exists', aiJobId: null, stagedImageId: variantId };
  return jobId === null ? null : { roomType, disposition: 'EXISTING', aiJobId: jobId, stagedImageId: null };
}

async function insertJob(
  client: PoolClient,
  request: StagingSubmission,
  original: LockedOriginal,
): Promise<boolean> {
  const { id, propertyId } = original;
  const { aiJobId, requestedByUserId, at, legacy, groupId = null } = request;
  return createJob(client, {
    kind: 'stagingJob',
    id: aiJobId,
    dedupeKey: dedupeKey(id, request.canonicalStyle),
    requestedByUserId,
    propertyId,
    at,
    startOrder: nextStartOrder(':requestedByUserId::uuid'),
    details: {
      originalImageId: request.originalImageId,
      canonicalRoomType: request.canonicalRoomType,
      canonicalStyle: request.canonicalStyle,
      styleModifier: request.styleModifier,
      prompt: request.prompt,
      promptVersion: request.promptVersion,
      providerModel: request.providerModel,
      quality: request.quality,
      ...shapeColumns(request, original),
      outputFormat: request.outputFormat,
      outputCompression: request.outputCompression,
      submittedStyle: request.submittedStyle,
      legacyStyle: request.legacyStyle,
      groupId,
      referenceImageKey: groupId === null ? null : await referenceOfGroup(client, groupId),
      legacyMessageKey: legacy?.messageKey ?? null,
      legacyMetadata: legacy?.metadata ?? null,
    },
  });
}

/** Most originals have it already; the row is wide, and every change of it is a whole new one. */
const NOTE_ROOM_TYPE = `
  UPDATE property_images SET "roomType" = $2
  WHERE id = $1 AND "roomType" IS DISTINCT FROM $2 AND (NOT $3 OR num_nonnulls("roomType", "imageOf") = 0)`;

/**
 * Only with a new job: its room type becomes the original's (docs/contract.md#submitting). That of an old message does
 * not, because it is older than any change that an agent has made since.
 */
async function noteRoomType(
  client: PoolClient,
  { originalImageId, canonicalRoomType, legacy }: StagingSubmission,
): Promise<void> {
  const values = [originalImageId, canonicalRoomType, legacy !== undefined];
  await client.query(prepared(NOTE_ROOM_TYPE, values));
}
