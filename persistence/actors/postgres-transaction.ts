import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import * as statements from './actor-statements.ts';
import {
  type ActorTransaction,
  type AnyActor,
  type JobAggregate,
  type JournalEntry,
  StaleActorError,
} from './actor-store.ts';
import { type AttemptRow, attemptColumns, attemptFromRow } from './attempt-row.ts';
import { type DeletionRow, deletionColumns, deletionFromRow } from './deletion-row.ts';
import { type ImageRow, imageColumns, imageFromRow } from './image-row.ts';
import { type JobRow, jobColumns, jobFromRow } from './job-row.ts';
import * as documents from './search-document-row.ts';
import * as gate from './start-gate-row.ts';
import { takeStartPlace } from './start-rate.ts';
import { type TourRow, tourFromRow, tourValues } from './tour-row.ts';
import * as tours from './tour-statements.ts';

/** The statements of one open transaction on one connection. */
export function createPostgresTransaction(client: PoolClient): ActorTransaction {
  const rowsOf = async <R extends object>(sql: string, values: unknown[]) =>
    (await client.query<R>(prepared(sql, values))).rows;
  const withAttempts = async (row: JobRow): Promise<JobAggregate> => {
    const attempts = (await rowsOf<AttemptRow>(statements.READ_ATTEMPTS, [row.id])).map(attemptFromRow);
    return { job: jobFromRow(row, attempts.length), attempts };
  };
  const found = async (sql: string, values: unknown[]) =>
    (await rowsOf<{ found: boolean }>(sql, values))[0]?.found === true;

  return {
    async lockJob(jobId) {
      const [row] = await rowsOf<JobRow>(statements.LOCK_JOB, [jobId]);
      return row ? withAttempts(row) : null;
    },
    async lockJobsOfOriginal(imageId) {
      const aggregates: JobAggregate[] = [];
      for (const row of await rowsOf<JobRow>(statements.LOCK_JOBS_OF_ORIGINAL, [imageId]))
        aggregates.push(await withAttempts(row));
      return aggregates;
    },
    async jobIdOfAttempt(attemptId) {
      const [row] = await rowsOf<{ aiJobId: string }>(statements.JOB_OF_ATTEMPT, [attemptId]);
      return row?.aiJobId ?? null;
    },
    async lockImage(imageId) {
      const [row] = await rowsOf<ImageRow>(statements.LOCK_IMAGE, [imageId]);
      return row ? imageFromRow(row) : null;
    },
    async lockVariantsOfOriginal(imageId) {
      return (await rowsOf<ImageRow>(statements.LOCK_VARIANTS_OF_ORIGINAL, [imageId])).map(imageFromRow);
    },
    async lockDeletion(itemId) {
      const [row] = await rowsOf<DeletionRow>(statements.LOCK_DELETION, [itemId]);
      return row ? deletionFromRow(row) : null;
    },
    async lockStartGate() {
      const [row] = await rowsOf<gate.StartGateRow>(gate.LOCK_START_GATE, []);
      return row ? gate.startGateFromRow(row) : null;
    },
    async lockSearchDocument(propertyId) {
      const [row] = await rowsOf<documents.SearchDocumentRow>(documents.LOCK_SEARCH_DOCUMENT, [propertyId]);
      return row ? documents.searchDocumentFromRow(row) : null;
    },
    async lockDueDeletions({ at, limit }) {
      const { rows } = await client.query<DeletionRow>(statements.LOCK_DUE_DELETIONS, [toDate(at), limit]);
      return rows.map(deletionFromRow);
    },
    async lockExpiredDeletions({ claimedBefore, limit }) {
      const values = [toDate(claimedBefore), limit];
      const { rows } = await client.query<DeletionRow>(statements.LOCK_EXPIRED_DELETIONS, values);
      return rows.map(deletionFromRow);
    },
    async save(actor, next, entry) {
      const moved = { ...actor, ...next };
      const { sql, values } = updateOf(moved, entry);
      const { rowCount } = await client.query(prepared(sql, values)).catch(tours.refuseTourWrite);
      if (rowCount !== 1) throw new StaleActorError(actor.kind, actor.id);
      await client.query(prepared(statements.APPEND_JOURNAL, journalValues(entry)));
      return { ...moved, version: actor.version + 1 };
    },
    takeStartPlace: (perMinute) => takeStartPlace(client, perMinute),
    async insertAttempt(jobId, { attemptId, attemptNumber, at }) {
      const [row] = await rowsOf<AttemptRow>(statements.INSERT_ATTEMPT, [
        attemptId,
        jobId,
        attemptNumber,
        toDate(at),
      ]);
      if (!row) throw new Error('INSERT … RETURNING returned nothing');
      return attemptFromRow(row);
    },
    async insertStagedImage({ job }, attempt, { imageId, at }) {
      const { details } = job;
      const { context } = attempt;
      const { rowCount } = await client.query(statements.INSERT_STAGED_IMAGE, [
        imageId,
        details.originalImageId,
        context.objectKey,
        details.canonicalStyle,
        details.canonicalStyle,
        details.canonicalRoomType,
        job.id,
        // Never a signed URL: the key of what was sent (docs/contract.md#output-checks).
        JSON.stringify({
          inputImageKey: details.providerInputKey,
          quality: details.quality,
          aspectRatio: details.aspectRatio,
          outputFormat: details.outputFormat,
          outputCompression: details.outputCompression,
          prompt: details.prompt,
        }),
        context.providerPredictionId,
        details.providerModel,
        details.promptVersion,
        context.downloadBytes,
        context.outputWidth,
        context.outputHeight,
        context.outputFormat,
        context.outputChecksum,
        toDate(at),
      ]);
      if (rowCount !== 1) throw new Error(`original image of job ${job.id} is gone`);
    },
    async storeText(jobId, { text }) {
      await client.query(statements.STORE_TEXT, [jobId, text]);
    },
    async insertDeletion({ objectKey, reason, notBefore, at }) {
      await client.query(statements.INSERT_DELETION, [objectKey, reason, toDate(notBefore), toDate(at)]);
    },
    async liftQuarantine(jobId) {
      await client.query(statements.LIFT_QUARANTINE, [jobId]);
    },
    async insertReviewEvent(image, { kind, byUserId, reason, at }) {
      await client.query(statements.INSERT_REVIEW_EVENT, [
        kind,
        image.id,
        image.propertyId,
        image.styledFromId,
        image.canonicalStyle,
        image.jobId,
        byUserId,
        image.objectKey,
        reason,
        toDate(at),
      ]);
    },
    async deleteImage(imageId) {
      return (await client.query(statements.DELETE_IMAGE, [imageId])).rowCount === 1;
    },
    variantExists: (originalImageId, style) => found(statements.VARIANT_EXISTS, [originalImageId, style]),
    async lockTour(tourId) {
      const [row] = await rowsOf<TourRow>(tours.LOCK_TOUR, [tourId]);
      return row ? tourFromRow(row) : null;
    },
    lockListing: (which) => tours.lockListing(client, which),
    firstFreeSlot: (request) => tours.firstFreeSlot(client, request),
    async insertTour(tour, entry) {
      const { customerId, propertyId, kind, note, createdAt } = tour.details;
      const fixed = [customerId, propertyId, kind, note];
      const values = [tour.id, tour.version, toDate(createdAt), ...tourValues(tour), ...fixed];
      await client.query(tours.INSERT_TOUR, values).catch(tours.refuseTourWrite);
      await client.query(statements.APPEND_JOURNAL, journalValues({ ...entry, from: null }));
    },
    isDeletionQueued: ({ objectKey, notBefore }) =>
      found(statements.DELETION_QUEUED, [objectKey, toDate(notBefore)]),
    isObjectReferenced: (objectKey) => found(statements.OBJECT_REFERENCED, [objectKey]),
  };
}

/** A removed image has no columns left to write: only its version is checked, the row goes with its order. */
function updateOf(actor: AnyActor, entry: JournalEntry): { sql: string; values: unknown[] } {
  const key = [actor.id, actor.version];
  const at = toDate(entry.event.at);
  switch (actor.kind) {
    case 'stagingJob':
      return { sql: statements.UPDATE_JOB, values: [...key, at, ...jobColumns(actor)] };
    case 'providerAttempt':
      return { sql: statements.UPDATE_ATTEMPT, values: [...key, at, ...attemptColumns(actor)] };
    case 'imageReview':
      return actor.state === 'REMOVED'
        ? { sql: statements.TOUCH_REMOVED_IMAGE, values: key }
        : { sql: statements.UPDATE_IMAGE, values: [...key, ...imageColumns(actor)] };
    case 'deletionItem':
      return { sql: statements.UPDATE_DELETION, values: [...key, ...deletionColumns(actor)] };
    case 'tour':
      return { sql: tours.UPDATE_TOUR, values: [...key, at, ...tourValues(actor)] };
    case 'startGate':
      return { sql: gate.UPDATE_START_GATE, values: [...key, ...gate.startGateColumns(actor)] };
    case 'searchDocument':
      return {
        sql: documents.UPDATE_SEARCH_DOCUMENT,
        values: [...key, ...documents.searchDocumentColumns(actor)],
      };
  }
}

/** The parameters of APPEND_JOURNAL. */
export function journalValues(
  entry: Omit<JournalEntry, 'kind' | 'from'> & { kind: string; from: string | null },
): unknown[] {
  return [
    entry.kind,
    entry.id,
    entry.seq,
    entry.event.type,
    JSON.stringify(entry.event),
    entry.from,
    entry.to,
    toDate(entry.event.at),
    entry.by,
    entry.leaseEpoch,
    entry.note ?? null,
  ];
}
