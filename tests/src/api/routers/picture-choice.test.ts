import { beforeAll, describe, expect, test } from 'vitest';
import { seedOriginal, seedProperty, seedVariant } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';
import {
  pictureSurfaces,
  type ShownHome,
  type ShownPicture,
  type Surface,
  shareList,
} from '../../../support/http/picture-surfaces.ts';

/** Every procedure that answers pictures of homes, with every choice of `pictures`. */

const TOWN = { city: 'Choosing', stateOrProvince: 'WA', country: 'US', latitude: 47.6, longitude: -122.3 };
const BOX = { west: -122.4, east: -122.2, south: 47.5, north: 47.7 };

let visitor: Person;
let customer: Person;
let sharedList: string;
let propertyId: string;
let neighbor: string;
/** The originals in order, and the approved picture of each. */
let photos: string[];
let staged: string[];
const host = useApiHost();
beforeAll(async () => {
  visitor = host.anonymous();
  customer = await host.signedIn({ role: 'customer' });
  const ownerAgentId = (await host.signedIn()).id;
  propertyId = await seedProperty(host.pool, { ownerAgentId, ...TOWN });
  neighbor = await seedProperty(host.pool, { ownerAgentId, ...TOWN });
  const originals = [
    await seedOriginal(host.pool, { propertyId, position: 0, isMain: true }),
    await seedOriginal(host.pool, { propertyId, position: 1 }),
  ];
  photos = originals.map(({ imageId }) => imageId);
  staged = [];
  for (const original of originals)
    staged.push(await seedVariant(host.pool, original, { reviewStatus: 'APPROVED' }));
  await customer.mutate('favorites.add', { propertyId });
  sharedList = await shareList(customer);
});

const SURFACES = [
  'search.list',
  'home.getFeatured',
  'home.getNearby',
  'properties.listSimilar',
  'favorites.list',
  'favorites.getShared',
  'homes.listCards',
  'properties.getDetail',
] as const;

describe.each(SURFACES)('%s', (name) => {
  const ask: Surface = (choice) =>
    pictureSurfaces({ visitor, customer, sharedList, propertyId, neighbor })[name](choice);
  const idsOf = ({ images }: ShownHome) => images.map(({ imageId }) => imageId);

  test.each([
    ['nothing', {}],
    ['any', { pictures: 'any' }],
  ])('with %s shows each staged picture after its original', async (_name, choice) => {
    const { shown } = await ask(choice);
    expect(shown).toMatchObject({ hiddenStagedCount: 0, coverImageId: photos[0] });
    expect(shown && idsOf(shown)).toEqual([photos[0], staged[0], photos[1], staged[1]]);
  });

  test('with realFirst shows all originals before all staged pictures', async () => {
    const { shown } = await ask({ pictures: 'realFirst' });
    expect(shown).toMatchObject({ hiddenStagedCount: 0, coverImageId: photos[0] });
    expect(shown && idsOf(shown)).toEqual([...photos, ...staged]);
  });

  test('with realOnly shows the originals and says how many staged pictures it hides', async () => {
    const { shown } = await ask({ pictures: 'realOnly' });
    expect(shown).toMatchObject({ hiddenStagedCount: 2, coverImageId: photos[0] });
    expect(shown && idsOf(shown)).toEqual(photos);
  });

  test('names the page of each staged picture, and none of an original', async () => {
    const { shown } = await ask({});
    const pages = shown?.images.map(({ provenanceUrl }) => provenanceUrl);
    const page = (imageId: string | undefined) => `https://api.example.com/provenance/${imageId}`;
    expect(pages).toEqual([null, page(staged[0]), null, page(staged[1])]);
  });

  test('rejects another value', async () => {
    expect((await ask({ pictures: 'none' })).status).toBe(400);
  });
});

test('on a listing’s page every staged picture names its original, wherever it stands', async () => {
  for (const pictures of ['any', 'realFirst']) {
    const { data } = await visitor.query('properties.getDetail', { propertyId, pictures });
    for (const [index, imageId] of staged.entries())
      expect(data.images.find((image: ShownPicture) => image.imageId === imageId)).toMatchObject({
        originalImageId: photos[index],
        disclosureLabel: 'AI · Virtually staged',
      });
  }
});

test('the choice changes neither which listings are found, nor the map, nor the counts', async () => {
  const [list, map, counts] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const pictures of [undefined, 'any', 'realFirst', 'realOnly']) {
    const filters = { location: { box: BOX }, ...(pictures === undefined ? {} : { pictures }) };
    const found = (await visitor.query('search.list', { filters })).data;
    list.add(JSON.stringify([found.total, found.items.map((item: ShownHome) => item.propertyId)]));
    const bbox = [BOX.west, BOX.south, BOX.east, BOX.north];
    map.add(JSON.stringify((await visitor.query('search.map', { filters, bbox, zoom: 10 })).data));
    counts.add(JSON.stringify((await visitor.query('search.featureCounts', { filters })).data));
  }
  expect([list.size, map.size, counts.size]).toEqual([1, 1, 1]);
  expect(JSON.parse([...list][0] ?? '')[0]).toBe(2);
});

test('a cursor goes on with another choice', async () => {
  const first = await visitor.query('search.list', { filters: { location: { box: BOX } }, limit: 1 });
  const filters = { location: { box: BOX }, pictures: 'realOnly' };
  const { data } = await visitor.query('search.list', { filters, limit: 1, cursor: first.data.nextCursor });
  const seen = [...first.data.items, ...data.items].map((item: ShownHome) => item.propertyId);
  expect(seen.sort()).toEqual([propertyId, neighbor].sort());
});
