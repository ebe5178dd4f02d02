import { LIVING_AREA_UNITS, LOT_SIZE_UNITS } from '../../../i18n/areas.ts';
import { STANDARD_STATUSES } from '../../../persistence/entities/values.ts';
import { FEE_FREQUENCIES, WEEKDAYS } from '../../wire/listings/listing-fields.ts';
import {
  clock,
  coordinate,
  day,
  decimal,
  instant,
  listed,
  oneOf,
  price,
  type Read,
  text,
  whole,
  yesNo,
} from './values.ts';

/**
 * The one table of a listing's fields: our column, the fields of Data Dictionary 2.0 in the order in which they are tried,
 * and how a value is read. A test compares the names with the dictionary's. Bathrooms, the address, features and what
 * the public may see are made of several fields, in `map-listing.ts`.
 */
const field = <T>(read: Read<T>, ...fields: readonly string[]) => ({ fields, read });
const count = whole(0, 1_000);
const year = whole(1_000, 3_000);
const money = decimal(12, 2);

const weekdays: Read<string[]> = (value) => {
  const named = listed(value);
  return WEEKDAYS.filter((one) => named.includes(one));
};
const country: Read<string> = (value) => (/^[A-Z]{2}$/.test(String(value)) ? String(value) : undefined);
const timeZone: Read<string> = (value) => {
  if (typeof value !== 'string' || !/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(value)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone && value;
  } catch {
    return undefined;
  }
};

export const LISTING_FIELDS = {
  standardStatus: field(oneOf(STANDARD_STATUSES), 'StandardStatus'),
  listPrice: field(price, 'ListPrice', 'OriginalListPrice', 'ClosePrice'),
  originalListPrice: field(price, 'OriginalListPrice'),
  closePrice: field(price, 'ClosePrice'),
  closeDate: field(day, 'CloseDate'),
  bedroomsTotal: field(count, 'BedroomsTotal'),
  livingArea: field(decimal(10, 2), 'LivingArea'),
  livingAreaUnits: field(oneOf(LIVING_AREA_UNITS), 'LivingAreaUnits'),
  lotSizeArea: field(decimal(12, 2), 'LotSizeArea'),
  lotSizeUnits: field(oneOf(LOT_SIZE_UNITS), 'LotSizeUnits'),
  yearBuilt: field(year, 'YearBuilt'),
  yearBuiltEffective: field(year, 'YearBuiltEffective'),
  stories: field(decimal(2, 1), 'Stories'),
  roomsTotal: field(count, 'RoomsTotal'),
  garageSpaces: field(count, 'GarageSpaces'),
  parkingTotal: field(count, 'ParkingTotal'),
  propertyType: field(text(100), 'PropertyType'),
  propertySubType: field(text(100), 'PropertySubType'),
  unitNumber: field(text(25), 'UnitNumber'),
  city: field(text(100), 'City'),
  countyOrParish: field(text(100), 'CountyOrParish'),
  subdivisionName: field(text(100), 'SubdivisionName'),
  stateOrProvince: field(text(50), 'StateOrProvince'),
  postalCode: field(text(20), 'PostalCode'),
  country: field(country, 'Country'),
  latitude: field(coordinate(90), 'Latitude'),
  longitude: field(coordinate(180), 'Longitude'),
  publicRemarks: field(text(10_000), 'PublicRemarks'),
  associationFee: field(money, 'AssociationFee'),
  associationFeeFrequency: field(oneOf(FEE_FREQUENCIES), 'AssociationFeeFrequency'),
  taxAnnualAmount: field(money, 'TaxAnnualAmount'),
  taxYear: field(year, 'TaxYear'),
  propertyTimeZoneName: field(timeZone, 'PropertyTimeZoneName'),
  showingAdvanceNotice: field(whole(0, 720), 'ShowingAdvanceNotice'),
  showingStartTime: field(clock, 'ShowingStartTime'),
  showingEndTime: field(clock, 'ShowingEndTime'),
  showingDays: field(weekdays, 'ShowingDays'),
  listOfficeName: field(text(255), 'ListOfficeName'),
  listAgentName: field(text(150), 'ListAgentFullName'),
  listAgentLicense: field(text(50), 'ListAgentStateLicense'),
  attributionContact: field(text(80), 'AttributionContact', 'ListOfficePhone', 'ListOfficeEmail'),
  feedUpdatedAt: field(instant, 'ModificationTimestamp'),
  listedAt: field(
    instant,
    'OnMarketTimestamp',
    'OnMarketDate',
    'ListingContractDate',
    'OriginalEntryTimestamp',
  ),
  statusChangedAt: field(instant, 'StatusChangeTimestamp'),
  offMarketAt: field(instant, 'OffMarketTimestamp', 'OffMarketDate'),
  showValuation: field(yesNo, 'InternetAutomatedValuationDisplayYN'),
  showComments: field(yesNo, 'InternetConsumerCommentYN'),
} as const;
type Fields = typeof LISTING_FIELDS;
export type ListingField = keyof Fields;
type ReadBy<R> = R extends Read<infer T> ? T : never;
export type ListingValues = { [F in ListingField]: ReadBy<Fields[F]['read']> | null };

/** Fields of a record that a listing is made of in another way; the same names for the test. */
export const OTHER_FIELDS = {
  address: ['UnparsedAddress'],
  street: ['StreetNumber', 'StreetDirPrefix', 'StreetName', 'StreetSuffix'],
  bathrooms: {
    BathroomsFull: 1,
    BathroomsThreeQuarter: 0.75,
    BathroomsHalf: 0.5,
    BathroomsOneQuarter: 0.25,
  },
  bathroomsTotal: 'BathroomsTotalInteger',
  showListing: 'InternetEntireListingDisplayYN',
  showAddress: 'InternetAddressDisplayYN',
  majorChange: 'MajorChangeType',
  majorChangedAt: 'MajorChangeTimestamp',
  previousPrice: 'PreviousListPrice',
  priceChangedAt: 'PriceChangeTimestamp',
} as const;
