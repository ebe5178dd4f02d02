import { later } from '../../primitives/later.tsx';
import type { PartName } from './filter-fields.tsx';
import type { SearchState } from './search-state.ts';

export interface FilterPart {
  readonly name: PartName;
  /** A key of the catalogs. */
  readonly label: string;
  /** The filters that it has. */
  readonly of: readonly (keyof SearchState)[];
}

export const FilterFields = later(() => import('./filter-fields.tsx'));

/** The parts of the bar and of the sheet, in their order. */
export const FILTER_PARTS: readonly FilterPart[] = [
  { name: 'price', label: 'filter.price', of: ['minPrice', 'maxPrice'] },
  { name: 'rooms', label: 'filter.rooms', of: ['beds', 'baths'] },
  { name: 'types', label: 'filter.types', of: ['type'] },
  {
    name: 'more',
    label: 'filter.more',
    of: [
      'sold',
      'minArea',
      'maxArea',
      'minLot',
      'builtFrom',
      'maxFee',
      'words',
      'days',
      'open',
      'garage',
      'reduced',
      'photos',
      'pictures',
      'feature',
    ],
  },
];
