import type { Pool } from 'pg';
import { noteEstimates } from '../../persistence/console/cost-estimates.ts';
import { turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { WorkerMetrics } from '../telemetry/worker-metrics.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Records the estimated costs of purchases once they count as bought, for people only. It runs outside the pipeline
 * and after its commits: nothing waits for it and nothing reads what it writes. Every failure is reported and
 * retried. A crash loses nothing: the next sweep of any worker finds purchases without a price. Source:
 * docs/contract.md#costs ("telemetry only, never authorizes spend").
 */
type CostParts = Pick<WorkerParts, 'clock' | 'inTurn' | 'reporter' | 'timers'> & {
  config: Pick<WorkerConfig, 'costMicrousd' | 'pricingVersion'>;
  database: { pool: Pool };
  workerMetrics: Pick<WorkerMetrics, 'estimatedCost'>;
  timings: { costsMs: number };
};

/** The configured prices are today's: earlier purchases may have had other prices. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const BATCH = 500;

export function createCostRecorder(parts: CostParts): Sweeper {
  const { clock, reporter, workerMetrics } = parts;
  const { pool } = parts.database;
  const { costMicrousd: prices, pricingVersion } = parts.config;
  const intervalMs = parts.timings.costsMs;
  /** The value of `costKind`: an estimate, and the version of its prices. */
  const kind = pricingVersion === null ? 'estimate' : `estimate:${pricingVersion}`;
  const turn = { name: 'costs', everyMs: turnEvery(intervalMs) };
  const noteAll = async (signal: AbortSignal) => {
    for (let noted = BATCH; noted === BATCH && !signal.aborted; ) {
      const sentSince = clock.now() - LOOK_BACK_MS;
      const { attempts, microusd } = await noteEstimates(pool, { prices, kind, sentSince, limit: BATCH });
      workerMetrics.estimatedCost.inc(microusd / 1_000_000);
      noted = attempts;
    }
  };
  return createSweeper({
    ...parts,
    name: 'cost-recorder',
    intervalMs,
    async sweep(signal) {
      try {
        await parts.inTurn(turn, () => noteAll(signal));
      } catch (error) {
        reporter.count('sweep_failures');
        reporter.problem('estimated costs could not be noted', error);
      }
    },
  });
}
