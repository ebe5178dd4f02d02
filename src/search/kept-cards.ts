import type { Clock } from '../../supervisors/ports.ts';
import type { IndexedCard } from '../wire/listings/property-card.ts';

/** A few kilobytes each: some megabytes in all. */
const MOST_KEPT = 2_000;
/** Also the time in which a card may count the days on the market one too few. */
const KEPT_MS = 10_000;

interface KeptCard {
  readonly version: number;
  readonly card: IndexedCard;
}

/**
 * The cards of the documents that were read last, in this process, because most people ask for the same first pages. They
 * save only the question to the key-value store: the database names the version each time, and a card of another one is
 * not used. A crash loses nothing.
 */
export function createKeptCards(clock: Clock) {
  /** In the order in which they were kept, which is the order in which they become old. */
  const cards = new Map<string, KeptCard & { readonly until: number }>();
  return {
    /** Those that are not too old, by property id. */
    of(propertyIds: readonly string[]): ReadonlyMap<string, KeptCard> {
      const at = clock.now();
      const found = new Map<string, KeptCard>();
      for (const id of propertyIds) {
        const card = cards.get(id);
        if (card === undefined) continue;
        if (card.until > at) found.set(id, card);
        else cards.delete(id);
      }
      return found;
    },
    drop: (propertyId: string) => void cards.delete(propertyId),
    keep(propertyId: string, card: KeptCard): void {
      cards.delete(propertyId);
      cards.set(propertyId, { ...card, until: clock.now() + KEPT_MS });
      for (const oldest of cards.keys()) {
        if (cards.size <= MOST_KEPT) break;
        cards.delete(oldest);
      }
    },
  };
}
