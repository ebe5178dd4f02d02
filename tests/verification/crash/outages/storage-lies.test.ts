import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { askStores } from '../../../../ops/invariants/ask-stores.ts';
import { createObjectStorage } from '../../../../src/storage/object-storage.ts';
import { eventually } from '../../../support/eventually.ts';
import { attemptReaches } from '../../../support/platform/listing.ts';
import { finishBoughtOnce } from '../../../support/platform/outcomes.ts';
import {
  imageRow,
  openStagingWorld,
  outboxOf,
  type StagingWorld,
  storedKeys,
  variantsOf,
} from '../../../support/platform/staging-world.ts';
import { type FaultController, openFaultController } from '../fault-controller.ts';
import { openWorkerSlot, type WorkerSlot } from '../worker-slot.ts';
import { createStorageFaults, type StorageFaults } from './storage-faults.ts';

/** An object store that acknowledges operations that it has not done. */
let faultController: FaultController;
let world: StagingWorld;
let slot: WorkerSlot;
let storageFaults: StorageFaults;

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0 });
  storageFaults = createStorageFaults(world.platform.bucket.bucket);
  slot = await openWorkerSlot(world.platform, { faultController, storageFaults });
  await slot.open();
}, 60_000);
afterEach(() => storageFaults.change('fair'));
afterAll(async () => {
  await slot.close();
  await world.close();
  await faultController.close();
});

test('a put that was acknowledged and lost: the result is put again before a row names it', async () => {
  storageFaults.change('put acknowledged and lost');
  const { aiJobId, originalImageId } = await world.newJob();
  await eventually(() => storageFaults.met() >= 2, { what: 'two puts to be lost' });
  await attemptReaches(world.platform, aiJobId, 'COLLECTING');
  expect(await variantsOf(world, originalImageId)).toEqual([]);
  storageFaults.change('fair');
  await finishBoughtOnce(world.platform, [aiJobId]);
  const [variant] = await variantsOf(world, originalImageId);
  expect(await storedKeys(world)).toContain(variant?.objectKey);
});

test('a slow store: the result waits and is recorded once', async () => {
  storageFaults.change('slow');
  const { aiJobId, originalImageId } = await world.newJob();
  await finishBoughtOnce(world.platform, [aiJobId]);
  expect(storageFaults.met()).toBeGreaterThan(0);
  expect(await variantsOf(world, originalImageId)).toHaveLength(1);
});

test('a deletion that was acknowledged and not done: the object stays, and I19 names it and nothing else', async () => {
  const original = await world.newOriginal();
  const row = await imageRow(world, original);
  const keys = [row?.objectKey ?? '', row?.paddedInputKey ?? ''].toSorted();
  storageFaults.change('delete acknowledged and lost');
  await world.agent.request('DELETE', `/api/property-images/${original}`);
  await eventually(async () => (await outboxOf(world, keys)).every(({ status }) => status === 'DELETED'), {
    what: 'the deletions to be taken for done',
  });
  expect([...storageFaults.lostDeletions].toSorted()).toEqual(keys);
  const { platform } = world;
  const objects = createObjectStorage(platform.bucket);
  const stores = { pool: platform.pool, redis: null, objects, queueSuffix: platform.queueSuffix };
  const verdicts = await askStores({ ...stores, publicBaseUrl: undefined }, 'both');
  objects.close();
  expect(verdicts.filter(({ outcome }) => outcome === 'broken')).toMatchObject([
    { id: 'I19', lines: keys.map((key) => `object ${key} belongs to no row`) },
  ]);
});
