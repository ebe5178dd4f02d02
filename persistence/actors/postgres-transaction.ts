import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { named } from '../database/sql-values.ts';
import type { Row } from './actor-kind.ts';
import { definitionOf } from './actor-kinds.ts';
import * as statements from './actor-statements.ts';
import { type ActorTransaction, StaleActorError } from './actor-store.ts';
import { writeJournaled } from './journal.ts';
import { deletionItemKind } from './rows/deletion-row.ts';
import { type ImageReviewActor, imageReviewKind } from './rows/image-row.ts';
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
      const moved = { ...actor, ...next };
      const update = definitionOf(actor.kind).rows.update(moved, entry.event.at);
      if (!(await writeJournaled(client, update, entry))) throw new StaleActorError(actor.kind, actor.id);
      return { ...moved, version: actor.version + 1 };
    },
    async create({ actor, entry }) {
      const insert = definitionOf(actor.kind).rows.insert(actor, entry.event.at);
      if (!(await writeJournaled(client, insert, entry)))
        throw new Error(`${actor.kind} ${actor.id} could not be made`);
    },
    async createStagedImage({ actor, entry }, { job, attempt: { context } }) {
      const { details } = job;
      const { objectKey } = context;
      if (objectKey === null) throw new Error(`the attempt of ${actor.id} has no object`);
      const image: ImageReviewActor = {
        ...actor,
        // The original's values are used instead (`OF_ORIGINAL`).
        propertyId: '',
        styledFromId: details.originalImageId,
        canonicalStyle: details.canonicalStyle,
        jobId: job.id,
        objectKey,
      };
      const given = {
        isMain: false,
        isStyled: true,
        style: details.canonicalStyle,
        roomType: details.canonicalRoomType,
        // Never a signed URL, only the keys of the objects that were sent (docs/contract.md#output-checks).
        providerInputs: JSON.stringify({
          inputImageKey: details.providerInputKey,
          referenceImageKey: details.referenceImageKey,
          quality: details.quality,
          aspectRatio: details.aspectRatio,
          outputFormat: details.outputFormat,
          outputCompression: details.outputCompression,
          prompt: details.prompt,
        }),
        providerPredictionId: context.providerPredictionId,
        providerModel: details.providerModel,
        promptVersion: details.promptVersion,
        outputBytes: context.downloadBytes,
        outputWidth: context.outputWidth,
        outputHeight: context.outputHeight,
        outputFormat: context.outputFormat,
        outputChecksum: context.outputChecksum,
      };
      const row = imageReviewKind.rows.insert(image, entry.event.at, { given, ...statements.OF_ORIGINAL });
      if (!(await writeJournaled(client, row, entry)))
        throw new Error(`original image of job ${job.id} is gone`);
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
    hasMovedGeometry: (imageId) => found(statements.HAS_MOVED_GEOMETRY, [imageId]),
    isOnTrustedServer: () => found(statements.IS_TRUSTED_SERVER, []),
    async isSubmittedAgain(imageId) {
      await client.query(statements.LOCK_ORIGINAL_OF, [imageId]);
      return found(statements.SUBMITTED_AGAIN, [imageId]);
    },
    async deleteImage(imageId) {
      return (await client.query(statements.DELETE_IMAGE, [imageId])).rowCount === 1;
    },
    variantExists: (originalImageId, style) => found(statements.VARIANT_EXISTS, [originalImageId, style]),
    lockListing: (which) => tours.lockListing(client, which),
    firstFreeSlot: (request) => tours.firstFreeSlot(client, request),
    findReport: (of) => tours.findReport(client, of),
    openReportsOf: (stagedImageId) => tours.openReportsOf(client, stagedImageId),
    visitCompletedAt: (tourId) => tours.visitCompletedAt(client, tourId),
    isDeletionQueued: ({ objectKey, notBefore }) =>
      found(statements.DELETION_QUEUED, [objectKey, toDate(notBefore)]),
    isObjectReferenced: (objectKey) => found(statements.OBJECT_REFERENCED, [objectKey]),
  };
}
