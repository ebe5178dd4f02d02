import { randomUUID } from 'node:crypto';
import { otherFingerprints, publishFingerprint } from '../../persistence/database/role-fingerprints.ts';
import { pendingMigrations } from '../../persistence/migrations/migrator.ts';
import { endedBy } from '../../supervisors/supervision/service.ts';
import { configFingerprint, type WorkerConfig } from '../config/config.ts';
import { COST_VARIABLES } from '../config/variables.ts';
import { createConsole } from '../console/console.ts';
import { CLOSE_MS } from '../queues/consumer.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createOpsServer } from '../telemetry/ops-server.ts';
import { createReadiness, readyUntil } from '../telemetry/readiness.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { openWorkerParts, type WorkerOverrides, type WorkerParts } from './parts.ts';
import { createWorkerTree } from './tree.ts';

/** A running worker; `failed` settles when the tree gave up and the process should exit non-zero. */
export interface RunningWorker {
  opsUrl: string;
  failed: Promise<void>;
  /** Claims nothing from the moment of the call on; see `Service`. */
  stop(deadline: AbortSignal): Promise<void>;
}

/**
 * Opens the parts, refuses to work on an older schema, grows the tree and the ops server. Whatever fails
 * half-way is closed again before the error is thrown.
 */
export async function startWorker(
  config: WorkerConfig,
  context: {
    logger: Logger;
    crashReports: CrashReports;
    spans?: Spans | null;
    overrides?: WorkerOverrides;
  },
): Promise<RunningWorker> {
  const node = randomUUID();
  const { overrides = {} } = context;
  const parts = await openWorkerParts(config, { ...context, node, overrides });
  const tree = createWorkerTree(parts);
  const stopping = new AbortController();
  const ops = createOpsServer({
    ...config.ops,
    metrics: parts.metrics.registry,
    readiness: readyUntil(stopping.signal, workerReadiness(parts)),
    logger: context.logger,
    extraRoutes: createConsole(parts),
  });
  const stop = async (deadline: AbortSignal): Promise<void> => {
    stopping.abort();
    await tree.stop(deadline);
    await ops.stop();
    // What is done is committed; a connection that does not close ends with the process.
    await endedBy(parts.close(), AbortSignal.timeout(CLOSE_MS));
  };
  try {
    await refuseOldSchema(parts);
    await publishFingerprint(parts.database.pool, {
      role: 'worker',
      nodeId: node,
      hash: configFingerprint(config),
      at: parts.clock.now(),
    });
    await tree.start();
    const port = await ops.start();
    const opsUrl = `http://${config.ops.host}:${port}`;
    warnOfUnusedPrices(config, context.logger);
    context.logger.info({ url: opsUrl, node, stagingEnabled: config.stagingEnabled }, 'listening');
    return { opsUrl, failed: tree.done(), stop };
  } catch (error) {
    await stop(AbortSignal.timeout(config.shutdownGraceMs));
    throw error;
  }
}

/** With a misspelt name a price would be missing without notice. Once a start, and names only. */
function warnOfUnusedPrices({ unusedCostVariables: variables }: WorkerConfig, logger: Logger): void {
  if (variables.length === 0) return;
  const used = COST_VARIABLES.join(', ');
  logger.warn(
    { event: 'prices_not_used', variables },
    `no price rule uses these variables; it reads ${used}`,
  );
}

async function refuseOldSchema({ database }: WorkerParts): Promise<void> {
  const pending = await pendingMigrations(database.pool);
  if (pending.length > 0)
    throw new Error(
      `the database lacks ${pending.join(', ')}; run the release command (npm run migrate) first`,
    );
}

function workerReadiness({ database, redis, storage, config, reporter }: WorkerParts) {
  return createReadiness(
    {
      database: async () => void (await database.pool.query('SELECT 1')),
      migrations: async () => {
        const pending = await pendingMigrations(database.pool);
        if (pending.length > 0)
          throw Object.assign(new Error(pending.join(', ')), { code: 'MIGRATIONS_PENDING' });
        return undefined;
      },
      kv: async () => void (await redis.ping()),
      objects: (signal) => storage.check({ signal }).then(() => undefined),
      configuration: async () => {
        const differing = await otherFingerprints(database.pool, configFingerprint(config));
        return { matches: differing.length === 0, differingRoles: differing.join(',') };
      },
    },
    { onFailure: (name, error) => reporter.problem(`not ready: ${name}`, error) },
  );
}
