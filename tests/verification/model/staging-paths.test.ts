import { describe, expect, test } from 'vitest';
import { deleteOriginal } from '../../../supervisors/actors/original-deletion.ts';
import { seedStagingJob } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { expectJournalCovers } from './journal-coverage.ts';
import { newScene, type PathEvent, tell } from './staging-inputs.ts';
import { STAGING_PATHS } from './staging-paths.ts';
import { CRASHES_ANYWHERE, expectInvariants } from './staging-rows.ts';
import {
  expectRows,
  freshIds,
  holdJob,
  type NotingActorSystem,
  notingActorSystem,
  type StagingScene,
  sayToBoth,
} from './staging-scene.ts';

/**
 * Every shortest path of a job and its attempts on the real database; after each step the rows equal the
 * model, and so do the worker events, alerts and queue entries that follow the commits.
 */
/** Crashes no longer fail a job in CANCEL_REQUESTED; only journals of older releases have this transition. */
const ONLY_REPLAYED = ['CANCELING ABANDONED FAILED'];
/** Each path ends with a cancellation and its repeat. */
const CANCELED: PathEvent = { to: 'job', event: { type: 'CANCEL_ASKED', at: AT } };
const database = useStoreDatabase();

async function openScene(): Promise<StagingScene & NotingActorSystem> {
  const { pool } = database;
  const { imageId, propertyId, jobId, objectKey, providerInputKey } = await seedStagingJob(pool);
  await holdJob(pool, jobId, AT);
  const ids = { job: jobId, objectKey, providerInputKey };
  return { imageId, propertyId, jobId, model: newScene({ ...ids, version: 0 }), ...notingActorSystem(pool) };
}

async function say(scene: StagingScene & NotingActorSystem, told: PathEvent): Promise<void> {
  const { pool } = database;
  const { actorSystem } = scene;
  if (told.event.type !== 'ORIGINAL_DELETED') return sayToBoth({ pool, actorSystem }, scene, told);
  const { imageId, model } = scene;
  const wasThere = model.original !== null;
  expect(await deleteOriginal(actorSystem, { imageId, at: told.event.at, by: 'web' })).toBe(wasThere);
  tell(model, told);
}

describe('every path of a job and its attempts, on the database', () => {
  test.each(STAGING_PATHS)('$title', async ({ told }) => {
    const scene = await openScene();
    await expectRows(database.pool, scene);
    for (const word of [...freshIds(told), CANCELED, CANCELED]) {
      await say(scene, word);
      await expectRows(database.pool, scene);
      expect(scene.notices()).toMatchObject(scene.model.notices);
    }
  });

  test.each(['stagingJob', 'providerAttempt'] as const)(
    'the paths took every transition of the table: %s',
    (kind) => expectJournalCovers(database.pool, kind, ONLY_REPLAYED),
  );

  test('no invariant is broken', () => expectInvariants(database.pool, AT, CRASHES_ANYWHERE));
});
