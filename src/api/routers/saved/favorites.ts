import {
  addFavorite,
  favoriteIdsOf,
  removeFavorite,
  setFavoriteNote,
} from '../../../../persistence/listings/saved/favorite-queries.ts';
import { PublicError } from '../../../errors/errors.ts';
import { rankedKeysetCursor } from '../../../wire/keyset-cursor.ts';
import {
  favoriteIdsOutput,
  favoriteInput,
  favoriteOutput,
  listFavoritesInput,
  listFavoritesOutput,
  setNoteInput,
  setNoteOutput,
  toFavoriteCard,
} from '../../../wire/listings/favorites.ts';
import { noInput } from '../../../wire/text.ts';
import { router, sessionProcedure } from '../../base.ts';
import { favoritesPage, withCards } from '../../favorite-cards.ts';
import type { Services } from '../../services.ts';
import { sharedListProcedures } from './shared-lists.ts';

/** `favorites.*` (docs/contract.md#saved-homes): the homes that the caller has saved, with notes, and who may see them. */
export function favoritesRouter(services: Services) {
  const { pool, clock, cards } = services;
  return router({
    /** Idempotent: the price and status of the first call stay. */
    add: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(favoriteInput)
      .output(favoriteOutput)
      .mutation(async ({ ctx, input: { propertyId } }) => {
        const found = await addFavorite(pool, { userId: ctx.user.id, propertyId, at: clock.now() });
        if (!found) throw new PublicError('NOT_FOUND');
        return { propertyId, favorite: true };
      }),
    /** Idempotent, for any id. */
    remove: sessionProcedure
      .input(favoriteInput)
      .output(favoriteOutput)
      .mutation(async ({ ctx, input: { propertyId } }) => {
        await removeFavorite(pool, { userId: ctx.user.id, propertyId });
        return { propertyId, favorite: false };
      }),
    setNote: sessionProcedure
      .meta({ errors: ['NOT_FOUND'] })
      .input(setNoteInput)
      .output(setNoteOutput)
      .mutation(async ({ ctx, input }) => {
        if (!(await setFavoriteNote(pool, { userId: ctx.user.id, ...input })))
          throw new PublicError('NOT_FOUND');
        return input;
      }),
    list: sessionProcedure
      .input(listFavoritesInput)
      .output(listFavoritesOutput)
      .query(async ({ ctx, input: { cursor = null, limit, sort, pictures } }) => {
        const asked = { userId: ctx.user.id, sort, after: cursor, limit };
        const page = await favoritesPage(pool, asked, ({ rank, savedAt, propertyId }) =>
          rankedKeysetCursor({ rank, at: savedAt, id: propertyId }),
        );
        const items = await withCards({ cards, marks: page.items, pictures }, toFavoriteCard);
        return { ...page, items };
      }),
    listIds: sessionProcedure
      .input(noInput)
      .output(favoriteIdsOutput)
      .query(async ({ ctx }) => ({ propertyIds: await favoriteIdsOf(pool, ctx.user.id) })),
    ...sharedListProcedures(services),
  });
}
