import type { PoolClient } from 'pg';
import { PHOTO_ALTERED } from '../database/altered-photos.ts';
import { toDate } from '../database/instants.ts';
import { APPROVED_WITHDRAWN } from '../database/objections.ts';
import { prepared } from '../database/prepared.ts';
import { OTHER_ROOM_SHOWN } from '../database/shown-rooms.ts';
import { named } from '../database/sql-values.ts';
import { countTour } from '../growth/growth-counts.ts';
import type { Row } from './actor-kind.ts';
import { definitionOf } from './actor-kinds.ts';
import * as statements from './actor-statements.ts';
import { type ActorTransaction, type ActorWrite, StaleActorError } from './actor-store.ts';
import { statementOf } from './actor-writes.ts';
import { alterPhoto } from './alter-photo.ts';
import { writeJournaled } from './journal.ts';
import { lockRefusedOutput } from './refused-outputs.ts';
import { deletionItemKind } from './rows/deletion-row.ts';
import { imageReviewKind } from './rows/image-row.ts';
import { aggregateOf, type JobAggregate } from './rows/job-row.ts';
import { takeStartPlace } from './start-rate.ts';
import * as tours from './tour-statements.ts';
import * as receipts from './webhook-receipts.ts';

/** The statements of one open transaction on one connection. */
export function createPostgresTransaction(client: PoolClient): ActorTransaction {
  const rowsOf = async <R extends object>(sql: string, values: unknown[]) =>
    (await client.query<R>(prepared(sql, values))).rows;
  const withAttempts = async (row: Row): Promise<JobAggregate> =>
    aggregateOf({ ...row, purchases: await rowsOf<Row>(statements.READ_ATTEMPTS, [row.id]) });
  const write = (one: ActorWrite) => writeJournaled(client, statementOf(one), one.entry);
  const found = async (sql: string, values: unknown[]) =>
    (await rowsOf<{ found: boolean }>(sql, values))[0]?.found === true;

  return {
    async lockJob(jobId) {
      const [row] = await rowsOf<Row>(statements.LOCK_JOB, [jobId]);
      return row ? withAttempts(row) : null;
    },
    async lockJobsOfOriginal(imageId) {
      const aggregates: JobAggregate[] = [];
      for (const row of await rowsOf<Row>(statements.LOCK_JOBS_OF_ORIGINAL, [imageId]))
        aggregates.push(await withAttempts(row));
      return aggregates;
    },
    async jobIdOfAttempt(attemptId) {
      const [row] = await rowsOf<{ aiJobId: string }>(statements.JOB_OF_ATTEMPT, [attemptId]);
      return row?.aiJobId ?? null;
    },
    async attemptOfPrediction(predictionId) {
      const { rows } = await client.query<{ id: string }>(statements.ATTEMPT_OF_PREDICTION, [predictionId]);
      return rows[0]?.id ?? null;
    },
    async lock(kind, id) {
      const { select, base, lock, fromRow } = definitionOf(kind).rows;
      const [row] = await rowsOf<Row>(`${select()} WHERE ${base} AND t.id = $1 ${lock}`, [id]);
      return row ? (fromRow(row) as never) : null;
    },
    async lockVariantsOfOriginal(imageId) {
      return (await rowsOf<Row>(statements.LOCK_VARIANTS_OF_ORIGINAL, [imageId])).map(
        imageReviewKind.rows.fromRow,
      );
    },
    async lockDueDeletions({ at, limit }) {
      const { rows } = await client.query<Row>(statements.LOCK_DUE_DELETIONS, [toDate(at), limit]);
      return rows.map(deletionItemKind.rows.fromRow);
    },
    async lockExpiredDeletions({ claimedBefore, limit }) {
      const values = [toDate(claimedBefore), limit];
      const { rows } = await client.query<Row>(statements.LOCK_EXPIRED_DELETIONS, values);
      return rows.map(deletionItemKind.rows.fromRow);
    },
    async save(actor, next, entry) {
      if (!(await write({ write: 'save', actor, next, entry })))
        throw new StaleActorError(actor.kind, actor.id);
      return { ...actor, ...next, version: actor.version + 1 };
    },
    async create(birth) {
      if (!(await write({ write: 'create', ...birth })))
        throw new Error(`${birth.actor.kind} ${birth.actor.id} could not be made`);
    },
    async createStagedImage(birth, made) {
      if (!(await write({ write: 'createStagedImage', made, ...birth })))
        throw new Error(`original image of job ${made.job.id} is gone`);
    },
    insertReceipt: (receipt) => receipts.insertReceipt(client, receipt),
    settleReceipt: (settled) => receipts.settleReceipt(client, settled),
    takeStartPlace: (perMinute) => takeStartPlace(client, perMinute),
    async storeText(jobId, { text }) {
      await client.query(statements.STORE_TEXT, [jobId, text]);
    },
    async liftQuarantine(jobId) {
      await client.query(statements.LIFT_QUARANTINE, [jobId]);
    },
    async insertReviewEvent(image, { kind, byUserId, reason, at }) {
      const event = { ...image, kind, byUserId, reason, at: toDate(at) };
      await client.query(named(statements.INSERT_REVIEW_EVENT, event));
    },
    async insertProvenance(imageId, { at }) {
      await client.query(named(statements.INSERT_PROVENANCE, { id: imageId, at: toDate(at) }));
    },
    async hasMovedGeometry(imageId) {
      const { rows } = await client.query<{ geometryMoved: boolean | null }>(statements.COMPARISON_OF, [
        imageId,
      ]);
      return rows[0]?.geometryMoved ?? null;
    },
    isOnTrustedServer: () => found(statements.IS_TRUSTED_SERVER, []),
    async isSubmittedAgain(imageId) {
      await client.query(statements.LOCK_ORIGINAL_OF, [imageId]);
      return found(statements.SUBMITTED_AGAIN, [imageId]);
    },
    async showsOtherRoom(imageId) {
      await client.query(statements.LOCK_ORIGINAL_OF, [imageId]);
      return found(OTHER_ROOM_SHOWN, [imageId]);
    },
    async approvedWithdrawn(imageId, userId) {
      await client.query(statements.LOCK_ORIGINAL_OF, [imageId]);
      return found(APPROVED_WITHDRAWN, [imageId, userId]);
    },
    async photoIsAltered(imageId) {
      await client.query(statements.LOCK_ORIGINAL_OF, [imageId]);
      return found(PHOTO_ALTERED, [imageId]);
    },
    alterPhoto: (alteration) => alterPhoto(client, alteration),
    refusedOutput: (jobId) => lockRefusedOutput(client, jobId),
    async deleteImage(imageId) {
      return (await client.query(statements.DELETE_IMAGE, [imageId])).rowCount === 1;
    },
    variantExists: (originalImageId, style) => found(statements.VARIANT_EXISTS, [originalImageId, style]),
    lockListing: (which) => tours.lockListing(client, which),
    firstFreeSlot: (request) => tours.firstFreeSlot(client, request),
    countTour: (request) => countTour(client, request),
    findReport: (of) => tours.findReport(client, of),
    undecidedReportsOf: (stagedImageId) => tours.undecidedReportsOf(client, stagedImageId),
    visitEndedAt: (tourId, at) => tours.visitEndedAtOf(client, tourId, at),
    isDeletionQueued: ({ objectKey, notBefore }) =>
      found(statements.DELETION_QUEUED, [objectKey, toDate(notBefore)]),
    isObjectReferenced: (objectKey) => found(statements.OBJECT_REFERENCED, [objectKey]),
  };
}
