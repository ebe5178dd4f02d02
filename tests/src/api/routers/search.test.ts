import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { countChangedRegions } from '../../../../persistence/search/region-counting.ts';
import { SEARCH_SORTS } from '../../../../persistence/search/search-index.ts';
import { propertyCard } from '../../../../src/wire/listings/property-card.ts';
import { seedOriginal, seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';

let agent: Person;
let anyone: Person;
const host = useApiHost();
beforeAll(async () => {
  agent = await host.signedIn();
  anyone = host.anonymous();
});

/** An area of its own for each test: degrees around a center that no other test uses. */
let towns = 0;
function newTown() {
  towns += 1;
  const middle = { latitude: -40 + towns, longitude: 20 };
  const box = { west: 19.9, east: 20.1, south: middle.latitude - 0.1, north: middle.latitude + 0.1 };
  return { ...middle, box, bbox: [box.west, box.south, box.east, box.north], location: { box } };
}
type Town = ReturnType<typeof newTown>;
const build = (town: Town, columns: Record<string, unknown> = {}, step = 0) =>
  seedProperty(host.pool, {
    ownerAgentId: agent.id,
    latitude: town.latitude,
    longitude: town.longitude + step / 1_000,
    ...columns,
  });
const ids = (answer: { data: { items: { propertyId: string }[] } }) =>
  answer.data.items.map(({ propertyId }) => propertyId);

describe('search.list', () => {
  test('returns cards and a total to every caller', async () => {
    const town = newTown();
    const propertyId = await build(town, { listPrice: '450000.75', bedroomsTotal: 3 });
    await seedOriginal(host.pool, { propertyId });
    const answer = await anyone.query('search.list', { filters: { location: town.location } });
    expect(answer.status).toBe(200);
    expect(answer.data).toMatchObject({ nextCursor: null, total: 1 });
    const [card] = answer.data.items;
    expect(propertyCard.parse(card)).toMatchObject({ propertyId, listPrice: 450_000.75, bedroomsTotal: 3 });
  });

  test('needs no filters and no sort', async () => {
    const answer = await anyone.query('search.list', {});
    expect(answer.status).toBe(200);
    expect(answer.data.total).toBe(answer.data.items.length);
  });

  test('pages by its cursor in every order', async () => {
    const town = newTown();
    const built: string[] = [];
    for (let index = 0; index < 7; index += 1)
      built.push(
        await build(town, { listPrice: 100 * (index % 3), bedroomsTotal: index % 2 || null }, index),
      );
    for (const sort of SEARCH_SORTS) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { latitude, longitude, location } = town;
        const near = { latitude, longitude };
        const answer = await anyone.query('search.list', {
          filters: { location },
          sort,
          limit: 3,
          cursor,
          ...(sort === 'DISTANCE' ? { near } : {}),
        });
        expect(answer.data.total).toBe(7);
        seen.push(...ids(answer));
        cursor = answer.data.nextCursor;
      } while (cursor !== null);
      expect(seen.toSorted()).toEqual(built.toSorted());
      if (sort === 'DISTANCE') expect(seen).toEqual(built);
    }
  });

  test('measures DISTANCE from the middle of the circle', async () => {
    const town = newTown();
    const far = await build(town, {}, 5);
    const near = await build(town, {}, 1);
    const circle = { latitude: town.latitude, longitude: town.longitude, radiusMeters: 2_000 };
    const answer = await anyone.query('search.list', { filters: { location: { circle } }, sort: 'DISTANCE' });
    expect(ids(answer)).toEqual([near, far]);
  });

  test("shows an agent's change at once", async () => {
    const town = newTown();
    const { latitude, longitude, location } = town;
    const listing = { listPrice: 500_000, address: '1 Lane', city: 'Town', latitude, longitude };
    const found = async (filters = {}) =>
      ids(await anyone.query('search.list', { filters: { location, ...filters } }));
    const { propertyId } = (await agent.mutate('properties.create', listing)).data;
    expect(await found()).toEqual([propertyId]);
    await agent.mutate('properties.update', { propertyId, listPrice: 400_000 });
    expect(await found({ price: { max: 400_000 } })).toEqual([propertyId]);
    expect(await found({ priceReduced: true })).toEqual([propertyId]);
    await agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Withdrawn' });
    expect(await found()).toEqual([]);
  });

  test('shows sold listings only on request', async () => {
    const town = newTown();
    const closed = await build(town, { standardStatus: 'Closed' });
    const active = await build(town, {}, 1);
    await build(town, { standardStatus: 'Incomplete' }, 2);
    const found = async (statuses?: string[]) =>
      ids(await anyone.query('search.list', { filters: { location: town.location, statuses } })).toSorted();
    expect(await found()).toEqual([active]);
    expect(await found(['Closed'])).toEqual([closed]);
    expect(await found(['Closed', 'Active'])).toEqual([closed, active].toSorted());
  });

  test('finds sales by their day, whatever the statuses, with price and day on the card', async () => {
    const town = newTown();
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    const sold = (daysAgo: number) =>
      build(town, { standardStatus: 'Closed', closeDate: day(daysAgo), closePrice: 400_000 }, daysAgo % 7);
    const [old, late] = [await sold(20), await sold(10)];
    await sold(40);
    await build(town, { standardStatus: 'Closed' }, 4);
    await build(town, {}, 5);
    const answer = await anyone.query('search.list', {
      filters: { location: town.location, soldWithinDays: 30, statuses: ['Active'] },
      sort: 'RECENTLY_SOLD',
    });
    expect(ids(answer)).toEqual([late, old]);
    expect(answer.data.items[0]).toMatchObject({ closePrice: 400_000, closeDate: day(10), isNew: false });
  });

  test.each<[string, object, string]>([
    ['an unknown feature', { features: ['GARAGE', 'HELIPAD'] }, 'filters.features.1'],
    ['a status that is never public', { statuses: ['Incomplete'] }, 'filters.statuses.0'],
    ['a status off the market', { statuses: ['Active', 'Withdrawn'] }, 'filters.statuses.1'],
    ['no status', { statuses: [] }, 'filters.statuses'],
    ['a minimum above its maximum', { price: { min: 2, max: 1 } }, 'filters.price'],
    ['beds above themselves', { beds: { min: 3, max: 2 } }, 'filters.beds'],
    ['baths above themselves', { baths: { min: 3, max: 2.5 } }, 'filters.baths'],
    ['an area above itself', { livingArea: { min: 3, max: 2 } }, 'filters.livingArea'],
    ['a lot above itself', { lotSize: { min: 3, max: 2 } }, 'filters.lotSize'],
    ['a year above itself', { yearBuilt: { min: 2001, max: 2000 } }, 'filters.yearBuilt'],
    ['a negative price', { price: { min: -1 } }, 'filters.price.min'],
    ['half a bed', { beds: { min: 1.5 } }, 'filters.beds.min'],
    ['a price in words', { price: { max: 'much' } }, 'filters.price.max'],
    ['a currency in words', { currency: 'dollars' }, 'filters.currency'],
    [
      'a box upside down',
      { location: { box: { west: 1, south: 3, east: 2, north: 2 } } },
      'filters.location.box.south',
    ],
    [
      'a box off the globe',
      { location: { box: { west: -181, south: 1, east: 2, north: 2 } } },
      'filters.location.box.west',
    ],
    [
      'a box without a side',
      { location: { box: { west: 1, south: 1, east: 2 } } },
      'filters.location.box.north',
    ],
    [
      'a circle off the globe',
      { location: { circle: { latitude: 91, longitude: 0, radiusMeters: 1 } } },
      'filters.location.circle.latitude',
    ],
    [
      'a circle without width',
      { location: { circle: { latitude: 1, longitude: 0, radiusMeters: 0 } } },
      'filters.location.circle.radiusMeters',
    ],
    [
      'a circle beyond the earth',
      { location: { circle: { latitude: 1, longitude: 0, radiusMeters: 1e9 } } },
      'filters.location.circle.radiusMeters',
    ],
    [
      'two corners',
      {
        location: {
          polygon: [
            { latitude: 1, longitude: 1 },
            { latitude: 2, longitude: 1 },
          ],
        },
      },
      'filters.location.polygon',
    ],
    [
      '201 corners',
      { location: { polygon: Array.from({ length: 201 }, () => ({ latitude: 1, longitude: 1 })) } },
      'filters.location.polygon',
    ],
    [
      'a corner off the globe',
      { location: { polygon: [0, 1, 200].map((longitude) => ({ latitude: 1, longitude })) } },
      'filters.location.polygon.2.longitude',
    ],
    [
      'a polygon that crosses the antimeridian again and again',
      {
        location: {
          polygon: Array.from({ length: 150 }, (_, n) => ({
            latitude: n / 10,
            longitude: n % 2 ? 179 : -179,
          })),
        },
      },
      'filters.location.polygon',
    ],
    [
      'a polygon round the pole',
      { location: { polygon: [0, 100, -130].map((longitude) => ({ latitude: 80, longitude })) } },
      'filters.location.polygon',
    ],
    [
      'an outline that crosses itself',
      {
        location: {
          polygon: [
            { latitude: 1, longitude: 1 },
            { latitude: 2, longitude: 2 },
            { latitude: 2, longitude: 1 },
            { latitude: 1, longitude: 2 },
          ],
        },
      },
      'filters.location.polygon',
    ],
    [
      'a polygon of half a continent',
      {
        location: {
          polygon: [
            { latitude: 25, longitude: -125 },
            { latitude: 49, longitude: -125 },
            { latitude: 49, longitude: -67 },
          ],
        },
      },
      'filters.location.polygon',
    ],
    ['words without a letter', { words: ' -- !' }, 'filters.words'],
    ['words of 101 characters', { words: 'w'.repeat(101) }, 'filters.words'],
    ['less than no garage', { garage: { min: -1 } }, 'filters.garage.min'],
    ['a negative fee', { maxMonthlyFee: -1 }, 'filters.maxMonthlyFee'],
    ['sales of no day', { soldWithinDays: 0 }, 'filters.soldWithinDays'],
    ['sales of more than three years', { soldWithinDays: 1096 }, 'filters.soldWithinDays'],
    [
      'two places at once',
      {
        location: {
          box: { west: 1, south: 1, east: 2, north: 2 },
          circle: { latitude: 1, longitude: 1, radiusMeters: 1 },
        },
      },
      'filters.location',
    ],
    ['no place', { location: {} }, 'filters.location'],
    ['a filter that does not exist', { bedrooms: 3 }, 'filters.bedrooms'],
  ])('rejects %s, also on the map', async (_, filters, field) => {
    for (const answer of [
      await anyone.query('search.list', { filters }),
      await anyone.query('search.map', { filters, bbox: [0, 0, 1, 1], zoom: 3 }),
    ]) {
      expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
      expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
    }
  });

  test.each<[string, object, string]>([
    ['DISTANCE from nowhere', { sort: 'DISTANCE' }, 'near'],
    ['an unknown sort', { sort: 'CHEAPEST' }, 'sort'],
    ['a page of nothing', { limit: 0 }, 'limit'],
    ['a page of 101', { limit: 101 }, 'limit'],
    ['an id as a cursor', { cursor: randomUUID() }, 'cursor'],
    ['an empty cursor', { cursor: '' }, 'cursor'],
    ['a damaged cursor', { cursor: 'eyJzb3J0IjoiTkVXRVNUIn0' }, 'cursor'],
  ])('rejects %s', async (_, input, field) => {
    const answer = await anyone.query('search.list', input);
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)).toEqual([field]);
  });

  test('rejects a cursor of another sort', async () => {
    const town = newTown();
    await build(town);
    await build(town);
    const input = { filters: { location: town.location }, limit: 1, sort: 'PRICE_ASC' };
    const { nextCursor } = (await anyone.query('search.list', input)).data;
    expect(nextCursor).toEqual(expect.any(String));
    const answer = await anyone.query('search.list', { ...input, sort: 'PRICE_DESC', cursor: nextCursor });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('search.map', () => {
  test('returns clusters and pins with the total of the list', async () => {
    const town = newTown();
    await build(town, { listPrice: '1200000' });
    await build(town, { listPrice: '450000' });
    const alone = await build(town, { listPrice: '450000', currency: 'EUR' }, 50);
    const answer = await anyone.query('search.map', { filters: {}, bbox: town.bbox, zoom: 12 });
    const { clusters, pins, total } = answer.data;
    expect(total).toBe(3);
    expect(clusters).toEqual([
      {
        id: expect.any(String),
        latitude: town.latitude,
        longitude: town.longitude,
        count: 2,
        minPrice: 450_000,
        maxPrice: 1_200_000,
        currency: 'USD',
        expansionZoom: 17,
      },
    ]);
    expect(pins).toEqual([
      {
        propertyId: alone,
        latitude: town.latitude,
        longitude: 20.05,
        price: 450_000,
        currency: 'EUR',
        pill: '€450k',
      },
    ]);
    const list = await anyone.query('search.list', { filters: { location: town.location } });
    expect(list.data.total).toBe(total);
    // Prices are those of one currency: the site's, or the one that is named.
    for (const currency of [undefined, 'EUR', 'USD']) {
      const filters = { price: { max: 500_000 }, ...(currency === undefined ? {} : { currency }) };
      const { data } = await anyone.query('search.map', { filters, bbox: town.bbox, zoom: 12 });
      expect([currency, data.total]).toEqual([currency, 1]);
    }
  });

  test.each<[string, object, string]>([
    ['a zoom between', { zoom: 3.5 }, 'zoom'],
    ['a negative zoom', { zoom: -1 }, 'zoom'],
    ['a box upside down', { bbox: [0, 2, 1, 1] }, 'bbox.1'],
    ['a box off the globe', { bbox: [0, 0, 181, 1] }, 'bbox.2'],
    ['three sides', { bbox: [0, 0, 1] }, 'bbox.3'],
  ])('rejects %s', async (_, wrong, field) => {
    const answer = await anyone.query('search.map', { filters: {}, bbox: [0, 0, 1, 1], zoom: 3, ...wrong });
    expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(Object.keys(answer.body.error.json.data.fields)[0]).toMatch(field.replace('.3', ''));
  });
});

test('search.getFilterCatalog names 57 features in ten groups, the existing types, and the sorts', async () => {
  const town = newTown();
  await build(town, { propertyType: 'Houseboat' });
  await build(town, { propertyType: 'Lighthouse', standardStatus: 'Incomplete' });
  await build(town, { propertyType: 'Boatyard', propertySubType: 'Barge' });
  const { data } = await anyone.query('search.getFilterCatalog');
  expect(data.featureGroups).toHaveLength(10);
  expect(new Set(data.featureGroups.flatMap(({ keys }: { keys: string[] }) => keys)).size).toBe(57);
  expect(data.sorts).toEqual([...SEARCH_SORTS]);
  expect(data.propertyTypes).toEqual(expect.arrayContaining(['Barge', 'Houseboat']));
  expect(data.propertyTypes).not.toContain('Boatyard');
  expect(data.propertyTypes).not.toContain('Lighthouse');
});

test('search.featureCounts says how many of the matching homes have each feature', async () => {
  const town = newTown();
  await build(town, { features: ['PRIVATE_POOL', 'GARAGE'] });
  await build(town, { features: ['PRIVATE_POOL'] }, 1);
  await build(town, { features: ['GARAGE'], standardStatus: 'Incomplete' }, 2);
  const countsOf = async (filters: object) => {
    const { data } = await anyone.query('search.featureCounts', {
      filters: { location: town.location, ...filters },
    });
    const counts = data.counts as { key: string; count: number }[];
    expect(counts).toHaveLength(57);
    return { total: data.total, isWhole: data.isWhole, some: counts.filter(({ count }) => count > 0) };
  };
  expect(await countsOf({})).toEqual({
    total: 2,
    isWhole: true,
    some: [
      { key: 'PRIVATE_POOL', count: 2 },
      { key: 'GARAGE', count: 1 },
    ],
  });
  expect((await countsOf({ features: ['GARAGE'] })).some).toEqual([
    { key: 'PRIVATE_POOL', count: 1 },
    { key: 'GARAGE', count: 1 },
  ]);
});

test('search.placeNames names the large places in the box, neighborhoods only from near', async () => {
  const place = (kind: string, name: string, { longitude, weight }: { longitude: number; weight: number }) =>
    host.rows(
      `INSERT INTO places (id, kind, name, label, "searchText", "headText", city, "stateOrProvince", country, latitude,
         longitude, weight, source, "sourceRank")
       VALUES ($1, $2, $3, $3, $3, $3, $3, 'ZZ', 'US', -61.5, $4, $5, 'test', 1)`,
      [`${kind}:us:zz:${name}`, kind, name, longitude, weight],
    );
  await place('city', 'Farwater', { longitude: 179.5, weight: 10 });
  await place('city', 'Otherside', { longitude: -179.5, weight: 90 });
  await place('neighborhood', 'Harbor', { longitude: 179.6, weight: 1 });
  await place('city', 'Elsewhere', { longitude: 20, weight: 99 });
  const named = async (bbox: number[], zoom: number) => {
    const { data } = await anyone.query('search.placeNames', { bbox, zoom });
    return (data.places as { name: string }[]).map(({ name }) => name);
  };
  // Across the antimeridian.
  expect(await named([179, -62, -179, -61], 9)).toEqual(['Otherside', 'Farwater']);
  expect(await named([179, -62, 180, -61], 12)).toEqual(['Farwater', 'Harbor']);
  expect(await named([179, -62, -179, -61], 5)).toEqual([]);
});

describe('the home page', () => {
  test('getFeatured shows listings with photos first, the newest of them first', async () => {
    const town = newTown();
    const days = (count: number) => new Date(Date.now() + count * 86_400_000);
    const [old, fresh] = [
      await build(town, { listedAt: days(1_000) }),
      await build(town, { listedAt: days(2_000) }),
    ];
    const newestWithout = await build(town, { listedAt: days(3_000) });
    const closed = await build(town, { listedAt: days(4_000), standardStatus: 'Closed' });
    for (const propertyId of [old, fresh, closed]) await seedOriginal(host.pool, { propertyId });
    expect(ids(await anyone.query('home.getFeatured', { limit: 2 }))).toEqual([fresh, old]);
    const all = ids(await anyone.query('home.getFeatured'));
    expect(all.slice(0, 2)).toEqual([fresh, old]);
    expect(all).not.toContain(closed);
    expect(all.indexOf(newestWithout)).not.toBe(0);
  });

  test('getNearby shows the nearest first, and nothing far away', async () => {
    const town = newTown();
    const near = await build(town, {}, 1);
    const nearest = await build(town);
    await build({ ...town, latitude: town.latitude + 1.2 });
    const { latitude, longitude } = town;
    const answer = await anyone.query('home.getNearby', { latitude, longitude });
    expect(ids(answer).slice(0, 2)).toEqual([nearest, near]);
    expect(ids(await anyone.query('home.getNearby', { latitude, longitude, limit: 1 }))).toEqual([nearest]);
    expect(ids(await anyone.query('home.getNearby', { latitude: 80, longitude: -170 }))).toEqual([]);
  });

  test('getPlaces counts what is on the market as a search of the place does, and names the city at the map’s beginning', async () => {
    const harbor = { city: 'Harbor Point', stateOrProvince: 'WA', postalCode: '98299', country: 'US' };
    const seattle = { ...newTown(), latitude: 47.7, longitude: -122.4 };
    for (let step = 0; step < 3; step += 1) await build(seattle, harbor, step);
    await build(seattle, { ...harbor, standardStatus: 'Closed' });
    // More pages, and none that is offered.
    const sold = { ...harbor, city: 'Sold Out', postalCode: '98298', standardStatus: 'Closed' };
    for (let step = 0; step < 5; step += 1) await build(newTown(), sold, step);
    await countChangedRegions(host.pool, 1_000);
    const { status, data } = await anyone.query('home.getPlaces');
    expect(status).toBe(200);
    expect(data.here).toEqual({ id: 'city:us:wa:harbor-point', label: 'Harbor Point, WA', count: 3 });
    expect(data.places).toContainEqual(data.here);
    const code = { id: 'postal_code:us:98299', label: '98299, Harbor Point, WA', count: 3 };
    expect(data.places).toContainEqual(code);
    expect(JSON.stringify(data.places)).not.toContain('Sold Out');
    const counts = data.places.map(({ count }: { count: number }) => count);
    expect(counts).toEqual(counts.toSorted((one: number, other: number) => other - one));
    for (const { id, count } of [data.here, code])
      expect((await anyone.query('search.list', { filters: { placeId: id } })).data.total).toBe(count);
  });

  test.each([
    [{ latitude: 91, longitude: 0 }],
    [{ latitude: 1 }],
    [{ latitude: 1, longitude: 1, limit: 51 }],
  ])('getNearby rejects %j', async (input) => {
    expect((await anyone.query('home.getNearby', input)).status).toBe(400);
  });
});
