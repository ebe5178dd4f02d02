import type { Pool } from 'pg';
import { noteEstimates } from '../../persistence/console/cost-estimates.ts';
import { type Clock, type InTurn, type Reporter, type Timers, turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerMetrics } from '../telemetry/worker-metrics.ts';

/**
 * Notes what purchases are estimated to have cost, once they count as bought, for people to look at. It runs beside
 * the pipeline and after its commits: nothing waits for it, nothing reads what it writes, and whatever goes wrong here
 * is reported and tried again. A crash loses nothing, for the next sweep of any worker finds what has no price yet.
 * Source: docs/contract.md#costs ("telemetry only, never authorizes spend").
 */
export interface CostRecorderOptions {
  pool: Pool;
  /** Micro-US-dollars a picture, by quality in lower case. */
  prices: Readonly<Record<string, number>>;
  pricingVersion: string | null;
  inTurn: InTurn;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  workerMetrics: Pick<WorkerMetrics, 'estimatedCost'>;
  intervalMs: number;
}

/** Prices are those of today: what was bought longer ago may have cost something else. */
const LOOK_BACK_MS = 24 * 60 * 60_000;
const BATCH = 500;

export function createCostRecorder(options: CostRecorderOptions): Sweeper {
  const { pool, prices, pricingVersion, clock, reporter, workerMetrics } = options;
  const kind = estimateKind(pricingVersion);
  const turn = { name: 'costs', everyMs: turnEvery(options.intervalMs) };
  const noteAll = async (signal: AbortSignal) => {
    for (let noted = BATCH; noted === BATCH && !signal.aborted; ) {
      const sentSince = clock.now() - LOOK_BACK_MS;
      const { attempts, microusd } = await noteEstimates(pool, { prices, kind, sentSince, limit: BATCH });
      workerMetrics.estimatedCost.inc(microusd / 1_000_000);
      noted = attempts;
    }
  };
  return createSweeper({
    ...options,
    name: 'cost-recorder',
    async sweep(signal) {
      try {
        await options.inTurn(turn, () => noteAll(signal));
      } catch (error) {
        reporter.count('sweep_failures');
        reporter.problem('estimated costs could not be noted', error);
      }
    },
  });
}

/** The value of `costKind`: that it is an estimate, and by which prices. */
function estimateKind(pricingVersion: string | null): string {
  return pricingVersion === null ? 'estimate' : `estimate:${pricingVersion}`;
}
