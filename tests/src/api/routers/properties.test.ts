import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';

let agent: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
});

const listing = {
  listPrice: 1_250_000.5,
  bedroomsTotal: 3,
  bathroomsTotal: 2.5,
  livingArea: 1800.25,
  address: '12 Harbour Lane',
  city: 'Seattle',
  stateOrProvince: 'WA',
  postalCode: '98101',
  latitude: 47.6,
  longitude: -122.33,
  propertyType: 'Residential',
  publicRemarks: 'Light.\nQuiet — near the water.',
  features: ['WATER_VIEW', 'FIREPLACE', 'FIREPLACE'],
};
const row = async (propertyId: string) => {
  const [found] = await host.rows<Record<string, unknown>>('select * from properties where id = $1', [
    propertyId,
  ]);
  return found;
};

describe('properties', () => {
  test('create stores the listing, offers to its agents and a dirty mark, and notifies search', async () => {
    const colleague = await host.signedIn();
    const answer = await agent.mutate('properties.create', {
      ...listing,
      assignedAgentIds: [colleague.id, agent.id],
    });
    expect(answer.status).toBe(200);
    const { propertyId } = answer.data;
    expect(await row(propertyId)).toMatchObject({
      ownerAgentId: agent.id,
      listPrice: '1250000.50',
      bathroomsTotal: '2.50',
      currency: 'USD',
      country: 'US',
      livingAreaUnits: 'Square Feet',
      standardStatus: 'Active',
      publicRemarks: 'Light.\nQuiet — near the water.',
      features: ['FIREPLACE', 'WATER_VIEW'],
      yearBuilt: null,
      listedAt: expect.any(Date),
      searchDirtyAt: expect.any(Date),
    });
    expect(host.searched).toContain(propertyId);
    const offers = (await colleague.query('users.listOffers', { propertyId })).data.items;
    expect(offers).toMatchObject([{ kind: 'ASSIGNMENT', status: 'OPEN', from: { agentId: agent.id } }]);
    expect((await colleague.query('properties.listMine', {})).data.items).toEqual([]);
    const { offerId } = offers[0];
    await colleague.mutate('properties.answerOffer', { offerId, accept: true });
    expect((await agent.query('users.listOffers', { propertyId })).data.items).toHaveLength(1);
    const mine = await colleague.query('properties.listMine', {});
    expect(mine.data.items).toMatchObject([
      { propertyId, listPrice: 1_250_000.5, bathroomsTotal: 2.5, imageCount: 0, coverImageId: null },
    ]);
  });

  test('half a position is rejected, at creation and in an update', async () => {
    const { propertyId } = (await agent.mutate('properties.create', listing)).data;
    for (const half of [{ longitude: null }, { latitude: null }]) {
      const created = await agent.mutate('properties.create', { ...listing, ...half });
      expect([created.status, Object.keys(created.body.error.json.data.fields)]).toEqual([400, ['latitude']]);
      expect((await agent.mutate('properties.update', { propertyId, ...half })).status).toBe(400);
    }
    expect((await agent.mutate('properties.update', { propertyId, latitude: 1 })).status).toBe(400);
    expect((await agent.mutate('properties.update', { propertyId, latitude: 1, longitude: 2 })).status).toBe(
      200,
    );
    expect(await row(propertyId)).toMatchObject({ latitude: 1, longitude: 2 });
  });

  test('update writes the given fields and marks the document dirty', async () => {
    const { propertyId } = (await agent.mutate('properties.create', listing)).data;
    await host.rows('update properties set "searchDirtyAt" = null where id = $1', [propertyId]);
    const answer = await agent.mutate('properties.update', {
      propertyId,
      listPrice: 999_999.99,
      yearBuilt: 1999,
      publicRemarks: null,
      features: [],
    });
    expect(answer.data).toEqual({ propertyId });
    expect(await row(propertyId)).toMatchObject({
      listPrice: '999999.99',
      yearBuilt: 1999,
      publicRemarks: null,
      features: [],
      city: 'Seattle',
      searchDirtyAt: expect.any(Date),
    });
  });

  test('setStatus lists a prepared listing, and relists it after it left the market', async () => {
    const { propertyId } = (
      await agent.mutate('properties.create', { ...listing, standardStatus: 'Incomplete' })
    ).data;
    expect((await row(propertyId))?.listedAt).toBeNull();
    await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Active' });
    const listedAt = (await row(propertyId))?.listedAt as Date;
    expect(listedAt).toBeInstanceOf(Date);
    const again = await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Active' });
    expect(again.data).toEqual({ propertyId, standardStatus: 'Active' });
    expect((await row(propertyId))?.listedAt).toEqual(listedAt);
    await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Withdrawn' });
    const answer = await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Active' });
    expect(answer.data).toEqual({ propertyId, standardStatus: 'Active' });
    expect((await row(propertyId))?.listedAt).not.toEqual(listedAt);
  });

  test('getMine shows a draft with its photos, what is missing and what it can become, to its agents only', async () => {
    const draft = {
      ...listing,
      standardStatus: 'Incomplete',
      latitude: null,
      longitude: null,
      publicRemarks: null,
    };
    const { propertyId } = (await agent.mutate('properties.create', draft)).data;
    const mine = async () => (await agent.query('properties.getMine', { propertyId })).data;
    expect(await mine()).toMatchObject({
      propertyId,
      standardStatus: 'Incomplete',
      nextStatuses: expect.arrayContaining(['Active', 'Coming Soon', 'Delete']),
      missing: ['PHOTO', 'POSITION', 'DESCRIPTION'],
      photos: [],
    });
    const [third, second, first] = [randomUUID(), randomUUID(), randomUUID()];
    const outputChecksum = 'a'.repeat(64);
    await seedOriginal(host.pool, {
      id: second,
      propertyId,
      position: 1,
      outputWidth: 900,
      outputHeight: 500,
      outputChecksum,
    });
    await seedOriginal(host.pool, { id: first, propertyId, position: 0, outputChecksum });
    // The same picture in another listing is no repetition.
    await seedOriginal(host.pool, { outputChecksum });
    await seedOriginal(host.pool, { id: third, propertyId, position: 2, outputChecksum: null });
    const { latitude, longitude } = listing;
    await agent.mutate('properties.update', { propertyId, latitude, longitude });
    expect(await mine()).toMatchObject({
      missing: ['DESCRIPTION'],
      imageCount: 3,
      photos: [
        { imageId: first, stagingRefusal: null, sameAsId: null },
        { imageId: second, stagingRefusal: 'PHOTO_TOO_SMALL', sameAsId: first },
        { imageId: third, sameAsId: null },
      ],
    });
    const other = await host.signedIn();
    const [refused, unknown] = await Promise.all([
      other.query('properties.getMine', { propertyId }),
      other.query('properties.getMine', { propertyId: randomUUID() }),
    ]);
    expect([refused.status, refused.errorCode]).toEqual([404, 'NOT_FOUND']);
    expect([unknown.status, unknown.errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  test('listMine pages newest first', async () => {
    const person = await host.signedIn();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await person.mutate('properties.create', listing)).data.propertyId);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { data } = await person.query('properties.listMine', { limit: 2, cursor });
      seen.push(...data.items.map(({ propertyId }: { propertyId: string }) => propertyId));
      cursor = data.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(new Set(seen).size).toBe(5);
  });

  test.each([
    ['an unknown feature', { features: ['HELIPAD'] }, 'features.0'],
    ['a price with a third decimal', { listPrice: 1.005 }, 'listPrice'],
    ['a price that the column cannot hold', { listPrice: 1e12 }, 'listPrice'],
    ['a negative price', { listPrice: -1 }, 'listPrice'],
    ['a latitude off the globe', { latitude: 91 }, 'latitude'],
    ['an unknown status', { standardStatus: 'Sold' }, 'standardStatus'],
    ['a currency in words', { currency: 'dollars' }, 'currency'],
    ['NUL in the remarks', { publicRemarks: 'a\u0000' }, 'publicRemarks'],
    ['half a bedroom', { bedroomsTotal: 1.5 }, 'bedroomsTotal'],
    ['a person who is no agent', { assignedAgentIds: [randomUUID()] }, 'assignedAgentIds.0'],
  ])('create rejects %s', async (_, wrong, field) => {
    const answer = await agent.mutate('properties.create', { ...listing, ...wrong });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
  });

  test('a customer cannot be assigned', async () => {
    const customer = await host.signedIn({ role: 'customer' });
    const answer = await agent.mutate('properties.create', { ...listing, assignedAgentIds: [customer.id] });
    expect(answer.status).toBe(400);
  });
});
