import { columnList } from '../database/sql-values.ts';

/** The columns of a listing that come from its record, with their types in SQL. */
export const LISTING_COLUMNS = {
  standardStatus: 'text',
  listPrice: 'numeric',
  originalListPrice: 'numeric',
  closePrice: 'numeric',
  closeDate: 'date',
  bedroomsTotal: 'int',
  bathroomsTotal: 'numeric',
  livingArea: 'numeric',
  livingAreaUnits: 'text',
  lotSizeArea: 'numeric',
  lotSizeUnits: 'text',
  yearBuilt: 'int',
  yearBuiltEffective: 'int',
  stories: 'numeric',
  roomsTotal: 'int',
  garageSpaces: 'int',
  parkingTotal: 'int',
  propertyType: 'text',
  propertySubType: 'text',
  unitNumber: 'text',
  address: 'text',
  city: 'text',
  countyOrParish: 'text',
  subdivisionName: 'text',
  stateOrProvince: 'text',
  postalCode: 'text',
  country: 'text',
  latitude: 'float8',
  longitude: 'float8',
  publicRemarks: 'text',
  features: 'text[]',
  associationFee: 'numeric',
  associationFeeFrequency: 'text',
  taxAnnualAmount: 'numeric',
  taxYear: 'int',
  propertyTimeZoneName: 'text',
  showingAdvanceNotice: 'int',
  showingStartTime: 'time',
  showingEndTime: 'time',
  showingDays: 'text[]',
  listOfficeName: 'text',
  listAgentName: 'text',
  listAgentLicense: 'text',
  attributionContact: 'text',
  showAddress: 'boolean',
  showValuation: 'boolean',
  showComments: 'boolean',
} as const;
export type ListingColumn = keyof typeof LISTING_COLUMNS;
export const LISTING_COLUMN_NAMES = Object.keys(LISTING_COLUMNS) as ListingColumn[];

/** Times that a record may lack: the row then keeps its own, or takes the time of the reading. */
export const TIME_COLUMNS = ['listedAt', 'statusChangedAt', 'offMarketAt', 'feedUpdatedAt'] as const;
type TimeColumn = (typeof TIME_COLUMNS)[number];

/** A listing as it is written: values as JSON has them, times as ISO 8601. */
export type ListingRow = Readonly<Record<ListingColumn, unknown> & Record<TimeColumn, string | null>> & {
  readonly id: string;
  readonly key: string;
  readonly isHidden: boolean;
};

export const isOnMarket = (status: string): string =>
  `${status} in ('Active', 'Active Under Contract', 'Coming Soon', 'Pending')`;

/**
 * What of a listing came from its record, as one hash. It is stored with the record when the listing is written, so that
 * a change by any other writer shows (I47). SQL of the row `p` of `properties`.
 */
export const LISTING_HASH = `sha256(convert_to(jsonb_build_array(${columnList(LISTING_COLUMN_NAMES, 'p.')},
  p."hiddenFor" @> '{FEED_RULE}')::text, 'UTF8'))`;
