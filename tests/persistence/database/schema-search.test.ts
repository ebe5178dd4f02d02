import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeTestDatabases } from '../../support/database/legacy-database.ts';
import { type ListingRows, openRows } from '../../support/database/schema-rows.ts';
import { seedApproval } from '../../support/database/seed.ts';

let { rows, propertyId, originalId } = {} as ListingRows;
beforeAll(async () => {
  rows = await openRows();
});
afterAll(closeTestDatabases);
beforeEach(async () => {
  ({ propertyId, originalId } = await rows.listing());
});

const run = (sql: string, values: unknown[]) => rows.pool.query(sql, values);

/**
 * The increase of the listing's search version while `change` runs; the row is dirty exactly when it grows.
 */
async function growth(change: () => Promise<unknown>, id = propertyId): Promise<number> {
  await run('update properties set "searchDirtyAt" = null where id = $1', [id]);
  const before = await rows.one('properties', id);
  await change();
  const after = await rows.one('properties', id);
  const grown = Number(after.searchVersion) - Number(before.searchVersion);
  expect(after.searchDirtyAt !== null).toBe(grown > 0);
  return grown;
}
const setImage = (id: string, assignment: string) =>
  run(`update property_images set ${assignment} where id = $1`, [id]);
const setListing = (assignment: string) =>
  run(`update properties set ${assignment} where id = $1`, [propertyId]);
const remove = (id: string) => run('delete from property_images where id = $1', [id]);

describe('listings', () => {
  test('a new one is marked for indexing', async () => {
    const row = await rows.one('properties', await rows.property());
    expect(row).toMatchObject({ searchDirtyAt: expect.any(Date), searchVersion: '1' });
  });

  test.each([
    `"listPrice" = 1`,
    `"standardStatus" = 'Pending'`,
    `features = '{BALCONY}'`,
    `latitude = 47.6`,
    `"publicRemarks" = 'new'`,
    `"bedroomsTotal" = 3, "searchDirtyAt" = null`,
  ])('%s marks the listing for indexing', async (assignment) => {
    expect(await growth(() => setListing(assignment))).toBe(1);
  });

  test.each([`"listPrice" = "listPrice"`, `"searchIndexedAt" = now()`, `"updatedAt" = now()`])(
    '%s does not mark it',
    async (assignment) => {
      expect(await growth(() => setListing(assignment))).toBe(0);
    },
  );

  test('the indexer may clear the mark', async () => {
    await setListing('"searchDirtyAt" = null, "searchIndexedAt" = now()');
    expect(await rows.one('properties', propertyId)).toMatchObject({ searchDirtyAt: null });
  });

  test('a deleted one leaves a tombstone, again after it was restored', async () => {
    const stone = async () =>
      (await run('select "deletedAt" from search_tombstones where "propertyId" = $1', [propertyId])).rows;
    await run('delete from properties where id = $1', [propertyId]);
    const [first] = await stone();
    expect(first.deletedAt).toBeInstanceOf(Date);
    await rows.property({ id: propertyId });
    await run('delete from properties where id = $1', [propertyId]);
    expect(await stone()).toHaveLength(1);
    expect((await stone())[0].deletedAt.getTime()).toBeGreaterThanOrEqual(first.deletedAt.getTime());
  });
});

describe('what the public sees of the images', () => {
  test('originals are added, changed and deleted', async () => {
    let id = '';
    // Its birth, and its verdict.
    expect(await growth(async () => (id = await rows.original(propertyId)))).toBe(2);
    for (const assignment of [
      `"isMain" = true`,
      'position = 9',
      `"imageOf" = 'Patio'`,
      `"roomType" = 'OFFICE'`,
    ])
      expect(await growth(() => setImage(id, assignment))).toBe(1);
    // It was the cover; the original that becomes the new cover counts as a change, too.
    expect(await growth(() => remove(id))).toBe(2);
  });

  test('a variant is approved, changed and deleted', async () => {
    const id = await rows.staged(propertyId, originalId);
    expect(await growth(() => seedApproval(rows.pool, id))).toBe(1);
    expect(await growth(() => setImage(id, `"withdrawnAt" = now(), "withdrawnBy" = 'AGENT'`))).toBe(1);
    expect(await growth(() => setImage(id, `"withdrawnAt" = null, "withdrawnBy" = null`))).toBe(1);
    expect(await growth(() => setImage(id, 'position = 4'))).toBe(1);
    expect(await growth(() => remove(id))).toBe(1);
  });

  test('an original with an approved variant is deleted', async () => {
    await seedApproval(rows.pool, await rows.staged(propertyId, originalId));
    expect(await growth(() => remove(originalId))).toBeGreaterThan(0);
  });
});

describe('what the public does not see', () => {
  test('a private variant is added, changed and deleted', async () => {
    let id = '';
    expect(await growth(async () => (id = await rows.staged(propertyId, originalId)))).toBe(0);
    for (const assignment of ['position = 3', 'version = version + 1', `style = 'x'`])
      expect(await growth(() => setImage(id, assignment))).toBe(0);
    expect(await growth(() => remove(id))).toBe(0);
  });

  test.each([
    'version = version + 1',
    `"roomType" = "roomType"`,
    `"providerInputKey" = id::text`,
    'position = position',
  ])('an original with %s', async (assignment) => {
    expect(await growth(() => setImage(originalId, assignment))).toBe(0);
  });
});
