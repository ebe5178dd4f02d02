import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type MismatchReportContext, mismatchReportMachine } from '../../../machines/mismatch-report.ts';
import { initialJob, jobMachine, type StagingJobContext } from '../../../machines/staging-job.ts';
import { step } from '../../../machines/step.ts';
import { closeTestDatabases, openTestDatabase } from '../../support/database/legacy-database.ts';
import { Rows } from '../../support/database/schema-rows.ts';
import { seedApproval } from '../../support/database/seed.ts';
import { seedReport } from '../../support/database/seed-report.ts';
import { leavesOf, nameOf } from '../../support/machines/every-machine.ts';

let rows: Rows;
let propertyId: string;
let originalId: string;
beforeAll(async () => {
  rows = new Rows((await openTestDatabase({ migrated: true })).pool);
});
afterAll(closeTestDatabases);
beforeEach(async () => {
  await rows.pool.query('truncate storage_deletion_outbox');
  propertyId = await rows.property();
  originalId = await rows.original(propertyId, {
    objectKey: `o/${propertyId}`,
    providerInputKey: `i/${propertyId}`,
  });
});

const query = async (sql: string, values: unknown[]) => (await rows.pool.query(sql, values)).rows;
const deleteImage = (id: string) => query('delete from property_images where id = $1', [id]);
const outbox = async () =>
  Object.fromEntries(
    (await query('select "objectKey", reason, status, attempts from storage_deletion_outbox', [])).map(
      (row) => {
        expect(row).toMatchObject({ status: 'PENDING', attempts: 0 });
        return [row.objectKey, row.reason];
      },
    ),
  );

describe('files of deleted images', () => {
  test('a staged image of an original that stays', async () => {
    await deleteImage(await rows.staged(propertyId, originalId, { objectKey: 's/1' }));
    expect(await outbox()).toEqual({ 's/1': 'STAGED_IMAGE_DELETED' });
    expect(await rows.one('property_images', originalId)).toBeDefined();
  });

  test('an original is deleted with its variants and all provider copies', async () => {
    const staged = await rows.staged(propertyId, originalId, { objectKey: 's/2' });
    const approved = await rows.staged(propertyId, originalId, {
      objectKey: 's/3',
      canonicalStyle: 'LUXURY',
    });
    await seedApproval(rows.pool, approved);
    const other = await rows.original(propertyId);
    await deleteImage(originalId);
    expect(await outbox()).toEqual({
      [`o/${propertyId}`]: 'ORIGINAL_IMAGE_DELETED',
      [`i/${propertyId}`]: 'ORIGINAL_IMAGE_DELETED',
      's/2': 'ORIGINAL_IMAGE_DELETED',
      's/3': 'ORIGINAL_IMAGE_DELETED',
    });
    for (const id of [staged, approved]) expect(await rows.one('property_images', id)).toBeUndefined();
    expect(await rows.one('property_images', other)).toBeDefined();
  });

  test('deleting a listing deletes everything that belongs to it', async () => {
    await rows.staged(propertyId, originalId, { objectKey: 's/4' });
    await query('delete from properties where id = $1', [propertyId]);
    expect(Object.keys(await outbox()).sort()).toEqual([`i/${propertyId}`, `o/${propertyId}`, 's/4']);
  });
});

describe('reports of a picture that is deleted without its machine', () => {
  const early = Date.parse('2026-01-01T00:00:00Z');
  test.each(leavesOf(mismatchReportMachine).map(nameOf))(
    'the trigger makes the same change as the machine: %s',
    async (state) => {
      const imageId = await rows.staged(propertyId, originalId);
      await seedApproval(rows.pool, imageId);
      const reportId = randomUUID();
      const customerId = await rows.user();
      await seedReport(rows.pool, { reportId, imageId, propertyId, customerId });
      const context: MismatchReportContext = {
        createdAt: early,
        answeredAt: state === 'OPEN' ? null : early,
        answeredByUserId: state === 'ACKNOWLEDGED' ? customerId : null,
      };
      await query(
        `update mismatch_reports set status = $2, "createdAt" = $3, "answeredAt" = $4, "answeredByUserId" = $5
         where id = $1`,
        [reportId, state, new Date(early), context.answeredAt && new Date(early), context.answeredByUserId],
      );
      const before = await rows.one('mismatch_reports', reportId);
      await deleteImage(imageId);

      const after = await rows.one('mismatch_reports', reportId);
      const journal = await query('select * from actor_transitions where "actorId" = $1', [reportId]);
      const at = journal[0]?.event.at ?? early;
      const event = { type: 'PICTURE_DELETED', at } as const;
      const expected = step(mismatchReportMachine, { state, context }, event);
      if (expected.outcome === 'ignored') {
        expect([after, journal]).toEqual([before, []]);
        return;
      }
      const { answeredAt, answeredByUserId } = expected.next.context;
      expect(after).toEqual({
        ...before,
        status: expected.next.state,
        answeredAt: answeredAt && new Date(answeredAt),
        answeredByUserId,
        version: 2,
      });
      expect(journal).toMatchObject([
        {
          seq: 2,
          event,
          fromState: state,
          toState: expected.next.state,
          at: new Date(at),
          actedBy: 'database',
        },
      ]);
    },
  );
});

describe('jobs of a deleted original', () => {
  const early = Date.parse('2026-01-01T00:00:00Z');
  const starts: { state: string; context?: Partial<StagingJobContext> }[] = [
    { state: 'PENDING.QUEUED' },
    { state: 'PENDING.PROVIDER_DISABLED' },
    { state: 'PROCESSING.ATTEMPT', context: { startedAt: early, attemptCount: 1 } },
    {
      state: 'RETRYING.BACKOFF',
      context: { startedAt: early, attemptCount: 1, retryAt: early + 30_000, errorCode: 'PROVIDER_FAILED' },
    },
    { state: 'CANCEL_REQUESTED', context: { startedAt: early, attemptCount: 1, cancelRequestedAt: early } },
    { state: 'SUCCESS', context: { startedAt: early, finishedAt: early, attemptCount: 1 } },
    { state: 'FAILED', context: { finishedAt: early, errorCode: 'PROVIDER_FAILED' } },
    { state: 'CANCELED', context: { cancelRequestedAt: early, canceledAt: early, finishedAt: early } },
  ];
  const instants = ['startedAt', 'finishedAt', 'cancelRequestedAt', 'canceledAt', 'retryAt'] as const;
  const asDate = (at: number | null) => (at === null ? null : new Date(at));

  test('every state of the machine is compared', () => {
    expect(starts.map(({ state }) => state).toSorted()).toEqual(leavesOf(jobMachine).map(nameOf).toSorted());
  });

  test.each(starts)(
    'the trigger makes the same change as the machine: $state',
    async ({ state, context: given = {} }) => {
      const context = { ...initialJob('stagingJob'), ...given };
      const [status, phase = null] = state.split('.');
      const lease = state === 'PENDING.QUEUED' || state === 'PROCESSING.ATTEMPT';
      const id = await rows.stagingJob(originalId, {
        status,
        phase,
        errorCode: context.errorCode,
        version: 5,
        leaseOwner: lease ? 'worker:a' : null,
        leaseExpiresAt: lease ? new Date(early) : null,
        ...Object.fromEntries(instants.map((name) => [name, asDate(context[name])])),
      });
      const before = await rows.one('ai_jobs', id);
      await deleteImage(originalId);

      const after = await rows.one('ai_jobs', id);
      const journal = await query('select * from actor_transitions where "actorId" = $1', [id]);
      const at = journal[0]?.event.at ?? early;
      const expected = step(jobMachine, { state, context }, { type: 'ORIGINAL_DELETED', at });
      if (expected.outcome === 'ignored') {
        expect(after).toEqual(before);
        expect(journal).toEqual([]);
        return;
      }
      const [nextStatus, nextPhase = null] = expected.next.state.split('.');
      expect(after).toMatchObject({
        status: nextStatus,
        phase: nextPhase,
        errorCode: expected.next.context.errorCode,
        version: 6,
        updatedAt: new Date(at),
        ...Object.fromEntries(instants.map((name) => [name, asDate(expected.next.context[name])])),
      });
      expect(after.leaseOwner).toBe(expected.final ? null : before.leaseOwner);
      expect(after.leaseExpiresAt).toEqual(expected.final ? null : before.leaseExpiresAt);
      expect(journal).toMatchObject([
        {
          actorKind: 'stagingJob',
          seq: 6,
          eventType: 'ORIGINAL_DELETED',
          event: { type: 'ORIGINAL_DELETED', at },
          fromState: state,
          toState: expected.next.state,
          at: new Date(at),
          actedBy: 'database',
          leaseEpoch: null,
        },
      ]);
    },
  );

  test('every job of the original changes, none of another; a deleted variant changes none', async () => {
    const mine = [await rows.stagingJob(originalId), await rows.stagingJob(originalId)];
    const other = await rows.stagingJob(await rows.original(propertyId));
    const statuses = async (ids: string[]) =>
      (await query('select status from ai_jobs where id = any($1)', [ids])).map(({ status }) => status);
    await deleteImage(await rows.staged(propertyId, originalId));
    expect(await statuses([...mine, other])).toEqual(['PENDING', 'PENDING', 'PENDING']);
    await deleteImage(originalId);
    expect(await statuses(mine)).toEqual(['CANCELED', 'CANCELED']);
    expect(await statuses([other])).toEqual(['PENDING']);
  });

  test('deleting the listing also cancels its jobs', async () => {
    const id = await rows.stagingJob(originalId, { propertyId });
    await query('delete from properties where id = $1', [propertyId]);
    expect(await rows.one('ai_jobs', id)).toMatchObject({ status: 'CANCELED', propertyId: null, version: 1 });
  });
});

describe('history', () => {
  const review = (kind: string) =>
    query(
      `insert into property_image_review_events (kind, "imageId", at) values ($1, gen_random_uuid(), now())`,
      [kind],
    );

  test.each([
    ['actor_transitions', 'true'],
    ['property_image_review_events', `kind = 'REJECTED'`],
  ])('%s may be pruned, never rewritten', async (table, prunable) => {
    await rows.pool.query(
      `insert into actor_transitions ("actorKind", "actorId", seq, "eventType", event, "toState", at, "actedBy")
       values ('stagingJob', gen_random_uuid(), 1, 'E', '{}', 'S', now(), 'test')`,
    );
    await review('REJECTED');
    await expect(rows.pool.query(`update ${table} set at = now()`)).rejects.toThrow(
      `rows of ${table} are never changed`,
    );
    expect((await rows.pool.query(`delete from ${table} where ${prunable}`)).rowCount).toBeGreaterThan(0);
  });

  test('approvals are never pruned', async () => {
    await review('APPROVED');
    const refusal = 'rows of property_image_review_events are never changed';
    await expect(
      rows.pool.query(`delete from property_image_review_events where kind = 'APPROVED'`),
    ).rejects.toThrow(refusal);
    await expect(rows.pool.query('truncate property_image_review_events')).rejects.toThrow(refusal);
  });
});
