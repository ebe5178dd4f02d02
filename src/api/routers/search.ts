import type { Reader } from '../../../persistence/database/reader.ts';
import { suggestLocations } from '../../../persistence/search/location-suggestions.ts';
import { placeNames } from '../../../persistence/search/place-names.ts';
import { type Criteria, SEARCH_SORTS } from '../../../persistence/search/search-index.ts';
import { PublicError } from '../../errors/errors.ts';
import type { SearchTerms } from '../../search/criteria.ts';
import { criteriaOf } from '../../search/criteria.ts';
import { decodeCursor, encodeCursor } from '../../search/cursor.ts';
import { FEATURE_GROUPS, FEATURE_KEYS } from '../../wire/listings/feature-keys.ts';
import {
  MAX_SUGGESTIONS,
  suggestLocationsInput,
  suggestLocationsOutput,
  toGroups,
} from '../../wire/listings/location-suggestions.ts';
import {
  featureCountsInput,
  featureCountsOutput,
  filterCatalogOutput,
  placeNamesInput,
  placeNamesOutput,
  type SearchFilters,
  searchListInput,
  searchListOutput,
  searchMapInput,
  searchMapOutput,
  toBox,
  toPin,
} from '../../wire/listings/search.ts';
import { noInput } from '../../wire/text.ts';
import { publicProcedure, router } from '../base.ts';
import type { Services } from '../services.ts';

/** @throws PublicError INVALID_INPUT for an id that no place has */
export async function requireCriteria(
  reader: Reader,
  filters: SearchFilters,
  terms: SearchTerms,
): Promise<Criteria> {
  const criteria = await criteriaOf(reader, filters, terms);
  if (criteria !== null) return criteria;
  const fields = { 'filters.placeId': ['No suggestion has this id. Take one from search.suggestLocations.'] };
  throw new PublicError('INVALID_INPUT', { fields });
}

/** `search.*`: listings as a list and on a map, by the same filters. */
export function searchRouter({ publicReads, clock, settings: { site } }: Services) {
  const terms = () => ({ at: clock.now(), site });
  return router({
    list: publicProcedure
      .input(searchListInput)
      .output(searchListOutput)
      .query(async ({ ctx, input: { filters, sort, near, cursor, limit } }) => {
        const origin = near ?? filters.location?.circle ?? null;
        const after = typeof cursor === 'string' ? decodeCursor(cursor, sort, origin) : null;
        if (typeof cursor === 'string' && after === null) throw foreignCursor();
        const { reader, searchIndex, cards } = await publicReads(ctx);
        const criteria = await requireCriteria(reader, filters, terms());
        const { places, total } = await searchIndex.list({ criteria, sort, origin, after, limit });
        const page = places.slice(0, limit);
        const last = page.at(-1);
        return {
          items: await cards.of(
            page.map(({ propertyId }) => propertyId),
            filters.pictures,
          ),
          nextCursor: places.length > limit && last !== undefined ? encodeCursor(sort, last, origin) : null,
          total,
        };
      }),
    map: publicProcedure
      .input(searchMapInput)
      .output(searchMapOutput)
      .query(async ({ ctx, input: { filters, bbox, zoom } }) => {
        const { reader, searchIndex } = await publicReads(ctx);
        const criteria = await requireCriteria(reader, filters, terms());
        const { clusters, pins, total } = await searchIndex.map({ criteria, box: toBox(bbox), zoom });
        return { clusters: [...clusters], pins: pins.map(toPin), total };
      }),
    /** Names for a map that has none of its own. */
    placeNames: publicProcedure
      .input(placeNamesInput)
      .output(placeNamesOutput)
      .query(async ({ ctx, input: { bbox, zoom } }) => {
        const { reader } = await publicReads(ctx);
        return { places: await placeNames(reader, { box: toBox(bbox), zoom }) };
      }),
    /** Locations that match the text typed so far. */
    suggestLocations: publicProcedure
      .input(suggestLocationsInput)
      .output(suggestLocationsOutput)
      .query(async ({ ctx, input: { text, latitude, longitude } }) => {
        const { reader } = await publicReads(ctx);
        const near = latitude == null || longitude == null ? null : { latitude, longitude };
        return toGroups(await suggestLocations(reader, { text, near, limit: MAX_SUGGESTIONS }));
      }),
    /** What each feature would leave of a search. */
    featureCounts: publicProcedure
      .input(featureCountsInput)
      .output(featureCountsOutput)
      .query(async ({ ctx, input: { filters } }) => {
        const { reader, searchIndex } = await publicReads(ctx);
        const { total, isWhole, counts } = await searchIndex.featureCounts(
          await requireCriteria(reader, filters, terms()),
        );
        return { total, isWhole, counts: FEATURE_KEYS.map((key) => ({ key, count: counts.get(key) ?? 0 })) };
      }),
    getFilterCatalog: publicProcedure
      .input(noInput)
      .output(filterCatalogOutput)
      .query(async ({ ctx }) => {
        const { searchIndex } = await publicReads(ctx);
        return {
          featureGroups: FEATURE_GROUPS.map(({ group, keys }) => ({ group, keys: [...keys] })),
          propertyTypes: await searchIndex.propertyTypes(),
          sorts: [...SEARCH_SORTS],
          currency: site.currency,
          areaUnits: site.areaUnits,
        };
      }),
  });
}

function foreignCursor(): PublicError {
  const fields = { cursor: ['This is not a cursor of this list. Begin again without one.'] };
  return new PublicError('INVALID_INPUT', { fields });
}
