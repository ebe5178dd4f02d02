import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { named } from '../database/sql-values.ts';
import type { Row, Rows } from './actor-kind.ts';
import { type SingleKind, singleKind } from './actor-kinds.ts';
import * as statements from './actor-statements.ts';
import {
  type ActorTransaction,
  type AnyActor,
  type JobActor,
  type JobAggregate,
  type JournalEntry,
  StaleActorError,
} from './actor-store.ts';
import { attemptRows } from './attempt-row.ts';
import { deletionItemKind } from './deletion-row.ts';
import { type ImageReviewActor, imageReviewKind } from './image-row.ts';
import { type JobRow, jobColumns, jobFromRow } from './job-row.ts';
import { journalValues, writeJournaled } from './journal.ts';
import { takeStartPlace } from './start-rate.ts';
import * as tours from './tour-statements.ts';

/** The statements of one open transaction on one connection. */
export function createPostgresTransaction(client: PoolClient): ActorTransaction {
  const rowsOf = async <R extends object>(sql: string, values: unknown[]) =>
    (await client.query<R>(prepared(sql, values))).rows;
  const withAttempts = async (row: JobRow): Promise<JobAggregate> => {
    const attempts = (await rowsOf<Row>(statements.READ_ATTEMPTS, [row.id])).map(attemptRows.fromRow);
    return { job: jobFromRow(row, attempts.length), attempts };
  };
  const found = async (sql: string, values: unknown[]) =>
    (await rowsOf<{ found: boolean }>(sql, values))[0]?.found === true;

  const saveJob = async (moved: JobActor, entry: JournalEntry) => {
    const key = [moved.id, moved.version, toDate(entry.event.at)];
    const { rowCount } = await client.query(
      moved.kind === 'stagingJob'
        ? prepared(statements.MOVE_STAGING_JOB, [...key, ...jobColumns(moved), moved.context.resultImageId])
        : prepared(statements.MOVE_JOB, [...key, ...jobColumns(moved)]),
    );
    if (rowCount === 1) await client.query(prepared(statements.APPEND_JOURNAL, journalValues(entry)));
    return rowCount === 1;
  };

  const write = (moved: AnyActor, entry: JournalEntry): Promise<boolean> => {
    if (moved.kind === 'stagingJob' || moved.kind === 'descriptionJob') return saveJob(moved, entry);
    const { update, refuse } = rowsOfKind(moved.kind);
    return writeJournaled(client, update(moved, entry.event.at), entry, refuse);
  };

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
    async lock(kind, id) {
      const { select, base, lock, fromRow } = singleKind(kind).rows;
      const [row] = await rowsOf<Row>(`${select} WHERE ${base} AND t.id = $1 ${lock}`, [id]);
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
      if (!(await write(moved, entry))) throw new StaleActorError(actor.kind, actor.id);
      return { ...moved, version: actor.version + 1 };
    },
    async create({ actor, entry }) {
      const { insert, refuse } = rowsOfKind(actor.kind);
      const made = await writeJournaled(client, insert(actor, entry.event.at), entry, refuse);
      if (!made) throw new Error(`${actor.kind} ${actor.id} could not be made`);
    },
    async createStagedImage({ actor, entry }, { job, attempt: { context } }) {
      const { details } = job;
      const image: ImageReviewActor = {
        ...actor,
        // As its original.
        propertyId: '',
        styledFromId: details.originalImageId,
        canonicalStyle: details.canonicalStyle,
        jobId: job.id,
        objectKey: context.objectKey ?? '',
      };
      const given = {
        isMain: false,
        isStyled: true,
        style: details.canonicalStyle,
        roomType: details.canonicalRoomType,
        // Never a signed URL: the key of what was sent (docs/contract.md#output-checks).
        providerInputs: JSON.stringify({
          inputImageKey: details.providerInputKey,
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
    async deleteImage(imageId) {
      return (await client.query(statements.DELETE_IMAGE, [imageId])).rowCount === 1;
    },
    variantExists: (originalImageId, style) => found(statements.VARIANT_EXISTS, [originalImageId, style]),
    lockListing: (which) => tours.lockListing(client, which),
    firstFreeSlot: (request) => tours.firstFreeSlot(client, request),
    isDeletionQueued: ({ objectKey, notBefore }) =>
      found(statements.DELETION_QUEUED, [objectKey, toDate(notBefore)]),
    isObjectReferenced: (objectKey) => found(statements.OBJECT_REFERENCED, [objectKey]),
  };
}

const rowsOfKind = (kind: SingleKind | 'providerAttempt'): Rows<AnyActor> =>
  kind === 'providerAttempt' ? attemptRows : singleKind(kind).rows;
