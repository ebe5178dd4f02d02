import { beforeAll, describe, expect, test } from 'vitest';
import { type ImportedPlace, importPlaces } from '../../../../persistence/listings/place-import.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';

/** `filters.placeId`: the id of a suggestion as a filter of the list and of the map. */
const ids: Record<string, string> = {};
const EVERYWHERE = { bbox: [-180, -85, 180, 85], zoom: 20 };
const US = { stateOrProvince: 'WA', country: 'US' };
const HOMES: Record<string, Record<string, unknown>> = {
  seattle: { city: 'Seattle', postalCode: '98101', latitude: 47.6, longitude: -122.33, ...US },
  ballard: { city: 'SEATTLE', postalCode: '98107', latitude: 47.67, longitude: -122.38, ...US },
  // Within the box around Seattle, but in another city.
  mercer: { city: 'Mercer Island', postalCode: '98040', latitude: 47.57, longitude: -122.22, ...US },
  // No position, so that only its address can match.
  nowhere: { city: 'Seattle', postalCode: '98101', ...US },
  portland: {
    city: 'Portland',
    postalCode: '97201',
    latitude: 45.52,
    longitude: -122.68,
    country: 'US',
    stateOrProvince: 'OR',
  },
  vancouver: { city: 'Vancouver', postalCode: '98660', latitude: 45.63, longitude: -122.67, ...US },
  draft: {
    city: 'Seattle',
    postalCode: '98101',
    standardStatus: 'Incomplete',
    latitude: 47.6,
    longitude: -122.3,
    ...US,
  },
};
const place = (kind: ImportedPlace['kind'], name: string, box: ImportedPlace['box']): ImportedPlace => ({
  kind,
  name,
  label: name,
  city: kind === 'neighborhood' ? 'Seattle' : null,
  county: null,
  stateOrProvince: 'WA',
  country: 'US',
  alsoFoundBy: null,
  box,
  point: null,
  weight: 1,
});

const host = useApiHost();
beforeAll(async () => {
  const ownerAgentId = (await host.signedIn()).id;
  for (const [name, columns] of Object.entries(HOMES))
    ids[name] = await seedProperty(host.pool, { ownerAgentId, standardStatus: 'Active', ...columns });
  await importPlaces(host.pool, {
    source: 'test',
    rank: 1,
    places: [
      place('neighborhood', 'Ballard', [-122.4, 47.65, -122.36, 47.69]),
      // Mercer Island lies in both; addresses name one of them.
      place('city', 'Seattle', [-122.45, 47.4, -122.2, 47.8]),
      place('city', 'Eastside', [-122.3, 47.5, -122.1, 47.7]),
      place('county', 'Nameless County', null),
    ],
  });
});

const names = (propertyIds: string[]) =>
  propertyIds.map((id) => Object.keys(ids).find((name) => ids[name] === id)).toSorted();
async function found(placeId: string, more: object = {}) {
  const filters = { placeId, ...more };
  const list = await host.anonymous().query('search.list', { filters });
  const map = await host.anonymous().query('search.map', { filters, ...EVERYWHERE });
  expect([list.status, map.status], list.text).toEqual([200, 200]);
  const placed = list.data.items.filter(({ latitude }: { latitude: number | null }) => latitude !== null);
  expect(map.data.total).toBe(placed.length);
  return names(list.data.items.map(({ propertyId }: { propertyId: string }) => propertyId));
}
const suggested = async (text: string) =>
  (await host.anonymous().query('search.suggestLocations', { text })).data.groups.flatMap(
    ({ items }: { items: { id: string; count: number | null; bbox: number[] | null }[] }) => items,
  );

describe('search by the id of a suggestion', () => {
  test('a city matches by the address, in any spelling, and not by the box around it', async () => {
    expect(await found('city:us:wa:seattle')).toEqual(['ballard', 'nowhere', 'seattle']);
    expect(await found('CITY:US:WA:SEATTLE')).toEqual(['ballard', 'nowhere', 'seattle']);
    expect(await found('city:us:wa:mercer-island')).toEqual(['mercer']);
  });

  test('a city that no address names matches by its area', async () => {
    expect(await found('city:us:wa:eastside')).toEqual(['mercer']);
  });

  test('a postal code, a neighborhood, a state and an address match', async () => {
    expect(await found('postal_code:us:98101')).toEqual(['nowhere', 'seattle']);
    expect(await found('neighborhood:us:wa:seattle:ballard')).toEqual(['ballard']);
    expect(await found('state:us:or')).toEqual(['portland']);
    expect(await found('state:us:wa')).toEqual(['ballard', 'mercer', 'nowhere', 'seattle', 'vancouver']);
    expect(await found(ids.portland ?? '')).toEqual(['portland']);
    expect(await found(ids.draft ?? '')).toEqual([]);
  });

  test('every suggestion can be searched for, and says how many homes are found', async () => {
    for (const text of ['seattle', 'ballard', 'nameless', 'eastside', '98', 'portland', 'mercer']) {
      const suggestions = await suggested(text);
      expect(suggestions.length, text).toBeGreaterThan(0);
      for (const { id, count } of suggestions) expect(await found(id), id).toHaveLength(count ?? 1);
    }
    expect(await found('county:us:wa:nameless-county')).toEqual([]);
  });

  test('other filters still apply, including a location', async () => {
    const box = { west: -122.35, south: 47.5, east: -122.3, north: 47.65 };
    expect(await found('city:us:wa:seattle', { location: { box } })).toEqual(['seattle']);
    expect(await found('city:us:wa:seattle', { beds: { min: 999 } })).toEqual([]);
  });

  // A saved search of a city goes on when its last home is gone.
  test.each(['city:us:wa:atlantis', 'city:us:wa:%', "city:us:wa:x'; --", 'state:us:__', 'postal_code:us:98'])(
    '%s is a place without homes',
    async (placeId) => {
      expect(await found(placeId)).toEqual([]);
    },
  );

  test.each(['planet:mars', 'a', 'city:us', 'city:us:wa:king:seattle', 'state:us', 'postal_code:98101'])(
    '%s, the id of no suggestion, is rejected',
    async (placeId) => {
      for (const answer of [
        await host.anonymous().query('search.list', { filters: { placeId } }),
        await host.anonymous().query('search.map', { filters: { placeId }, ...EVERYWHERE }),
      ]) {
        expect([answer.status, answer.errorCode]).toEqual([400, 'INVALID_INPUT']);
        expect(Object.keys(answer.body.error.json.data.fields)).toEqual(['filters.placeId']);
      }
    },
  );

  test('a place with one listing has a box around it', async () => {
    const [city] = (await suggested('mercer')).filter(({ id }: { id: string }) => id.startsWith('city:'));
    const [west, south, east, north] = city.bbox;
    expect(west).toBeLessThan(-122.22 - 0.01);
    expect(east).toBeGreaterThan(-122.22 + 0.01);
    expect([south, north]).toEqual([expect.closeTo(47.56), expect.closeTo(47.58)]);
    const map = await host.anonymous().query('search.map', { bbox: city.bbox, zoom: 14 });
    expect(map.data.total).toBe(1);
  });
});
