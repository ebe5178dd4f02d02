import { randomUUID } from 'node:crypto';
import { forRoles, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { loadWorkerConfig } from '../../../src/config/config.ts';
import { createConsole } from '../../../src/console/console.ts';
import { settleRedis } from '../../../src/queues/redis.ts';
import { NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createOpsServer } from '../../../src/telemetry/ops-server.ts';
import { createReadiness } from '../../../src/telemetry/readiness.ts';
import { openWorkerParts, type WorkerParts } from '../../../src/worker/parts.ts';
import { openStoreDatabase, type StoreDatabase } from '../database/store-database.ts';
import { createManualTime, type ManualTime } from '../manual-time.ts';
import { sharedStack } from '../platform/stack.ts';

/** The console on a real ops server over real stores, without the worker's tree: rows stay as a test left them. */
export interface ConsoleHost {
  readonly base: string;
  readonly parts: WorkerParts;
  readonly database: StoreDatabase;
  readonly clock: ManualTime;
  /** What was logged, one JSON line each. */
  readonly lines: string[];
  /** A page as the operator gets it, by `Authorization: Basic`; redirects are not followed. */
  get(path: string, init?: RequestInit): Promise<Response>;
  text(path: string): Promise<string>;
  close(): Promise<void>;
}

export const OPERATOR = { user: 'operator', password: 'correct-horse-battery-staple' };
export const CREDENTIALS = {
  QUEUE_DASHBOARD_USER: OPERATOR.user,
  QUEUE_DASHBOARD_PASSWORD: OPERATOR.password,
};
const REDIS_PATIENCE_MS = 5_000;
const PROVIDER = { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: 'unused' };

export const basicOf = ({ user, password }: { user: string; password: string }): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

/** The text of a page without its markup. */
export const wordsOf = (page: string) =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ');

export async function openConsole(
  variables: Record<string, string> = CREDENTIALS,
  {
    clock = createManualTime(),
    through = (url) => url,
    confirmation,
  }: {
    clock?: ManualTime;
    /** A gate between the console and its database. */
    through?(databaseUrl: string): string;
    /** As with CLAIM_DURABILITY=standby. */
    confirmation?: WorkerParts['confirmation'];
  } = {},
): Promise<ConsoleHost> {
  const database = await openStoreDatabase();
  const lines: string[] = [];
  const environment = forRoles({
    ...sharedStack(),
    databaseUrl: through(database.url),
    provider: PROVIDER,
  });
  const config = loadWorkerConfig(
    roleEnvironment(environment, 'worker', { QUEUE_SUFFIX: `-${randomUUID()}`, ...variables }),
  );
  const logger = createLogger({
    role: 'worker',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  const parts = await openWorkerParts(config, {
    logger,
    crashReports: NO_CRASH_REPORTS,
    overrides: { clock },
  });
  // The host does not wait for a store that a test has cut off.
  if (config.kvUrl === environment.kvUrl) await settleRedis(parts.redis, REDIS_PATIENCE_MS);
  const server = createOpsServer({
    host: '127.0.0.1',
    port: 0,
    metrics: parts.metrics.registry,
    readiness: createReadiness({}),
    logger,
    crashReports: NO_CRASH_REPORTS,
    pages: createConsole({ ...parts, ...parts.forConsole, ...(confirmation && { confirmation }) }),
  });
  const base = `http://127.0.0.1:${await server.start()}`;
  const get = (path: string, init: RequestInit = {}) =>
    fetch(`${base}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { authorization: basicOf(OPERATOR), ...(init.headers as Record<string, string>) },
    });
  return {
    base,
    parts,
    database,
    clock,
    lines,
    get,
    text: async (path) => (await get(path)).text(),
    async close() {
      await server.stop();
      await parts.close();
      await database.close();
    },
  };
}
