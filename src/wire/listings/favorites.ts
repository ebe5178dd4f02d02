import { z } from 'zod';
import { STANDARD_STATUSES } from '../../../persistence/entities/values.ts';
import type { FavoriteMark } from '../../../persistence/listings/favorite-queries.ts';
import { keysetPaging } from '../keyset-cursor.ts';
import { instant, iso, pageOutput, uuid } from '../text.ts';
import { pictureChoice } from './picture-choice.ts';
import { type PropertyCard, propertyCard } from './property-card.ts';

export const favoriteInput = z.strictObject({ propertyId: uuid });
export const favoriteOutput = z.object({ propertyId: z.string(), favorite: z.boolean() });
export const listFavoritesInput = z.strictObject({ ...keysetPaging, pictures: pictureChoice });

/** A saved home as it is now, with its price and status at the time of saving. */
export const favoriteCard = propertyCard.extend({
  /** In the card's currency. */
  priceWhenSaved: z.number(),
  statusWhenSaved: z.enum(STANDARD_STATUSES),
  savedAt: instant,
});
export const listFavoritesOutput = pageOutput(favoriteCard);
export const favoriteIdsOutput = z.object({ propertyIds: z.array(z.string()) });

export function toFavoriteCard(
  card: PropertyCard,
  { priceWhenSaved, statusWhenSaved, savedAt }: FavoriteMark,
): z.output<typeof favoriteCard> {
  return { ...card, priceWhenSaved, statusWhenSaved, savedAt: iso(savedAt) };
}
