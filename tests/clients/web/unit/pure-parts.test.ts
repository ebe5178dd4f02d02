import { describe, expect, test } from 'vitest';
import { inLocale, localeOfPath, withoutLocale } from '../../../../clients/web/app/language.ts';
import { safeReturn } from '../../../../clients/web/app/person/pending-action.ts';
import { createText } from '../../../../clients/web/app/text.ts';
import { visitsOf } from '../../../../clients/web/app/tour-times.ts';
import { boxAround, boxOf, cornersOf, cornersOfCluster } from '../../../../clients/web/map/map-area.ts';
import { blocksOf } from '../../../../clients/web/pages/legal/legal-data.ts';
import { LARGEST_ZOOM, MIDDLE, squareOf, within } from '../../../../clients/web/pages/menu/crop.ts';
import { recentSearches, rememberSearch } from '../../../../clients/web/pages/search/recent-searches.ts';
import en from '../../../../i18n/user/en.json' with { type: 'json' };
import es from '../../../../i18n/user/es.json' with { type: 'json' };

/** The pure parts of the site. */

describe('words, dates, money and areas', () => {
  const [english, spanish] = [createText('en', en), createText('es', es)];
  test('plural forms follow the language', () => {
    expect([0, 1, 2, 21_613].map((count) => english.t('search.total', { count }))).toEqual([
      '0 homes',
      '1 home',
      '2 homes',
      '21,613 homes',
    ]);
    expect(spanish.t('search.total', { count: 1 })).toBe('1 vivienda');
  });
  test('a missing key is shown as it is', () => {
    expect(english.t('no.such.key')).toBe('no.such.key');
  });
  test('money is whole unless it has cents, with the currency’s own sign', () => {
    expect([english.money(895_000, 'USD'), english.money(0.5, 'USD'), english.money(1_200, 'EUR')]).toEqual([
      '$895,000',
      '$0.50',
      '€1,200',
    ]);
  });
  test('a time names its zone', () => {
    expect(english.dateTime('2026-12-01T22:00:00.000Z', 'America/Los_Angeles')).toMatch(/2:00.PM PST/);
    expect(english.dateTime('2026-12-01T22:00:00.000Z', 'UTC')).toMatch(/10:00.PM UTC/);
  });
});

test.each([
  ['/search?q=a', '/search?q=a'],
  ['/es/menu', '/es/menu'],
  ['//evil.example/x', '/'],
  ['/\\evil.example', '/'],
  ['https://evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['', '/'],
  [undefined, '/'],
  [['/a', '/b'], '/'],
])('after signing in, %j leads to %s', (path, expected) => {
  expect(safeReturn(path)).toBe(expected);
});

test('the language is part of the address, and only there', () => {
  expect(['/', '/es', '/es/search', '/estates'].map(localeOfPath)).toEqual(['en', 'es', 'es', 'en']);
  expect(['/', '/es', '/es/search', '/estates'].map(withoutLocale)).toEqual([
    '/',
    '/',
    '/search',
    '/estates',
  ]);
  expect([inLocale('/', 'es'), inLocale('/search', 'es'), inLocale('/search', 'en')]).toEqual([
    '/es',
    '/es/search',
    '/search',
  ]);
});

describe('times of visits', () => {
  const hours = {
    propertyTimeZoneName: 'America/Los_Angeles',
    showingAdvanceNotice: 24,
    showingStartTime: '10:00:00',
    showingEndTime: '12:00:00',
    showingDays: ['Monday', 'Tuesday'],
  };
  test('lie within the showing hours of the home’s own zone, after the notice', () => {
    const now = Date.parse('2026-11-23T08:00:00.000Z');
    const days = visitsOf(hours as never, now);
    const all = days.flatMap(({ slots }) => slots);
    expect(all.length).toBeGreaterThan(0);
    for (const { startsAt } of all) {
      const local = new Intl.DateTimeFormat('en-US', {
        timeZone: 'America/Los_Angeles',
        weekday: 'long',
        hour: 'numeric',
        hour12: false,
      }).format(new Date(startsAt));
      expect(local).toMatch(/^(Monday|Tuesday) (10|11)|(10|11)/);
      expect(Date.parse(startsAt)).toBeGreaterThanOrEqual(now + 24 * 3_600_000);
    }
  });
});

describe('areas of the map', () => {
  const bounds = (west: number, south: number, east: number, north: number) => ({
    getWest: () => west,
    getSouth: () => south,
    getEast: () => east,
    getNorth: () => north,
  });
  test('a box is rounded, turned onto the earth, and the whole earth at most once', () => {
    expect(boxOf(bounds(-122.3456789, 47.1, -122.1, 47.9))).toEqual([-122.34568, 47.1, -122.1, 47.9]);
    expect(boxOf(bounds(170, -10, 190, 10))).toEqual([170, -10, -170, 10]);
    expect(boxOf(bounds(-200, -95, 200, 95))).toEqual([-180, -90, 180, 90]);
  });
  test('a box over the antimeridian is shown as one piece', () => {
    expect(cornersOf([170, -10, -170, 10])).toEqual([
      [170, -10],
      [190, 10],
    ]);
  });
  test('homes lie inside the box around them, a single one with its surroundings', () => {
    const [west = 0, south = 0, east = 0, north = 0] =
      boxAround([{ latitude: 47.6, longitude: -122.3 }]) ?? [];
    expect(west).toBeLessThan(-122.3);
    expect(east - west).toBeCloseTo(0.02);
    expect(north - south).toBeCloseTo(0.02);
    expect(boxAround([])).toBeNull();
  });
  test('a cluster is as large as a cell before it splits', () => {
    const [one, other] = cornersOfCluster({ latitude: 0, longitude: 0, expansionZoom: 1 });
    expect([one?.longitude, other?.longitude]).toEqual([-28.125, 28.125]);
  });
});

test('a text of the operator has a title, headings, lists and paragraphs', () => {
  expect(blocksOf('# Title\r\n\r\n## Part\n\n- one\n- two\n\nWords\nand more.\n')).toEqual([
    { kind: 'title', text: 'Title' },
    { kind: 'heading', text: 'Part' },
    { kind: 'list', items: ['one', 'two'] },
    { kind: 'paragraph', text: 'Words\nand more.' },
  ]);
});

describe('recent searches', () => {
  const storage = (text: string | null = null) => {
    let kept = text;
    return {
      getItem: () => kept,
      setItem(_: string, value: string) {
        kept = value;
      },
    };
  };
  test('are kept once each, the latest first, five at most', () => {
    const own = storage();
    for (const q of ['a', 'b', 'a', 'c', 'd', 'e', 'f']) rememberSearch(own, { q });
    expect(recentSearches(own)).toEqual(['f', 'e', 'd', 'c', 'a'].map((q) => ({ q })));
    rememberSearch(own, {});
    expect(recentSearches(own)).toHaveLength(5);
  });
  test('never fail, whatever an older release left', () => {
    expect([storage('{'), storage('1'), storage('[1,null]')].map(recentSearches)).toEqual([[], [], []]);
  });
});

describe('the square of an avatar', () => {
  const wide = { width: 1_200, height: 400 };

  test('is the middle one at first', () => {
    expect(squareOf(wide, MIDDLE)).toEqual({ left: 400, top: 0, side: 400 });
  });

  test('never leaves the picture, however it is moved and magnified', () => {
    for (const x of [-3, 0, 0.2, 0.9, 7])
      for (const zoom of [0, 1, 2.5, 90]) {
        const { left, top, side } = squareOf(wide, { x, y: 1 - x, zoom });
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(-1e-9);
        expect(left + side).toBeLessThanOrEqual(wide.width + 1e-9);
        expect(top + side).toBeLessThanOrEqual(wide.height + 1e-9);
      }
    expect(within(wide, { ...MIDDLE, zoom: 90 }).zoom).toBe(LARGEST_ZOOM);
  });
});
