import { z } from 'zod';
import { STANDARD_STATUSES } from '../../../persistence/entities/values.ts';
import { FAVORITE_SORTS, type FavoriteMark } from '../../../persistence/listings/saved/favorite-queries.ts';
import { rankedPaging } from '../keyset-cursor.ts';
import { instant, iso, pageOutput, paging, paragraphs, plainLine, uuid } from '../text.ts';
import { pictureChoice } from './picture-choice.ts';
import { type PropertyCard, propertyCard } from './property-card.ts';

export const favoriteInput = z.strictObject({ propertyId: uuid });
export const favoriteOutput = z.object({ propertyId: z.string(), favorite: z.boolean() });
export const listFavoritesInput = z.strictObject({
  ...rankedPaging,
  /** `SAVED`: the latest first; `CHANGED`: those whose price or status has changed since first. */
  sort: z.enum(FAVORITE_SORTS).default('SAVED'),
  pictures: pictureChoice,
});
export const setNoteInput = z.strictObject({
  propertyId: uuid,
  /** Null removes it. */
  note: paragraphs(500).nullable(),
});
export const setNoteOutput = z.object({ propertyId: z.string(), note: z.string().nullable() });

/** A saved home as it is now, with its price and status at the time of saving. */
export const favoriteCard = propertyCard.extend({
  /** In the card's currency. */
  priceWhenSaved: z.number(),
  statusWhenSaved: z.enum(STANDARD_STATUSES),
  savedAt: instant,
  /** The person's own words. */
  note: z.string().nullable(),
});
export const listFavoritesOutput = pageOutput(favoriteCard);
export const favoriteIdsOutput = z.object({ propertyIds: z.array(z.string()) });

export function toFavoriteCard(
  card: PropertyCard,
  { priceWhenSaved, statusWhenSaved, savedAt, note }: FavoriteMark,
): z.output<typeof favoriteCard> {
  return { ...card, priceWhenSaved, statusWhenSaved, savedAt: iso(savedAt), note };
}

export const shareInput = z.strictObject({
  /** What the list is called for those who see it: the person's name, or another one. */
  name: plainLine(100),
  /** Whether they read the notes too. */
  withNotes: z.boolean(),
});
const sharing = z.object({ name: z.string(), withNotes: z.boolean(), sharedAt: instant });
/** `url` holds the secret. It is given once: only its hash is stored. */
export const shareOutput = sharing.extend({ url: z.url() });
export const sharingOutput = z.object({ sharing: sharing.nullable() });
export const unshareOutput = z.object({ shared: z.boolean() });

/** 32 bytes in base64url. */
const secret = z.string().regex(/^[\w-]{43}$/);
/** The cursor is a home's id: the position in the list would say when the home was saved. */
export const sharedInput = z.strictObject({ ...paging, secret, pictures: pictureChoice });
const sharedCard = propertyCard.extend({
  /** Null also when the person does not share the notes. */
  note: z.string().nullable(),
});
export const sharedOutput = pageOutput(sharedCard).extend({ name: z.string() });
