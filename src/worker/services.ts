import { awaitedPurchases } from '../../persistence/jobs/awaited-purchases.ts';
import { checkPurchases, unknownPurchases } from '../../persistence/jobs/purchase-standings.ts';
import { dueTours } from '../../persistence/listings/tour-queries.ts';
import type { Service } from '../../supervisors/supervision/service.ts';
import { drainDeletions } from '../../supervisors/sweepers/deletion-drain.ts';
import { createPredictionScanner } from '../../supervisors/sweepers/prediction-scanner.ts';
import { createPurchaseAudit } from '../../supervisors/sweepers/purchase-audit.ts';
import { createPurchaseCheck } from '../../supervisors/sweepers/purchase-check.ts';
import { createSuspensionSweeper } from '../../supervisors/sweepers/suspensions.ts';
import { createTourSweeper } from '../../supervisors/sweepers/tour-sweeper.ts';
import { createConsumer, drainEntry, searchEntry } from '../queues/consumer.ts';
import { createDrainScheduler } from '../queues/drain-scheduler.ts';
import { queueNames } from '../queues/names.ts';
import { createBlockingRedis } from '../queues/redis.ts';
import { createSearchSweeper, indexProperty } from '../search/indexer.ts';
import { createSearchRebuilder } from '../search/rebuilder.ts';
import { StorageError } from '../storage/object-storage.ts';
import { createAlerts } from '../telemetry/alerts.ts';
import { inLongTurn } from './long-turn.ts';
import type { WorkerParts } from './parts.ts';

/** Deletes the objects in the outbox, at each entry of its queue. */
export function drainConsumer(parts: WorkerParts): Service {
  const { config, reporter, storage, timers } = parts;
  const deleter = {
    delete: async (objectKey: string, signal: AbortSignal) => {
      try {
        await storage.delete(objectKey, { signal });
        return { kind: 'deleted' } as const;
      } catch (error) {
        if (!(error instanceof StorageError)) throw error;
        const errorClass = error.kind === 'needs-person' ? 'needs-person' : 'transient';
        return { kind: 'failed', errorClass, error: `${error.code}: ${error.message}` } as const;
      }
    },
  };
  return createConsumer({
    queue: queueNames(config.queueSuffix).storage,
    connect: blockingRedis(parts),
    payload: drainEntry,
    handle: async (_entry, _delivery, stop) => {
      await drainDeletions({ ...parts, deleter }, stop);
      return null;
    },
    reporter,
    timers,
    worker: { concurrency: 1 },
  });
}

export function drainScheduler(parts: WorkerParts): Service {
  const { config, timings } = parts;
  return createDrainScheduler({
    ...parts,
    suffix: config.queueSuffix,
    everyMs: timings.drainMs,
    intervalMs: timings.drainScheduleMs,
  });
}

const searchPorts = (parts: WorkerParts) => ({
  ...parts,
  pool: parts.database.pool,
  publicBaseUrl: parts.config.publicBaseUrl,
  intervalMs: parts.timings.searchSweepMs,
});

export function indexConsumer(parts: WorkerParts): Service {
  const ports = searchPorts(parts);
  return createConsumer({
    queue: queueNames(parts.config.queueSuffix).search,
    connect: blockingRedis(parts),
    payload: searchEntry,
    handle: async ({ propertyId }) => {
      await indexProperty(ports, propertyId);
      return null;
    },
    reporter: parts.reporter,
    timers: parts.timers,
    worker: { concurrency: 4 },
  });
}

export const searchSweeper = (parts: WorkerParts): Service =>
  createSearchSweeper({ ...searchPorts(parts), timers: parts.shift.timers(), holder: parts.node });

export const searchRebuilder = (parts: WorkerParts): Service =>
  createSearchRebuilder({ ...searchPorts(parts), timers: parts.shift.timers(), holder: parts.node });

export function tourSweeper(parts: WorkerParts): Service {
  const { database, timings } = parts;
  return createTourSweeper({
    ...parts,
    timers: parts.shift.timers(),
    dueTours: (page) => dueTours(database.pool, page),
    intervalMs: timings.toursMs,
  });
}

export function suspensionSweeper(parts: WorkerParts): Service {
  const { database, timings } = parts;
  return createSuspensionSweeper({
    ...parts,
    pool: database.pool,
    timers: parts.shift.timers(),
    intervalMs: timings.toursMs,
  });
}

export function predictionScanner(parts: WorkerParts): Service {
  const { database, node, timings, timers } = parts;
  return createPredictionScanner({
    ...parts,
    timers: parts.shift.timers(),
    awaited: () => awaitedPurchases(database.pool),
    takeTurn: (turn, work) => inLongTurn(database.pool, timers, { ...turn, holder: node }, work),
    intervalMs: timings.scanMs,
  });
}

export function purchaseCheck(parts: WorkerParts): Service {
  const { database, node, timings, timers } = parts;
  return createPurchaseCheck({
    ...parts,
    timers: parts.shift.timers(),
    awaited: () => awaitedPurchases(database.pool),
    standings: (purchases) => checkPurchases(database.pool, purchases),
    takeTurn: (turn, work) => inLongTurn(database.pool, timers, { ...turn, holder: node }, work),
    settleMs: timings.serverSettleMs,
    intervalMs: timings.scanMs,
  });
}

export function purchaseAudit(parts: WorkerParts): Service {
  const { database, node, timings, timers } = parts;
  return createPurchaseAudit({
    ...parts,
    timers: parts.shift.timers(),
    unknown: (listed) => unknownPurchases(database.pool, listed),
    takeTurn: (turn, work) => inLongTurn(database.pool, timers, { ...turn, holder: node }, work),
    intervalMs: timings.purchaseAuditMs,
  });
}

/**
 * Of loops that show the same numbers in every worker, of which rules and charts take the greatest: a worker that is off
 * the shift must not keep showing what it saw when it was on.
 */
export const shownTimers = ({ shift }: WorkerParts) => shift.timers({ spareMs: SHOWN_MS });
const SHOWN_MS = 180_000;

export function alerts(parts: WorkerParts): Service {
  const awaited = () => awaitedPurchases(parts.database.pool);
  return createAlerts({ ...parts, timers: shownTimers(parts), awaited, intervalMs: parts.timings.alertsMs });
}

export const blockingRedis =
  ({ config, reporter }: WorkerParts) =>
  () =>
    createBlockingRedis(config.kvUrl, (error) => reporter.problem('key-value store', error));
