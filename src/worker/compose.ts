import { randomUUID } from 'node:crypto';
import { pendingMigrations } from '../../persistence/migrator.ts';
import { otherFingerprints, publishFingerprint } from '../../persistence/role-fingerprints.ts';
import { configFingerprint, type WorkerConfig } from '../config.ts';
import { createConsole } from '../console/console.ts';
import type { CrashReports } from '../telemetry/crash-reports.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createOpsServer } from '../telemetry/ops-server.ts';
import { createReadiness } from '../telemetry/readiness.ts';
import type { Spans } from '../telemetry/tracing/spans.ts';
import { openWorkerParts, type WorkerOverrides, type WorkerParts } from './parts.ts';
import { createWorkerTree } from './tree.ts';

/** A running worker; `failed` settles when the tree gave up and the process should exit non-zero. */
export interface RunningWorker {
  opsUrl: string;
  failed: Promise<void>;
  stop(graceMs: number): Promise<void>;
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
  const opened: (() => Promise<unknown>)[] = [() => parts.close()];
  const closeAll = async () => {
    for (const close of opened.toReversed()) await close();
  };
  try {
    await refuseOldSchema(parts);
    await publishFingerprint(parts.database.pool, {
      role: 'worker',
      nodeId: node,
      hash: configFingerprint(config),
      at: parts.clock.now(),
    });
    const tree = createWorkerTree(parts);
    await tree.start();
    opened.push(() => tree.stop(config.shutdownGraceMs));
    const ops = createOpsServer({
      ...config.ops,
      metrics: parts.metrics.registry,
      readiness: workerReadiness(parts),
      logger: context.logger,
      extraRoutes: createConsole(parts),
    });
    const port = await ops.start();
    opened.push(() => ops.stop());
    const opsUrl = `http://${config.ops.host}:${port}`;
    context.logger.info({ url: opsUrl, node, stagingEnabled: config.stagingEnabled }, 'listening');
    return {
      opsUrl,
      failed: tree.done(),
      async stop(graceMs) {
        await ops.stop();
        await tree.stop(graceMs);
        await parts.close();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
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
