import { createTranslator } from '../../../../i18n/translator.ts';
import {
  changeSearch,
  countNewHomes,
  markSearchSeen,
  removeSearch,
  type SavedSearch,
  saveSearch,
  searchesOf,
  searchOfPerson,
} from '../../../../persistence/alerts/saved-searches.ts';
import { placeLabels, readPlaceName } from '../../../../persistence/search/place-names.ts';
import { found } from '../../../errors/found.ts';
import { inputHash } from '../../../repeats/repeatable-call.ts';
import { storedCriteria, toCriteria } from '../../../search/criteria.ts';
import {
  savedSearch,
  savedSearchesOutput,
  saveSearchInput,
  searchIdInput,
  searchIdOutput,
  toSavedSearch,
  updateSearchInput,
} from '../../../wire/listings/saved-searches.ts';
import { type SearchFilters, searchFilters } from '../../../wire/listings/search.ts';
import { noInput } from '../../../wire/text.ts';
import { router, sessionProcedure } from '../../base.ts';
import { localeOf } from '../../caller-locale.ts';
import type { Services } from '../../services.ts';
import { requireCriteria } from '../search.ts';

/** `searches.*` (docs/contract.md#saved-searches): what the caller searches for again and again. */
export function savedSearchesRouter(services: Services) {
  const { pool, clock, chance, settings } = services;
  const { site } = settings;
  const terms = () => ({ at: clock.now(), site });
  const shown = (search: SavedSearch & { seenSeq: number }) =>
    withNewHomes(services, [search]).then(([one]) => found(one));
  return router({
    /** The same filters again are the same search. */
    save: sessionProcedure
      .meta({ errors: ['QUOTA_REACHED'] })
      .input(saveSearchInput)
      .output(savedSearch)
      .mutation(async ({ ctx, input: { name, filters, ...rest } }) => {
        await requireCriteria(pool, filters, terms());
        const userId = ctx.user.id;
        const placeName = filters.placeId === undefined ? null : await readPlaceName(pool, filters.placeId);
        const nameless = () => createTranslator(localeOf(site, ctx), 'user').t('savedSearch.nameless');
        const { id } = await saveSearch(pool, {
          ...rest,
          id: chance.id(),
          userId,
          name: name ?? placeName?.slice(0, 80) ?? nameless(),
          isNamed: name !== undefined,
          filters,
          filtersHash: inputHash(filters),
          criteria: toCriteria(filters, terms()),
          placeId: filters.placeId ?? null,
          at: clock.now(),
        });
        return shown(found(await searchOfPerson(pool, { userId, id })));
      }),
    list: sessionProcedure
      .input(noInput)
      .output(savedSearchesOutput)
      .query(async ({ ctx }) => ({
        items: await withNewHomes(services, await searchesOf(pool, ctx.user.id)),
      })),
    update: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(updateSearchInput)
      .output(savedSearch)
      .mutation(async ({ ctx, input }) => {
        const person = { userId: ctx.user.id, id: input.id };
        const { filters } = found(await searchOfPerson(pool, person));
        const parsed = searchFilters.parse(filters);
        const of = { criteria: toCriteria(parsed, terms()), placeId: parsed.placeId ?? null };
        found((await changeSearch(pool, { ...input, ...person, ...of, at: clock.now() })) || null);
        return shown(found(await searchOfPerson(pool, person)));
      }),
    /** Idempotent, for any id. */
    remove: sessionProcedure
      .input(searchIdInput)
      .output(searchIdOutput)
      .mutation(async ({ ctx, input }) => {
        await removeSearch(pool, { userId: ctx.user.id, ...input });
        return input;
      }),
    markSeen: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(searchIdInput)
      .output(searchIdOutput)
      .mutation(async ({ ctx, input }) => {
        found((await markSearchSeen(pool, { userId: ctx.user.id, ...input })) || null);
        return input;
      }),
  });
}

/** As the wire shows them. The filters of a stored search are those that a call let in. */
async function withNewHomes(
  { pool, clock, settings: { site } }: Services,
  searches: readonly (SavedSearch & { seenSeq: number })[],
) {
  const terms = { at: clock.now(), site };
  const parsed = await Promise.all(
    searches.map(async ({ filters: stored, ...search }) => {
      const filters: SearchFilters = searchFilters.parse(stored);
      return { ...search, filters, criteria: await storedCriteria(pool, stored, terms) };
    }),
  );
  const placeIds = parsed.flatMap(({ filters: { placeId } }) => placeId ?? []);
  const [counts, labels] = await Promise.all([
    countNewHomes(pool, parsed),
    placeLabels(pool, [...new Set(placeIds)]),
  ]);
  return parsed.map(({ criteria: _, seenSeq: _seen, ...search }) =>
    toSavedSearch(search, {
      newHomes: counts.get(search.id) ?? 0,
      placeName: labels.get(search.filters.placeId ?? '') ?? null,
    }),
  );
}
