import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { askStores } from '../../../../ops/invariants/ask-stores.ts';
import { seedOriginal, seedVariant } from '../../../support/database/seed.ts';
import { openStoreDatabase, type StoreDatabase } from '../../../support/database/store-database.ts';
import { sharedStack } from '../../../support/platform/stack.ts';
import { runMutated } from './mutated-program.ts';
import { MUTATIONS } from './mutations.ts';

/**
 * The mistake that the simulation cannot test, because SQL writes the documents: on real PostgreSQL and Redis
 * a worker with it publishes a private picture, and the invariants of the installation report it.
 */
const publicBaseUrl = 'https://api.example.com';
/** A logical Redis database for this file alone, because documents have no prefix per file. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/10';
let database: StoreDatabase;
let redis: Redis;
beforeAll(async () => {
  database = await openStoreDatabase();
  redis = new Redis(kvUrl.href);
});
afterAll(async () => {
  await redis.flushdb();
  redis.disconnect();
  await database.close();
});
beforeEach(async () => {
  await database.clear();
  await redis.flushdb();
});

/** A listing with a private and an approved variant, its document rebuilt by a worker with that mutation. */
async function rebuiltWith(mutation: string | null): Promise<{ propertyId: string; pending: string }> {
  const original = await seedOriginal(database.pool);
  const { propertyId } = original;
  const pending = await seedVariant(database.pool, original);
  await seedVariant(database.pool, original, { canonicalStyle: 'LUXURY', reviewStatus: 'APPROVED' });
  const env = { DATABASE_URL: database.url, KV_URL: kvUrl.href, PUBLIC_BASE_URL: publicBaseUrl };
  const { code, lastLine } = await runMutated(mutation, {
    script: 'rebuild-document.ts',
    args: [propertyId],
    env,
  });
  expect([code, lastLine]).toEqual([0, '']);
  return { propertyId, pending };
}

async function brokenNow(): Promise<{ id: string; lines: readonly string[] }[]> {
  const stores = {
    pool: database.pool,
    redis,
    objects: null,
    queueSuffix: '-search-mutation',
    publicBaseUrl,
  };
  const verdicts = (await askStores(stores, 'both')).filter(({ id }) => id === 'I18' || id === 'I24');
  expect(verdicts.map(({ outcome }) => ['holds', 'broken'].includes(outcome))).toEqual([true, true]);
  return verdicts.flatMap(({ id, outcome, lines }) => (outcome === 'broken' ? { id, lines } : []));
}

test('a worker without the mutation breaks no invariant', async () => {
  await rebuiltWith(null);
  expect(await brokenNow()).toEqual([]);
});

for (const { name, expects } of MUTATIONS.filter(({ noticedBy }) => noticedBy === 'search documents'))
  test(`an installation notices: ${name}`, async () => {
    const { propertyId, pending } = await rebuiltWith(name);
    const broken = await brokenNow();
    expect(broken.map(({ id }) => id)).toEqual(expects);
    expect(broken.flatMap(({ lines }) => lines)).toEqual([
      `image ${pending} waits for its review and is in the document of ${propertyId}`,
      expect.stringMatching(`^document ${propertyId} is wrong: `),
    ]);
  });
