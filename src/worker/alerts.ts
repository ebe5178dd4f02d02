import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ActorStore } from '../../persistence/actor-store.ts';
import { countActiveJobs } from '../../persistence/job-counts.ts';
import type { Clock, Reporter, Timers } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweeper.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** The three alerts of platform.md ("Alerts"): evaluated from the rows, logged on change, exported as gauges. */
const MINUTE = 60_000;
export const STALE_THRESHOLDS = { pendingMs: 5 * MINUTE, activeMs: 2 * MINUTE, retryingMs: 5 * MINUTE };

const ALERT_OF_STATUS: Record<string, string> = {
  PENDING: 'staging_pending_too_long',
  PROCESSING: 'staging_heartbeat_stale',
  CANCEL_REQUESTED: 'staging_heartbeat_stale',
  RETRYING: 'staging_retry_stale',
};
const ALERTS = [...new Set(Object.values(ALERT_OF_STATUS))];
/** Enough to find them; the rest is one query away. */
const MAX_IDS_LOGGED = 20;

export function createAlerts(options: {
  store: ActorStore;
  pool: Pool;
  clock: Clock;
  timers: Timers;
  reporter: Reporter;
  metrics: Metrics;
  logger: Logger;
  intervalMs: number;
}): Sweeper {
  const { store, pool, clock, metrics, logger } = options;
  const active = new Set<string>();
  return createSweeper({
    ...options,
    name: 'alerts',
    async sweep() {
      const stale = await store.staleJobs({ at: clock.now(), ...STALE_THRESHOLDS });
      for (const alert of ALERTS) {
        const jobs = stale.filter(({ status }) => ALERT_OF_STATUS[status] === alert);
        metrics.alertActive.set({ alert }, jobs.length > 0 ? 1 : 0);
        if (jobs.length > 0 && !active.has(alert)) {
          const jobIds = jobs.slice(0, MAX_IDS_LOGGED).map(({ jobId }) => jobId);
          logger.error({ alert, jobs: jobs.length, jobIds }, `alert: ${alert}`);
          active.add(alert);
        } else if (jobs.length === 0 && active.delete(alert)) logger.info({ alert }, `alert over: ${alert}`);
      }
      metrics.stagingJobs.reset();
      for (const { status, jobs } of await countActiveJobs(pool)) metrics.stagingJobs.set({ status }, jobs);
    },
  });
}
