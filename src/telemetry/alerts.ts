import type { Logger } from 'pino';
import { SCAN_OVERDUE_MS } from '../../machines/limits.ts';
import { decidingScanFrom } from '../../machines/provider-attempt-model.ts';
import type { LeaseStore } from '../../persistence/actors/actor-store.ts';
import type { AwaitedPurchase } from '../../persistence/jobs/awaited-purchases.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { Metrics } from './metrics.ts';
import type { WorkerMetrics } from './worker-metrics.ts';

/**
 * The three alerts of docs/contract.md#alerts, and a fourth: purchases that only a complete scan of the provider's
 * list can decide and that have waited too long for it. They are evaluated from the rows, logged on change, and
 * exported as gauges. All thresholds are here; the rules of ops/deploy/prometheus only read the gauge.
 */
const MINUTE = 60_000;
export const STALE_THRESHOLDS = { pendingMs: 5 * MINUTE, activeMs: 2 * MINUTE, retryingMs: 5 * MINUTE };

const ALERT_OF_STATUS: Record<string, string> = {
  PENDING: 'pending_too_long',
  PROCESSING: 'heartbeat_stale',
  CANCEL_REQUESTED: 'heartbeat_stale',
  RETRYING: 'retry_stale',
};
const ALERTS = [...new Set(Object.values(ALERT_OF_STATUS))];
/** Each kind of job has separate alerts: different people may be responsible for them. */
export const JOB_KINDS = [
  { type: 'ROOM_STAGING', name: 'staging' },
  { type: 'DESCRIPTION', name: 'description' },
] as const;
/** Enough ids to find the jobs; one query returns the rest. */
const MAX_IDS_LOGGED = 20;

type StaleJobs = Pick<LeaseStore, 'staleJobs'>;

export function createAlerts(options: {
  /** The stale jobs of both kinds, staging and description. */
  store: StaleJobs;
  descriptionLeases: StaleJobs;
  awaited(): Promise<AwaitedPurchase[]>;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  metrics: Pick<Metrics, 'alertActive'>;
  workerMetrics: Pick<WorkerMetrics, 'alertsEvaluatedAt'>;
  logger: Logger;
  intervalMs: number;
}): Sweeper {
  const { clock, metrics, workerMetrics, logger } = options;
  const active = new Set<string>();
  const look = (alert: string, jobIds: string[]) => {
    metrics.alertActive.set({ alert }, jobIds.length > 0 ? 1 : 0);
    if (jobIds.length > 0 && !active.has(alert)) {
      const some = jobIds.slice(0, MAX_IDS_LOGGED);
      logger.error({ alert, jobs: jobIds.length, jobIds: some }, `alert: ${alert}`);
      active.add(alert);
    } else if (jobIds.length === 0 && active.delete(alert)) logger.info({ alert }, `alert over: ${alert}`);
  };
  return createSweeper({
    ...options,
    name: 'alerts',
    async sweep() {
      const overdue = (await options.awaited()).filter((purchase) => isOverdue(purchase, clock.now()));
      for (const { type, name } of JOB_KINDS) {
        const jobs = type === 'ROOM_STAGING' ? options.store : options.descriptionLeases;
        const stale = await jobs.staleJobs({ at: clock.now(), ...STALE_THRESHOLDS });
        for (const alert of ALERTS) {
          const those = stale.filter(({ status }) => ALERT_OF_STATUS[status] === alert);
          look(
            `${name}_${alert}`,
            those.map(({ jobId }) => jobId),
          );
        }
        const waiting = overdue.filter((purchase) => purchase.type === type);
        look(
          `${name}_scan_overdue`,
          waiting.map(({ jobId }) => jobId),
        );
      }
      workerMetrics.alertsEvaluatedAt.set(clock.now() / 1000);
    },
  });
}

function isOverdue(purchase: AwaitedPurchase, at: number): boolean {
  const from = decidingScanFrom(purchase.state, purchase);
  return from !== null && at >= from + SCAN_OVERDUE_MS;
}
