import type { Pool } from 'pg';
import { putOffRun, runSavedHomes, runSearch, runsDue } from '../../persistence/alerts/alert-runs.ts';
import {
  gatherSavedHomes,
  gatherSearch,
  savedHomesDue,
  searchesDue,
} from '../../persistence/alerts/alert-writes.ts';
import { matchEvents } from '../../persistence/alerts/match-events.ts';
import { deriveKeys, putOffKeys, searchesToDerive } from '../../persistence/alerts/search-keys.ts';
import { databaseFailure } from '../../persistence/database/database-failure.ts';
import { type SweepTurn, turnEvery } from '../../supervisors/ports.ts';
import { createSweeper, type Sweeper } from '../../supervisors/sweepers/sweeper.ts';
import type { WorkerConfig } from '../config/config.ts';
import { storedCriteria, toCriteria } from '../search/criteria.ts';
import { searchFilters } from '../wire/listings/search.ts';
import type { WorkerParts } from './parts.ts';

/**
 * Finds out what is to be said to whom about searches and saved homes (docs/contract.md#alerts-about-homes), and leaves the sending to the
 * web role. One worker does it for all. It matches what happened to homes, makes alerts of matches that have waited long
 * enough, and runs the searches of a day or a week. Each step is a transaction that finds what is left to do, so a worker
 * that dies loses nothing and repeats nothing.
 */
type AlertParts = Pick<WorkerParts, 'chance' | 'clock' | 'inTurn' | 'reporter' | 'timers'> & {
  config: Pick<WorkerConfig, 'site'>;
  database: { pool: Pool };
  timings: { alertTurnsMs: number };
};

/** Events in one transaction: in a city of many searches each is thousands of matches. */
const EVENTS = 10;
const PAGE = 100;
const PUT_OFF_MS = 3_600_000;

export function createAlertTurns(parts: AlertParts): Sweeper {
  const turn = { name: 'search-alerts', everyMs: turnEvery(parts.timings.alertTurnsMs) };
  return createSweeper({
    ...parts,
    name: 'alert-turns',
    intervalMs: parts.timings.alertTurnsMs,
    async sweep(signal) {
      await parts.inTurn(turn, (held) => sweepAlerts(parts, held, signal));
    },
  });
}

/** All that is due now. */
export async function sweepAlerts(
  parts: Omit<AlertParts, 'inTurn' | 'timings' | 'timers'>,
  { prolong }: SweepTurn,
  signal: AbortSignal,
): Promise<void> {
  const { clock, chance, database, config } = parts;
  const { pool } = database;
  const terms = () => ({ at: clock.now(), site: config.site });
  const now = () => ({ at: clock.now(), limit: PAGE });
  const made = () => ({ at: clock.now(), alertId: chance.id() });
  /** Pages until one is not full, each row by itself. */
  const each = async (
    page: () => Promise<string[]>,
    handle: (id: string) => Promise<void>,
    failed: (id: string) => Promise<void> = async () => {},
  ): Promise<boolean> => {
    for (;;) {
      const ids = await page();
      let faults = 0;
      for (const id of ids) {
        if (signal.aborted) return false;
        try {
          await handle(id);
        } catch (error) {
          if (databaseFailure(error) === 'unavailable') throw error;
          faults += 1;
          parts.reporter.count('sweep_failures');
          parts.reporter.problem('an alert could not be made', error, { id });
          await failed(id);
        }
      }
      if (!(await prolong())) return false;
      // A row that failed is still on its page: it has its next chance in the next turn.
      if (ids.length < PAGE || faults > 0) return true;
    }
  };
  const derive = (searchId: string) =>
    deriveKeys(pool, {
      searchId,
      at: clock.now(),
      read: (filters) => {
        const parsed = searchFilters.parse(filters);
        return { criteria: toCriteria(parsed, terms()), placeId: parsed.placeId ?? null };
      },
    });
  const putOff = (searchId: string) => putOffKeys(pool, { searchId, at: clock.now() });
  if (!(await each(() => searchesToDerive(pool, now()), derive, putOff))) return;
  if (!(await matchAll(parts, { prolong }, signal))) return;
  const steps = [
    () =>
      each(
        () => searchesDue(pool, now()),
        (searchId) => gatherSearch(pool, { searchId, ...made() }),
      ),
    () =>
      each(
        () => savedHomesDue(pool, now()),
        (userId) => gatherSavedHomes(pool, { userId, ...made() }),
      ),
    () =>
      each(
        () => runsDue(pool, { table: 'saved_searches', ...now() }),
        (id) =>
          runSearch(pool, {
            id,
            ...made(),
            readCriteria: (reader, filters) => storedCriteria(reader, filters, terms()),
          }),
        (id) => putOffRun(pool, { id, at: clock.now(), byMs: PUT_OFF_MS }),
      ),
    () =>
      each(
        () => runsDue(pool, { table: 'alert_settings', ...now() }),
        (userId) => runSavedHomes(pool, { userId, ...made() }),
      ),
  ];
  for (const step of steps) if (!(await step())) return;
}

/** False when the turn has ended. */
async function matchAll(
  { clock, database, reporter }: Pick<AlertParts, 'clock' | 'database' | 'reporter'>,
  { prolong }: SweepTurn,
  signal: AbortSignal,
): Promise<boolean> {
  for (let limit = EVENTS; ; ) {
    if (signal.aborted) return false;
    const taken = await matchEvents(database.pool, { at: clock.now(), limit }).catch((error: unknown) => {
      // Together they may take longer than a statement may: then one at a time.
      if (limit === 1) throw error;
      reporter.problem('events are matched one by one', error);
      return null;
    });
    if (!(await prolong())) return false;
    if (taken !== null && taken < limit) return true;
    if (taken === null) limit = 1;
  }
}
