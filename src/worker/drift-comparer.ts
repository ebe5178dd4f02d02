import type { Pool } from 'pg';
import {
  type ClaimedDrift,
  claimDrift,
  giveUpLostDrifts,
  MAX_DRIFT_TRIES,
  postponeDrift,
  recordDrift,
} from '../../persistence/images/drift-comparisons.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import { isOutage, publicErrorFrom } from '../errors/outage.ts';
import type { Decoder } from '../images/decoding/decoder.ts';
import { storeObjects } from '../images/photo-storage.ts';
import type { WorkerMetrics } from '../telemetry/worker-metrics.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Compares staged pictures with their photos, one at a time in a separate process, outside the pipeline
 * (docs/contract.md#drift). Workers share the work by claims in `drift_comparisons`. Nothing waits for it: a failure
 * is tried again, at most three times in all, and then the picture has no comparison. A worker that stops gives its claim
 * back, which counts as no try. A crash loses nothing: the claim runs out, and a heat map without its row is in the
 * deletion outbox.
 */
type DriftParts = Pick<
  WorkerParts,
  'clock' | 'timers' | 'reporter' | 'chance' | 'logger' | 'storage' | 'checkpoint'
> & {
  config: Pick<WorkerConfig, 'driftComparison'>;
  database: { pool: Pool };
  workerMetrics: Pick<WorkerMetrics, 'driftComparisons'>;
  comparisonDecoder: Pick<Decoder, 'run'>;
  timings: { driftMs: number };
};

/** Longer than a comparison may take with its reads and its put; after a crash another worker continues then. */
const CLAIM_MS = 2 * 60_000;
/** After a failure, and twice as long after the second one. */
const RETRY_MS = 60_000;
/** After an outage of ours, which counts as no try. */
const OUTAGE_MS = 15_000;

export function createDriftComparer(parts: DriftParts): Sweeper {
  const { clock, logger, workerMetrics } = parts;
  const { pool } = parts.database;
  const giveUp = (imageId: string, error?: unknown): void => {
    workerMetrics.driftComparisons.inc({ outcome: 'given_up' });
    logger.warn({ event: 'drift.given_up', imageId, err: error }, 'a staged picture could not be compared');
  };
  return createSweeper({
    ...parts,
    name: 'drift-comparer',
    intervalMs: parts.timings.driftMs,
    isOutage: isTemporary,
    async sweep(signal) {
      if (parts.config.driftComparison === 'off') return;
      for (const imageId of await giveUpLostDrifts(pool, clock.now())) giveUp(imageId);
      while (!signal.aborted) {
        const at = clock.now();
        const claimed = await claimDrift(pool, { at, heldUntil: at + CLAIM_MS });
        if (claimed === null) return;
        await parts.checkpoint('after-drift-claim', claimed.imageId);
        try {
          await compareClaimed(parts, claimed, signal);
        } catch (error) {
          // A stopping worker does not wait for a comparison; another one starts it again.
          if (signal.aborted)
            return void (await postponeDrift(pool, claimed, { nextTryAt: clock.now(), counts: false }));
          if (!(await postponed(parts, claimed, error))) giveUp(claimed.imageId, error);
          if (isTemporary(error)) throw error;
        }
      }
    },
  });
}

/** The object store, the database or the decoder is away. */
const isTemporary = (error: unknown): boolean =>
  isOutage(error) || publicErrorFrom(error)?.code === 'SERVICE_UNAVAILABLE';

async function compareClaimed(parts: DriftParts, claimed: ClaimedDrift, signal: AbortSignal): Promise<void> {
  const { storage, comparisonDecoder, clock, chance, checkpoint, logger, workerMetrics } = parts;
  const { pool } = parts.database;
  const { imageId, originalKey, stagedKey, pad } = claimed;
  const [photo, staged] = await Promise.all([storage.get(originalKey), storage.get(stagedKey)]);
  const { heatMap, ...result } = await comparisonDecoder.run('drift', [{ photo: photo.bytes, pad }], {
    load: () => staged.bytes,
    signal,
    about: { imageId },
  });
  // New each time, so that the guard of an abandoned heat map never deletes one that was recorded later.
  const key = `drift/${imageId}-${chance.id()}.png`;
  const object = { key, bytes: Buffer.from(heatMap), contentType: 'image/png' };
  const stored = await storeObjects({ pool, storage, clock, logger }, [object], async (guards) => {
    await checkpoint('after-drift-put', imageId);
    return recordDrift(pool, { imageId, result, at: clock.now() }, { key, guards });
  });
  if (stored) workerMetrics.driftComparisons.inc({ outcome: 'compared' });
  await checkpoint('after-drift-record', imageId);
}

/** Says when the failed try is repeated; false when it was the last one. */
async function postponed(parts: DriftParts, claimed: ClaimedDrift, error: unknown): Promise<boolean> {
  const { clock, reporter, workerMetrics } = parts;
  const counts = !isTemporary(error);
  const isLast = counts && claimed.tries >= MAX_DRIFT_TRIES;
  const waitMs = counts ? RETRY_MS * claimed.tries : OUTAGE_MS;
  const nextTryAt = isLast ? null : clock.now() + waitMs;
  if (counts) {
    workerMetrics.driftComparisons.inc({ outcome: 'failed' });
    reporter.problem('a comparison of a staged picture failed', error, { imageId: claimed.imageId });
  }
  // Without its row's holder there is nothing to give up: the picture is gone, or another worker has the claim.
  const isOurs = await postponeDrift(parts.database.pool, claimed, { nextTryAt, counts });
  return !(isLast && isOurs);
}
