import type { Pool } from 'pg';
import { hasSample } from '../../persistence/sample/sample-town.ts';
import type { Clock } from '../../supervisors/ports.ts';

/** How long pages go on after the sample was removed, besides their own freshness. */
const KNOWN_FOR_MS = 5_000;

/**
 * Whether pages say that what they show is a sample (docs/contract.md#sample). The answer is that of the last question;
 * a page never waits for one. When the database does not answer, the last answer holds and the next page asks again.
 */
export function createSampleNotice({ pool, clock }: { pool: Pool; clock: Clock }): () => boolean {
  let isShown = false;
  let askedAt = Number.NEGATIVE_INFINITY;
  const ask = async (): Promise<void> => {
    isShown = await hasSample(pool).catch(() => isShown);
  };
  const current = (): boolean => {
    if (clock.now() - askedAt >= KNOWN_FOR_MS) {
      askedAt = clock.now();
      void ask();
    }
    return isShown;
  };
  current();
  return current;
}
