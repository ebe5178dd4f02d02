import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Opened, onLeakCheck } from '../leak-check.ts';
import { sharedStack } from '../platform/stack.ts';
import { TEMPLATE_DATABASE, TEST_DATABASE_PREFIX } from './database-names.ts';

/** A database of its own for one test or one test file. */
export interface TestDatabase {
  readonly url: string;
  readonly name: string;
  /**
   * Removes it. Call it after closing every pool on it.
   * @throws Error naming the sessions that a test did not close. The database is removed anyway.
   */
  drop(): Promise<void>;
}

const open = new Opened<string>();
const CLONE_LOCK = 7_221_301;

onLeakCheck('databases', async () => {
  const forgotten = open.leaked();
  for (const name of forgotten) {
    await asAdministrator((client) => remove(client, name));
    open.delete(name);
  }
  return forgotten.map((name) => `database ${name} was not dropped`);
});

/**
 * Makes a database by cloning the migrated template, an empty one, or a copy of another whose sessions are ended.
 * A file that does not drop what it creates fails.
 */
export async function createDatabase({
  migrated = true,
  copyOf,
}: {
  migrated?: boolean;
  copyOf?: TestDatabase;
} = {}): Promise<TestDatabase> {
  const name = `${TEST_DATABASE_PREFIX}${randomUUID().replaceAll('-', '')}`;
  const template = copyOf?.name ?? (migrated ? TEMPLATE_DATABASE : 'template1');
  await asAdministrator(async (client) => {
    // PostgreSQL refuses to clone a template that another session clones or uses: one at a time, over all workers.
    await client.query('select pg_advisory_lock($1)', [CLONE_LOCK]);
    const ends = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
    if (copyOf) await client.query(ends, [copyOf.name]);
    await client.query(`create database ${name} template ${template}`);
  });
  open.add(name);
  const url = new URL(sharedStack().databaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => drop(name) };
}

async function drop(name: string): Promise<void> {
  if (!open.delete(name)) return;
  const sessions = await asAdministrator(async (client) => {
    const found = await lingeringSessions(client, name);
    await remove(client, name);
    return found;
  });
  if (sessions.length > 0) {
    throw new Error(`database ${name} was dropped with open connections:\n  ${sessions.join('\n  ')}`);
  }
}

/** The server notices a closed connection with a delay, so a session counts only when it stays. */
async function lingeringSessions(client: pg.Client, name: string): Promise<string[]> {
  const deadline = Date.now() + 2_000;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(
      `select concat_ws(' ', pid, application_name, state, left(query, 200)) as line
       from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [name],
    );
    if (rows.length === 0 || Date.now() > deadline) return rows.map(({ line }) => line);
    await client.query('select pg_sleep(0.02)');
  }
}

async function remove(client: pg.Client, name: string): Promise<void> {
  await client.query(`drop database if exists ${name} with (force)`);
}

async function asAdministrator<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: sharedStack().databaseUrl,
    application_name: 'test-harness',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
