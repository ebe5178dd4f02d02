/**
 * Tells the cache in front of the web role (`PURGE_URL`) which answers it must forget (docs/contract.md#caches). Each
 * purge is a row, written with the change that hides something, and is removed when the cache has taken it: a process
 * that dies leaves it to the next one. Without `PURGE_URL` the rows only go.
 */
import type { Pool } from 'pg';
import { removeOldPurges, removePurges, takePurges } from '../../persistence/listings/cache-purges.ts';
import type { Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import { surrogateKey } from '../http/complete-answer.ts';

const INTERVAL_MS = 500;
/** Keys in one request. */
const PAGE = 250;
const ANSWER_MS = 5_000;

export function createCachePurger({
  pool,
  url,
  timers,
  reporter,
}: {
  readonly pool: Pool;
  readonly url: string | null;
  readonly timers: Timers;
  readonly reporter: Reporter;
}): Sweeper {
  const send = async (keys: readonly string[]): Promise<void> => {
    if (url === null) return;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'surrogate-key': keys.join(' ') },
      body: JSON.stringify({ surrogateKeys: keys }),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the cache answered ${answer.status}`);
  };
  return createSweeper({
    name: 'cache-purges',
    intervalMs: INTERVAL_MS,
    timers,
    reporter,
    async sweep(draining) {
      const old = await removeOldPurges(pool);
      if (old > 0 && url !== null)
        reporter.problem('a cache was not told what to forget', new Error(`${old} purges are given up`));
      while (!draining.aborted) {
        const purges = await takePurges(pool, PAGE);
        if (purges.length === 0) return;
        const keys = [...new Set(purges.map(({ propertyId }) => surrogateKey(propertyId)))];
        try {
          await send(keys);
        } catch (error) {
          return reporter.problem('the cache has not taken a purge yet', error, { keys: keys.length });
        }
        await removePurges(pool, purges);
      }
    },
  });
}
