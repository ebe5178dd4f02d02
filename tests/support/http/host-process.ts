import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { roleEnvironment } from '../../../ops/dev/stack/role-environment.ts';
import { createDatabase } from '../database/database.ts';
import { seedUser } from '../database/seed.ts';
import { createBucket, sharedStack } from '../platform/stack.ts';
import { type StartedProgram, startProgram } from '../platform/started-program.ts';
import { sessionCookie, WEBHOOK_SECRET } from './api-host.ts';
import { createPerson, type Person } from './person.ts';

const PROGRAM = fileURLToPath(new URL('../../verification/fuzz/host-with-gc.ts', import.meta.url));

/** The API host as a process of its own, so that its memory is its own. Request limits are off. */
export interface HostProcess {
  readonly program: StartedProgram;
  readonly port: number;
  readonly pool: pg.Pool;
  signedIn(user?: Record<string, unknown>): Promise<Person>;
  /** Resident bytes now, and the most since `forgetPeak`. */
  memory(): { resident: number; peak: number };
  forgetPeak(): void;
  stop(): Promise<void>;
}

export async function startHostProcess(): Promise<HostProcess> {
  const shared = sharedStack();
  const [database, bucket] = await Promise.all([createDatabase(), createBucket()]);
  const provider = { baseUrl: 'http://127.0.0.1:9', token: 'r8_unused', webhookSecret: WEBHOOK_SECRET };
  const env = roleEnvironment({ ...shared, databaseUrl: database.url, s3: bucket, provider }, 'web', {
    PORT: '0',
    OPS_PORT: '0',
    PUBLIC_BASE_URL: 'https://api.example.com',
    TRUSTED_PROXY_HOPS: '1',
    QUEUE_SUFFIX: `-${randomUUID()}`,
    REQUEST_LIMIT_PER_MINUTE_IP: '0',
    REQUEST_LIMIT_PER_MINUTE_SESSION: '0',
    PUBLIC_WORK_PER_NETWORK_MS: '0',
  });
  const program = startProgram(['--no-warnings', '--expose-gc', PROGRAM], { env });
  const [, port = ''] = await program.untilSaid(/listening on http:\/\/[^:]*:(\d+)/);
  const pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  const kibibytes = (status: string, name: string) =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  return {
    program,
    port: Number(port),
    pool,
    async signedIn(user = {}) {
      const id = await seedUser(pool, user);
      const cookie = await sessionCookie(pool, id, shared.secrets.authSecret);
      return createPerson(`http://127.0.0.1:${port}`, { id, cookie });
    },
    memory() {
      const status = readFileSync(`/proc/${program.pid}/status`, 'utf8');
      return { resident: kibibytes(status, 'VmRSS'), peak: kibibytes(status, 'VmHWM') };
    },
    forgetPeak: () => writeFileSync(`/proc/${program.pid}/clear_refs`, '5'),
    async stop() {
      program.signal('SIGTERM');
      await program.ended();
      await pool.end();
      await bucket.remove();
      await database.drop();
    },
  };
}
