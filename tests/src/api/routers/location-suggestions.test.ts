import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ImportedPlace, importPlaces } from '../../../../persistence/listings/place-import.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';

let anyone: Person;
const host = useApiHost();
beforeAll(async () => {
  anyone = host.anonymous();
  await importPlaces(host.pool, { source: 'test', rank: 1, places: PLACES });
});

interface Group {
  kind: string;
  items: {
    id: string;
    label: string;
    count: number | null;
    bbox: number[] | null;
    latitude: number;
    longitude: number;
  }[];
}
const ask = (text: string, more: Record<string, unknown> = {}) =>
  anyone.query('search.suggestLocations', { text, ...more });
const groups = async (text: string, more: Record<string, unknown> = {}): Promise<Group[]> => {
  const answer = await ask(text, more);
  expect(answer.status, answer.text).toBe(200);
  return answer.data.groups;
};
const labels = async (kind: string, text: string, more: Record<string, unknown> = {}) =>
  (await groups(text, more)).find((group) => group.kind === kind)?.items.map(({ label }) => label) ?? [];

function placeOf(
  kind: ImportedPlace['kind'],
  name: string,
  more: Partial<ImportedPlace> = {},
): ImportedPlace {
  const { city = null, stateOrProvince = 'WA' } = more;
  const label = [name, city, kind === 'state' ? null : stateOrProvince]
    .filter((part) => part !== null)
    .join(', ');
  return {
    kind,
    name,
    label,
    city,
    county: null,
    stateOrProvince,
    country: 'US',
    alsoFoundBy: null,
    box: null,
    point: null,
    weight: 1,
    ...more,
  };
}
const at = (latitude: number, longitude: number) => ({ point: { latitude, longitude } });
const PLACES: ImportedPlace[] = [
  placeOf('city', 'Seattle', { weight: 60, ...at(47.6, -122.33), box: [-122.4, 47.5, -122.2, 47.7] }),
  placeOf('city', 'Seaside', { stateOrProvince: 'OR', ...at(45.99, -123.92) }),
  placeOf('city', 'Springfield', { stateOrProvince: 'MA', weight: 20, ...at(42.1, -72.59) }),
  placeOf('city', 'Springfield', { stateOrProvince: 'IL', weight: 30, ...at(39.8, -89.65) }),
  placeOf('city', 'West Springfield', { stateOrProvince: 'MA', weight: 90, ...at(42.12, -72.65) }),
  placeOf('city', 'Bellevue', { ...at(47.61, -122.2) }),
  placeOf('city', 'Saint Louis', { stateOrProvince: 'MO', ...at(38.63, -90.2) }),
  placeOf('city', 'Coeur d’Alène', { stateOrProvince: 'ID' }),
  placeOf('city', 'תל אביב', { stateOrProvince: 'NY' }),
  placeOf('neighborhood', 'Ballard', { city: 'Seattle', ...at(47.67, -122.38) }),
  placeOf('neighborhood', 'Loyal Heights', { city: 'Seattle', alsoFoundBy: 'Ballard' }),
  placeOf('county', 'King County'),
  placeOf('state', 'Washington', { label: 'Washington' }),
  ...Array.from({ length: 15 }, (_, index) =>
    placeOf('postal_code', `981${10 + index}`, { city: 'Seattle' }),
  ),
];

describe('search.suggestLocations', () => {
  test('returns typed groups of places to every caller: id, label, box and center', async () => {
    expect(await groups('sea')).toEqual([
      {
        kind: 'city',
        items: [
          {
            id: 'city:us:wa:seattle',
            label: 'Seattle, WA',
            count: 0,
            bbox: [-122.4, 47.5, -122.2, 47.7],
            latitude: 47.6,
            longitude: -122.33,
          },
          {
            id: 'city:us:or:seaside',
            label: 'Seaside, OR',
            count: 0,
            bbox: null,
            latitude: 45.99,
            longitude: -123.92,
          },
        ],
      },
      { kind: 'postal_code', items: expect.any(Array) },
    ]);
    expect(await labels('county', 'king')).toEqual(['King County, WA']);
    expect(await labels('postal_code', '98112')).toEqual(['98112, Seattle, WA']);
  });

  test('returns at most eight in all, and the name of a state does not match all places in it', async () => {
    expect(await labels('postal_code', '981')).toHaveLength(8);
    expect((await groups('sea')).flatMap(({ items }) => items)).toHaveLength(8);
    expect((await groups('wa')).map(({ kind }) => kind)).toEqual(['state']);
  });

  test('an exact match comes before a prefix, and a prefix before a word inside the name', async () => {
    expect(await labels('city', 'springfield')).toEqual([
      'Springfield, IL',
      'Springfield, MA',
      'West Springfield, MA',
    ]);
    expect(await labels('city', 'springfield', { latitude: 42, longitude: -72 })).toEqual([
      'Springfield, MA',
      'Springfield, IL',
      'West Springfield, MA',
    ]);
    expect((await labels('city', 'springf ma')).slice(0, 2)).toEqual([
      'West Springfield, MA',
      'Springfield, MA',
    ]);
  });

  test('accents, capitals, signs and abbreviations do not matter', async () => {
    for (const text of ["coeur d'alene", 'CŒUR D’ALÈNE', 'coeur-d alene,']) {
      expect(await labels('city', text)).toEqual(['Coeur d’Alène, ID']);
    }
    expect(await labels('city', 'St. Louis')).toEqual(['Saint Louis, MO']);
    expect(await labels('neighborhood', 'ballard seattle')).toEqual([
      'Ballard, Seattle, WA',
      'Loyal Heights, Seattle, WA',
    ]);
  });

  test('a typing error is tolerated when nothing else matches, but digits must be exact', async () => {
    expect(await labels('city', 'Seatle')).toEqual(['Seattle, WA']);
    expect(await labels('city', 'belvue')).toEqual(['Bellevue, WA']);
    expect(await groups('98199')).toEqual([]);
  });

  test.each([
    ['%%', []],
    ['__', []],
    ["';drop table places;--", []],
    ['\\\\', []],
    ['""', []],
    ['🏠🏠', []],
    ['x'.repeat(200), []],
    ['z '.repeat(100).trim(), []],
    ['\u202e\u202d', []],
    ['תל אביב', ['תל אביב, NY']],
    ['Seattle%', ['Seattle, WA']],
    ["O'Nowhere_", []],
  ])('%j is treated as plain text', async (text, found) => {
    expect(await labels('city', text)).toEqual(found);
  });

  test.each([
    ['too short', { text: 'a' }],
    ['too short without its spaces', { text: '  a ' }],
    ['too long', { text: 'x'.repeat(201) }],
    ['a NUL', { text: 'se\u0000' }],
    ['half a surrogate', { text: 'se\ud800' }],
    ['half a position', { text: 'sea', latitude: 47 }],
    ['a position off the globe', { text: 'sea', latitude: 97, longitude: 0 }],
    ['no text', {}],
  ])('%s is rejected with the field', async (_, input) => {
    const answer = await anyone.query('search.suggestLocations', input);
    expect(answer).toMatchObject({ status: 400, errorCode: 'INVALID_INPUT' });
  });
});

describe('a name that several places have', () => {
  const NAMES = [
    'Ballard',
    'Capitol Hill',
    'Fremont',
    'Georgetown',
    'Greenwood',
    'Magnolia',
    'Madrona',
    'Montlake',
    'Ravenna',
    'Wallingford',
    'Wedgwood',
    'Belltown',
  ];
  const elsewhere = {
    stateOrProvince: 'CA',
    ...at(37.5, -122),
    box: [-122.01, 37.49, -121.99, 37.51],
  } as const;
  beforeAll(async () => {
    const places = NAMES.flatMap((name, index) => {
      const west = -122.4 + index / 100;
      return [
        placeOf('neighborhood', name, {
          city: 'Seattle',
          box: [west, 47.6, west + 0.005, 47.61],
          ...at(47.605, west + 0.002),
        }),
        // Larger, with one home, and without any.
        placeOf('city', name, { ...elsewhere, weight: 5_000, box: [...elsewhere.box] }),
        placeOf('city', name, { stateOrProvince: 'OH', weight: 9_000, ...at(40, -83 + index / 10) }),
      ];
    });
    await importPlaces(host.pool, { source: 'names', rank: 1, places });
    for (const [index, name] of NAMES.entries()) {
      await seedProperty(host.pool, {
        city: name,
        stateOrProvince: 'CA',
        country: 'US',
        latitude: 37.5,
        longitude: -122,
      });
      const here = {
        city: 'Seattle',
        stateOrProvince: 'WA',
        latitude: 47.605,
        longitude: -122.397 + index / 100,
      };
      for (const standardStatus of ['Active', 'Pending', 'Closed', 'Incomplete'])
        await seedProperty(host.pool, { ...here, standardStatus });
    }
  });

  test.each(NAMES)(
    '%s is the place with the most homes on the market, whatever its kind and size',
    async (name) => {
      for (const near of [{}, { latitude: 40, longitude: -83 }]) {
        const [first, ...others] = (await groups(name, near)).flatMap(({ items }) => items);
        expect(first).toMatchObject({ label: `${name}, Seattle, WA`, count: 2 });
        const cities = others.filter(({ id }) => id.startsWith('city:'));
        expect(cities.map(({ label, count }) => [label, count])).toEqual([
          [`${name}, CA`, 1],
          [`${name}, OH`, 0],
        ]);
      }
    },
  );

  test('a place with homes comes before one whose name matches better, and the nearer one of equals first', async () => {
    await importPlaces(host.pool, {
      source: 'names',
      rank: 1,
      places: [placeOf('city', 'Fremon', { weight: 9_000 })],
    });
    expect((await groups('fremon'))[0]?.items[0]?.label).toBe('Fremont, Seattle, WA');
    await seedProperty(host.pool, { city: 'Fremont', stateOrProvince: 'OH', country: 'US' });
    const nearest = async (latitude: number, longitude: number) =>
      (await labels('city', 'fremont', { latitude, longitude })).slice(0, 2);
    expect(await nearest(37, -122)).toEqual(['Fremont, CA', 'Fremont, OH']);
    expect(await nearest(40, -83)).toEqual(['Fremont, OH', 'Fremont, CA']);
  });
});

describe('our own listings', () => {
  const listing = (more: Record<string, unknown>) => seedProperty(host.pool, more);
  beforeEach(() => host.rows('delete from properties'));

  test('are found by address, with the property’s id and position', async () => {
    const near = { stateOrProvince: 'WA', postalCode: '98299', latitude: 47.61, longitude: -122.31 };
    const propertyId = await listing({
      address: '12 Harbour Lane',
      unitNumber: '4B',
      city: 'Seattle',
      ...near,
    });
    const other = await listing({
      address: '120 Harbour Lane',
      city: 'Tacoma',
      latitude: 47.2,
      longitude: -122.4,
    });
    const [group] = await groups('12 harb');
    expect(group).toEqual({
      kind: 'address',
      items: [
        {
          id: propertyId,
          label: '12 Harbour Lane 4B, Seattle, WA 98299',
          count: null,
          bbox: null,
          latitude: 47.61,
          longitude: -122.31,
        },
        expect.objectContaining({ id: other, label: '120 Harbour Lane, Tacoma' }),
      ],
    });
    const [sorted] = await groups('harbour lane', { latitude: 47.2, longitude: -122.4 });
    expect(sorted?.items.map(({ id }) => id)).toEqual([other, propertyId]);
    expect(await labels('address', 'harbour seattle')).toEqual(['12 Harbour Lane 4B, Seattle, WA 98299']);
    expect(await labels('address', '12 harbuor lane')).toContain('12 Harbour Lane 4B, Seattle, WA 98299');
    expect(await labels('address', 'seattle')).toEqual([]);
    await listing({ address: '98765 Quay Road', city: 'Tacoma' });
    expect(await labels('address', '98765')).toEqual(['98765 Quay Road, Tacoma']);
    expect(await groups('98764')).toEqual([]);
  });

  test('add the cities and postal codes that are in no file, with their extent', async () => {
    const there = { city: 'Ürümqi Heights', stateOrProvince: 'WA', postalCode: '98888' };
    await listing({ ...there, latitude: 47.1, longitude: -122.1 });
    await listing({ ...there, latitude: 47.3, longitude: -122.5 });
    expect((await groups('urumqi')).map(({ kind }) => kind)).toEqual(['city', 'postal_code']);
    const [city, code] = await groups('urumqi');
    const where = { bbox: [-122.5, 47.1, -122.1, 47.3], latitude: 47.2, longitude: -122.3 };
    expect(city?.items).toMatchObject([
      { id: 'city:us:wa:urumqi-heights', label: 'Ürümqi Heights, WA', ...where },
    ]);
    expect(code?.items).toMatchObject([{ id: 'postal_code:us:98888', label: '98888, Ürümqi Heights, WA' }]);
    await listing({ city: 'Seattle', stateOrProvince: 'WA' });
    expect(await labels('city', 'seattle')).toEqual(['Seattle, WA']);
  });

  test('are found from any position, even one extremely close to zero', async () => {
    await listing({ address: '1 Null Island', city: 'Atlantis', latitude: 5e-324, longitude: -1e-200 });
    for (const near of [
      { latitude: 0, longitude: 0 },
      { latitude: 1e-200, longitude: 5e-324 },
      { latitude: 90, longitude: 180 },
      { latitude: -90, longitude: -180 },
    ]) {
      expect(await labels('address', 'null island', near)).toEqual(['1 Null Island, Atlantis']);
      expect(await labels('city', 'atlantis', near)).toEqual(['Atlantis']);
      expect(await labels('city', 'seattle', near)).toEqual(['Seattle, WA']);
    }
  });

  test('are found by address when no longer for sale; those without a public page are not found', async () => {
    const at = { city: 'Hiddenville', stateOrProvince: 'WA', postalCode: '97777' };
    const shown = await listing({ ...at, address: '1 Closed Street', standardStatus: 'Closed' });
    const hidden = await listing({ ...at, address: '2 Closed Street', standardStatus: 'Incomplete' });
    await listing({
      city: 'Nowhereton',
      postalCode: '96666',
      address: '3 Ghost Road',
      standardStatus: 'Delete',
    });
    const ids = async () => (await groups('closed street')).flatMap(({ items }) => items.map(({ id }) => id));
    expect(await ids()).toEqual([shown]);
    for (const text of ['ghost road', 'nowhereton', '96666', '2 closed']) {
      const answer = await ask(text);
      expect(answer.text).not.toContain(hidden);
      expect(answer.text).not.toMatch(/Nowhereton|Ghost/);
    }
    await host.rows(`update properties set "standardStatus" = 'Active' where id = $1`, [hidden]);
    expect(await ids()).toEqual([shown, hidden]);
    await host.rows(`update properties set "standardStatus" = 'Delete' where id = $1`, [shown]);
    expect(await ids()).toEqual([hidden]);
    await host.rows(`update properties set address = '2 Open Street' where id = $1`, [hidden]);
    expect(await groups('closed street')).toEqual([]);
    expect(await labels('address', '2 open')).toEqual(['2 Open Street, Hiddenville, WA 97777']);
    await host.rows(`delete from properties where id = $1`, [hidden]);
    expect(await groups('2 open street')).toEqual([]);
  });
});
