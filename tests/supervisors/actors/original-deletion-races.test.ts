import { beforeEach, expect, test } from 'vitest';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES, stored } from '../../support/worlds/job-driver.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

test('an original is deleted while two jobs store results: all rows are removed, every object is queued for deletion', async () => {
  const runtime = openTestRuntime(database);
  for (let round = 0; round < 8; round += 1) {
    await database.clear();
    const first = await JobDriver.open(runtime);
    const second = await JobDriver.open(runtime, { original: first.seeded, canonicalStyle: 'LUXURY' });
    const stagedKeys: (string | null)[] = [];
    for (const driver of [first, second]) {
      await driver.play(ROUTES.COLLECTING());
      stagedKeys.push((await driver.attempt()).context.objectKey);
    }
    const { imageId } = first.seeded;
    await Promise.all([
      first.sendToAttempt(stored()),
      deleteOriginal(runtime.actorSystem, { imageId, at: MANUAL_EPOCH + 60_000, by: 'user:ada' }),
      second.sendToAttempt(stored()),
    ]);
    const { rows: images } = await database.pool.query('select id from property_images');
    expect(images).toEqual([]);
    const { rows: queued } = await database.pool.query<{ objectKey: string }>(
      `select "objectKey" from storage_deletion_outbox where "objectKey" like 'staged/%'`,
    );
    expect(queued.map(({ objectKey }) => objectKey).toSorted()).toEqual(stagedKeys.toSorted());
    for (const driver of [first, second])
      expect(['SUCCESS,SUCCEEDED', 'CANCELED,DISCARDED']).toContain((await driver.states()).join());
  }
});
