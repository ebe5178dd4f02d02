import { homeTypeName } from '../../words/home-types.ts';
import type { Text } from '../../words/text.ts';
import type { SearchState } from './search-state.ts';

/** A filter that is set, and the state without it. */
export interface Chip {
  /** A key of the catalogs. */
  readonly key: string;
  readonly values: Readonly<Record<string, number | string>>;
  /** How its number is written. */
  readonly as: 'price' | 'area' | 'year' | 'count' | 'plain';
  readonly without: SearchState;
}

/** Filters with one value or none, in the order of their chips: the words, and how the value is written. */
const SINGLE = [
  ['sold', 'chip.sold', 'count'],
  ['minPrice', 'chip.minPrice', 'price'],
  ['maxPrice', 'chip.maxPrice', 'price'],
  ['beds', 'chip.beds', 'plain'],
  ['baths', 'chip.baths', 'plain'],
  ['minArea', 'chip.minArea', 'area'],
  ['maxArea', 'chip.maxArea', 'area'],
  ['minLot', 'chip.minLot', 'area'],
  ['builtFrom', 'chip.builtFrom', 'year'],
  ['garage', 'chip.garage', 'plain'],
  ['maxFee', 'chip.maxFee', 'price'],
  ['days', 'chip.days', 'count'],
  ['open', 'chip.open', 'count'],
  ['reduced', 'chip.reduced', 'plain'],
  ['photos', 'chip.photos', 'plain'],
  ['words', 'chip.words', 'plain'],
] as const satisfies [keyof SearchState, string, Chip['as']][];

/** One chip for each filter that can be taken off. */
export function chipsOf(state: SearchState): Chip[] {
  const drop = (...names: (keyof SearchState)[]): SearchState => {
    const { cursor, ...rest } = state;
    return Object.fromEntries(Object.entries(rest).filter(([name]) => !(names as string[]).includes(name)));
  };
  const single = SINGLE.flatMap(([name, key, as]): Chip[] => {
    const value = state[name];
    if (value === undefined) return [];
    return [{ key, values: value === true ? {} : { value }, as, without: drop(name) }];
  });
  const listed = (name: 'type' | 'feature', key: (value: string) => string): Chip[] =>
    (state[name] ?? []).map((value) => {
      const rest = (state[name] ?? []).filter((one) => one !== value);
      const others = drop(name);
      return {
        key: key(value),
        values: { value },
        as: 'plain',
        without: rest.length === 0 ? others : { ...others, [name]: rest },
      };
    });
  return [
    ...(state.q === undefined && state.place === undefined
      ? []
      : [
          {
            key: state.q === undefined ? 'chip.placeOfAddress' : 'chip.place',
            values: { value: state.q ?? '' },
            as: 'plain' as const,
            without: drop('q', 'place'),
          },
        ]),
    ...single,
    ...listed('type', () => 'chip.type'),
    ...listed('feature', (value) => `feature.${value}`),
    ...(state.pictures === undefined
      ? []
      : [{ key: `pictures.${state.pictures}`, values: {}, as: 'plain' as const, without: drop('pictures') }]),
    ...(state.area === undefined
      ? []
      : [{ key: 'chip.area', values: {}, as: 'plain' as const, without: drop('area') }]),
    ...(state.box === undefined || state.area !== undefined
      ? []
      : [{ key: 'chip.box', values: {}, as: 'plain' as const, without: drop('box', 'zoom') }]),
  ];
}

/** The words of a chip, with prices and areas in the site's units. */
export function chipText({ key, values, as }: Chip, { t, money, siteArea }: Text, currency: string): string {
  const { value } = values;
  if (key === 'chip.type') return homeTypeName(t, String(value));
  if (typeof value !== 'number' || as === 'plain') return t(key, values);
  if (as === 'count') return t(key, { count: value });
  if (as === 'year') return t(key, { value: String(value) });
  return t(key, { value: as === 'price' ? money(value, currency) : siteArea(value) });
}
