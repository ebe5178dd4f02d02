import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { lockHolder } from '../../ops/dev/stack/launcher-lock.ts';
import { waitUntil } from '../../ops/dev/stack/lifecycle.ts';
import { discardCluster } from '../../ops/dev/stack/postgres-cluster.ts';
import { isAlive } from '../../ops/dev/stack/process-identity.ts';
import { stopLeftovers } from '../../ops/dev/stack/process-records.ts';
import { forRoles, type RoleEnvironment } from '../../ops/dev/stack/role-environment.ts';
import { startSimulator } from '../../ops/dev/stack/simulator.ts';
import { type Stack, startStack } from '../../ops/dev/stack/stack.ts';
import { TEMPLATE_DATABASE, TEST_DATABASE_PREFIX } from './database/database-names.ts';

/**
 * One stack for the whole run, in a temporary directory that goes when the run ends. A run that was killed
 * leaves its directory; the next run removes it. Databases that still exist at the end were leaked and fail
 * the run.
 */
export interface SharedStack extends RoleEnvironment {
  /** Why `provider` is undefined. */
  providerMissing: string;
}

declare module 'vitest' {
  export interface ProvidedContext {
    stack: SharedStack;
  }
}

/** How long a shared platform may take to stop. Vitest does not wait for the workers that stop theirs. */
const STOPPING_PATIENCE_MS = 60_000;
/** One per user of the machine, because another user's folder cannot be written to. */
const RUNS_DIRECTORY = join(tmpdir(), `proscenium-test-runs-${userInfo().username}`);

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await removeAbandonedRuns();
  mkdirSync(RUNS_DIRECTORY, { recursive: true });
  const stack = await startStack({
    dataDir: mkdtempSync(join(RUNS_DIRECTORY, 'run-')),
    durable: false,
    discard: true,
    withProvider: false,
  });
  const simulator = await simulatorOf(stack);
  try {
    await makeTemplate(stack);
  } catch (error) {
    await simulator.stop();
    await stack.stop();
    throw error;
  }
  const { databaseUrl, kvUrl, s3, smtpUrl, mailDir, secrets } = stack;
  const { provider, providerMissing } = simulator;
  project.provide('stack', {
    databaseUrl,
    kvUrl,
    s3,
    smtpUrl,
    mailDir,
    secrets,
    provider,
    providerMissing,
  });
  return async () => {
    const leaked = await leakedDatabases(stack.databaseUrl);
    await simulator.stop();
    await stack.stop();
    if (leaked.length > 0) throw new Error(`Tests left databases behind: ${leaked.join(', ')}`);
  };
}

type Simulator = Pick<SharedStack, 'provider' | 'providerMissing'> & Pick<Stack, 'stop'>;

/** A simulator that does not start must fail the tests that need it, not all others. */
async function simulatorOf({ dataDir }: Stack): Promise<Simulator> {
  const absent = { provider: undefined, stop: async () => undefined };
  try {
    const simulator = await startSimulator({ dataDir, speed: 'fast' });
    if (!simulator) return { ...absent, providerMissing: 'this checkout has none' };
    const { baseUrl, token, webhookSecret, stop } = simulator;
    return { provider: { baseUrl, token, webhookSecret }, stop, providerMissing: '' };
  } catch (error) {
    return { ...absent, providerMissing: String(error) };
  }
}

async function makeTemplate({ databaseUrl, secrets }: Stack): Promise<void> {
  await onDatabase(databaseUrl, (client) => client.query(`create database ${TEMPLATE_DATABASE}`));
  const migrator = new URL('../../persistence/migrations/migrator.ts', import.meta.url);
  if (!existsSync(migrator)) return;
  const { migrate } = await import('../../persistence/migrations/migrator.ts');
  const template = new URL(databaseUrl);
  template.pathname = `/${TEMPLATE_DATABASE}`;
  await migrate(template.href, { rolesUrl: forRoles({ databaseUrl: template.href, secrets }).databaseUrl });
}

/** The databases that still exist when every platform has had time to stop; dropping its own is the last it does. */
async function leakedDatabases(databaseUrl: string): Promise<string[]> {
  return await onDatabase(databaseUrl, async (client) => {
    let left: string[] = [];
    const areGone = async () => {
      const { rows } = await client.query<{ datname: string }>(
        'select datname from pg_database where starts_with(datname, $1) order by datname',
        [TEST_DATABASE_PREFIX],
      );
      left = rows.map(({ datname }) => datname);
      return left.length === 0;
    };
    await waitUntil(areGone, { timeoutMs: STOPPING_PATIENCE_MS });
    return left;
  });
}

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function removeAbandonedRuns(): Promise<void> {
  if (!existsSync(RUNS_DIRECTORY)) return;
  for (const name of readdirSync(RUNS_DIRECTORY)) {
    const directory = join(RUNS_DIRECTORY, name);
    const holder = lockHolder(directory);
    // Without a lock it may be a run that is just starting.
    if (holder === undefined || isAlive(holder)) continue;
    await stopLeftovers(directory);
    discardCluster(directory);
    rmSync(directory, { recursive: true, force: true });
  }
}
