import { postalCodeFault } from '../../i18n/postal-codes.ts';
import type { Property } from '../entities/property.ts';

/** How each column is read: as it is, as a double (each fits one exactly), or as `HH:MM`. */
const COLUMNS = {
  listPrice: 'amount',
  currency: 'plain',
  bedroomsTotal: 'plain',
  bathroomsTotal: 'amount',
  livingArea: 'amount',
  livingAreaUnits: 'plain',
  lotSizeArea: 'amount',
  lotSizeUnits: 'plain',
  yearBuilt: 'plain',
  yearBuiltEffective: 'plain',
  stories: 'amount',
  roomsTotal: 'plain',
  garageSpaces: 'plain',
  parkingTotal: 'plain',
  propertyType: 'plain',
  propertySubType: 'plain',
  standardStatus: 'plain',
  address: 'plain',
  unitNumber: 'plain',
  city: 'plain',
  countyOrParish: 'plain',
  subdivisionName: 'plain',
  stateOrProvince: 'plain',
  postalCode: 'plain',
  country: 'plain',
  latitude: 'plain',
  longitude: 'plain',
  publicRemarks: 'plain',
  features: 'plain',
  associationFee: 'amount',
  associationFeeFrequency: 'plain',
  taxAnnualAmount: 'amount',
  taxYear: 'plain',
  propertyTimeZoneName: 'plain',
  showingAdvanceNotice: 'plain',
  showingStartTime: 'time',
  showingEndTime: 'time',
  showingDays: 'plain',
  autoConfirmTours: 'plain',
} as const satisfies { [C in keyof Property]?: 'plain' | 'amount' | 'time' };

/**
 * The fields of a listing that its agents write, with RESO-style names (docs/contract.md#listings); times as `HH:MM` in
 * its time zone.
 */
export type Listing = Pick<Property, keyof typeof COLUMNS>;

export const LISTING_COLUMNS = Object.keys(COLUMNS) as (keyof Listing)[];

/** The columns of a `Listing` for a SELECT from `properties` with this alias. */
export function listingColumns(alias: string): string {
  const read = { plain: '', amount: '::float8', time: '::text' };
  return LISTING_COLUMNS.map((name) => {
    const kind = COLUMNS[name];
    const column = `${alias}."${name}"${read[kind]}`;
    return `${kind === 'time' ? `left(${column}, 5)` : column} AS "${name}"`;
  }).join(', ');
}

/** The sentences of an error, by field. */
export type ListingFaults = Record<string, string[]>;

/**
 * The contradictions in a listing as a whole, whichever fields the caller sent: the rules are those of the constraints
 * of 0011. Null when there are none.
 */
export function listingFaults(
  listing: Pick<
    Listing,
    'showingStartTime' | 'showingEndTime' | 'associationFee' | 'associationFeeFrequency'
  >,
): ListingFaults | null {
  const { showingStartTime: start, showingEndTime: end } = listing;
  const faults: ListingFaults = {};
  if (start === null && end !== null) faults.showingStartTime = ['Send it together with showingEndTime.'];
  if (start !== null && end === null) faults.showingEndTime = ['Send it together with showingStartTime.'];
  if (start !== null && end !== null && start >= end)
    faults.showingEndTime = ['It must be later than showingStartTime.'];
  if (listing.associationFee === null && listing.associationFeeFrequency !== null)
    faults.associationFee = ['Send it together with associationFeeFrequency.'];
  if (listing.associationFee !== null && listing.associationFeeFrequency === null)
    faults.associationFeeFrequency = ['Send it together with associationFee.'];
  return Object.keys(faults).length === 0 ? null : faults;
}

/**
 * What a change would put into a listing that its site or country does not take. What the listing had before stays: the
 * currency of a site may have changed since.
 * @param before null for a new listing
 */
export function placeFaults(
  given: Partial<Pick<Listing, 'currency' | 'postalCode' | 'country'>>,
  before: Pick<Listing, 'currency' | 'postalCode' | 'country'> | null,
  siteCurrency: string,
): ListingFaults | null {
  const faults: ListingFaults = {};
  const { currency, postalCode, country } = { ...before, ...given };
  const isChanged = (['postalCode', 'country'] as const).some(
    (name) => given[name] !== before?.[name] && name in given,
  );
  if (currency !== undefined && currency !== before?.currency && currency !== siteCurrency)
    faults.currency = [`Prices on this site are in ${siteCurrency}.`];
  const wrong = isChanged && postalCode != null && country ? postalCodeFault(postalCode, country) : null;
  if (wrong !== null) faults.postalCode = [wrong];
  return Object.keys(faults).length === 0 ? null : faults;
}
