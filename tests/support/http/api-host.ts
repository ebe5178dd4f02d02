import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { forRoles, roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { UNDECLARED_ERROR } from '../../../src/api/procedure-meta.ts';
import { loadWebConfig, type WebConfig } from '../../../src/config/config.ts';
import { type CrashReports, NO_CRASH_REPORTS } from '../../../src/telemetry/crash-reports.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { startWeb } from '../../../src/web/compose.ts';
import type { WebOverrides } from '../../../src/web/parts.ts';
import { createDatabase, type TestDatabase } from '../database/database.ts';
import { NO_QUOTAS } from '../database/no-quotas.ts';
import { seedOriginal, seedProperty, seedUser } from '../database/seed.ts';
import { createBucket, listKeys, sharedStack } from '../platform/stack.ts';
import { createRecordingQueue, type RecordingQueue } from '../worlds/recording-ports.ts';
import { createPerson, type Person } from './person.ts';

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const PROVIDER = { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: WEBHOOK_SECRET };

interface LogLine {
  level: string;
  msg: string;
  event?: string;
  [field: string]: unknown;
}

/**
 * The API host inside the test's process, with a database, a bucket and queue names of its own; PostgreSQL, Redis,
 * S3 and SMTP servers are the run's. Queue entries and search hints are recorded unless the test wants the real ones.
 */
export interface ApiHost {
  readonly url: string;
  readonly opsUrl: string;
  readonly config: WebConfig;
  readonly pool: pg.Pool;
  readonly queue: RecordingQueue;
  readonly descriptions: RecordingQueue;
  /** Property ids for which search got a hint. */
  readonly searched: string[];
  readonly lines: LogLine[];
  rows<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
  objectKeys(): Promise<string[]>;
  putObject(key: string, bytes: Buffer): Promise<void>;
  deleteObject(key: string): Promise<void>;
  /** A signed-in person; an agent by default. */
  signedIn(user?: Record<string, unknown>): Promise<Person>;
  anonymous(): Person;
  /** A listing of the agent with one original photo. */
  listing(agent: Person): Promise<{ propertyId: string; imageId: string }>;
  /** Fails when a procedure answered an error that it does not declare. */
  stop(): Promise<void>;
}

export interface ApiHostOptions {
  settings?: Record<string, string>;
  overrides?: WebOverrides;
  /** Real queues instead of recorded ones. */
  realQueues?: boolean;
  kvUrl?: string;
  crashReports?: CrashReports;
  /** Instead of a new one; the host uses the login of this address. */
  database?: Pick<TestDatabase, 'url' | 'drop'>;
  /** Replaces the addresses of the API host's connections, for example by a gate. */
  databaseThrough?: (url: string) => string;
}

export async function startApiHost(options: ApiHostOptions = {}): Promise<ApiHost> {
  const shared = sharedStack();
  const [database, bucket] = await Promise.all([options.database ?? createDatabase(), createBucket()]);
  const databaseUrl = options.databaseThrough?.(database.url) ?? database.url;
  const all = { ...shared, databaseUrl, s3: bucket, provider: PROVIDER };
  const environment = options.database === undefined ? forRoles(all) : all;
  const config = loadWebConfig(
    roleEnvironment({ ...environment, kvUrl: options.kvUrl ?? shared.kvUrl }, 'web', {
      PORT: '0',
      OPS_PORT: '0',
      PUBLIC_BASE_URL: 'https://api.example.com',
      TRUSTED_PROXY_HOPS: '1',
      QUEUE_SUFFIX: `-${randomUUID()}`,
      LOG_LEVEL: 'debug',
      SITE_ENABLED: 'false',
      // Seeded originals have no size, which photo framing would measure.
      AI_STAGING_FRAMING: 'fixed',
      ...NO_QUOTAS,
      ...options.settings,
    }),
  );
  const lines: LogLine[] = [];
  const logger = createLogger({
    role: 'web',
    level: config.logLevel,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  const queue = createRecordingQueue();
  const descriptions = createRecordingQueue();
  const searched: string[] = [];
  const recorded = {
    queue,
    descriptions,
    search: { propertyChanged: (id: string) => void searched.push(id) },
  };
  const web = await startWeb(config, {
    logger,
    crashReports: options.crashReports ?? NO_CRASH_REPORTS,
    // Tests of mails look for them themselves; others see rows that stay as they are.
    overrides: { mailIntervalMs: 3_600_000, ...(options.realQueues ? {} : recorded), ...options.overrides },
  });
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  const person = (given: { id: string; cookie: string }) => createPerson(web.url, given);

  return {
    url: web.url,
    opsUrl: web.opsUrl,
    config,
    pool,
    queue,
    descriptions,
    searched,
    lines,
    rows: async <R extends object>(sql: string, values: unknown[] = []) =>
      (await pool.query<R>(sql, values)).rows,
    objectKeys: () => listKeys(bucket.client, bucket.bucket),
    async putObject(key, bytes) {
      const { PutObjectCommand } = await import('@aws-sdk/client-s3');
      await bucket.client.send(new PutObjectCommand({ Bucket: bucket.bucket, Key: key, Body: bytes }));
    },
    async deleteObject(key) {
      const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
      await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.bucket, Key: key }));
    },
    async signedIn(user = {}) {
      const id = await seedUser(pool, user);
      return person({ id, cookie: await sessionCookie(pool, id, config.authSecret) });
    },
    anonymous: () => person({ id: '', cookie: '' }),
    async listing(agent) {
      const propertyId = await seedProperty(pool, { ownerAgentId: agent.id });
      const { imageId } = await seedOriginal(pool, { propertyId });
      return { propertyId, imageId };
    },
    async stop() {
      await web.stop(AbortSignal.timeout(1_000));
      await pool.end();
      await bucket.remove();
      await database.drop();
      refuseUndeclared(lines);
    },
  };
}

/** The API host of one test file: started before its first test and stopped after its last one. */
export function useApiHost(options?: ApiHostOptions): ApiHost {
  const host = {} as ApiHost;
  beforeAll(async () => {
    Object.assign(host, await startApiHost(options));
  });
  afterAll(() => host.stop());
  return host;
}

function refuseUndeclared(lines: readonly LogLine[]): void {
  const undeclared = lines.filter(({ msg }) => msg === UNDECLARED_ERROR);
  const named = new Set(undeclared.map(({ procedure, code }) => `${procedure}: ${code}`));
  if (named.size > 0) throw new Error(`declare in .meta({ errors }): ${[...named].join(', ')}`);
}

/**
 * A session row and the cookie that better-auth would have set for it (docs/provider.md#better-auth). It is verified, so
 * that what needs a verified session can be called without mail.
 */
export async function sessionCookie(pool: pg.Pool, userId: string, secret: string): Promise<string> {
  const token = randomBytes(24).toString('base64url');
  await pool.query(
    `insert into session ("expiresAt", token, "userId", "verifiedAt")
     values (now() + interval '7 days', $1, $2, '2100-01-01')`,
    [token, userId],
  );
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return `__Host-better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
}

export interface HostWithListing {
  host: ApiHost;
  agent: Person;
  listing: { propertyId: string; imageId: string };
}

/** A host on which an agent has a listing with a picture. */
export async function startHostWithListing(): Promise<HostWithListing> {
  const host = await startApiHost();
  const agent = await host.signedIn();
  return { host, agent, listing: await host.listing(agent) };
}
