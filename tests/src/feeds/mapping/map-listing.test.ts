import { describe, expect, test } from 'vitest';
import { FEATURE_VALUES } from '../../../../machines/feature-values.ts';
import { featuresOf, GARAGE_FIELDS } from '../../../../src/feeds/mapping/features.ts';
import { LISTING_FIELDS, OTHER_FIELDS } from '../../../../src/feeds/mapping/listing-fields.ts';
import { type FeedListing, mapListing } from '../../../../src/feeds/mapping/map-listing.ts';
import { standardOf } from '../../../../src/feeds/writing/standard-values.ts';
import { FEATURE_KEYS } from '../../../../src/wire/listings/feature-keys.ts';
import { DICTIONARY_NAMES } from '../../../support/dictionary-names.ts';

/** A record as a listing (docs/contract.md#feeds). */
const TERMS = { optIn: false, use: null };
const asIs = (_field: string, value: string) => value;
const record = {
  StandardStatus: 'Active',
  ListPrice: 1,
  City: 'Ballard',
  UnparsedAddress: '1 Main St',
};
const mapped = (more: object, terms = TERMS, standard = asIs) => {
  const result = mapListing({ ...record, ...more }, terms, standard);
  if ('refused' in result) throw new Error(`refused for ${result.refused.join(', ')}`);
  return result;
};
const listing = (more: object): FeedListing => mapped(more).listing;

test('every field of the table is a name of the dictionary, and every feature has a field', () => {
  const { address, street, bathrooms, ...single } = OTHER_FIELDS;
  const used = [
    ...Object.values(LISTING_FIELDS).flatMap(({ fields }) => fields),
    ...Object.values(FEATURE_VALUES).map(({ field }) => field),
    ...GARAGE_FIELDS,
    ...address,
    ...street,
    ...Object.keys(bathrooms),
    ...Object.values(single),
  ];
  expect(used.filter((name) => !DICTIONARY_NAMES.includes(name))).toEqual([]);
  expect(Object.keys(FEATURE_VALUES).toSorted()).toEqual([...FEATURE_KEYS].toSorted());
});

describe('a description whose address is hidden', () => {
  const remarks = (more: object) =>
    listing({
      InternetAddressDisplayYN: false,
      UnparsedAddress: '9382 NE Secretive Quay Ave Unit 7',
      ...more,
    }).publicRemarks;
  test.each([
    'Welcome to 9382 NE Secretive Quay Ave!',
    'SECRETIVE QUAY, number 9382.',
    'Visit "9382-Secretive Quáy" today',
  ])('is not shown when it names it: %s', (PublicRemarks) => expect(remarks({ PublicRemarks })).toBeNull());

  test.each(['Close to Secretive Quay.', 'Built for 9382 dollars in 1920.', '12 Secretive Quay is near.'])(
    'is shown otherwise: %s',
    (PublicRemarks) => expect(remarks({ PublicRemarks })).toBe(PublicRemarks),
  );

  test('is compared with the parts of the address as well, and is shown with an address that is shown', () => {
    const parts = { UnparsedAddress: '', StreetNumber: 12, StreetName: 'Old Mill' };
    const PublicRemarks = 'At 12 Old Mill Road';
    expect(remarks({ ...parts, PublicRemarks })).toBeNull();
    expect(listing({ UnparsedAddress: '12 Old Mill Rd', PublicRemarks }).publicRemarks).toBe(PublicRemarks);
  });
});

describe('fields that are made of several', () => {
  test.each([
    [{ BathroomsFull: 2, BathroomsHalf: 1 }, 2.5],
    [{ BathroomsFull: 1, BathroomsThreeQuarter: 1, BathroomsOneQuarter: 1 }, 2],
    [{ BathroomsTotalInteger: 3 }, 3],
    [{}, null],
  ])('bathrooms of %j are %s', (more, total) => expect(listing(more).bathroomsTotal).toBe(total));

  test('the address of its parts; without a street there is none', () => {
    const parts = {
      UnparsedAddress: '',
      StreetNumber: 12,
      StreetDirPrefix: 'NW',
      StreetName: '58th',
      StreetSuffix: 'St',
    };
    expect(listing(parts).address).toBe('12 NW 58th St');
    expect(mapListing({ ...record, UnparsedAddress: '' }, TERMS, asIs)).toMatchObject({
      refused: ['UnparsedAddress'],
    });
    const place = { Latitude: 47.6, Longitude: -122.3, UnitNumber: '4' };
    for (const UnparsedAddress of ['', '1 Main St'])
      expect(listing({ ...place, UnparsedAddress, InternetAddressDisplayYN: false })).toMatchObject({
        address: '',
        unitNumber: null,
        latitude: null,
        longitude: null,
      });
  });

  test('half of what belongs together is none', () => {
    expect(listing({ Latitude: 47.6, AssociationFee: 12, ShowingStartTime: '09:00' })).toMatchObject({
      latitude: null,
      associationFee: null,
      showingStartTime: null,
    });
    expect(listing({ Latitude: 0, Longitude: 0 })).toMatchObject({ latitude: null, longitude: null });
    expect(listing({ ClosePrice: 5, CloseDate: '2026-01-01' })).toMatchObject({
      closePrice: null,
      closeDate: null,
    });
  });
});

test('values that are none of ours are kept and change nothing', () => {
  const { listing, unmapped } = mapped({
    LotSizeUnits: 'Furlongs',
    BedroomsTotal: -1,
    Flooring: ['Hardwood', 'Moss'],
  });
  expect(listing).toMatchObject({
    lotSizeUnits: 'Square Feet',
    bedroomsTotal: null,
    features: ['HARDWOOD_FLOORS'],
  });
  expect(unmapped).toEqual({ LotSizeUnits: 'Furlongs', BedroomsTotal: -1, Flooring: ['Moss'] });
});

test("a feed's own values are those of the dictionary by its lookups", () => {
  const standard = standardOf([
    { lookup: 'Flooring', value: 'HW', standard: 'Hardwood' },
    { lookup: 'AreaUnits', value: 'SQM', standard: 'Square Meters' },
  ]);
  expect(mapped({ Flooring: ['HW'], LivingAreaUnits: 'SQM' }, TERMS, standard).listing).toMatchObject({
    features: ['HARDWOOD_FLOORS'],
    livingAreaUnits: 'Square Meters',
  });
});

test('features of yes and no, of pets and of garages', () => {
  const found = (body: object) => featuresOf(body as Record<string, unknown>, asIs).features;
  expect(found({ FireplaceYN: true, PoolPrivateYN: false, SpaYN: 'Y' })).toEqual(['FIREPLACE', 'HOT_TUB']);
  expect(found({ GarageSpaces: 2 })).toEqual(['GARAGE']);
  expect(found({ AttachedGarageYN: false, GarageSpaces: 0 })).toEqual([]);
  expect(found({ PetsAllowed: ['Cats OK'] })).toEqual(['PETS_ALLOWED']);
});

test('who may be shown follows from the record and the terms of the feed', () => {
  const hidden = (more: object, terms = TERMS) => mapped(more, terms).isHidden;
  const optIn = { optIn: true, use: null };
  const used = { optIn: false, use: { field: 'MlgCanUse', value: 'IDX' } as never };
  expect(hidden({})).toBe(false);
  expect(hidden({ InternetEntireListingDisplayYN: false })).toBe(true);
  expect(hidden({}, optIn)).toBe(true);
  expect(hidden({ InternetEntireListingDisplayYN: true }, optIn)).toBe(false);
  expect(hidden({ MlgCanUse: ['VOW'] }, used)).toBe(true);
  expect(hidden({ MlgCanUse: ['IDX', 'VOW'] }, used)).toBe(false);
});
