import type { Inputs } from '../../../typescript/procedures.ts';
import type { AddressQuery } from '../../addresses/address-query.ts';
import { areaIn, areaText, type Box, type Corners } from '../../map/map-area.ts';
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
  readonly type?: readonly string[];
  readonly feature?: readonly string[];
  readonly reduced?: true;
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

type Filters = NonNullable<Inputs['search']['list']['filters']>;
type Sort = NonNullable<Inputs['search']['list']['sort']>;

const NUMBERS = {
  minPrice: 1e12,
  maxPrice: 1e12,
  beds: 1000,
  baths: 1000,
  minArea: 1e12,
  maxArea: 1e12,
  builtFrom: 3000,
  zoom: 24,
} as const;
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
/** The first one is the order without a choice. */
export const OFFERED_SORTS: readonly string[] = ['RELEVANCE', ...SORTS];
const FEATURE = /^[A-Z_]{2,40}$/;
const MOST_TYPES = 20;
const MOST_FEATURES = 57;
const LONGEST_TEXT = 200;
const PAGE_SIZE = 24;
/** For an address that names a box alone. */
const DEFAULT_ZOOM = 10;

/** Reads an address. Never fails. */
export function readState(query: AddressQuery): SearchState {
  const list = (name: string): readonly string[] => {
    const value = query[name];
    return value === undefined ? [] : typeof value === 'string' ? [value] : value;
  };
  const text = (name: string): string | undefined => {
    const value = list(name)[0]?.trim();
    return value && value.length <= LONGEST_TEXT ? value : undefined;
  };
  const types = unique(list('type').filter((one) => one.trim() !== '' && one.length <= 60)).slice(
    0,
    MOST_TYPES,
  );
  const features = unique(list('feature').filter((one) => FEATURE.test(one))).slice(0, MOST_FEATURES);
  const sort = text('sort');
  const numbers = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, most]) => [name, numberIn(text(name), most)]),
  ) as Record<keyof typeof NUMBERS, number | undefined>;
  const hasWrongPrices = (numbers.minPrice ?? 0) > (numbers.maxPrice ?? Number.POSITIVE_INFINITY);
  const hasWrongAreas = (numbers.minArea ?? 0) > (numbers.maxArea ?? Number.POSITIVE_INFINITY);
  const state = {
    q: text('q'),
    place: text('place'),
    ...numbers,
    maxPrice: hasWrongPrices ? undefined : numbers.maxPrice,
    maxArea: hasWrongAreas ? undefined : numbers.maxArea,
    type: types.length === 0 ? undefined : types,
    feature: features.length === 0 ? undefined : features,
    reduced: text('reduced') === '1' ? true : undefined,
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
  const { reduced, area, box } = state;
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
    'type',
    'feature',
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
    ...(reduced ? { reduced: '1' } : {}),
    ...(area === undefined ? {} : { area: areaText(area) }),
    ...(box === undefined ? {} : { box: box.join(',') }),
  };
}

/** What finds homes. @param placeId of the typed place, when the address names no place itself */
export function searchInput(state: SearchState, placeId: string | null): { filters: Filters; sort: Sort } {
  const { minPrice, maxPrice, beds, baths, minArea, maxArea, builtFrom, type, feature, reduced } = state;
  const place = state.place ?? placeId;
  const filters: Filters = {
    ...between('price', minPrice, maxPrice),
    ...between('beds', beds, undefined),
    ...between('baths', baths, undefined),
    ...between('livingArea', minArea, maxArea),
    ...between('yearBuilt', builtFrom, undefined),
    ...(type === undefined ? {} : { propertyTypes: [...type] }),
    ...(feature === undefined ? {} : { features: [...feature] as NonNullable<Filters['features']> }),
    ...(reduced ? { priceReduced: true } : {}),
    ...(place === null || place === undefined ? {} : { placeId: place }),
    ...locationOf(state),
  };
  return { filters, sort: (state.sort ?? 'RELEVANCE') as Sort };
}

function locationOf({ area, box }: SearchState): Pick<Filters, 'location'> {
  if (area !== undefined) return { location: { polygon: [...area] } };
  if (box === undefined) return {};
  return { location: { box: { west: box[0], south: box[1], east: box[2], north: box[3] } } };
}

/** What the list is asked: the pictures of its cards are chosen too. Map and counts are the same for every choice. */
export function listQuestion(state: SearchState, placeId: string | null) {
  const { filters, sort } = searchInput(state, placeId);
  return { filters: { ...filters, ...picturesOf(state.pictures) }, sort, limit: PAGE_SIZE };
}

/** What the map is asked when the address holds its box; null when it does not, or no map is shown. */
export function mapQuestion(
  { view, box, zoom = DEFAULT_ZOOM }: SearchState,
  filters: Filters,
): Inputs['search']['map'] | null {
  return view === 'map' && box !== undefined ? { filters, bbox: [...box], zoom: Math.floor(zoom) } : null;
}

const unique = (values: readonly string[]): string[] => [...new Set(values)];

function numberIn(text: string | undefined, most: number): number | undefined {
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
