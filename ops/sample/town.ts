import { readFileSync } from 'node:fs';
import { type PhotoSubject, ROOM_SUBJECTS } from '../../machines/disclosure/photo-subject.ts';
import type { CanonicalRoomType, CanonicalStyle } from '../../machines/vocabulary.ts';
import type { Listing } from '../../persistence/listings/listing-columns.ts';
import { COLOR_COUNT } from './drawings/facades/facade.ts';
import { FACADES, type FacadeStyle } from './drawings/facades/homes/homes.ts';
import { STYLES } from './drawings/furniture/palettes.ts';
import { LOOK_COUNT } from './drawings/rooms/looks.ts';

/**
 * The plan of the sample town: 120 homes of Seattle that do not exist. Their places lie 45 to 160 meters from an arterial
 * of the city's open data, inside its limits and the outline of their postal code (`places.json`). No street of this
 * name exists there, so no address is that of a person.
 */
export const STREETS = [
  'Alderwick Lane',
  'Bramblecrest Court',
  'Candlewick Place',
  'Dovetail Lane',
  'Emberglen Court',
  'Fernhollow Lane',
  'Gullwing Place',
  'Hazelmere Walk',
  'Inkwell Lane',
  'Juniper Bell Court',
  'Kettlestone Lane',
  'Lanternfish Place',
  'Mossgate Lane',
  'Nutmeg Hollow',
  'Otterbrook Lane',
  'Pennywhistle Court',
] as const;

const OFFICES = ['Cedar & Sound Homes', 'Lanternlight Realty'] as const;
export const AGENTS = [
  {
    name: 'Maya Okafor',
    mailbox: 'maya.okafor',
    phone: '+12065550111',
    officeName: OFFICES[0],
    licenseNumber: 'SAMPLE-1',
  },
  {
    name: 'Tomás Rivera',
    mailbox: 'tomas.rivera',
    phone: '+12065550112',
    officeName: OFFICES[0],
    licenseNumber: 'SAMPLE-2',
  },
  {
    name: 'Ingrid Halvorsen',
    mailbox: 'ingrid.halvorsen',
    phone: '+12065550113',
    officeName: OFFICES[1],
    licenseNumber: 'SAMPLE-3',
  },
  {
    name: 'Daniel Cho',
    mailbox: 'daniel.cho',
    phone: '+12065550114',
    officeName: OFFICES[1],
    licenseNumber: 'SAMPLE-4',
  },
] as const;
export const CUSTOMERS = [
  { name: 'Priya Nair', mailbox: 'priya.nair' },
  { name: 'Sam Whitfield', mailbox: 'sam.whitfield' },
  { name: 'Lucía Ortega', mailbox: 'lucia.ortega' },
] as const;

/** How a staged picture ends. */
export type StagedEnd = 'WAITING_FOR_REVIEW' | 'APPROVED' | 'REJECTED' | 'WITHDRAWN' | 'FAILED' | 'CANCELED';

export interface PlannedPhoto {
  readonly picture:
    | { readonly facade: FacadeStyle; readonly colors: number; readonly evening: boolean }
    | { readonly room: CanonicalRoomType; readonly look: number };
  readonly imageOf: PhotoSubject;
  readonly staged: readonly { readonly style: CanonicalStyle; readonly end: StagedEnd }[];
}

export type PlannedTour = 'REQUESTED' | 'CONFIRMED' | 'RESCHEDULE_PROPOSED' | 'DECLINED' | 'COMPLETED' | null;

export interface PlannedHome {
  readonly key: string;
  /** Of `AGENTS`. */
  readonly agent: number;
  readonly listing: Listing;
  readonly listedDaysAgo: number;
  /** The first price, when it has changed since. */
  readonly change: { readonly price: number; readonly daysAgo: number } | null;
  readonly move:
    | { readonly to: 'Pending' | 'Active Under Contract'; readonly daysAgo: number }
    | { readonly to: 'Closed'; readonly daysAgo: number; readonly price: number }
    | null;
  /** A sale of years ago. */
  readonly pastSale: { readonly year: number; readonly price: number } | null;
  readonly photos: readonly PlannedPhoto[];
  readonly tour: PlannedTour;
  /** Open to visitors on the next Saturday. */
  readonly isOpen: boolean;
}

type PlaceRow = readonly [postalCode: string, neighborhood: string, latitude: number, longitude: number];
const HOMES = 120;
const DENSE = new Set(['98101', '98102', '98121', '98109', '98119']);
/** Dollars for a square foot. */
const PRICES: Readonly<Record<string, number>> = {
  '98112': 640,
  '98119': 610,
  '98199': 600,
  '98105': 600,
  '98109': 590,
  '98107': 570,
  '98103': 560,
  '98117': 550,
  '98116': 540,
  '98122': 540,
  '98102': 560,
};

const HOUSES: readonly FacadeStyle[] = FACADES.filter((style) => style !== 'TOWNHOUSE' && style !== 'CONDO');
const WORDS: Readonly<Record<FacadeStyle, string>> = {
  CRAFTSMAN: 'Craftsman with a deep porch',
  BUNGALOW: 'Bungalow with built-in shelves',
  MIDCENTURY: 'Mid-century home under a low roof',
  MODERN: 'Modern home of cedar and glass',
  TUDOR: 'Brick Tudor with leaded windows',
  COLONIAL: 'Colonial with a center hall',
  TOWNHOUSE: 'Townhouse on three floors',
  CONDO: 'Condominium with a balcony',
  VICTORIAN: 'Victorian with a corner tower',
  RANCH: 'One-story home on a wide lot',
  FARMHOUSE: 'Farmhouse with two gables',
  SPANISH: 'Stucco home with arched windows',
};
const ROOM_WORDS = [
  'Sun reaches the living room from two sides, and the kitchen has an island with room for three.',
  'Oak floors run through the main level. The kitchen opens to the dining room.',
  'The bedrooms are quiet and face the garden. The bathroom was tiled last year.',
  'High ceilings, a fireplace, and a study with its door closed to the rest of the house.',
] as const;
const MEDIA_ROOMS = ['DINING_ROOM', 'OFFICE', 'TV_ROOM'] as const satisfies readonly CanonicalRoomType[];

/** The ends of the staged pictures, in turn. */
const ENDS: readonly StagedEnd[] = [
  'APPROVED',
  'APPROVED',
  'WAITING_FOR_REVIEW',
  'APPROVED',
  'REJECTED',
  'APPROVED',
  'WITHDRAWN',
  'APPROVED',
  'FAILED',
  'WAITING_FOR_REVIEW',
  'APPROVED',
  'CANCELED',
];
const TOURS: readonly PlannedTour[] = [
  'REQUESTED',
  'CONFIRMED',
  'RESCHEDULE_PROPOSED',
  'DECLINED',
  'COMPLETED',
];

/** The same homes every time. @param thisYear for the ages of the homes */
export function planTown(thisYear: number): PlannedHome[] {
  const places = JSON.parse(readFileSync(new URL('places.json', import.meta.url), 'utf8')) as PlaceRow[];
  // Neighborhoods in turn, so that no agent and no status keeps to one of them.
  const step = 47;
  let stagedCount = 0;
  return Array.from({ length: HOMES }, (_, index) => {
    const place = places[(index * step) % places.length];
    if (place === undefined) throw new Error('places.json is too short');
    const home = planHome(place, index, thisYear);
    const photos = planPhotos(home.style, index, () => ENDS[stagedCount++ % ENDS.length] ?? 'APPROVED');
    const { style: _style, ...planned } = home;
    return { ...planned, photos };
  });
}

function planHome(
  [postalCode, neighborhood, latitude, longitude]: PlaceRow,
  index: number,
  thisYear: number,
) {
  const style: FacadeStyle = DENSE.has(postalCode)
    ? index % 3 === 0
      ? 'TOWNHOUSE'
      : index % 3 === 1
        ? 'CONDO'
        : (HOUSES[index % HOUSES.length] ?? 'CRAFTSMAN')
    : index % 11 === 0
      ? 'TOWNHOUSE'
      : (HOUSES[index % HOUSES.length] ?? 'CRAFTSMAN');
  const isCondo = style === 'CONDO';
  const isTown = style === 'TOWNHOUSE';
  const beds = isCondo ? 1 + (index % 2) : isTown ? 2 + (index % 2) : 3 + (index % 3);
  const livingArea = isCondo
    ? 640 + ((index * 37) % 9) * 55
    : isTown
      ? 1180 + ((index * 29) % 9) * 60
      : 1460 + ((index * 53) % 17) * 110;
  const price =
    Math.round((livingArea * ((PRICES[postalCode] ?? 510) + ((index * 13) % 9) * 9)) / 1000) * 1000 - 50;
  const status = index % 12;
  const change =
    status === 2 || status === 7
      ? { price: Math.round((price * 1.045) / 1000) * 1000, daysAgo: 3 + (index % 9) }
      : null;
  const move =
    status === 0
      ? ({
          to: 'Closed',
          daysAgo: 12 + (index % 40),
          price: Math.round((price * (0.97 + (index % 5) * 0.015)) / 500) * 500,
        } as const)
      : status === 1
        ? ({ to: 'Pending', daysAgo: 2 + (index % 6) } as const)
        : status === 6 && index % 24 === 6
          ? ({ to: 'Active Under Contract', daysAgo: 1 } as const)
          : null;
  const listedDaysAgo =
    status === 0
      ? 75 + (index % 30)
      : change !== null
        ? 20 + (index % 25)
        : ([0, 1, 2, 4, 7, 11, 16, 24][index % 8] ?? 5);
  const built =
    style === 'MODERN' || isTown
      ? thisYear - 3 - (index % 12)
      : isCondo
        ? 1998 + (index % 20)
        : style === 'MIDCENTURY' || style === 'RANCH'
          ? 1949 + (index % 16)
          : 1906 + (index % 34);
  const listing: Listing = {
    ...EMPTY,
    listPrice: change?.price ?? price,
    bedroomsTotal: beds,
    bathroomsTotal: isCondo ? 1 : 2 + (index % 3) * 0.5,
    livingArea,
    lotSizeArea: isCondo ? null : isTown ? 1400 : 3800 + ((index * 41) % 20) * 150,
    yearBuilt: built,
    stories: isCondo || style === 'RANCH' || style === 'MIDCENTURY' ? 1 : isTown ? 3 : 2,
    garageSpaces: isCondo ? 0 : 1,
    propertySubType: isCondo ? 'Condominium' : isTown ? 'Townhouse' : 'Single Family Residence',
    standardStatus: status === 4 && index % 24 === 4 ? 'Coming Soon' : 'Active',
    address: `${110 + ((index * 61) % 86) * 10 + (index % 7)} ${STREETS[index % STREETS.length]}`,
    unitNumber: isCondo ? `${2 + (index % 4)}0${1 + (index % 6)}` : null,
    subdivisionName: neighborhood,
    postalCode,
    latitude,
    longitude,
    publicRemarks: `${WORDS[style]}. ${ROOM_WORDS[index % ROOM_WORDS.length]} This home is invented and its pictures are drawn.`,
    features: [
      ...(index % 2 === 0 ? ['HARDWOOD_FLOORS'] : []),
      ...(isCondo ? ['BALCONY', 'ELEVATOR'] : ['GARDEN', 'GARAGE']),
      ...(index % 3 === 0 ? ['FIREPLACE'] : []),
    ],
    associationFee: isCondo ? 420 + (index % 5) * 35 : null,
    associationFeeFrequency: isCondo ? 'Monthly' : null,
    taxAnnualAmount: Math.round(price * 0.0093),
    taxYear: thisYear - 1,
  };
  return {
    style,
    key: `home-${String(index + 1).padStart(3, '0')}`,
    agent: Math.floor(index / 3) % AGENTS.length,
    listing,
    listedDaysAgo,
    change: change === null ? null : { price, daysAgo: change.daysAgo },
    move,
    pastSale:
      index % 3 === 1
        ? null
        : {
            year: Math.max(built + 1, thisYear - 12 + (index % 7)),
            price: Math.round((price * 0.55) / 1000) * 1000,
          },
    tour: move === null && index % 9 === 5 ? (TOURS[Math.floor(index / 9) % TOURS.length] ?? null) : null,
    isOpen: move === null && index % 9 === 2,
  };
}

const EMPTY: Listing = {
  listPrice: 0,
  currency: 'USD',
  bedroomsTotal: null,
  bathroomsTotal: null,
  livingArea: null,
  livingAreaUnits: 'Square Feet',
  lotSizeArea: null,
  lotSizeUnits: 'Square Feet',
  yearBuilt: null,
  yearBuiltEffective: null,
  stories: null,
  roomsTotal: null,
  garageSpaces: null,
  parkingTotal: null,
  propertyType: 'Residential',
  propertySubType: null,
  standardStatus: 'Active',
  address: '',
  unitNumber: null,
  city: 'Seattle',
  countyOrParish: 'King',
  subdivisionName: null,
  stateOrProvince: 'WA',
  postalCode: null,
  country: 'US',
  latitude: null,
  longitude: null,
  publicRemarks: null,
  features: [],
  associationFee: null,
  associationFeeFrequency: null,
  taxAnnualAmount: null,
  taxYear: null,
  propertyTimeZoneName: 'America/Los_Angeles',
  showingAdvanceNotice: 4,
  showingStartTime: '09:00',
  showingEndTime: '19:00',
  showingDays: [],
  autoConfirmTours: false,
};

/** Facade first, then the rooms. Every other home has staged rooms. */
function planPhotos(style: FacadeStyle, index: number, nextEnd: () => StagedEnd): PlannedPhoto[] {
  const colors = (index * 2 + FACADES.indexOf(style)) % Math.min(3, COLOR_COUNT);
  const look = index % LOOK_COUNT;
  const facade = (evening: boolean): PlannedPhoto => ({
    picture: { facade: style, colors: evening ? 0 : colors, evening },
    imageOf: 'Front of Structure',
    staged: [],
  });
  const third = MEDIA_ROOMS[index % MEDIA_ROOMS.length] ?? 'OFFICE';
  const rooms: readonly CanonicalRoomType[] = ['LIVING_ROOM', 'KITCHEN', third, 'BEDROOM', 'BATHROOM'];
  const stagedRooms = index % 2 === 0 ? 1 + (index % 3) : 0;
  const photo = (room: CanonicalRoomType, place: number): PlannedPhoto => ({
    picture: { room, look },
    imageOf: ROOM_SUBJECTS[room],
    staged:
      place < stagedRooms
        ? [{ style: STYLES[(look + place) % STYLES.length] ?? 'MODERN', end: nextEnd() }]
        : [],
  });
  return [facade(false), ...rooms.map(photo), ...(index % 4 === 1 ? [facade(true)] : [])];
}
