import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery, writeQuery } from '../../../../../clients/web/addresses/address-query.ts';
import { chipsOf, chipText } from '../../../../../clients/web/pages/search/chips.ts';
import {
  listQuestion,
  mapQuestion,
  readState,
  searchInput,
  sortsFor,
  writeState,
} from '../../../../../clients/web/pages/search/search-state.ts';
import { createText } from '../../../../../clients/web/words/text.ts';
import { FEATURE_KEYS } from '../../../../../src/wire/listings/feature-keys.ts';
import { searchListInput, searchMapInput } from '../../../../../src/wire/listings/search.ts';

/** The address of a search is its whole state: it is read, written and asked for without loss, and never fails. */
const coordinate = (limit: number) =>
  fc.integer({ min: -limit * 1_000, max: limit * 1_000 }).map((value) => value / 1_000);
const states = fc
  .record(
    {
      q: fc
        .string({ minLength: 2, maxLength: 40 })
        .map((text) => text.trim())
        .filter((text) => text.length > 1),
      minPrice: fc.integer({ min: 0, max: 500_000 }),
      maxPrice: fc.integer({ min: 500_000, max: 9_000_000 }),
      beds: fc.integer({ min: 0, max: 20 }),
      baths: fc.integer({ min: 0, max: 20 }),
      builtFrom: fc.integer({ min: 1800, max: 2100 }),
      minLot: fc.integer({ min: 0, max: 100_000 }),
      garage: fc.integer({ min: 0, max: 5 }),
      maxFee: fc.integer({ min: 0, max: 5_000 }),
      days: fc.integer({ min: 0, max: 400 }),
      sold: fc.integer({ min: 1, max: 36 }),
      words: fc.constantFrom('garden', 'two stories', 'Ático'),
      photos: fc.constant(true as const),
      type: fc.uniqueArray(fc.constantFrom('Residential', 'Land', 'Houseboat'), { minLength: 1 }),
      feature: fc.uniqueArray(fc.constantFrom(...FEATURE_KEYS), { minLength: 1, maxLength: 57 }),
      reduced: fc.constant(true as const),
      sort: fc.constantFrom(...sortsFor({}).slice(1)),
      pictures: fc.constantFrom('realFirst' as const, 'realOnly' as const),
      box: fc
        .tuple(coordinate(180), coordinate(89), coordinate(180), coordinate(89))
        .map(
          ([west, south, east, north]) =>
            [west, Math.min(south, north), east, Math.max(south, north)] as const,
        ),
      zoom: fc.integer({ min: 0, max: 24 }),
      // Corners around a middle, which cross no line.
      area: fc
        .record({
          latitude: coordinate(80),
          longitude: coordinate(170),
          reach: fc.double({ min: 0.01, max: 3, noNaN: true }),
        })
        .chain(({ latitude, longitude, reach }) =>
          fc.integer({ min: 3, max: 30 }).map((corners) =>
            Array.from({ length: corners }, (_, corner) => {
              const turn = (corner / corners) * 2 * Math.PI;
              return {
                latitude: Number((latitude + Math.sin(turn) * reach).toFixed(4)) + 0,
                longitude: Number((longitude + Math.cos(turn) * reach).toFixed(4)) + 0,
              };
            }),
          ),
        ),
      view: fc.constant('map' as const),
    },
    { requiredKeys: [] },
  )
  .map((state) => state as ReturnType<typeof readState>);

test('what is written into an address is read from it', () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(readState(parseQuery(writeQuery(writeState(state))))).toEqual(state);
    }),
  );
});

test('whatever an address holds, the API takes what is asked for it', () => {
  const wild = fc.dictionary(
    fc.constantFrom(
      'q',
      'minPrice',
      'maxPrice',
      'beds',
      'garage',
      'sold',
      'days',
      'words',
      'type',
      'feature',
      'sort',
      'pictures',
      'area',
      'box',
      'zoom',
      'view',
      'place',
      'x',
    ),
    fc.oneof(
      fc.string(),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.constantFrom('0', '1', '1.5', '1e9', '-1', '1,2,3,4', 'NaN,1,1,1', '…'),
      // Areas: too few corners, around a pole, across the antimeridian.
      fc.constantFrom('1,2;3,4', '80,0;80,120;80,-120', '1,-170;1,170;2,5'),
    ),
  );
  fc.assert(
    fc.property(fc.oneof(wild, states.map(writeState)), (query) => {
      const state = readState(query);
      const { filters: asked, ...rest } = listQuestion(state, null);
      const { features, placeId, ...filters } = asked;
      const input = {
        ...rest,
        filters: { ...filters, features: features?.filter((key) => FEATURE_KEYS.includes(key)) },
      };
      expect(searchListInput.safeParse(input).error).toBeUndefined();
      const map = mapQuestion(state, filters);
      if (map !== null) expect(searchMapInput.safeParse(map).error).toBeUndefined();
    }),
  );
});

test('each chip takes one filter off, and all of them leave none', () => {
  fc.assert(
    fc.property(states, (state) => {
      let left = state;
      for (let chips = chipsOf(left); chips.length > 0; chips = chipsOf(left)) {
        const next = chips[0]?.without ?? {};
        // Under a drawn area lies the part of the map that is shown: it is searched again.
        const uncovered = left.area !== undefined && next.area === undefined && next.box !== undefined;
        expect(chipsOf(next)).toHaveLength(chips.length - (uncovered ? 0 : 1));
        left = next;
      }
      expect(listQuestion(left, null).filters).toEqual({});
    }),
  );
});

test('prices that exclude each other lose the upper one', () => {
  expect(readState({ minPrice: '500', maxPrice: '100' })).toEqual({ minPrice: 500 });
});

test('the choice of pictures is part of what the list is asked, not of what finds homes', () => {
  const state = readState({ beds: '2', pictures: 'realOnly' });
  expect(listQuestion(state, null).filters).toEqual({ beds: { min: 2 }, pictures: 'realOnly' });
  expect(searchInput(state, null).filters).toEqual({ beds: { min: 2 } });
  expect(readState({ pictures: 'any' })).toEqual({});
});

test('numbers are read as people write them', () => {
  for (const written of ['1,250,000', '1.250.000', '1 250 000', '1’250’000'])
    expect(readState({ minPrice: written })).toEqual({ minPrice: 1_250_000 });
  expect(readState({ baths: '2.5', beds: '2.5', maxFee: '12.50' })).toEqual({ baths: 2.5, maxFee: 12.5 });
});

test('a chip has the unit of its number, and a year none', () => {
  const text = createText('en', JSON.parse(readFileSync('i18n/user/en.json', 'utf8')), {
    areaUnits: 'Square Feet',
    country: 'US',
  });
  const state = readState({
    minPrice: '400000',
    minLot: '5000',
    maxFee: '350',
    builtFrom: '1990',
    days: '1',
    sold: '3',
    type: 'Townhouse',
    words: 'garden',
  });
  expect(chipsOf(state).map((chip) => chipText(chip, text, 'USD'))).toEqual([
    'Sold in the last 3 months',
    'From $400,000',
    'Lot 5,000 sq ft or larger',
    'Built 1990 or later',
    'Fee up to $350 a month',
    'Listed in the last day',
    '“garden”',
    'Townhouse',
  ]);
});
