import { type SeededOriginal, seedOriginal, seedStagingJob, seedVariant } from './seed.ts';
import { journalOf, type StoreDatabase } from './store-database.ts';
import type { StoreUnderTest } from './store-under-test.ts';

/** The store of an emptied database, for the contract of every store. */
export async function postgresStoreUnderTest(database: StoreDatabase): Promise<StoreUnderTest> {
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
}
