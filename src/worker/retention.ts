import type { Pool } from 'pg';
import { ALERTS_KEPT_DAYS } from '../../machines/limits.ts';
import { ENDED_INVITATIONS_KEPT_DAYS } from '../../persistence/accounts/agent-invitations.ts';
import { REPEAT_DAYS } from '../../persistence/accounts/idempotency-keys.ts';
import { RETAINED, type Retained, removeBatch } from '../../persistence/actors/retention.ts';
import { HOST_CHECKS_KEPT_DAYS } from '../../persistence/console/host-checks.ts';
import { GROWTH_COUNTS_KEPT_DAYS } from '../../persistence/growth/growth-counts.ts';
import { STAGING_COUNTS_KEPT_DAYS } from '../../persistence/jobs/staging-quotas.ts';
import { DATA_REPORTS_KEPT_DAYS } from '../../persistence/listings/data-reports.ts';
import { VIEWS_KEPT_DAYS } from '../../persistence/listings/listing-figures.ts';
import { ENDED_OFFERS_KEPT_DAYS } from '../../persistence/listings/listing-offers.ts';
import { GONE_RECORDS_KEPT_DAYS } from '../../persistence/reso/number-changes.ts';
import { DELIVERIES_KEPT_DAYS } from '../../persistence/webhooks/deliveries.ts';
import { type SweepTurn, turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Removes rows past the installation's retention time (docs/contract.md#retention). One worker does it for all, in
 * batches so small that no statement waits long for their locks, with a pause after each. Years of rows on the
 * first day are therefore removed over hours, alongside the ordinary work. No job depends on the removed rows.
 */
type RetentionParts = Pick<WorkerParts, 'clock' | 'inTurn' | 'reporter' | 'timers'> & {
  config: Pick<WorkerConfig, 'retentionDays'>;
  database: { pool: Pool };
  timings: { retentionMs: number };
};

const DAY_MS = 24 * 60 * 60_000;
/** Rows read in one transaction. With a journal row, the whole actor's rows, about ten, may be removed. */
const BATCH = 200;
/** At most 2,000 rows per second are read. */
const PAUSE_MS = 100;

export function createRetention(parts: RetentionParts): Sweeper {
  const { clock, timers, reporter } = parts;
  const { pool } = parts.database;
  const intervalMs = parts.timings.retentionMs;
  /** 0 means forever. */
  const days: Record<Retained, number> = {
    ...parts.config.retentionDays,
    repeats: REPEAT_DAYS,
    counts: STAGING_COUNTS_KEPT_DAYS,
    offers: ENDED_OFFERS_KEPT_DAYS,
    growthCounts: GROWTH_COUNTS_KEPT_DAYS,
    invitations: ENDED_INVITATIONS_KEPT_DAYS,
    hostChecks: HOST_CHECKS_KEPT_DAYS,
    views: VIEWS_KEPT_DAYS,
    dataReports: DATA_REPORTS_KEPT_DAYS,
    alerts: ALERTS_KEPT_DAYS,
    searchMatches: ALERTS_KEPT_DAYS,
    favoriteMatches: ALERTS_KEPT_DAYS,
    alertEvents: ALERTS_KEPT_DAYS,
    webhookDeliveries: DELIVERIES_KEPT_DAYS,
    goneRecords: GONE_RECORDS_KEPT_DAYS,
  };
  const removeOld = async (what: Retained, turn: SweepTurn, signal: AbortSignal): Promise<boolean> => {
    const before = clock.now() - days[what] * DAY_MS;
    while (!signal.aborted) {
      const { removed, finished } = await removeBatch(pool, { what, before, limit: BATCH });
      if (removed > 0) reporter.count('expired_rows_removed', removed);
      if (finished) return true;
      await timers.sleep(PAUSE_MS, signal);
      if (!(await turn.prolong())) return false;
    }
    return false;
  };
  const turn = { name: 'retention', everyMs: turnEvery(intervalMs) };
  return createSweeper({
    ...parts,
    name: 'retention',
    intervalMs,
    async sweep(signal) {
      await parts.inTurn(turn, async (held) => {
        for (const what of RETAINED) if (days[what] > 0 && !(await removeOld(what, held, signal))) return;
      });
    },
  });
}
