import pg from 'pg';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { freePort } from '../../dev/stack/free-port.ts';
import { type Role, type RoleVariables, roleEnvironment } from '../../dev/stack/role-environment.ts';
import { type Stack, startStack } from '../../dev/stack/stack.ts';
import { newWebhookSecret } from '../../simulator/webhook-signature.ts';
import { type MeasuredServer, startMeasuredServer } from './measured-server.ts';

/** A stack of the bench's own with the platform's schema, and the product's roles on it. */
export interface BenchEnvironment {
  readonly stack: Stack;
  /** A few connections for seeding and asking; the roles bring their own. */
  readonly pool: pg.Pool;
  readonly webhookSecret: string;
  /** Starts a role as the Procfile does and waits until it listens. */
  startRole(role: Role, variables?: RoleVariables): Promise<MeasuredServer>;
  /** Ends the roles that still run, then the stack, and removes it. */
  stop(): Promise<void>;
}

/** A provider that is never called: these benchmarks buy nothing. */
const UNASKED_PROVIDER = { baseUrl: 'http://127.0.0.1:9', token: 'unasked' };

/** @param durable false: no commit is flushed to disk, for what writes nothing that is measured */
export async function startBenchEnvironment({
  scratch,
  durable,
}: {
  scratch: string;
  durable: boolean;
}): Promise<BenchEnvironment> {
  const stack = await startStack({ dataDir: scratch, durable, discard: true, withProvider: false });
  const webhookSecret = newWebhookSecret();
  const pool = new pg.Pool({ connectionString: stack.databaseUrl, max: 4 });
  // The server stops a moment before the last idle connection has noticed.
  pool.on('error', () => {});
  const roles: MeasuredServer[] = [];
  const stop = async () => {
    for (const role of roles) await role.stop();
    await pool.end();
    await stack.stop();
  };
  try {
    await migrate(stack.databaseUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    stack,
    pool,
    webhookSecret,
    stop,
    async startRole(role, variables = {}) {
      const environment = { ...stack, provider: { ...UNASKED_PROVIDER, webhookSecret } };
      const ports = { PORT: String(await freePort()), OPS_PORT: '0' };
      const env = roleEnvironment(environment, role, { ...ports, NODE_ENV: 'production', ...variables });
      const server = await startMeasuredServer({ entry: `src/${role}.ts`, env });
      roles.push(server);
      return server;
    },
  };
}
