import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createImportHarness, type ImportHarness } from './import-harness.ts';

let harness: ImportHarness;
beforeAll(async () => {
  harness = await createImportHarness();
});
afterAll(() => harness.stop());
beforeEach(() => harness.clear());

const BOXES = 'zipcode,city,state,lat,lon,sales,lat_min,lat_max,lon_min,lon_max';
const ZIPS = 'code,city,state,county,area_code,lat,lon';
const CITIES = 'ID,STATE_CODE,STATE_NAME,CITY,COUNTY,LATITUDE,LONGITUDE';
const SEATTLE_BOX = '98178,Seattle,WA,47.49915,-122.2465,262,47.4816,47.5121,-122.279,-122.22';

const importFile = (name: string, lines: string[], args: string[] = []) =>
  harness.run([harness.file(name, `${lines.join('\n')}\n`), ...args]);
const place = async (id: string) => (await harness.rows('select * from places where id = $1', [id]))[0];
const ids = async () =>
  (await harness.rows<{ id: string }>('select id from places order by id')).map(({ id }) => id);

describe('postal codes', () => {
  test('create their cities, counties and states', async () => {
    expect(
      await importFile('zips.csv', [
        ZIPS,
        '01001,Agawam,MA,HAMPDEN,,42.07,-72.63',
        '01002,Amherst,MA,HAMPSHIRE,,42.37,-72.52',
        '01003,Amherst,MA,HAMPSHIRE,,42.39,-72.50',
        '70001,Metairie,LA,JEFFERSON,,29.98,-90.17',
      ]),
    ).toMatchObject({ code: 0 });
    expect(await ids()).toEqual([
      'city:us:la:metairie',
      'city:us:ma:agawam',
      'city:us:ma:amherst',
      'county:us:la:jefferson-parish',
      'county:us:ma:hampden-county',
      'county:us:ma:hampshire-county',
      'postal_code:us:01001',
      'postal_code:us:01002',
      'postal_code:us:01003',
      'postal_code:us:70001',
      'state:us:la',
      'state:us:ma',
    ]);
    expect(await place('city:us:ma:amherst')).toMatchObject({
      label: 'Amherst, MA',
      county: 'Hampshire County',
      weight: 2,
      west: -72.52,
      south: 42.37,
      east: -72.5,
      north: 42.39,
      latitude: expect.closeTo(42.38, 9),
    });
    expect(await place('postal_code:us:01001')).toMatchObject({
      name: '01001',
      label: '01001, Agawam, MA',
      latitude: 42.07,
      west: null,
    });
    expect(await place('state:us:ma')).toMatchObject({
      label: 'Massachusetts',
      headText: ' massachusetts ma',
    });
  });

  test('a point that three cities share is given to none: the places exist without it', async () => {
    const shared = (code: string, city: string) => `${code},${city},WA,KING,,47.432251,-121.803388`;
    const run = await importFile('zips.csv', [
      ZIPS,
      shared('98101', 'Seattle'),
      shared('98004', 'Bellevue'),
      shared('98052', 'Redmond'),
      '98001,Auburn,WA,KING,,47.3,-122.2',
      '98002,Auburn,WA,KING,,47.3,-122.2',
    ]);
    expect(run.text).toContain('3 rows share a point');
    expect(await place('postal_code:us:98101')).toMatchObject({ city: 'Seattle', latitude: null });
    expect(await place('city:us:wa:seattle')).toMatchObject({ latitude: null, longitude: null });
    expect(await place('postal_code:us:98001')).toMatchObject({ latitude: 47.3 });
  });

  test.each([
    ['98178x,Seattle,WA,KING,,47,-122', /code "98178x" is not a postal code/],
    [',Seattle,WA,KING,,47,-122', /code is empty/],
    ['98178,Seattle,ZZ,KING,,47,-122', /state "ZZ" is no state/],
    ['98178,Seattle,WA,KING,,147,-122', /lat "147" is not between -90 and 90/],
    ['98178,Seattle,WA', /the row has 3 cells instead of 7/],
  ])('%s is skipped', async (line, words) => {
    const run = await importFile('zips.csv', [ZIPS, '98001,Auburn,WA,KING,,47.3,-122.2', line]);
    expect(run.code).toBe(1);
    expect(run.text).toMatch(new RegExp(`zips.csv:3: ${words.source}`));
    expect(await place('postal_code:us:98001')).toBeDefined();
  });

  test('places without a position are imported, and an inverted box is rejected', async () => {
    expect(await importFile('zips.csv', [ZIPS, '41901,Migrate,KY,FAYETTE,,,'])).toMatchObject({ code: 0 });
    expect(await place('postal_code:us:41901')).toMatchObject({ latitude: null });
    const turned = SEATTLE_BOX.replace('-122.279,-122.22', '-122.22,-122.279');
    expect((await importFile('boxes.csv', [BOXES, turned])).text).toContain('do not make a box');
  });
});

describe('two files that describe the same place', () => {
  const zips = [ZIPS, '98178,Seatle,WA,KING,,47.9,-121.9', '98001,Auburn,WA,KING,,47.3,-122.2'];
  const boxes = [BOXES, SEATTLE_BOX];

  test.each([
    ['the better one last', [zips, boxes]],
    ['the better one first', [boxes, zips]],
  ])('%s: the better file’s text stays, and fields that only the other has are kept', async (_, files) => {
    for (const [index, lines] of files.entries()) await importFile(`${index}.csv`, lines);
    expect(await place('postal_code:us:98178')).toMatchObject({
      city: 'Seattle',
      label: '98178, Seattle, WA',
      county: 'King County',
      latitude: 47.49915,
      west: -122.279,
      south: 47.4816,
      east: -122.22,
      north: 47.5121,
    });
  });

  test('a file of one region gives the state no box', async () => {
    await importFile('boxes.csv', boxes);
    expect(await ids()).toEqual(['city:us:wa:seattle', 'postal_code:us:98178']);
  });

  test('imported again in any order, they change nothing', async () => {
    const cities = [CITIES, '1,WA,Washington,Seattle,King,47.60323,-122.330276'];
    const files = [zips, boxes, cities];
    for (const [index, lines] of files.entries()) await importFile(`${index}.csv`, lines);
    const before = await harness.rows('select *, xmin from places order by id');
    for (const index of [2, 0, 1]) {
      const run = await importFile(`${index}.csv`, files[index] ?? []);
      expect(run.text).toContain('nothing has changed');
    }
    expect(await harness.rows('select *, xmin from places order by id')).toEqual(before);
  });
});

describe('neighborhoods', () => {
  const square = (west: number, south: number, side: number) => [
    [
      [west, south],
      [west + side, south],
      [west + side, south + side],
      [west, south + side],
      [west, south],
    ],
  ];
  const feature = (name: unknown, group: string, coordinates: unknown, type = 'MultiPolygon') => ({
    type: 'Feature',
    properties: { neighbourhood: name, neighbourhood_group: group },
    geometry: { type, coordinates },
  });
  const geojson = (...features: unknown[]) => [JSON.stringify({ type: 'FeatureCollection', features })];
  const adams = feature('Adams', 'Ballard', [square(-122.25, 47.49, 0.01)]);

  test('become places with box and center, as do their groups', async () => {
    const run = await importFile(
      'n.geojson',
      geojson(
        adams,
        feature('Loyal Heights', 'Ballard', square(-122.24, 47.5, 0.02), 'Polygon'),
        feature('Wallingford', 'Other neighborhoods', [
          square(-122.3, 47.6, 0.01),
          square(-122.2, 47.6, 0.01),
        ]),
      ),
      ['--city', 'Seattle, WA'],
    );
    expect(run).toMatchObject({ code: 0 });
    expect(await ids()).toEqual([
      'neighborhood:us:wa:seattle:adams',
      'neighborhood:us:wa:seattle:ballard',
      'neighborhood:us:wa:seattle:loyal-heights',
      'neighborhood:us:wa:seattle:wallingford',
    ]);
    const ballard = await place('neighborhood:us:wa:seattle:ballard');
    expect(ballard).toMatchObject({ label: 'Ballard, Seattle, WA', weight: 2 });
    expect([ballard?.west, ballard?.south, ballard?.east, ballard?.north].map(Number)).toEqual(
      [-122.25, 47.49, -122.22, 47.52].map((edge) => expect.closeTo(edge, 9)),
    );
    // Weighted by area: the square of side 2 counts four times.
    expect(ballard?.longitude).toBeCloseTo((-122.245 + 4 * -122.23) / 5, 9);
    expect((await place('neighborhood:us:wa:seattle:wallingford'))?.longitude).toBeCloseTo(-122.245, 9);
  });

  test('find their city by the postal codes in the database, or ask for it', async () => {
    const lost = await importFile('n.geojson', geojson(adams));
    expect(lost).toMatchObject({ code: 2, text: expect.stringContaining('--city "Seattle, WA"') });
    await importFile('boxes.csv', [BOXES, SEATTLE_BOX]);
    expect(await importFile('n.geojson', geojson(adams))).toMatchObject({ code: 0 });
    expect(await place('neighborhood:us:wa:seattle:adams')).toMatchObject({ city: 'Seattle' });
  });

  test.each([
    ['no name', feature(undefined, '', [square(0, 0, 1)]), /no "neighbourhood"/],
    ['a line', feature('Line', '', [[0, 0]], 'LineString'), /Line is no Polygon/],
    [
      'a ring of two',
      feature('Two', '', [
        [
          [
            [0, 0],
            [1, 1],
          ],
        ],
      ]),
      /Two has a ring/,
    ],
    ['a corner off the globe', feature('Far', '', [square(-181, 47, 1)]), /Far has a ring/],
    ['nothing at all', null, /no "neighbourhood"/],
  ])('a feature with %s is skipped', async (_, broken, words) => {
    const run = await importFile('n.geojson', geojson(adams, broken), ['--city', 'Seattle, WA']);
    expect(run.code).toBe(1);
    expect(run.text).toMatch(new RegExp(`n.geojson:2: .*${words.source}`));
    expect(await place('neighborhood:us:wa:seattle:adams')).toBeDefined();
  });
});
