import type { Pool } from 'pg';
import { expireOffers } from '../../persistence/listings/listing-offers.ts';
import { turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Ends offers of listings that no one has answered in time (docs/contract.md#offers). It only records the end and mails
 * it: an answer after the time is refused without it. One worker does it for all.
 */
type ExpiryParts = Pick<WorkerParts, 'clock' | 'inTurn' | 'reporter' | 'timers'> & {
  database: { pool: Pool };
  timings: { offersMs: number };
};

const PAGE = 200;

export function createOfferExpiry(parts: ExpiryParts): Sweeper {
  const { clock, database, inTurn, timings } = parts;
  const turn = { name: 'offers', everyMs: turnEvery(timings.offersMs) };
  return createSweeper({
    ...parts,
    name: 'offer-expiry',
    intervalMs: timings.offersMs,
    async sweep(signal) {
      await inTurn(turn, async ({ prolong }) => {
        while (!signal.aborted) {
          const ended = await expireOffers(database.pool, { at: clock.now(), limit: PAGE });
          if (ended < PAGE || !(await prolong())) return;
        }
      });
    },
  });
}
