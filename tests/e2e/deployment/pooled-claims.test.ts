import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../ops/dev/stack/postgres.ts';
import { migrate } from '../../../persistence/migrations/migrator.ts';
import { startStandby } from '../../support/database/standby.ts';
import { eventually } from '../../support/eventually.ts';
import { type Gate, openGate } from '../../support/platform/gates.ts';
import { finishBoughtOnce } from '../../support/platform/outcomes.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type Pooler, pgbouncer, startPooler } from './pooler.ts';

/** Claims that are confirmed on a standby (CLAIM_DURABILITY=standby), by workers behind PgBouncer. */
const why = 'missing' in pgbouncer ? ` (skipped: ${pgbouncer.missing})` : '';
const CLAIMS_ON_STANDBY = `
  alter role proscenium set synchronous_commit = local;
  alter system set synchronous_standby_names = '*'`;

describe.skipIf('missing' in pgbouncer)(`behind PgBouncer, with a standby${why}`, () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let link: Gate;
  let pooler: Pooler;
  let world: StagingWorld;
  beforeAll(async () => {
    const primaryDir = temporaryDirectory();
    primary = await startPostgres({ dataDir: primaryDir });
    await migrate(primary.url);
    link = await openGate(primary.url);
    const follows = link.through(primary.url);
    standby = await startStandby({ primary, primaryDir, follows }, { dataDir: temporaryDirectory() });
    const operator = new pg.Client({ connectionString: primary.url });
    await operator.connect();
    for (const statement of CLAIMS_ON_STANDBY.split(';')) await operator.query(statement);
    await operator.query('select pg_reload_conf()');
    await operator.end();
    pooler = await startPooler(primary.url, { poolSize: 4 });
    world = await openStagingWorld({
      webs: 1,
      workers: 0,
      databaseUrl: primary.url,
      settings: {
        DATABASE_URL: pooler.through(primary.url),
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: primary.url,
        CLAIM_DURABILITY: 'standby',
      },
    });
    const workers = await Promise.all([1, 2].map(() => world.platform.startWorker(STEADY)));
    await Promise.all(workers.map(({ ready }) => ready));
  }, 120_000);
  afterAll(async () => {
    await world?.close();
    await pooler?.stop();
    await link?.close();
    await standby?.stop();
    await primary?.stop();
  }, 60_000);

  const newJobs = async (count: number) => {
    const jobs = await Promise.all(Array.from({ length: count }, () => world.newJob()));
    return jobs.map(({ aiJobId }) => aiJobId);
  };
  const refusals = () =>
    world.platform.lines.filter((line) => line.includes('no standby confirms what was committed'));

  test('nothing is bought while no standby has the claim; then every job finishes and is bought once', async () => {
    // A failed try may have left the standby cut off.
    link.open();
    const known = refusals().length;
    await finishBoughtOnce(world.platform, await newJobs(6));
    expect(refusals()).toHaveLength(known);

    link.shut();
    const before = (await world.platform.purchases()).size;
    const jobs = await newJobs(6);
    await eventually(() => refusals().length > known, {
      what: 'a claim that no standby has',
      timeoutMs: 30_000,
    });
    expect((await world.platform.purchases()).size).toBe(before);

    link.open();
    await finishBoughtOnce(world.platform, jobs);
  }, 240_000);
});
