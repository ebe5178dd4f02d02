import type { Reader } from '../../persistence/database/reader.ts';
import {
  type FavoriteMark,
  type FavoritePage,
  favoritesOf,
  type RankedMark,
} from '../../persistence/listings/saved/favorite-queries.ts';
import type { CardReader } from '../search/cards.ts';
import type { PictureChoice } from '../wire/listings/picture-choice.ts';
import type { PropertyCard } from '../wire/listings/property-card.ts';
import { pageOf } from '../wire/text.ts';

/** A page of saved homes, without their cards. */
export async function favoritesPage(
  reader: Reader,
  { limit, ...page }: FavoritePage,
  cursorOf: (mark: RankedMark) => string,
) {
  return pageOf(await favoritesOf(reader, { ...page, limit: limit + 1 }), limit, cursorOf);
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
