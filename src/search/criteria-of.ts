import type { Reader } from '../../persistence/database/reader.ts';
import { placeCriterion } from '../../persistence/search/place-criteria.ts';
import type { Criteria } from '../../persistence/search/search-index.ts';
import { type SearchFilters, searchFilters } from '../wire/listings/search.ts';
import { type SearchTerms, toCriteria } from '../wire/listings/search-criteria.ts';

/** The filters as the index takes them, with the named location resolved; null when no place has its id. */
export async function criteriaOf(
  reader: Reader,
  filters: SearchFilters,
  terms: SearchTerms,
): Promise<Criteria | null> {
  const criteria = toCriteria(filters, terms);
  if (filters.placeId === undefined) return criteria;
  const place = await placeCriterion(reader, filters.placeId);
  if (place === null) return null;
  if (place.of !== 'box') return { ...criteria, place };
  return { ...criteria, areas: [...criteria.areas, { box: place.box }] };
}

/** Of the filters of a saved search. One whose place is there no more finds nothing. */
export async function storedCriteria(
  reader: Reader,
  filters: unknown,
  terms: SearchTerms,
): Promise<Criteria> {
  const parsed = searchFilters.parse(filters);
  return (
    (await criteriaOf(reader, parsed, terms)) ?? { ...toCriteria(parsed, terms), place: { of: 'nowhere' } }
  );
}
