import type { Pool } from 'pg';
import {
  type FavoriteMark,
  type FavoritePage,
  favoritesOf,
} from '../../persistence/listings/saved/favorite-queries.ts';
import type { CardReader } from '../search/cards.ts';
import { rankedKeysetCursor } from '../wire/keyset-cursor.ts';
import type { PictureChoice } from '../wire/listings/picture-choice.ts';
import type { PropertyCard } from '../wire/listings/property-card.ts';
import { pageOf } from '../wire/text.ts';

/** A page of saved homes, without their cards. */
export async function favoritesPage(pool: Pool, { limit, ...page }: FavoritePage) {
  const marks = await favoritesOf(pool, { ...page, limit: limit + 1 });
  return pageOf(marks, limit, ({ rank, savedAt, propertyId }) =>
    rankedKeysetCursor({ rank, at: savedAt, id: propertyId }),
  );
}

/**
 * The cards of saved homes, in the same order. A listing that was removed after the page was read has no card. The cursor
 * of the next page does not depend on it.
 */
export async function withCards<Shown>(
  page: { cards: CardReader; marks: readonly FavoriteMark[]; pictures: PictureChoice },
  shownAs: (card: PropertyCard, mark: FavoriteMark) => Shown,
): Promise<Shown[]> {
  const markOf = new Map(page.marks.map((mark) => [mark.propertyId, mark]));
  const cards = await page.cards.of([...markOf.keys()], page.pictures);
  return cards.flatMap((card) => {
    const mark = markOf.get(card.propertyId);
    return mark === undefined ? [] : [shownAs(card, mark)];
  });
}
