import type { Pool } from 'pg';
import { expect } from 'vitest';
import { askRows } from '../../../ops/invariants/ask-rows.ts';
import type { Row } from '../../../persistence/actors/actor-kind.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import { deletionItemKind } from '../../../persistence/actors/rows/deletion-row.ts';
import { imageReviewKind } from '../../../persistence/actors/rows/image-row.ts';
import { DATABASE_CLOCK, type StagingModel } from './staging-model.ts';

/** The rows of one original and the model's rows, in the same shape, so that they can be compared whole. */
interface Compared {
  original: boolean;
  jobs: unknown[];
  images: unknown[];
  deletions: unknown[];
  reviews: unknown[];
}

export interface OriginalOfRows {
  imageId: string;
  /** Every object key that may be queued for deletion because of this original. */
  keys: readonly string[];
}

export async function readRows(pool: Pool, { imageId, keys }: OriginalOfRows): Promise<Compared> {
  const store = createPostgresActorStore(pool);
  const rowsOf = async <R extends object>(sql: string, values: unknown[]) =>
    (await pool.query<R>(sql, values)).rows;
  const [originals, ids, images, deletions, reviews] = await Promise.all([
    rowsOf('select id from property_images where id = $1', [imageId]),
    rowsOf<{ id: string }>(
      `select "aiJobId" as id from ai_room_staging_jobs where "originalImageId" = $1 order by 1`,
      [imageId],
    ),
    rowsOf<Row>(`${imageReviewKind.rows.select()} where "styledFromId" = $1 order by id`, [imageId]),
    rowsOf<Row>(
      `${deletionItemKind.rows.select({ reason: 't.reason' })} where "objectKey" = any($1)
       order by "objectKey"`,
      [keys],
    ),
    rowsOf<{ kind: string; imageId: string; by: string }>(
      `select kind, "imageId", "actorUserId" as by from property_image_review_events
       where "styledFromId" = $1`,
      [imageId],
    ),
  ]);
  const aggregates = await Promise.all(ids.map(({ id }) => store.readJob(id)));
  return {
    original: originals.length === 1,
    jobs: aggregates.flatMap((aggregate) => {
      if (aggregate?.job.kind !== 'stagingJob') return [];
      const { id, state, version, context, details, lease, leaseEpoch } = aggregate.job;
      const attempts = aggregate.attempts.map(({ id, state, version, context }) => ({
        id,
        state,
        version,
        context,
      }));
      const { canonicalStyle: style, groupId, referenceImageKey: secondInput } = details;
      return [{ id, state, version, context, style, attempts, lease, leaseEpoch, groupId, secondInput }];
    }),
    images: images.map((row) => {
      const { id, state, version, context, canonicalStyle, jobId, objectKey } =
        imageReviewKind.rows.fromRow(row);
      return { id, state, version, context, style: canonicalStyle, jobId, objectKey };
    }),
    deletions: deletions.map((row) => {
      const { objectKey, state, version, context } = deletionItemKind.rows.fromRow(row);
      return { objectKey, reason: row.reason, state, version, context };
    }),
    reviews: sortedBy(reviews, ({ imageId: id, kind }) => `${id} ${kind}`),
  };
}

/** The model in the rows' shape; times of the database clock match any value. */
export function expectedRows({ original, jobs, images, deletions, reviews }: StagingModel): Compared {
  return {
    original: original !== null,
    jobs: sortedBy(jobs, ({ id }) => id).map((job) => ({
      ...job,
      context: loose(job.context),
      lease: job.lease && { ...job.lease, expiresAt: looseInstant(job.lease.expiresAt) },
    })),
    images: sortedBy(images, ({ id }) => id),
    deletions: sortedBy(deletions, ({ objectKey }) => objectKey).map((item) => ({
      ...item,
      context: loose(item.context),
    })),
    reviews: sortedBy(reviews, ({ imageId, kind }) => `${imageId} ${kind}`),
  };
}

export const keysOf = ({ original, jobs, images, deletions }: StagingModel): string[] => [
  ...(original === null ? [] : [original.objectKey, original.providerInputKey]),
  ...jobs.flatMap(({ attempts }) => attempts.flatMap(({ context }) => context.objectKey ?? [])),
  ...images.map(({ objectKey }) => objectKey),
  ...deletions.map(({ objectKey }) => objectKey),
];

/**
 * Fails with every invariant that the rows of the whole database violate, except those left out; journals are
 * replayed, too.
 */
export async function expectInvariants(
  pool: Pool,
  at: number,
  leftOut: readonly string[] = [],
): Promise<void> {
  const verdicts = await askRows(pool, { when: 'always', replay: true, at, timeoutMs: 30_000 });
  const broken = verdicts.filter(
    ({ id, outcome }) => (outcome === 'broken' || outcome === 'unanswered') && !leftOut.includes(id),
  );
  expect(broken.map(({ id, lines, note }) => [id, ...lines, note])).toEqual([]);
}

const anyInstant: unknown = expect.any(Number);
const looseInstant = (value: unknown) =>
  value === DATABASE_CLOCK || value === Number.POSITIVE_INFINITY ? anyInstant : value;
const loose = (context: object): object =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [name, looseInstant(value)]));
const sortedBy = <T>(items: readonly T[], key: (item: T) => string): T[] =>
  items.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));

/**
 * I30 is not checked for walks that send a crash in every state: the product sends one only where the row is
 * marked with a pass, and the walks set no mark.
 */
export const CRASHES_ANYWHERE = ['I30'];
