import { FEATURE_VALUES, type FeatureValue } from '../../../machines/feature-values.ts';
import { isShownPhoto, isShownVariant } from '../../database/listing-visibility.ts';
import {
  date,
  decimal,
  type FeedSite,
  type Field,
  flag,
  instant,
  int,
  key,
  MODIFIED,
  manyValues,
  numbered,
  oneValue,
  quoted,
  type Resource,
  text,
} from '../fields.ts';
import { LOOKUPS } from '../lookups.ts';
import { isServed } from '../served.ts';

/** What a listing with a hidden address shows of it. */
const ifAddressShown = (sql: string): string => `CASE WHEN p."showAddress" THEN ${sql} END`;

/** Fields whose lookups have another name. */
const LOOKUP_OF: Readonly<Record<string, string>> = { InteriorFeatures: 'InteriorOrRoomFeatures' };
const PER_FIELD = Map.groupBy(Object.entries<FeatureValue>(FEATURE_VALUES), ([, { field }]) => field);
const TEXTS = new Set(['Furnished']);

/** The fields that features fill, with the values that they may have. */
export const FEATURE_LOOKUPS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  [...PER_FIELD].flatMap(([field, rows]) => {
    const values = rows.flatMap(([, { value }]) => (value === true ? [] : [value]));
    return values.length === 0 ? [] : [[LOOKUP_OF[field] ?? field, values]];
  }),
);

function featureField(name: string, rows: readonly [string, FeatureValue][]): Field {
  const [first] = rows;
  if (first === undefined) throw new Error(`no feature fills ${name}`);
  const isThere = (feature: string): string => `'${feature}' = ANY (p.features)`;
  if (first[1].value === true) return flag(`(${rows.map(([feature]) => isThere(feature)).join(' OR ')})`);
  const value = ([feature, { value }]: [string, FeatureValue]): string =>
    `CASE WHEN ${isThere(feature)} THEN ${quoted(String(value))} END`;
  if (TEXTS.has(name)) return oneValue(rows.map(value).join(' '), LOOKUP_OF[name] ?? name);
  return manyValues(
    `array_remove(ARRAY[${rows.map(value).join(', ')}]::text[], NULL)`,
    LOOKUP_OF[name] ?? name,
  );
}

const LAST_PRICE = (columns: string, more = ''): string => `(SELECT ${columns} FROM property_price_events e
  WHERE e."propertyId" = p.id AND e.event <> 'CORRECTION'${more} ORDER BY e.at DESC, e.id DESC LIMIT 1)`;
const PRICE_CHANGE = ` AND e.event = 'PRICE_CHANGED'`;
/** Status words are the same in both lookups, but that of a deleted listing, which is not served. */
const MAJOR_CHANGE = `coalesce(${LAST_PRICE(`CASE e.event WHEN 'LISTED' THEN 'New Listing' WHEN 'LISTED_FOR_RENT' THEN 'New Listing'
  WHEN 'PRICE_CHANGED' THEN 'Price Change' WHEN 'BACK_ON_MARKET' THEN 'Back On Market' END`)}, p."standardStatus")`;
const DAYS = `greatest(0, floor(extract(epoch FROM least(now(), coalesce(p."offMarketAt", now())) - p."listedAt") / 86400))`;
const BATHS = 'p."bathroomsTotal"';
const HALF_BATHS = `CASE WHEN ${BATHS} > floor(${BATHS}) THEN 1 ELSE 0 END`;
/** Hectares are no value of the lookup. */
const LOT = `CASE WHEN p."lotSizeUnits" = 'Hectares' THEN p."lotSizeArea" * 10000 ELSE p."lotSizeArea" END`;
const LOT_UNITS = `CASE WHEN p."lotSizeArea" IS NOT NULL THEN
  CASE WHEN p."lotSizeUnits" = 'Hectares' THEN 'Square Meters' ELSE p."lotSizeUnits" END END`;
const inZone = (column: string): string =>
  `((p."listedAt" AT TIME ZONE p."propertyTimeZoneName")::date + ${column}) AT TIME ZONE p."propertyTimeZoneName"`;
const dayOf = (column: string): string => `(${column} AT TIME ZONE p."propertyTimeZoneName")::date`;
/** Photos and pictures that everyone sees. */
const PHOTOS = `(SELECT count(*) FROM property_images i LEFT JOIN property_images s ON s.id = i."styledFromId"
  WHERE i."propertyId" = p.id AND CASE WHEN i."isStyled" THEN ${isShownVariant('i')} AND ${isShownPhoto('s')}
    ELSE ${isShownPhoto('i')} END)`;

const identity = ({ origin, name }: FeedSite): Record<string, Field> => ({
  ListingKey: key('p.id', { isGiven: true }),
  ListingId: text('coalesce(p."originatingSystemKey", p.id::text)', 255),
  ListingURL: text(`${quoted(`${origin}/properties/`)} || p.id`, 8000),
  OriginatingSystemName: text(`coalesce(p."originatingSystemName", ${quoted(name)})`, 255),
  OriginatingSystemKey: text('coalesce(p."originatingSystemKey", p.id::text)', 255),
  StandardStatus: oneValue('p."standardStatus"', 'StandardStatus', null, 25),
  PropertyType: oneValue('p."propertyType"', 'PropertyType', LOOKUPS.PropertyType),
  PropertySubType: oneValue('p."propertySubType"', 'PropertySubType', LOOKUPS.PropertySubType),
});

const MARKET: Record<string, Field> = {
  ListPrice: decimal('p."listPrice"'),
  OriginalListPrice: decimal('p."originalListPrice"'),
  PreviousListPrice: decimal(LAST_PRICE('e."previousPrice"', PRICE_CHANGE)),
  ClosePrice: decimal('p."closePrice"'),
  CloseDate: date('p."closeDate"'),
  ListingContractDate: date(dayOf('p."listedAt"')),
  OnMarketDate: date(dayOf('p."listedAt"')),
  OnMarketTimestamp: instant('p."listedAt"'),
  OffMarketDate: date(dayOf('p."offMarketAt"')),
  OffMarketTimestamp: instant('p."offMarketAt"'),
  StatusChangeTimestamp: instant('p."statusChangedAt"'),
  PriceChangeTimestamp: instant(LAST_PRICE('e.at', PRICE_CHANGE)),
  MajorChangeType: text(MAJOR_CHANGE, 255, { lookup: 'ChangeType' }),
  MajorChangeTimestamp: instant(LAST_PRICE('e.at')),
  OriginalEntryTimestamp: instant('p."createdAt"'),
  ModificationTimestamp: MODIFIED,
  PhotosChangeTimestamp: { type: 'instant', sql: 'r."photosAt"' },
  PhotosCount: int(PHOTOS),
  DaysOnMarket: int(DAYS),
  CumulativeDaysOnMarket: int(`p."marketDaysBefore" + ${DAYS}`),
};

const HOME: Record<string, Field> = {
  BedroomsTotal: int('p."bedroomsTotal"'),
  BathroomsTotalInteger: int(`floor(${BATHS}) + ${HALF_BATHS}`),
  BathroomsFull: int(`floor(${BATHS})`),
  BathroomsHalf: int(`CASE WHEN ${BATHS} IS NOT NULL THEN ${HALF_BATHS} END`),
  RoomsTotal: int('p."roomsTotal"'),
  LivingArea: decimal('p."livingArea"'),
  LivingAreaUnits: oneValue(
    'CASE WHEN p."livingArea" IS NOT NULL THEN p."livingAreaUnits" END',
    'AreaUnits',
    LOOKUPS.AreaUnits,
    25,
  ),
  LotSizeArea: decimal(LOT, 4, 16),
  LotSizeUnits: oneValue(LOT_UNITS, 'LotSizeUnits', null, 25),
  YearBuilt: int('p."yearBuilt"'),
  YearBuiltEffective: int('p."yearBuiltEffective"'),
  Stories: int('floor(p.stories)'),
  GarageSpaces: decimal('p."garageSpaces"'),
  ParkingTotal: decimal('p."parkingTotal"'),
  PublicRemarks: text('p."publicRemarks"', 10_000),
  AssociationFee: decimal('p."associationFee"'),
  AssociationFeeFrequency: oneValue('p."associationFeeFrequency"', 'FeeFrequency', null, 25),
  TaxAnnualAmount: decimal('p."taxAnnualAmount"'),
  TaxYear: int('p."taxYear"'),
};

const PLACE: Record<string, Field> = {
  UnparsedAddress: text(ifAddressShown('p.address'), 255),
  UnitNumber: text(ifAddressShown('p."unitNumber"'), 255),
  City: text('p.city', 255, { lookup: 'City' }),
  CountyOrParish: text('p."countyOrParish"', 255, { lookup: 'CountyOrParish' }),
  StateOrProvince: text('p."stateOrProvince"', 255, { lookup: 'StateOrProvince' }),
  PostalCode: text('p."postalCode"', 20),
  Country: text('p.country', 2, { lookup: 'Country' }),
  SubdivisionName: text('p."subdivisionName"', 255),
  Latitude: decimal(ifAddressShown('p.latitude::numeric(12, 8)'), 8, 12),
  Longitude: decimal(ifAddressShown('p.longitude::numeric(12, 8)'), 8, 12),
  PropertyTimeZoneName: text('p."propertyTimeZoneName"', 150, { lookup: 'IanaTimeZoneValues' }),
};

const PEOPLE: Record<string, Field> = {
  ListAgentKey: key('p."ownerAgentId"'),
  ListAgentFullName: text('coalesce(p."listAgentName", a.name)', 150),
  ListAgentEmail: text('CASE WHEN a."emailPublic" THEN a.email END', 254),
  ListAgentPreferredPhone: text('a.phone', 50),
  ListAgentStateLicense: text('coalesce(p."listAgentLicense", a."licenseNumber")', 120),
  ListOfficeKey: key('office_key(a."officeName")'),
  ListOfficeName: text('coalesce(p."listOfficeName", a."officeName")', 255),
  AttributionContact: text('coalesce(p."attributionContact", a.phone)', 255),
  InternetEntireListingDisplayYN: flag('true'),
  InternetAddressDisplayYN: flag('p."showAddress"'),
  InternetAutomatedValuationDisplayYN: flag('p."showValuation"'),
  InternetConsumerCommentYN: flag('p."showComments"'),
  ShowingAdvanceNotice: int('p."showingAdvanceNotice"'),
  ShowingDays: manyValues('p."showingDays"', 'ShowingDays'),
  ShowingStartTime: instant(inZone('p."showingStartTime"')),
  ShowingEndTime: instant(inZone('p."showingEndTime"')),
};

export const propertyResource = (site: FeedSite): Resource => ({
  name: 'Property',
  key: 'ListingKey',
  from: `published_records r JOIN properties p ON p.id = r.key JOIN "user" a ON a.id = p."ownerAgentId"`,
  where: `${numbered('Property')} AND ${isServed('p')}`,
  fields: {
    ...identity(site),
    ...MARKET,
    ...HOME,
    ...PLACE,
    ...PEOPLE,
    ...Object.fromEntries([...PER_FIELD].map(([name, rows]) => [name, featureField(name, rows)])),
  },
  expansions: {
    Media: {
      resource: 'Media',
      isCollection: true,
      from: 'ListingKey',
      to: 'ResourceRecordKey',
      order: 'Order',
    },
    OpenHouse: {
      resource: 'OpenHouse',
      isCollection: true,
      from: 'ListingKey',
      to: 'ListingKey',
      order: 'OpenHouseStartTime',
    },
    ListAgent: { resource: 'Member', isCollection: false, from: 'ListAgentKey', to: 'MemberKey' },
    ListOffice: { resource: 'Office', isCollection: false, from: 'ListOfficeKey', to: 'OfficeKey' },
  },
});
