import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import {
  forRoles,
  type Role,
  type RoleVariables,
  roleEnvironment,
} from '../../../ops/dev/stack/role-environment.ts';
import { type RoleProcess, spawnRole } from '../../../ops/dev/stack/role-process.ts';
import { type SimulatorService, startSimulator } from '../../../ops/dev/stack/simulator.ts';
import { ledgerOf, type Purchase, purchases } from '../../../ops/simulator/control-client.ts';
import { variableNames } from '../../../src/config/settings.ts';
import { createDatabase, type TestDatabase } from '../database/database.ts';
import { NO_QUOTAS } from '../database/no-quotas.ts';
import { brokenInvariants } from './broken-invariants.ts';
import { createBucket, removeDirectory, sharedStack, type TestBucket, temporaryDirectory } from './stack.ts';

/**
 * The platform as it runs in production: several web and worker processes over one database, one key-value store,
 * one bucket, and a provider simulator of its own. The database, bucket, queue names and ledger are private to
 * the test file, or to the files that share it (shared-platform.ts); PostgreSQL, Redis, S3 and SMTP servers are the
 * run's unless the test brings its own.
 */
export interface TestPlatform {
  readonly urls: readonly string[];
  readonly pool: pg.Pool;
  readonly bucket: TestBucket;
  readonly provider: SimulatorService;
  readonly mailDir: string;
  readonly kvUrl: string;
  readonly queueSuffix: string;
  /** Every line that any process has logged. */
  readonly lines: string[];
  readonly roles: RoleProcess[];
  /** @param release the folder of a release; default: the platform's */
  startWorker(variables?: RoleVariables, release?: string): Promise<RoleProcess>;
  /** On a new address, or on that of the web with this number, whose process has ended. */
  startWeb(variables?: RoleVariables, instead?: number, release?: string): Promise<RoleProcess>;
  purchases(): Promise<Map<string, Purchase[]>>;
  rows<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
  /** Stops the roles that were started after the first ones, and forgets them and every line. */
  reset(): Promise<void>;
  /** @throws when the remaining rows violate an invariant. */
  stop(): Promise<void>;
}

export interface PlatformOptions {
  webs?: number;
  workers?: number;
  speed?: 'realistic' | 'fast' | 'instant';
  /** For both roles. */
  settings?: RoleVariables;
  /** Beside `settings`, for what only the web role may have. */
  webSettings?: RoleVariables;
  databaseUrl?: string;
  kvUrl?: string;
  /** The folder of an unpacked release whose roles run; default: those of the repository. */
  release?: string;
  /** Why this test leaves rows that violate invariants; without a reason they fail it. */
  leavesBreaches?: string;
}

const WORKER = 'tests/support/platform/worker-under-test.ts';

export async function startTestPlatform(options: PlatformOptions = {}): Promise<TestPlatform> {
  const { webs = 1, workers = 1, speed = 'fast' } = options;
  const shared = sharedStack();
  const database: TestDatabase | null = options.databaseUrl === undefined ? await createDatabase() : null;
  const databaseUrl = options.databaseUrl ?? database?.url ?? '';
  const bucket = await createBucket();
  const dataDir = temporaryDirectory();
  const provider = await startSimulator({ dataDir, speed });
  if (!provider) throw new Error('no provider simulator');
  const kvUrl = options.kvUrl ?? shared.kvUrl;
  const queueSuffix = `-${randomUUID().slice(0, 8)}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 5, allowExitOnIdle: true });
  // Some tests restart the server under the pool.
  pool.on('error', () => {});
  const environment = {
    ...(database === null ? { ...shared, databaseUrl } : forRoles({ ...shared, databaseUrl })),
    kvUrl,
    s3: { ...shared.s3, bucket: bucket.bucket },
    provider: { baseUrl: provider.baseUrl, token: provider.token, webhookSecret: provider.webhookSecret },
  };
  const lines: string[] = [];
  const roles: RoleProcess[] = [];
  const ports: number[] = [];
  const firstPort = await freePort();

  const spawn = async (role: Role, port: number, variables: RoleVariables, release = options.release) => {
    const env = roleEnvironment(environment, role, {
      AI_ROOM_STAGING_ENABLED: 'true',
      AI_STAGING_RATE_LIMIT_PER_MINUTE: '600',
      QUEUE_SUFFIX: queueSuffix,
      LOG_LEVEL: 'debug',
      SHUTDOWN_GRACE_MS: '3000',
      ...(role === 'web' ? { TRUSTED_PROXY_HOPS: '1', ...NO_QUOTAS } : { PROVIDER_POLL_INTERVAL_MS: '250' }),
      ...options.settings,
      ...(role === 'web' ? options.webSettings : {}),
      ...variables,
      OPS_PORT: '0',
      PORT: String(port),
      PUBLIC_BASE_URL: `http://127.0.0.1:${firstPort}`,
    });
    const process = await spawnRole({
      role,
      env: understood({ ...env, ...testVariables(variables) }, release),
      name: `${role}-${roles.length + 1}`,
      ...started(role, release),
      onLine: (line) => lines.push(line),
    });
    roles.push(process);
    return process;
  };
  const startWorker = (variables: RoleVariables = {}, release?: string) =>
    spawn('worker', firstPort, variables, release);
  const startWeb = async (variables: RoleVariables = {}, instead = ports.length, release?: string) => {
    const port = ports[instead] ?? (instead === 0 ? firstPort : await freePort());
    ports[instead] = port;
    return spawn('web', port, variables, release);
  };

  const platform: TestPlatform = {
    get urls() {
      return ports.map((port) => `http://127.0.0.1:${port}`);
    },
    pool,
    bucket,
    provider,
    mailDir: shared.mailDir,
    kvUrl,
    queueSuffix,
    lines,
    roles,
    startWorker,
    startWeb,
    purchases: async () => purchases(await ledgerOf(provider.baseUrl)),
    rows: async <R extends object>(sql: string, values: unknown[] = []) =>
      (await pool.query<R>(sql, values)).rows,
    async reset() {
      await Promise.all(roles.splice(webs + workers).map((role) => role.stop()));
      ports.length = webs;
      lines.length = 0;
    },
    async stop() {
      await Promise.all(roles.map((role) => role.stop(role.isRunning() ? 'SIGTERM' : 'SIGKILL')));
      const broken = options.leavesBreaches === undefined ? await brokenInvariants(pool) : [];
      await provider.stop();
      removeDirectory(dataDir);
      await pool.end();
      await bucket.remove();
      await database?.drop();
      if (broken.length > 0) throw new Error(`invariants are broken:\n  ${broken.join('\n  ')}`);
    },
  };
  for (let web = 0; web < webs; web += 1) await startWeb();
  for (let worker = 0; worker < workers; worker += 1) await startWorker();
  await Promise.all(roles.map((role) => role.ready));
  return platform;
}

/** The worker of the repository is one with shorter leases. */
function started(role: Role, release: string | undefined) {
  if (release !== undefined) return { release };
  return role === 'worker' ? { entry: WORKER } : {};
}

/** A release refuses settings that came after it. Those that it knows are in its list. */
function understood(env: RoleVariables, release: string | undefined): RoleVariables {
  if (release === undefined) return env;
  const list = readFileSync(join(release, '.env.example'), 'utf8');
  const isListed = (name: string): boolean => new RegExp(`^(?:# )?${name}=`, 'm').test(list);
  const settings = new Set([...variableNames('web'), ...variableNames('worker')]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.has(name) || isListed(name)));
}

/** What only the worker under test reads. */
function testVariables(variables: RoleVariables): RoleVariables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => name.startsWith('TEST_')));
}
