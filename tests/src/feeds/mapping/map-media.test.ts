import { expect, test } from 'vitest';
import { mapMedia } from '../../../../src/feeds/mapping/map-media.ts';
import { mediaRows } from '../../../../src/feeds/writing/media-rows.ts';

/** What a record's media mean (docs/feeds-in.md#pictures). */
const asIs = (_lookup: string, value: string) => value;
const row = (more: object = {}) => ({
  MediaKey: 'm1',
  MediaURL: 'https://media.example/1.jpg',
  MediaCategory: 'Photo',
  Order: 0,
  ...more,
});
const map = (media: unknown, isHidden = false) =>
  mapMedia({ Media: media }, { permissions: ['Public', 'IDX'], isHidden }, asIs);
const one = (more: object) => map([row(more)])?.[0];

test('a record without its media says nothing; an empty list says that there is none', () => {
  expect(map(undefined)).toBeNull();
  expect(map([])).toEqual([]);
});

test('only photos of the listing are pictures', () => {
  const others = ['Floor Plan', 'Video', 'Document', 'Unbranded Virtual Tour', undefined, ''];
  expect(map(others.map((MediaCategory, index) => row({ MediaKey: `m${index}`, MediaCategory })))).toEqual(
    [],
  );
  expect(map([row({ ResourceName: 'Member' }), 'text', null])).toEqual([]);
  expect(one({ ResourceName: 'Property' })).toMatchObject({ key: 'm1', reason: null });
});

test.each([
  [undefined, null],
  [[], null],
  ['', null],
  ['Public', null],
  [['IDX', 'VOW'], null],
  [['Private'], 'PERMISSION'],
  [['VOW'], 'PERMISSION'],
  [['Public', 'Agent Only'], 'PERMISSION'],
  ['IDX, Office Only', 'PERMISSION'],
  [['Firm Only'], 'PERMISSION'],
  [['Syndicated to friends'], 'PERMISSION'],
])('a picture with the permission %j is refused for %s', (Permission, reason) => {
  expect(one({ Permission })?.reason).toBe(reason);
});

test('a hidden listing has no picture, and neither has a row without an address', () => {
  expect(map([row()], true)?.[0]?.reason).toBe('LISTING_HIDDEN');
  expect(one({ MediaURL: null })?.reason).toBe('NO_ADDRESS');
  expect(one({ MediaURL: 'no address' })?.reason).toBe('NO_ADDRESS');
});

test.each([
  [undefined, null],
  [['None'], null],
  ['None', null],
  [['Twilight Conversion'], 'Twilight Conversion'],
  [['Virtual Enhancements', 'Virtual Staging - Item Addition'], 'Virtual Staging - Item Addition'],
  ['Twilight Conversion,Virtual Renovation', 'Twilight Conversion'],
  [['Sky replaced'], 'Other Media Modification'],
])('the alteration %j is %s', (MediaAlteration, alteration) => {
  expect(one({ MediaAlteration })?.alteration).toBe(alteration);
});

test('pictures come in the order of the feed; of two with one key the later one counts', () => {
  const keys = map([
    row({ MediaKey: 'b', Order: 2 }),
    row({ MediaKey: 'a', Order: '1' }),
    row({ MediaKey: 'b', Order: 0 }),
    row({ MediaKey: 7, Order: 3 }),
  ])?.map(({ key }) => key);
  expect(keys).toEqual(['b', 'a', '7']);
});

test('a listing has at most 200 pictures', () => {
  const many = Array.from({ length: 300 }, (_, Order) => row({ MediaKey: `m${Order}`, Order }));
  expect(map(many)).toHaveLength(200);
});

test('the first picture is the preferred one that is shown and unaltered', () => {
  const firstOf = (media: object[]) =>
    mediaRows('p', map(media) ?? []).flatMap(({ isFirst, key }) => (isFirst ? key : []));
  const preferred = { MediaKey: 'b', Order: 1, PreferredPhotoYN: true };
  expect(firstOf([row(), row(preferred)])).toEqual(['b']);
  expect(firstOf([row(), row({ ...preferred, Permission: ['Private'] })])).toEqual(['m1']);
  expect(
    firstOf([
      row({ MediaAlteration: ['Virtual Renovation'] }),
      row({ ...preferred, PreferredPhotoYN: false }),
    ]),
  ).toEqual(['b']);
  expect(firstOf([row({ MediaAlteration: ['Virtual Renovation'] })])).toEqual(['m1']);
  expect(firstOf([])).toEqual([]);
});
