import type { Redis } from 'ioredis';
import { otherFingerprints } from '../../persistence/database/role-fingerprints.ts';
import { pendingMigrations } from '../../persistence/migrations/migrator.ts';
import type { Services } from '../api/services.ts';
import { json, type Route } from '../http/message.ts';
import type { ObjectStorage } from '../storage/object-storage.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createReadiness, type Readiness } from '../telemetry/readiness.ts';

/** `/healthz` and `/readyz` of the API host (docs/contract.md#operations-server), also on its ops server. */
export function healthRoutes(readiness: Readiness): Route[] {
  const noStore = [['cache-control', 'no-store']] as const;
  return [
    {
      methods: ['GET'],
      path: '/healthz',
      isUngated: true,
      handler: async () => json(200, { status: 'ok' }, noStore),
    },
    {
      methods: ['GET'],
      path: '/readyz',
      isUngated: true,
      handler: async () => {
        const report = await readiness();
        return json(report.ready ? 200 : 503, report, noStore);
      },
    },
  ];
}

export interface ReadinessParts extends Pick<Services, 'pool'> {
  redis: Pick<Redis, 'ping'>;
  storage: Pick<ObjectStorage, 'check'>;
  logger: Logger;
  /** Hash of this process's shared settings. */
  fingerprint: string;
}

class NotCurrent extends Error {
  readonly code = 'MIGRATIONS_PENDING';
}

/**
 * Ready when the database with its migrations, the key-value store and the object store answer. Roles that run
 * with other settings are shown and do not count: taking the API host away would not make them agree.
 */
export function webReadiness({ pool, redis, storage, logger, fingerprint }: ReadinessParts): Readiness {
  return createReadiness(
    {
      database: async () => void (await pool.query('SELECT 1')),
      migrations: async () => {
        const pending = await pendingMigrations(pool);
        if (pending.length > 0) throw new NotCurrent(pending.join(', '));
        return undefined;
      },
      kv: async () => void (await redis.ping()),
      objects: async (signal) => void (await storage.check({ signal })),
      configuration: async () => {
        const differing = await otherFingerprints(pool, fingerprint);
        return { matches: differing.length === 0, differingRoles: differing.join(',') };
      },
    },
    { onFailure: (name, error) => logger.warn({ err: error, check: name }, 'not ready') },
  );
}
