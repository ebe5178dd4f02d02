import { beforeEach, describe, expect, test } from 'vitest';
import { createTranslator } from '../../../i18n/translator.ts';
import { MEDIA_ALTERATIONS } from '../../../machines/disclosure/alterations.ts';
import { readDisclosureListing } from '../../../persistence/images/disclosure-pictures.ts';
import { readPropertyDetail } from '../../../persistence/listings/property-details.ts';
import { toPropertyDetail } from '../../../src/wire/listings/property-detail.ts';
import { seedOriginal, seedProperty, seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';

const database = useStoreDatabase();
let agentId: string;
let propertyId: string;
beforeEach(async () => {
  await database.clear();
  agentId = await seedUser(database.pool);
  propertyId = await seedProperty(database.pool, { ownerAgentId: agentId, standardStatus: 'Active' });
});

const run = (sql: string, values: unknown[] = []) => database.pool.query(sql, values);
const photo = (overrides: Record<string, unknown> = {}) =>
  seedOriginal(database.pool, { propertyId, ...overrides });
const BY_FILE = { alteration: 'Virtual Staging - Item Addition', alterationBy: 'FILE' };
const alter = (imageId: string, alteration: string, by = 'FILE') =>
  run(`update property_images set alteration = $2, "alterationBy" = $3 where id = $1`, [
    imageId,
    alteration,
    by,
  ]);
const covers = async () =>
  (await run('select id from property_images where "isMain"')).rows.map(({ id }) => id);

describe('the rows of altered photos', () => {
  test('every kind of RESO is stored, and no other', async () => {
    const { imageId } = await photo();
    for (const alteration of MEDIA_ALTERATIONS) await alter(imageId, alteration);
    const refusal = { constraint: 'property_images_alteration_check' };
    for (const alteration of ['None', 'Painted'])
      await expect(alter(imageId, alteration)).rejects.toMatchObject(refusal);
    await expect(alter(imageId, 'Model Home', 'GUESS')).rejects.toMatchObject(refusal);
    await expect(photo({ alteration: 'Model Home' })).rejects.toMatchObject(refusal);
    await expect(photo({ alterationBy: 'FILE' })).rejects.toMatchObject(refusal);
    await expect(photo({ ...BY_FILE, isMain: true })).rejects.toMatchObject(refusal);
    await expect(
      run('update property_images set "alteredFromId" = id where id = $1', [imageId]),
    ).rejects.toMatchObject({ constraint: 'property_images_altered_from_check' });
  });

  test('the cover passes on when it is altered, and never to an altered photo', async () => {
    const cover = await photo({ isMain: true, position: 0 });
    await photo({ ...BY_FILE, position: 1 });
    const last = await photo({ position: 2 });
    await alter(cover.imageId, 'Twilight Conversion');
    expect(await covers()).toEqual([last.imageId]);
    await run('delete from property_images where id = $1', [last.imageId]);
    expect(await covers()).toEqual([]);
  });

  test('the original may be deleted before the altered photo', async () => {
    const original = await photo();
    const { imageId } = await photo({ ...BY_FILE, alteredFromId: original.imageId });
    await run('delete from property_images where id = $1', [original.imageId]);
    const { rows } = await run('select "alteredFromId" from property_images where id = $1', [imageId]);
    expect(rows).toEqual([{ alteredFromId: null }]);
  });
});

describe('what the public sees of an altered photo', () => {
  const detail = async (pictures: 'any' | 'realFirst' | 'realOnly') => {
    const found = await readPropertyDetail(database.pool, { propertyId, viewerId: null });
    const words = createTranslator('es', 'user');
    return toPropertyDetail(found!, { publicBaseUrl: 'https://homes.example', at: 0, words, pictures });
  };

  test.each([
    ['Virtual Staging - Item Addition', 'Virtually staged', 'Amueblado virtual'],
    ['Twilight Conversion', 'Digitally altered', 'Alterada digitalmente'],
  ])('%s has the label %s, and is no true photo', async (alteration, label, text) => {
    const altered = await photo({ alteration, alterationBy: 'FILE', position: 0 });
    const real = await photo({ position: 1 });
    const shown = await detail('any');
    expect(shown.coverImageId).toBe(real.imageId);
    expect(shown.images[0]).toMatchObject({
      imageId: altered.imageId,
      isStyled: false,
      alteration,
      alterationBy: 'FILE',
      disclosureLabel: label,
      disclosureText: text,
      altText: expect.stringContaining(text),
      provenanceUrl: null,
    });
    const ids = async (choice: 'realFirst' | 'realOnly') =>
      (await detail(choice)).images.map(({ imageId }) => imageId);
    expect(await ids('realFirst')).toEqual([real.imageId, altered.imageId]);
    expect(await ids('realOnly')).toEqual([real.imageId]);
    expect((await detail('realOnly')).hiddenStagedCount).toBe(1);
  });

  test('the check of a market asks for its original', async () => {
    const { imageId } = await photo(BY_FILE);
    const listing = await readDisclosureListing(database.pool, { subject: { propertyId }, agentId });
    expect(listing?.pictures).toMatchObject([
      { imageId, isAltered: true, isStaged: false, label: 'Virtually staged', hasMachineReadableMark: false },
    ]);
  });
});
