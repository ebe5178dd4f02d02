import {
  addFavorite,
  favoriteIdsOf,
  favoritesOf,
  removeFavorite,
} from '../../../persistence/listings/favorite-queries.ts';
import { PublicError } from '../../errors/errors.ts';
import { keysetCursor } from '../../wire/keyset-cursor.ts';
import {
  favoriteIdsOutput,
  favoriteInput,
  favoriteOutput,
  listFavoritesInput,
  listFavoritesOutput,
  toFavoriteCard,
} from '../../wire/listings/favorites.ts';
import { noInput, pageOf } from '../../wire/text.ts';
import { router, sessionProcedure } from '../base.ts';
import type { Services } from '../services.ts';

/** `favorites.*` (docs/contract.md#saved-homes): the homes that the caller has saved. */
export function favoritesRouter({ pool, clock, cards }: Services) {
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
    list: sessionProcedure
      .input(listFavoritesInput)
      .output(listFavoritesOutput)
      .query(async ({ ctx, input: { cursor = null, limit, pictures } }) => {
        const marks = await favoritesOf(pool, { userId: ctx.user.id, after: cursor, limit: limit + 1 });
        const page = pageOf(marks, limit, ({ savedAt, propertyId }) =>
          keysetCursor({ at: savedAt, id: propertyId }),
        );
        const markOf = new Map(page.items.map((mark) => [mark.propertyId, mark]));
        // A listing that was removed after the page was read has no card. The cursor of the next page does not
        // depend on it.
        const items = (await cards.of([...markOf.keys()], pictures)).flatMap((card) => {
          const mark = markOf.get(card.propertyId);
          return mark === undefined ? [] : [toFavoriteCard(card, mark)];
        });
        return { ...page, items };
      }),
    listIds: sessionProcedure
      .input(noInput)
      .output(favoriteIdsOutput)
      .query(async ({ ctx }) => ({ propertyIds: await favoriteIdsOf(pool, ctx.user.id) })),
  });
}
