import type { Service } from '../../supervisors/supervision/service.ts';
import { isLoopbackHost } from '../config/host-rules.ts';
import { createFeedClient } from '../feeds/reading/feed-fetch.ts';
import { createFeedRate } from '../feeds/reading/feed-rate.ts';
import type { FeedTokens } from '../feeds/reading/feed-reading.ts';
import { readPage } from '../feeds/reading/read-page.ts';
import { createFeedTurns } from '../feeds/turns/feed-turns.ts';
import { inLongTurn } from './long-turn.ts';
import type { WorkerParts } from './parts.ts';

/** Reads the feeds of MLSs; the connections end with the service. */
export function feedTurns(parts: WorkerParts): Service {
  const { config, database, node, timers, timings } = parts;
  const client = createFeedClient({
    allowsLoopback: isLoopbackHost(new URL(config.publicBaseUrl).hostname),
  });
  const tokens: FeedTokens = new Map();
  const turns = createFeedTurns({
    ...parts,
    pool: database.pool,
    currency: config.site.currency,
    secretOf: (name) => config.feedSecrets.get(name) ?? null,
    read: (source, account, cursor, signal) =>
      readPage(source, cursor, {
        fetch: client.fetch,
        rate: createFeedRate({ pool: database.pool, timers, account, profile: source.profile, signal }),
        now: parts.clock.now,
        tokens,
        signal,
      }),
    takeTurn: (turn, work) => inLongTurn(database.pool, timers, { ...turn, holder: node }, work),
    lookEveryMs: timings.feedLookMs,
    reconcileEveryMs: timings.feedReconcileMs,
    intervalMs: timings.feedTurnsMs,
    holdMs: timings.feedHoldMs,
  });
  return {
    ...turns,
    async stop(deadline) {
      await turns.stop(deadline);
      await client.close();
    },
  };
}
