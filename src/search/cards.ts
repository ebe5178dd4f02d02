import type { Reader } from '../../persistence/database/reader.ts';
import {
  type FreshFacts,
  type FreshSource,
  readDocumentStates,
  readPublicSources,
} from '../../persistence/search/search-documents.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { createCache } from '../cache.ts';
import type { PictureChoice } from '../wire/listings/picture-choice.ts';
import {
  type IndexedCard,
  type PropertyCard,
  toIndexedCard,
  toPropertyCard,
} from '../wire/listings/property-card.ts';
import { cardOfDocument } from './document.ts';
import type { DocumentReader } from './document-store.ts';

/** In this time a card may count the days on the market one too few. */
const MAX_AGE_MS = 10_000;
/** A few kilobytes each: some megabytes in all. */
const MAX_CARDS = 2_000;

interface CachedCard {
  readonly version: number;
  readonly card: IndexedCard;
}

/** Reads the cards of listings by id. */
export type CardReader = ReturnType<ReturnType<typeof createCardReaders>>;

/**
 * Cards come from the documents in the key-value store. The database decides which version a document must have and
 * which listings may be seen, so a commit is visible at once, whatever the store holds. Four cases are read from
 * the database, in one query: missing, old or broken documents; listings off the market, which have no document;
 * and everything while the store is down. The rows of a standby ask for their own versions: a newer document counts as
 * missing until the standby has followed, within a second.
 * What changes by itself or apart from the document (a sale, the last price change) is read with the versions.
 * Cards of documents that were read a moment ago are cached, because most callers ask for the same first pages. The
 * database names the version each time, and a cached card of another version is not used.
 * @returns makes a reader of one server for one caller; all of them share the cache
 */
export function createCardReaders(ports: { documents: DocumentReader; clock: Clock; publicBaseUrl: string }) {
  const { documents, clock, publicBaseUrl } = ports;
  const cache = createCache<CachedCard>({
    clock,
    maxAgeMs: MAX_AGE_MS,
    maxSize: MAX_CARDS,
    sizeOf: () => 1,
  });
  const shown = (card: IndexedCard, seen: { pictures: PictureChoice; fresh: FreshFacts; at: number }) =>
    toPropertyCard(card, { publicBaseUrl, ...seen });
  return (pool: Reader) => ({
    /** One card for each listing that was read already. */
    ofSources(sources: readonly FreshSource[], pictures: PictureChoice): PropertyCard[] {
      const at = clock.now();
      return sources.map(({ fresh, ...source }) =>
        shown(toIndexedCard(source, { publicBaseUrl, at }), { pictures, fresh, at }),
      );
    },
    /** One card per listing that the public may see, in the order of the ids; others are left out. */
    async of(propertyIds: readonly string[], pictures: PictureChoice): Promise<PropertyCard[]> {
      if (propertyIds.length === 0) return [];
      const ids = [...new Set(propertyIds)];
      const at = clock.now();
      const known = new Map(
        ids.flatMap((id) => {
          const cached = cache.get(id);
          return cached === undefined ? [] : [[id, cached]];
        }),
      );
      const [states, stored] = await Promise.all([
        readDocumentStates(pool, ids),
        documents.read(ids.filter((id) => !known.has(id))),
      ]);
      const cards = new Map<string, IndexedCard>();
      for (const { propertyId, version, hasDocument } of states) {
        if (!hasDocument) continue;
        const before = known.get(propertyId);
        if (before?.version === version) {
          cards.set(propertyId, before.card);
          continue;
        }
        cache.delete(propertyId);
        const document = stored.get(propertyId);
        const card = document && cardOfDocument(document, { version, publicBaseUrl, at });
        if (!card) continue;
        cards.set(propertyId, card);
        cache.set(propertyId, { version, card });
      }
      const rest = states.flatMap(({ propertyId }) => (cards.has(propertyId) ? [] : [propertyId]));
      if (rest.length > 0)
        for (const source of await readPublicSources(pool, rest))
          cards.set(source.propertyId, toIndexedCard(source, { publicBaseUrl, at }));
      const freshOf = new Map(states.map(({ propertyId, fresh }) => [propertyId, fresh]));
      return propertyIds.flatMap((id) => {
        const [card, fresh] = [cards.get(id), freshOf.get(id)];
        return card === undefined || fresh === undefined ? [] : [shown(card, { pictures, fresh, at })];
      });
    },
  });
}
