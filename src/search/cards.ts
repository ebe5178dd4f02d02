import type { Pool } from 'pg';
import { readSearchSource } from '../../persistence/search-documents.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { type PropertyCard, toPropertyCard } from '../wire/property-card.ts';

/** Turns ids of listings into what clients show of them. */
export interface CardReader {
  /** One card per listing that the public may see, in the order of the ids; others are left out. */
  of(propertyIds: readonly string[]): Promise<PropertyCard[]>;
}

export function createCardReader(ports: { pool: Pool; clock: Clock; publicBaseUrl: string }): CardReader {
  const { pool, clock, publicBaseUrl } = ports;
  return {
    async of(propertyIds) {
      const cards: PropertyCard[] = [];
      for (const propertyId of propertyIds) {
        const read = await readSearchSource(pool, propertyId);
        if (read?.source) cards.push(toPropertyCard(read.source, { publicBaseUrl, at: clock.now() }));
      }
      return cards;
    },
  };
}
