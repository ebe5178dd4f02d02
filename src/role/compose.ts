import type { Hono } from 'hono';
import type { Pool } from 'pg';
import { type DatabaseClock, readDatabaseTime } from '../../persistence/database/database-clock.ts';
import { differingSettings } from '../../persistence/database/role-fingerprints.ts';
import { canChangeTables } from '../../persistence/migrations/database-roles.ts';
import { pendingMigrations } from '../../persistence/migrations/pending.ts';
import type { Clock } from '../../supervisors/ports.ts';
import { endedBy } from '../../supervisors/supervision/service.ts';
import type { CommonConfig } from '../config/config.ts';
import { hostInUrl } from '../config/host-rules.ts';
import { CLOSE_MS } from '../queues/redis.ts';
import { createOpsServer, type OpsEnv } from '../telemetry/ops-server.ts';
import { createReadiness, type Readiness, readyUntil } from '../telemetry/readiness.ts';
import type { RoleParts } from './parts.ts';
import type { RunningRole } from './process.ts';

type ComposedParts = Pick<
  RoleParts,
  | 'confirmation'
  | 'crashReports'
  | 'database'
  | 'databaseClock'
  | 'logger'
  | 'metrics'
  | 'node'
  | 'redis'
  | 'storage'
> & {
  clock: Clock;
  close(): Promise<void>;
};

/** The part of a role that differs from the other role. */
export interface RoleWork {
  /** The role's own pages on the operators' server. */
  pages?: Hono<OpsEnv>;
  /** Starts the work. `url` is its address; `failed` settles when the work ends by itself. */
  start(): Promise<{ url?: string; failed: Promise<void> }>;
  /** May be called before the start. */
  stop(deadline: AbortSignal): Promise<void>;
}

export interface ComposedRole extends RunningRole {
  /** The operators' server's address, when the role has no server of its own. */
  url: string;
  opsUrl: string;
}

/**
 * The life cycle of a role inside its process: no work on an older schema; then the operators' server,
 * readiness, and the shutdown in reverse order. When a step
 * fails, the earlier ones are closed before the error is thrown.
 */
export async function composeRole(
  config: CommonConfig,
  parts: ComposedParts,
  workOf: (readiness: Readiness) => RoleWork,
): Promise<ComposedRole> {
  const { database, logger, metrics, node } = parts;
  const stopping = new AbortController();
  const readiness = readyUntil(stopping.signal, noted(parts, roleReadiness(config, parts)));
  const work = workOf(readiness);
  const ops = createOpsServer({
    ...config.ops,
    metrics: {
      contentType: metrics.registry.contentType,
      async metrics() {
        await Promise.all([readiness(), noteKvWrites(config, parts), noteConfirmation(parts)]);
        return metrics.registry.metrics();
      },
    },
    readiness,
    logger,
    crashReports: parts.crashReports,
    pages: work.pages,
  });
  const end = async (deadline: AbortSignal): Promise<void> => {
    stopping.abort();
    await work.stop(deadline);
    await ops.stop();
    // All finished work is committed; a connection that does not close ends with the process.
    await endedBy(parts.close(), AbortSignal.timeout(CLOSE_MS));
  };
  let ended: Promise<void> | undefined;
  const stop = (deadline: AbortSignal): Promise<void> => {
    ended ??= end(deadline);
    return ended;
  };
  try {
    await requireMigrations(database.pool);
    if (await canChangeTables(database.pool))
      logger.warn(
        { event: 'database.owner' },
        'the database login can change tables: docs/runbooks/database-roles.md',
      );
    const opsUrl = `http://${hostInUrl(config.ops.host)}:${await ops.start()}`;
    const { url = opsUrl, failed } = await work.start();
    logger.info({ url, opsUrl, node, stagingEnabled: config.stagingEnabled }, 'listening');
    return { url, opsUrl, failed, stop };
  } catch (error) {
    await stop(AbortSignal.timeout(config.shutdownGraceMs));
    throw error;
  }
}

class NotCurrent extends Error {
  readonly code = 'MIGRATIONS_PENDING';
}

async function requireMigrations(pool: Pool): Promise<undefined> {
  const pending = await pendingMigrations(pool);
  if (pending.length === 0) return;
  throw new NotCurrent(
    `the database lacks ${pending.join(', ')}; run the release command (npm run migrate) first`,
  );
}

class SkewedClock extends Error {
  readonly code = 'CLOCK_SKEWED';
}

function requireRightClock(clock: DatabaseClock): undefined {
  if (clock.isSkewed())
    throw new SkewedClock(`this machine's clock is ${clock.skewMs()} ms ahead of the database's`);
}

/** Every report also sets the series that alarms watch. */
function noted({ metrics: { checkFailing } }: ComposedParts, readiness: Readiness): Readiness {
  return async () => {
    const report = await readiness();
    for (const [check, { ok }] of Object.entries(report.checks)) checkFailing.set({ check }, ok ? 0 : 1);
    return report;
  };
}

/** A store that is full or a replica answers pings. The role stays ready without it, so it is no check of /readyz. */
async function noteKvWrites(
  { queueSuffix }: CommonConfig,
  { redis, metrics: { kvUnusable } }: ComposedParts,
): Promise<void> {
  const written = redis.set(`proscenium-check${queueSuffix}`, '', 'PX', CHECK_KEPT_MS);
  kvUnusable.set(await written.then(() => 0).catch(() => 1));
}
const CHECK_KEPT_MS = 60_000;

/** Every scrape asks for a confirmation, so that the alarm does not depend on traffic. */
async function noteConfirmation({ confirmation, metrics: { unconfirmed } }: ComposedParts): Promise<void> {
  await confirmation?.confirm();
  unconfirmed.set((confirmation?.unconfirmedMs() ?? 0) / 1_000);
}

/**
 * Ready when the database with its migrations, the key-value store and the object store answer. Roles with
 * different settings are shown but do not count: stopping traffic to this role would not make the settings agree.
 */
function roleReadiness(
  { role }: CommonConfig,
  { databaseClock, database: { pool }, redis, storage, logger }: ComposedParts,
): Readiness {
  return createReadiness(
    {
      database: async () => {
        await readDatabaseTime(pool);
        return { canChangeTables: await canChangeTables(pool) };
      },
      migrations: () => requireMigrations(pool),
      kv: async () => void (await redis.ping()),
      objects: async (signal) => void (await storage.check({ signal })),
      // A skewed worker buys nothing; to a web host its clock matters less than its absence.
      ...(role === 'worker' ? { clock: async () => requireRightClock(databaseClock) } : {}),
      configuration: async () => {
        const differing = await differingSettings(pool);
        return { matches: differing.length === 0, differingSettings: differing.join(',') };
      },
    },
    { onFailure: (name, error) => logger.warn({ err: error, check: name }, 'not ready') },
  );
}
