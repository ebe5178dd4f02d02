import { timeZoneOf } from '../../time-zone-of.ts';
import type { FeatureKey } from '../../wire/listings/feature-keys.ts';
import { featuresOf, type Standard } from './features.ts';
import { LISTING_FIELDS, type ListingField, type ListingValues, OTHER_FIELDS } from './listing-fields.ts';
import { namesAddress } from './named-address.ts';
import { type ChangeTimes, changeTimes } from './price-facts.ts';
import { decimal, text, whole, yesNo } from './values.ts';

/** A listing as its record says; the columns of `properties` that the feed owns. */
export interface FeedListing extends Omit<ListingValues, Defaulted> {
  standardStatus: NonNullable<ListingValues['standardStatus']>;
  listPrice: number;
  city: string;
  country: string;
  livingAreaUnits: string;
  lotSizeUnits: string;
  propertyTimeZoneName: string;
  showingAdvanceNotice: number;
  showingDays: string[];
  showValuation: boolean;
  showComments: boolean;
  showAddress: boolean;
  address: string;
  bathroomsTotal: number | null;
  features: FeatureKey[];
}
type Defaulted =
  | 'standardStatus'
  | 'listPrice'
  | 'city'
  | 'country'
  | 'livingAreaUnits'
  | 'lotSizeUnits'
  | 'propertyTimeZoneName'
  | 'showingAdvanceNotice'
  | 'showingDays'
  | 'showValuation'
  | 'showComments';

/** What of the feed's profile decides about a record. */
export interface MappingTerms {
  /** Without a word of the seller a listing is hidden. */
  optIn: boolean;
  /** The use that the record must name to be shown. */
  use: { field: string; value: string } | null;
}

export type Mapped =
  | { listing: FeedListing; isHidden: boolean; times: ChangeTimes; unmapped: Record<string, unknown> }
  /** Without one of these fields there is no listing. */
  | { refused: readonly string[]; unmapped: Record<string, unknown> };

type Body = Readonly<Record<string, unknown>>;
const FIELDS = Object.entries(LISTING_FIELDS) as [ListingField, (typeof LISTING_FIELDS)[ListingField]][];
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The listing of a record, and what of the record's fields has no place in it. Pure. */
export function mapListing(body: Body, terms: MappingTerms, standard: Standard): Mapped {
  const { values, unmapped: unread } = readFields(body, standard);
  const { features, unmapped: unnamed } = featuresOf(body, standard);
  const unmapped = { ...unread, ...unnamed };
  const address = addressOf(body);
  const { standardStatus, listPrice, city } = values;
  const showAddress = yesNo(body[OTHER_FIELDS.showAddress]) ?? !terms.optIn;
  const refused = [
    ...(standardStatus === null ? ['StandardStatus'] : []),
    ...(listPrice === null ? ['ListPrice'] : []),
    ...(city === null ? ['City'] : []),
    ...(address === null && showAddress ? [OTHER_FIELDS.address[0]] : []),
  ];
  if (refused.length > 0 || standardStatus === null || listPrice === null || city === null)
    return { refused, unmapped };
  return {
    listing: {
      ...wholeListing(values),
      standardStatus,
      listPrice,
      city,
      // The row holds no address that may not be shown, nor a position (0171).
      ...(showAddress ? {} : { unitNumber: null, latitude: null, longitude: null }),
      publicRemarks: showAddress ? values.publicRemarks : remarksWithoutAddress(values, body),
      address: showAddress ? (address ?? '') : '',
      bathroomsTotal: bathroomsOf(body),
      features,
      showAddress,
      country: values.country ?? 'US',
      livingAreaUnits: values.livingAreaUnits ?? 'Square Feet',
      lotSizeUnits: values.lotSizeUnits ?? 'Square Feet',
      propertyTimeZoneName: values.propertyTimeZoneName ?? timeZoneOf(values) ?? 'UTC',
      showingAdvanceNotice: values.showingAdvanceNotice ?? 0,
      showingDays: values.showingDays ?? [],
      showValuation: values.showValuation ?? !terms.optIn,
      showComments: values.showComments ?? !terms.optIn,
    },
    isHidden: isHidden(body, terms),
    times: changeTimes(body, values.statusChangedAt),
    unmapped,
  };
}

/** A description that names the hidden address is not shown; its record keeps it. */
function remarksWithoutAddress({ publicRemarks }: ListingValues, body: Body): string | null {
  return publicRemarks !== null && namesAddress(publicRemarks, body) ? null : publicRemarks;
}

function readFields(
  body: Body,
  standard: Standard,
): { values: ListingValues; unmapped: Record<string, unknown> } {
  const values: Record<string, unknown> = {};
  const unmapped: Record<string, unknown> = {};
  for (const [column, { fields, read }] of FIELDS) {
    values[column] = null;
    for (const name of fields) {
      const given = body[name];
      if (!isGiven(given)) continue;
      const value = read(typeof given === 'string' ? standard(name, given) : given);
      if (value === undefined) unmapped[name] = given;
      else {
        values[column] = value;
        break;
      }
    }
  }
  return { values: values as ListingValues, unmapped };
}

/** What our columns demand of each other; a half of what belongs together is none. */
function wholeListing(values: ListingValues): ListingValues {
  const { latitude, longitude, associationFee, associationFeeFrequency, showingStartTime, showingEndTime } =
    values;
  const hasPosition = latitude !== null && longitude !== null && !(latitude === 0 && longitude === 0);
  const hasHours = showingStartTime !== null && showingEndTime !== null && showingStartTime < showingEndTime;
  const hasFee = associationFee !== null && associationFeeFrequency !== null;
  const isOver = values.standardStatus === 'Closed';
  const isOn = ['Active', 'Active Under Contract', 'Coming Soon', 'Pending'].includes(
    values.standardStatus ?? '',
  );
  return {
    ...values,
    ...(hasPosition ? {} : { latitude: null, longitude: null }),
    ...(hasHours ? {} : { showingStartTime: null, showingEndTime: null }),
    ...(hasFee ? {} : { associationFee: null, associationFeeFrequency: null }),
    ...(isOver ? {} : { closePrice: null, closeDate: null }),
    ...(isOn ? { offMarketAt: null } : {}),
  };
}

const part = text(100);
function addressOf(body: Body): string | null {
  for (const name of OTHER_FIELDS.address) {
    const whole = text(200)(body[name]);
    if (whole !== undefined) return whole;
  }
  const [number, ...street] = OTHER_FIELDS.street.map((name) => {
    const value = body[name];
    return part(typeof value === 'number' ? String(value) : value);
  });
  const parts = [number, ...street].filter((one) => one !== undefined);
  return street.some((one) => one !== undefined) ? parts.join(' ') : null;
}

const rooms = whole(0, 99);
function bathroomsOf(body: Body): number | null {
  const counted = Object.entries(OTHER_FIELDS.bathrooms).flatMap(([name, share]) => {
    const count = rooms(body[name]);
    return count === undefined ? [] : [count * share];
  });
  if (counted.length > 0)
    return Math.min(
      counted.reduce((sum, one) => sum + one, 0),
      99,
    );
  return decimal(2, 2)(body[OTHER_FIELDS.bathroomsTotal]) ?? null;
}

function isHidden(body: Body, { optIn, use }: MappingTerms): boolean {
  const shows = yesNo(body[OTHER_FIELDS.showListing]);
  if (shows === false || (shows === undefined && optIn)) return true;
  if (use === null) return false;
  const uses = body[use.field];
  return !(Array.isArray(uses) ? uses.includes(use.value) : uses === use.value);
}
