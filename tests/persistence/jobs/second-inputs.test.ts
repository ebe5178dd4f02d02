import { beforeEach, expect, test } from 'vitest';
import { inTransaction } from '../../../persistence/actors/postgres-actor-store.ts';
import { dropLostReference } from '../../../persistence/jobs/job-inputs.ts';
import { referenceOfGroup } from '../../../persistence/jobs/room-groups.ts';
import {
  seedOriginal,
  seedProperty,
  seedRoomGroup,
  seedStagingJob,
  seedUser,
  seedVariant,
} from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';

/** When a job loses the second input that it was submitted with (docs/contract.md#room-groups). */
const database = useStoreDatabase();
let picture: { id: string; objectKey: string };
let jobId: string;

beforeEach(async () => {
  await database.clear();
  const { pool } = database;
  const propertyId = await seedProperty(pool);
  const [shown, other] = [await seedOriginal(pool, { propertyId }), await seedOriginal(pool, { propertyId })];
  const groupId = await seedRoomGroup(pool, { propertyId, imageIds: [shown.imageId, other.imageId] });
  const made = await seedStagingJob(pool, { original: shown, details: { groupId } });
  const id = await seedVariant(pool, shown, {
    aiJobId: made.jobId,
    reviewStatus: 'APPROVED',
    reviewedByUserId: await seedUser(pool),
    reviewedAt: new Date(MANUAL_EPOCH),
  });
  picture = { id, objectKey: `staged/${id}.jpg` };
  const details = { groupId, referenceImageKey: picture.objectKey };
  ({ jobId } = await seedStagingJob(pool, { original: other, details }));
});

const named = async () => {
  const { rows } = await database.pool.query<{ key: string | null }>(
    'select "referenceImageKey" as key from ai_room_staging_jobs where "aiJobId" = $1',
    [jobId],
  );
  return rows[0]?.key;
};
const takeLease = async (owner: string, at: number) => {
  const taken = await database.store.acquireLease({ jobId, owner, at, ttlMs: 30_000 });
  if (taken === null) throw new Error(`${owner} gets no lease`);
  return { jobId, owner, epoch: taken.lease.epoch };
};
const removePicture = () => database.pool.query('delete from property_images where id = $1', [picture.id]);

test('it keeps a picture that is there, and loses one that is gone, once', async () => {
  const held = await takeLease('node-a', MANUAL_EPOCH);
  expect([await dropLostReference(database.pool, held), await named()]).toEqual([false, picture.objectKey]);
  await removePicture();
  expect([await dropLostReference(database.pool, held), await named()]).toEqual([true, null]);
  expect(await dropLostReference(database.pool, held)).toBe(false);
});

test('it loses a picture that was withdrawn, and no other job takes it', async () => {
  const held = await takeLease('node-a', MANUAL_EPOCH);
  const next = () =>
    inTransaction(database.pool, async (client) => {
      const { rows } = await client.query<{ groupId: string }>(
        'select "groupId" from ai_room_staging_jobs where "aiJobId" = $1',
        [jobId],
      );
      return referenceOfGroup(client, rows[0]?.groupId ?? '');
    });
  expect(await next()).toBe(picture.objectKey);
  await database.pool.query(
    `update property_images set "withdrawnAt" = now(), "withdrawnBy" = 'AGENT' where id = $1`,
    [picture.id],
  );
  expect(await next()).toBeNull();
  expect([await dropLostReference(database.pool, held), await named()]).toEqual([true, null]);
  // Shown again, it is the reference of later jobs; a job that lost it does not get it back.
  await database.pool.query(
    `update property_images set "withdrawnAt" = null, "withdrawnBy" = null where id = $1`,
    [picture.id],
  );
  expect([await next(), await named()]).toEqual([picture.objectKey, null]);
  await removePicture();
  expect(await next()).toBeNull();
});

test('a worker that was overtaken changes nothing: the next one may have sent the picture', async () => {
  const before = await takeLease('node-a', MANUAL_EPOCH);
  const after = await takeLease('node-b', MANUAL_EPOCH + 31_000);
  await removePicture();
  expect([await dropLostReference(database.pool, before), await named()]).toEqual([false, picture.objectKey]);
  expect([await dropLostReference(database.pool, after), await named()]).toEqual([true, null]);
});
