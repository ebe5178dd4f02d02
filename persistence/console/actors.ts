import type { Pool } from 'pg';
import type { ActorState } from '../../machines/step.ts';
import { READ_JOB } from '../actors/actor-statements.ts';
import type {
  DeletionItemActor,
  ImageReviewActor,
  Lease,
  ProviderAttemptActor,
  SearchDocumentActor,
  StagingJobActor,
  StartGateActor,
  TourActor,
} from '../actors/actor-store.ts';
import { type AttemptRow, attemptFromRow } from '../actors/attempt-row.ts';
import { DELETION_COLUMNS, type DeletionRow, deletionFromRow } from '../actors/deletion-row.ts';
import { DESCRIPTION_COLUMNS, type DescriptionRow, descriptionFromRow } from '../actors/description-row.ts';
import type { DescriptionJobActor } from '../actors/description-store.ts';
import { IMAGE_COLUMNS, type ImageRow, imageFromRow } from '../actors/image-row.ts';
import { type JobRow, jobFromRow } from '../actors/job-row.ts';
import { type SearchDocumentRow, searchDocumentFromRow } from '../actors/search-document-row.ts';
import { READ_START_GATE, type StartGateRow, startGateFromRow } from '../actors/start-gate-row.ts';
import { type TourRow, tourColumns, tourFromRow } from '../actors/tour-row.ts';
import { type Instant, toMillis } from '../database/instants.ts';
import { type StagedStyle, stagedStyleColumns, stagedStyleJoin } from '../listings/staged-style.ts';
import type { JournalKind } from './invariant-queries.ts';

/** An actor with what an operator needs to know beside its machine's state. Times are milliseconds since 1970. */
interface Seen<K extends JournalKind, A extends ActorState<unknown>> {
  kind: K;
  actor: A & { id: string; version: number };
  createdAt: number | null;
}
interface Held {
  lease: Lease | null;
  heartbeatAt: number | null;
  quarantine: { since: number; error: string | null } | null;
}
export type SeenJob = Seen<'stagingJob', StagingJobActor> &
  Held & {
    attempts: ProviderAttemptActor[];
    resultReviewStatus: string | null;
    /** The name that the style was asked for by, when it was an old one. */
    legacyStyle: string | null;
  };
export type SeenDescription = Seen<'descriptionJob', DescriptionJobActor> & Held;
export type SeenActor =
  | SeenJob
  | SeenDescription
  | (Seen<'providerAttempt', ProviderAttemptActor> & { job: SeenJob | null; costMicrousd: number | null })
  | (Seen<'imageReview', ImageReviewActor> & Pick<StagedStyle, 'legacyStyle'>)
  | (Seen<'deletionItem', DeletionItemActor> & { reason: string })
  | Seen<'tour', TourActor>
  | (Seen<'startGate', StartGateActor> & { lastChange: { by: string; note: string | null } | null })
  | (Seen<'searchDocument', SearchDocumentActor> & { indexedAt: number | null });

type HeldRow = {
  heartbeatAt: Instant | null;
  createdAt: Instant;
  quarantinedAt: Instant | null;
  quarantineError: string | null;
};

/** As last committed; null when there is no such row (any more). */
export async function readActor(pool: Pool, kind: JournalKind, id: string): Promise<SeenActor | null> {
  switch (kind) {
    case 'stagingJob':
      return readJob(pool, id);
    case 'descriptionJob':
      return readDescription(pool, id);
    case 'providerAttempt':
      return readAttempt(pool, id);
    case 'imageReview':
      return readImage(pool, id);
    case 'deletionItem':
      return readDeletion(pool, id);
    case 'tour':
      return readTour(pool, id);
    case 'startGate':
      return readStartGate(pool, id);
    case 'searchDocument':
      return readSearchDocument(pool, id);
  }
}

async function one<R extends object>(pool: Pool, sql: string, id: string): Promise<R | null> {
  return (await pool.query<R>(sql, [id])).rows[0] ?? null;
}

const heldOf = ({ heartbeatAt, quarantinedAt, quarantineError }: HeldRow) => ({
  heartbeatAt: toMillis(heartbeatAt),
  quarantine: quarantinedAt === null ? null : { since: toMillis(quarantinedAt), error: quarantineError },
});

const ASIDE = `
  SELECT j."quarantineError", s."legacyStyle", (SELECT i."reviewStatus" FROM property_images i WHERE i.id = s."resultImageId") AS review
  FROM ai_jobs j JOIN ai_room_staging_jobs s ON s."aiJobId" = j.id WHERE j.id = $1`;

async function readJob(pool: Pool, id: string): Promise<SeenJob | null> {
  const row = await one<JobRow & { attempts: AttemptRow[] }>(pool, READ_JOB, id);
  const aside = await one<{
    quarantineError: string | null;
    legacyStyle: string | null;
    review: string | null;
  }>(pool, ASIDE, id);
  if (row === null || aside === null) return null;
  const actor = jobFromRow(row, row.attempts.length);
  const { quarantineError } = aside;
  return {
    kind: 'stagingJob',
    actor,
    createdAt: actor.createdAt,
    lease: actor.lease,
    ...heldOf({ ...row, quarantineError }),
    attempts: row.attempts.map(attemptFromRow),
    resultReviewStatus: aside.review,
    legacyStyle: aside.legacyStyle,
  };
}

async function readDescription(pool: Pool, id: string): Promise<SeenDescription | null> {
  const row = await one<DescriptionRow & HeldRow>(
    pool,
    `SELECT ${DESCRIPTION_COLUMNS}, j."heartbeatAt", j."quarantinedAt", j."quarantineError"
     FROM ai_jobs j JOIN ai_description_jobs d ON d."aiJobId" = j.id WHERE j.id = $1 AND j.type = 'DESCRIPTION'`,
    id,
  );
  if (row === null) return null;
  const actor = descriptionFromRow(row);
  return { kind: 'descriptionJob', actor, createdAt: actor.createdAt, lease: actor.lease, ...heldOf(row) };
}

async function readAttempt(pool: Pool, id: string): Promise<SeenActor | null> {
  const row = await one<AttemptRow & { createdAt: Instant; costMicrousd: string | null }>(
    pool,
    `SELECT * FROM ai_provider_attempts WHERE id = $1`,
    id,
  );
  if (row === null) return null;
  const actor = attemptFromRow(row);
  return {
    kind: 'providerAttempt',
    actor,
    createdAt: toMillis(row.createdAt),
    job: await readJob(pool, actor.jobId),
    costMicrousd: row.costMicrousd === null ? null : Number(row.costMicrousd),
  };
}

async function readImage(pool: Pool, id: string): Promise<SeenActor | null> {
  const sql = `SELECT i.*, style.* FROM (
      SELECT ${IMAGE_COLUMNS}, "createdAt" FROM property_images WHERE id = $1 AND "isStyled") i,
    LATERAL (SELECT ${stagedStyleColumns('v')} FROM property_images v ${stagedStyleJoin('v')} WHERE v.id = i.id) style`;
  const row = await one<ImageRow & { createdAt: Instant; legacyStyle: string | null }>(pool, sql, id);
  if (row === null) return null;
  const { createdAt, legacyStyle } = row;
  return { kind: 'imageReview', actor: imageFromRow(row), createdAt: toMillis(createdAt), legacyStyle };
}

async function readDeletion(pool: Pool, id: string): Promise<SeenActor | null> {
  const sql = `SELECT ${DELETION_COLUMNS}, reason, "createdAt" FROM storage_deletion_outbox WHERE id = $1`;
  const row = await one<DeletionRow & { reason: string; createdAt: Instant }>(pool, sql, id);
  return (
    row && {
      kind: 'deletionItem',
      actor: deletionFromRow(row),
      createdAt: toMillis(row.createdAt),
      reason: row.reason,
    }
  );
}

async function readTour(pool: Pool, id: string): Promise<SeenActor | null> {
  const row = await one<TourRow>(pool, `SELECT ${tourColumns('t')} FROM tours t WHERE t.id = $1`, id);
  if (row === null) return null;
  const actor = tourFromRow(row);
  return { kind: 'tour', actor, createdAt: actor.details.createdAt };
}

async function readStartGate(pool: Pool, id: string): Promise<SeenActor | null> {
  const row = await one<StartGateRow>(pool, `${READ_START_GATE} WHERE id = $1`, id);
  if (row === null) return null;
  const lastChange = await one<{ by: string; note: string | null }>(
    pool,
    `SELECT "actedBy" AS by, note FROM actor_transitions
     WHERE "actorKind" = 'startGate' AND "actorId" = $1 ORDER BY seq DESC LIMIT 1`,
    id,
  );
  return { kind: 'startGate', actor: startGateFromRow(row), createdAt: null, lastChange };
}

async function readSearchDocument(pool: Pool, id: string): Promise<SeenActor | null> {
  const row = await one<SearchDocumentRow & { searchIndexedAt: Instant | null; createdAt: Instant }>(
    pool,
    `SELECT id, "searchVersion", "searchDirtyAt", "searchIndexedAt", "createdAt" FROM properties WHERE id = $1`,
    id,
  );
  return (
    row && {
      kind: 'searchDocument',
      actor: searchDocumentFromRow(row),
      createdAt: toMillis(row.createdAt),
      indexedAt: toMillis(row.searchIndexedAt),
    }
  );
}
