import type { Inputs } from '../../../typescript/procedures.ts';
import { type AddressQuery, parseQuery } from '../../addresses/address-query.ts';
import type { Filtered, SiteFilters } from '../../api/queries.ts';
import { areaIn, areaText, type Corners } from '../../map/drawn-area.ts';
import type { Box } from '../../map/map-area.ts';
import { type PictureChoice, pictureChoiceIn, picturesOf } from '../../pictures/picture-choice.ts';

/**
 * The whole state of a search, as it stands in the address. What else an address contains, or contains wrongly, is
 * dropped: an old or edited link still shows homes.
 */
export interface SearchState {
  /** What the visitor typed as a place. */
  readonly q?: string;
  /** The id of a suggestion. */
  readonly place?: string;
  readonly minPrice?: number;
  readonly maxPrice?: number;
  readonly beds?: number;
  readonly baths?: number;
  readonly minArea?: number;
  readonly maxArea?: number;
  readonly builtFrom?: number;
  /** In the site's units, like the living area. */
  readonly minLot?: number;
  /** The least places in the garage. */
  readonly garage?: number;
  /** The most that the association takes in a month. */
  readonly maxFee?: number;
  /** The most days on the market. */
  readonly days?: number;
  /** With an open house in so many days. */
  readonly open?: number;
  /** Homes that were sold in so many last months, instead of those on the market. */
  readonly sold?: number;
  readonly type?: readonly string[];
  readonly feature?: readonly string[];
  /** Words of the description. */
  readonly words?: string;
  readonly reduced?: true;
  readonly photos?: true;
  readonly sort?: string;
  readonly pictures?: PictureChoice;
  /** What a person has drawn on the map. It is searched instead of the box, which then only says what is shown. */
  readonly area?: Corners;
  /** The part of the map that is searched. */
  readonly box?: Box;
  readonly zoom?: number;
  readonly view?: 'map';
  /** The page of a list, for readers without JavaScript. */
  readonly cursor?: string;
}

type Sort = NonNullable<Inputs['search']['list']['sort']>;

const NUMBERS = {
  minPrice: 1e12,
  maxPrice: 1e12,
  beds: 1000,
  baths: 1000,
  minArea: 1e12,
  maxArea: 1e12,
  builtFrom: 3000,
  minLot: 1e12,
  garage: 1000,
  maxFee: 1e12,
  days: 100_000,
  open: 31,
  sold: 36,
  zoom: 24,
} as const;
/** Numbers that the API takes only whole. */
const WHOLE: readonly string[] = [
  'beds',
  'builtFrom',
  'garage',
  'days',
  'open',
  'sold',
] satisfies (keyof typeof NUMBERS)[];
const SORTS: readonly string[] = [
  'NEWEST',
  'PRICE_ASC',
  'PRICE_DESC',
  'BEDS_DESC',
  'BATHS_DESC',
  'LIVING_AREA_DESC',
  'LOT_DESC',
  'PRICE_PER_AREA_ASC',
  'RECENTLY_CHANGED',
] satisfies Sort[];
/** The orders of a search; the first one is that without a choice. */
export const sortsFor = ({ sold }: SearchState): readonly string[] => [
  sold === undefined ? 'RELEVANCE' : 'RECENTLY_SOLD',
  ...SORTS,
];
/** The `id` of the form of the search, for its controls elsewhere on the page. */
export const SEARCH_FORM = 'search-form';
/** Filters that are on or off: `1` in an address. */
const SWITCHES = ['reduced', 'photos'] as const;
const LONGEST_WORDS = 100;
const FEATURE = /^[A-Z_]{2,40}$/;
const MOST_TYPES = 20;
const MOST_FEATURES = 57;
const LONGEST_TEXT = 200;
const PAGE_SIZE = 24;
const DAYS_OF_MONTH = 30;
/** For an address that names a box alone. */
const DEFAULT_ZOOM = 10;

/** Reads an address. Never fails. */
export function readState(query: AddressQuery): SearchState {
  const list = (name: string): readonly string[] => {
    const value = query[name];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  };
  const text = (name: string, longest = LONGEST_TEXT): string | undefined => {
    const value = list(name)[0]?.trim();
    return value && value.length <= longest ? value : undefined;
  };
  const types = unique(list('type').filter((one) => one.trim() !== '' && one.length <= 60)).slice(
    0,
    MOST_TYPES,
  );
  const features = unique(list('feature').filter((one) => FEATURE.test(one))).slice(0, MOST_FEATURES);
  const sort = text('sort');
  const words = text('words', LONGEST_WORDS);
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, most]) => {
      const value = numberIn(text(name), most);
      return [name, value !== undefined && WHOLE.includes(name) && value % 1 > 0 ? undefined : value];
    }),
  ) as Record<keyof typeof NUMBERS, number | undefined>;
  const hasWrongPrices = (numbers.minPrice ?? 0) > (numbers.maxPrice ?? Number.POSITIVE_INFINITY);
  const hasWrongAreas = (numbers.minArea ?? 0) > (numbers.maxArea ?? Number.POSITIVE_INFINITY);
  const state = {
    q: text('q'),
    place: text('place'),
    ...numbers,
    open: numbers.open || undefined,
    sold: numbers.sold || undefined,
    maxPrice: hasWrongPrices ? undefined : numbers.maxPrice,
    maxArea: hasWrongAreas ? undefined : numbers.maxArea,
    type: types.length === 0 ? undefined : types,
    feature: features.length === 0 ? undefined : features,
    words: words !== undefined && /[\p{L}\p{N}]/u.test(words) ? words : undefined,
    ...Object.fromEntries(SWITCHES.map((name) => [name, text(name) === '1' ? true : undefined])),
    sort: sort !== undefined && SORTS.includes(sort) ? sort : undefined,
    pictures: pictureChoiceIn(query),
    area: areaIn(list('area')[0]),
    box: boxIn(text('box')),
    view: text('view') === 'map' ? 'map' : undefined,
    cursor: list('cursor')[0] || undefined,
  };
  return Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
}

/** The same state as the names and texts of an address, always in the same order. */
export function writeState(state: SearchState): Record<string, string | readonly string[]> {
  const { area, box } = state;
  const names = [
    'q',
    'place',
    'minPrice',
    'maxPrice',
    'beds',
    'baths',
    'minArea',
    'maxArea',
    'builtFrom',
    'minLot',
    'garage',
    'maxFee',
    'days',
    'open',
    'sold',
    'type',
    'feature',
    'words',
    'sort',
    'pictures',
    'zoom',
    'view',
    'cursor',
  ] as const;
  const plain = names.flatMap((name) => {
    const value = state[name];
    return value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const];
  });
  return {
    ...Object.fromEntries(plain),
    ...Object.fromEntries(SWITCHES.filter((name) => state[name]).map((name) => [name, '1'])),
    ...(area === undefined ? {} : { area: areaText(area) }),
    ...(box === undefined ? {} : { box: box.join(',') }),
  };
}

/** What finds homes. @param placeId of the typed place, when the address names no place itself */
export function searchInput(
  state: SearchState,
  placeId: string | null,
): { filters: SiteFilters; sort: Sort } {
  const { type, feature, days, open, sold, words } = state;
  const place = state.place ?? placeId;
  const filters: SiteFilters = {
    ...between('price', state.minPrice, state.maxPrice),
    ...between('beds', state.beds, undefined),
    ...between('baths', state.baths, undefined),
    ...between('livingArea', state.minArea, state.maxArea),
    ...between('lotSize', state.minLot, undefined),
    ...between('yearBuilt', state.builtFrom, undefined),
    ...(state.maxFee === undefined ? {} : { maxMonthlyFee: state.maxFee }),
    ...between('garage', state.garage, undefined),
    ...(days === undefined ? {} : { maxDaysOnMarket: days }),
    ...(open === undefined ? {} : { openHouseDays: open }),
    ...(sold === undefined ? {} : { soldWithinDays: sold * DAYS_OF_MONTH }),
    ...(type === undefined ? {} : { propertyTypes: [...type] }),
    ...(feature === undefined ? {} : { features: [...feature] as NonNullable<SiteFilters['features']> }),
    ...(words === undefined ? {} : { words }),
    ...(state.reduced ? { priceReduced: true } : {}),
    ...(state.photos ? { onlyWithPhotos: true } : {}),
    ...(place === null || place === undefined ? {} : { placeId: place }),
    ...locationOf(state),
  };
  return { filters, sort: (state.sort ?? sortsFor(state)[0]) as Sort };
}

function locationOf({ area, box }: SearchState): Pick<SiteFilters, 'location'> {
  if (area !== undefined) return { location: { polygon: [...area] } };
  if (box === undefined) return {};
  return { location: { box: { west: box[0], south: box[1], east: box[2], north: box[3] } } };
}

/** What the list is asked: the pictures of its cards are chosen too. Map and counts are the same for every choice. */
export function listQuestion(state: SearchState, placeId: string | null) {
  const { filters, sort } = searchInput(state, placeId);
  return { filters: { ...filters, ...picturesOf(state.pictures) }, sort, limit: PAGE_SIZE };
}

/** What the map is asked when the address holds its box; null when it does not. */
export function mapQuestion(
  { box, zoom = DEFAULT_ZOOM }: SearchState,
  filters: SiteFilters,
): Filtered<'map'> | null {
  return box === undefined ? null : { filters, bbox: [...box], zoom: Math.floor(zoom) };
}

/** The same search from its first page. */
export const withoutCursor = ({ cursor, ...rest }: SearchState): SearchState => rest;

/**
 * The search of a form that has been filled in. What the form does not have stays as it was; another place than before
 * is not searched in the old part of the map.
 */
export function searchOf(form: HTMLFormElement, shown: SearchState): SearchState {
  const typed = readState(parseQuery(new URLSearchParams(new FormData(form) as never).toString()));
  const { place, area, box, zoom, view } = shown;
  const ofPlace = typed.q === shown.q ? { place, area, box, zoom } : {};
  return Object.fromEntries(
    Object.entries({ ...typed, ...ofPlace, view }).filter(([, value]) => value !== undefined),
  );
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

/** Groups of thousands, as people write them and as the form shows them in any language. */
const GROUPING = /[\s.,'’](?=\d{3}(?!\d))/g;

function numberIn(given: string | undefined, most: number): number | undefined {
  const text = given?.replaceAll(GROUPING, '');
  if (text === undefined || !/^\d{1,13}(?:\.\d{1,2})?$/.test(text)) return undefined;
  const value = Number(text);
  return value <= most ? value : undefined;
}

function boxIn(text: string | undefined): Box | undefined {
  const [west, south, east, north, ...more] = (text ?? '').split(',').map(Number);
  const numbers = [west, south, east, north];
  if (more.length > 0 || !numbers.every((one) => one !== undefined && Number.isFinite(one))) return undefined;
  const [w = 0, s = 0, e = 0, n = 0] = numbers as number[];
  const isOnEarth = Math.abs(w) <= 180 && Math.abs(e) <= 180 && s >= -90 && n <= 90 && s <= n;
  return isOnEarth && text !== '' ? [w, s, e, n] : undefined;
}

function between<N extends string>(name: N, min: number | undefined, max: number | undefined) {
  if (min === undefined && max === undefined) return {};
  return { [name]: { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) } };
}
