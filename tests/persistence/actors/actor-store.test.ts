import { actorStoreConformance } from '../../support/database/actor-store-conformance.ts';
import {
  type SeededOriginal,
  seedOriginal,
  seedStagingJob,
  seedVariant,
} from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();

actorStoreConformance('PostgreSQL', async () => {
  await database.clear();
  const { pool, store } = database;
  const originals = new Map<string, SeededOriginal>();
  const original = async () => {
    const made = await seedOriginal(pool);
    originals.set(made.imageId, made);
    return made;
  };
  return {
    store,
    original,
    async job({ originalImageId, ...seed } = {}) {
      const found = originalImageId === undefined ? await original() : originals.get(originalImageId);
      if (!found) throw new Error(`no original ${originalImageId}`);
      return (await seedStagingJob(pool, { ...seed, original: found })).jobId;
    },
    async variant(originalImageId) {
      const found = originals.get(originalImageId);
      if (!found) throw new Error(`no original ${originalImageId}`);
      return seedVariant(pool, found);
    },
    journal: (kind, id) => journalOf(pool, kind, id),
    async deleteOriginal(imageId) {
      await pool.query('delete from property_images where id = $1', [imageId]);
    },
  };
});
