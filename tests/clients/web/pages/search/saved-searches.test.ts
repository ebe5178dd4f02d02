import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  filtersInWords,
  findsSame,
  stateOf,
  toSave,
} from '../../../../../clients/web/pages/search/saved/saved-filters.ts';
import type { SavedSearch } from '../../../../../clients/web/pages/search/saved/saved-searches.ts';
import { LONGEST_NAME, nameOfSearch } from '../../../../../clients/web/pages/search/saved/search-name.ts';
import type { SearchState } from '../../../../../clients/web/pages/search/search-state.ts';
import { createText } from '../../../../../clients/web/words/text.ts';
import type { Locale } from '../../../../../i18n/languages.ts';
import { ownSite } from '../../../../../src/site/read-site.ts';
import { saveSearchInput } from '../../../../../src/wire/listings/saved-searches.ts';

/** What the site saves of a search comes back as the same search, with a name and words that say what it finds. */
const words = (locale: Locale) =>
  createText(locale, JSON.parse(readFileSync(`i18n/user/${locale}.json`, 'utf8')), ownSite());
const OAKLAND = 'city:us:ca:oakland';

/** As the API takes it and gives it back. */
function saved(state: SearchState, placeId: string | null = null): SavedSearch {
  const input = saveSearchInput.parse({ ...toSave(state, placeId), cadence: 'DAILY', channels: ['MAIL'] });
  const stored = JSON.parse(JSON.stringify(input)) as SavedSearch;
  const placeName = input.filters.placeId === undefined ? null : 'Oakland, CA';
  return { ...stored, id: 'a', name: 'Any', placeName, createdAt: '', newHomes: 0 };
}

describe('a search of the site', () => {
  const whole: SearchState = {
    minPrice: 100_000,
    maxPrice: 900_000,
    beds: 3,
    baths: 1.5,
    minArea: 50,
    maxArea: 5_000,
    builtFrom: 1950,
    minLot: 10,
    garage: 1,
    maxFee: 300,
    days: 7,
    type: ['Land', 'Residential'],
    feature: ['GARDEN', 'GARAGE'],
    words: 'calm',
    reduced: true,
    photos: true,
    sort: 'NEWEST',
  };
  test.each<[string, SearchState]>([
    ['all filters and a place', { ...whole, q: 'Oakland, CA', place: OAKLAND }],
    ['sold homes in a part of the map', { sold: 12, box: [-123, 37, -122, 38] }],
    [
      'a drawn area',
      {
        area: [
          { latitude: 1, longitude: 2 },
          { latitude: 1, longitude: 3 },
          { latitude: 2, longitude: 2 },
        ],
      },
    ],
    ['nothing', {}],
  ])('comes back as it was saved: %s', (_, state) => {
    expect(stateOf(saved(state), 'Square Feet')).toEqual(state);
  });

  test('is found by its place whatever was typed; pictures, view and dates of open houses are no part of it', () => {
    const typed: SearchState = {
      q: 'oakl',
      beds: 2,
      open: 7,
      pictures: 'realOnly',
      view: 'map',
      cursor: 'x',
    };
    const back = stateOf(saved(typed, OAKLAND), 'Square Feet');
    expect(back).toEqual({ q: 'Oakland, CA', place: OAKLAND, beds: 2 });
    expect(findsSame(toSave(typed, OAKLAND).filters, toSave(back, null).filters)).toBe(true);
    expect(findsSame(toSave(typed, null).filters, toSave(back, null).filters)).toBe(false);
    expect(findsSame({ features: ['GARAGE', 'GARDEN'] }, { features: ['GARDEN', 'GARAGE'] })).toBe(true);
  });

  test('that another app saved is shown in the units and shapes of the site', () => {
    const search = saved({ minArea: 100 });
    const filters: SavedSearch['filters'] = {
      ...search.filters,
      areaUnits: 'Square Meters',
      location: { circle: { latitude: 0, longitude: 0, radiusMeters: 111_320 } },
    };
    expect(stateOf({ ...search, filters }, 'Square Feet')).toEqual({ minArea: 1076, box: [-1, -1, 1, 1] });
  });
});

describe('the proposed name', () => {
  test.each<[Locale, SearchState, string | null, string]>([
    ['en', { beds: 3, maxPrice: 900_000 }, 'Oakland, CA', '3+ beds in Oakland under $900K'],
    ['es', { beds: 3, maxPrice: 900_000 }, 'Oakland, CA', '3+ recámaras en Oakland hasta $900 k'],
    ['en', { minPrice: 500_000, maxPrice: 1_250_000 }, null, 'Homes, $500K to $1.25M'],
    ['en', { minPrice: 500_000, box: [1, 2, 3, 4] }, null, 'Homes in this area over $500K'],
    ['en', { sold: 6 }, 'Ballard, Seattle, WA', 'Sold homes in Ballard'],
  ])('in %s of %o in %s', (locale, state, place, name) => {
    expect(nameOfSearch(state, place, words(locale), 'USD').replaceAll(/\s/g, ' ')).toBe(name);
  });

  test('is no longer than a name may be', () => {
    expect(nameOfSearch({}, 'x'.repeat(200), words('en'), 'USD')).toHaveLength(LONGEST_NAME);
  });
});

test('the filters in words are those of the chips', () => {
  const state = {
    q: 'Oakland, CA',
    place: OAKLAND,
    maxPrice: 900_000,
    beds: 3,
    pictures: 'realOnly',
  } as const;
  expect(filtersInWords(state, words('en'), 'USD')).toBe('Oakland, CA · Up to $900,000 · 3+ beds');
});
