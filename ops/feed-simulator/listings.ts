import { seededRandom } from '../simulator/pictures/colors.ts';

/** Invented people, firms and homes, drawn from the seed: the same seed gives the same feed. */
export type Body = Record<string, unknown>;
export type Resource = 'Property' | 'Member' | 'Office' | 'OpenHouse';
export const KEY: Readonly<Record<string, string>> = {
  Property: 'ListingKey',
  Member: 'MemberKey',
  Office: 'OfficeKey',
  OpenHouse: 'OpenHouseKey',
  Media: 'MediaKey',
  Lookup: 'LookupKey',
};

const STREETS = ['Alder', 'Birch', 'Cedar', 'Juniper', 'Larkspur', 'Meadow', 'Prairie', 'Sumac'] as const;
const SUFFIXES = ['Street', 'Avenue', 'Lane', 'Court'] as const;
const CITIES = [
  { City: 'Austin', CountyOrParish: 'Travis', PostalCode: '78704', Latitude: 30.243, Longitude: -97.765 },
  {
    City: 'Round Rock',
    CountyOrParish: 'Williamson',
    PostalCode: '78664',
    Latitude: 30.508,
    Longitude: -97.678,
  },
  { City: 'San Marcos', CountyOrParish: 'Hays', PostalCode: '78666', Latitude: 29.883, Longitude: -97.941 },
] as const;
const STATUSES = [
  'Active',
  'Active',
  'Active',
  'Active Under Contract',
  'Pending',
  'Closed',
  'Coming Soon',
] as const;
const NAMES = ['Ada Morrow', 'Ben Castillo', 'Cora Whitfield', 'Dan Okafor', 'Eva Lindqvist'] as const;
const IMAGES_OF = ['Living Room', 'Kitchen', 'Bedroom', 'Bathroom', 'Dining Room'] as const;

export interface Drawing {
  readonly seed: number;
  readonly prefix: string;
  readonly system: string;
  /** Keys have quotes and other signs that addresses and expressions must escape. */
  readonly quotes: boolean;
  readonly media: number;
  readonly mediaRoot: () => string;
}

export const keyOf = ({ prefix, quotes }: Drawing, resource: Resource, index: number): string =>
  `${prefix}${resource[0]}${quotes && index % 3 === 0 ? "'o/&+ %" : ''}${String(index).padStart(6, '0')}`;

/** The fields of a record but its times. `offices` and `members`: how many there are to be named. */
export function drawRecord(drawing: Drawing, resource: Resource, index: number): Body {
  const random = seededRandom(drawing.seed * 7_919 + index * 31 + resource.length);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  switch (resource) {
    case 'Office':
      return {
        OfficeName: `${pick(STREETS)} & ${pick(STREETS)} Realty`,
        OfficePhone: phone(random),
        OfficeMlsId: `${drawing.prefix}${index}`,
        OfficeStatus: 'Active',
      };
    case 'Member':
      return {
        MemberFullName: pick(NAMES),
        MemberMlsId: `${drawing.prefix}${index}`,
        MemberStateLicense: String(600_000 + index),
        MemberStateLicenseState: 'TX',
        MemberStatus: 'Active',
        OfficeKey: keyOf(drawing, 'Office', index % 5),
      };
    case 'OpenHouse':
      return {
        ListingKey: keyOf(drawing, 'Property', index),
        OpenHouseDate: '2030-05-04',
        OpenHouseStartTime: '2030-05-04T18:00:00Z',
        OpenHouseEndTime: '2030-05-04T20:00:00Z',
        OpenHouseStatus: 'Active',
        OpenHouseType: 'Public',
      };
    case 'Property':
      return drawListing(drawing, index, random, pick);
  }
}

type Pick = <Item>(items: readonly Item[]) => Item;
const phone = (random: () => number) => `512-555-0${String(Math.floor(random() * 200)).padStart(3, '0')}`;

function drawListing(drawing: Drawing, index: number, random: () => number, pick: Pick): Body {
  const { Latitude, Longitude, ...place } = pick(CITIES);
  const price = 150_000 + Math.floor(random() * 900) * 1_000;
  const status = pick(STATUSES);
  const number = 100 + Math.floor(random() * 8_000);
  const [street, suffix] = [pick(STREETS), pick(SUFFIXES)];
  return {
    OriginatingSystemName: drawing.system,
    StandardStatus: status,
    MlgCanUse: ['IDX'],
    PropertyType: 'Residential',
    PropertySubType: 'Single Family Residence',
    ListPrice: price,
    OriginalListPrice: price,
    ...(status === 'Closed' && { ClosePrice: price - 5_000, CloseDate: '2026-06-30' }),
    UnparsedAddress: `${number} ${street} ${suffix}`,
    StreetNumber: String(number),
    StreetName: street,
    StreetSuffix: suffix,
    ...place,
    StateOrProvince: 'TX',
    Country: 'US',
    Latitude: round(Latitude + (random() - 0.5) * 0.05),
    Longitude: round(Longitude + (random() - 0.5) * 0.05),
    BedroomsTotal: 1 + Math.floor(random() * 5),
    BathroomsFull: 1 + Math.floor(random() * 3),
    BathroomsHalf: Math.floor(random() * 2),
    BathroomsTotalInteger: 2,
    LivingArea: 700 + Math.floor(random() * 3_000),
    LivingAreaUnits: 'Square Feet',
    YearBuilt: 1950 + Math.floor(random() * 75),
    ListingContractDate: '2026-05-01',
    PublicRemarks: `An invented home on ${street} ${suffix}.`,
    InternetEntireListingDisplayYN: true,
    InternetAddressDisplayYN: true,
    InternetAutomatedValuationDisplayYN: true,
    InternetConsumerCommentYN: true,
    ListAgentKey: keyOf(drawing, 'Member', index % 20),
    ListAgentFullName: pick(NAMES),
    ListAgentStateLicense: String(600_000 + (index % 20)),
    ListOfficeKey: keyOf(drawing, 'Office', index % 5),
    ListOfficeName: `${pick(STREETS)} & ${pick(STREETS)} Realty`,
    AttributionContact: phone(random),
  };
}

const round = (degrees: number) => Math.round(degrees * 1e6) / 1e6;

/** The pictures of a listing, as `$expand=Media` gives them. */
export function drawMedia(drawing: Drawing, listingKey: string, modified: string): Body[] {
  return Array.from({ length: drawing.media }, (_, order) => {
    const key = `${listingKey}-${order}`;
    return {
      MediaKey: key,
      ResourceName: 'Property',
      ResourceRecordKey: listingKey,
      MediaURL: `${drawing.mediaRoot()}/media/${encodeURIComponent(key)}.jpg`,
      MediaCategory: 'Photo',
      MediaType: 'jpeg',
      Order: order,
      PreferredPhotoYN: order === 0,
      ImageOf: IMAGES_OF[order % IMAGES_OF.length],
      Permission: ['Public'],
      MediaAlteration: ['None'],
      MediaModificationTimestamp: modified,
    };
  });
}
