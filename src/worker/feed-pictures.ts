import type { Service } from '../../supervisors/supervision/service.ts';
import { isLoopbackHost } from '../config/host-rules.ts';
import { createPictureClient } from '../feeds/media/picture-fetch.ts';
import { createPictureTurns } from '../feeds/media/picture-turns.ts';
import { createMediaRate } from '../feeds/reading/feed-rate.ts';
import { inLongTurn } from './long-turn.ts';
import type { WorkerParts } from './parts.ts';

/** Downloads the pictures of feeds; the connections end with the service. */
export function feedPictures(parts: WorkerParts): Service {
  const { config, database, node, timers, timings, workerMetrics } = parts;
  const client = createPictureClient({
    allowsLoopback: isLoopbackHost(new URL(config.publicBaseUrl).hostname),
  });
  const turns = createPictureTurns({
    ...parts,
    pool: database.pool,
    settings: config,
    intervalMs: timings.feedTurnsMs,
    holdMs: timings.feedHoldMs,
    decoder: parts.pictureDecoder,
    client,
    secretOf: (name) => config.feedSecrets.get(name) ?? null,
    rateOf: (account, profile, signal) =>
      createMediaRate({ pool: database.pool, timers, account, profile, signal }),
    count: (outcome) => workerMetrics.feedPictures.inc({ outcome }),
    takeTurn: (turn, work) => inLongTurn(database.pool, timers, { ...turn, holder: node }, work),
  });
  return {
    ...turns,
    async stop(deadline) {
      await turns.stop(deadline);
      await client.close();
    },
  };
}
