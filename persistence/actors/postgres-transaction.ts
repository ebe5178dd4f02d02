import type { PoolClient } from 'pg';
import { toDate } from '../database/instants.ts';
import { prepared } from '../database/prepared.ts';
import { named } from '../database/sql-values.ts';
import type { Row, Rows, Statement } from './actor-kind.ts';
import { singleKind } from './actor-kinds.ts';
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
import { imageReviewKind } from './image-row.ts';
import { type JobRow, jobColumns, jobFromRow } from './job-row.ts';
import { takeStartPlace } from './start-rate.ts';
import { tourKind } from './tour-row.ts';
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

  /** Row and journal in one round trip; false when the row's version has changed. */
  const journaled = async ({ sql, values }: Statement, entry: JournalRow, refuse?: Rows<never>['refuse']) => {
    const text = `WITH ${sql}\n${appendJournal(values.length)} FROM moved`;
    const all = [...values, ...journalValues(entry)];
    const { rowCount } = await client.query(prepared(text, all)).catch((error: unknown) => {
      throw refuse === undefined ? error : refuse(error);
    });
    return rowCount === 1;
  };
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
    const { at } = entry.event;
    if (moved.kind === 'providerAttempt') return journaled(attemptRows.update(moved, at), entry);
    const { update, refuse } = singleKind(moved.kind).rows;
    return journaled(update(moved, at), entry, refuse);
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
    async create(actor, entry) {
      const given = { updatedAt: toDate(entry.event.at) };
      const { insert, refuse } = tourKind.rows;
      const made = await journaled(insert(actor, given), { ...entry, from: null }, refuse);
      if (!made) throw new Error(`${actor.kind} ${actor.id} could not be made`);
    },
    takeStartPlace: (perMinute) => takeStartPlace(client, perMinute),
    async insertAttempt(jobId, { attemptId, attemptNumber, at }) {
      const [row] = await rowsOf<Row>(statements.INSERT_ATTEMPT, [
        attemptId,
        jobId,
        attemptNumber,
        toDate(at),
      ]);
      if (!row) throw new Error('INSERT … RETURNING returned nothing');
      return attemptRows.fromRow(row);
    },
    async insertStagedImage(job, attempt, { imageId, at }) {
      const { details } = job;
      const { context } = attempt;
      const { rowCount } = await client.query(
        named(statements.INSERT_STAGED_IMAGE, {
          ...details,
          ...context,
          imageId,
          style: details.canonicalStyle,
          jobId: job.id,
          // Never a signed URL: the key of what was sent (docs/contract.md#output-checks).
          inputs: JSON.stringify({
            inputImageKey: details.providerInputKey,
            quality: details.quality,
            aspectRatio: details.aspectRatio,
            outputFormat: details.outputFormat,
            outputCompression: details.outputCompression,
            prompt: details.prompt,
          }),
          at: toDate(at),
        }),
      );
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

/** An entry without a previous state is the first row of an actor. */
type JournalRow = Omit<JournalEntry, 'from'> & { from: string | null };

/** The journal row of `journalValues`, which follow so many other parameters, if something was moved. */
const appendJournal = (before: number): string => `
  INSERT INTO actor_transitions
    ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy", "leaseEpoch", note)
  SELECT ${['text', 'uuid', 'int', 'text', 'jsonb', 'text', 'text', 'timestamptz', 'text', 'int', 'text']
    .map((type, index) => `$${before + index + 1}::${type}`)
    .join(', ')}`;

/** The parameters of APPEND_JOURNAL. */
function journalValues(entry: JournalRow): unknown[] {
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
