import { spawnSync } from 'node:child_process';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { REPOSITORY } from '../../../ops/dev/stack/role-process.ts';
import { changeSettings, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { openDatabase } from '../../../persistence/database/database.ts';
import { prepared } from '../../../persistence/database/prepared.ts';
import { pendingMigrations } from '../../../persistence/migrations/pending.ts';
import { actorStoreConformance } from '../../support/database/conformance/actor-store-conformance.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { postgresStoreUnderTest } from '../../support/database/postgres-store-under-test.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { attemptReaches, jobReaches } from '../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce } from '../../support/platform/outcomes.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import {
  openStagingWorld,
  STEADY,
  type StagingWorld,
  variantsOf,
} from '../../support/platform/staging-world.ts';
import { type Pooler, pgbouncer, startPooler } from './pooler.ts';

/** The roles behind a PgBouncer in transaction mode that knows no named statements (1.18). */
const why = 'missing' in pgbouncer ? ` (skipped: ${pgbouncer.missing})` : '';
const POOL_SIZE = 4;

describe.skipIf('missing' in pgbouncer)(`behind PgBouncer${why}`, () => {
  describe('the store', () => {
    let pooler: Pooler;
    beforeAll(async () => {
      pooler = await startPooler(sharedStack().databaseUrl, { poolSize: POOL_SIZE });
    });
    const database = useStoreDatabase((url) => ({ url: pooler.through(url), pooler: 'transaction' }));
    // Before the database goes: the pooler keeps connections to it.
    afterAll(() => pooler?.stop());
    actorStoreConformance('PostgreSQL behind a pooler', () => postgresStoreUnderTest(database));

    test('has the limits of a direct connection', async () => {
      const { rows } = await database.pool.query(`
        select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`);
      expect(rows).toEqual([{ statement: '15s', lock: '5s', idle: '30s' }]);
    });

    test('gives no statement a name, so that any connection can run it', async () => {
      const asked = Array.from({ length: 50 }, (_, value) =>
        database.pool.query<{ value: number }>(prepared('select $1::int as value', [value])),
      );
      const answers = (await Promise.all(asked)).map(({ rows }) => rows[0]?.value);
      expect(answers).toEqual(asked.map((_, value) => value));
    });
  });

  test('a pooler whose connections have no limits is refused, and told what is missing', async () => {
    const database = await createDatabase();
    const careless = await startPooler(database.url, { poolSize: POOL_SIZE, limits: false });
    try {
      await expect(
        openDatabase({ url: careless.through(database.url), pooler: 'transaction' }),
      ).rejects.toThrow(
        /no statement_timeout, lock_timeout, idle_in_transaction_session_timeout: see docs\/runbooks\/pooler\.md/,
      );
    } finally {
      await careless.stop();
      await database.drop();
    }
  });

  test('migrations go to PostgreSQL itself, where their lock is held for the whole run', async () => {
    const database = await createDatabase({ migrated: false });
    const env = {
      PATH: process.env.PATH,
      // No one listens there: only the direct address is used.
      DATABASE_URL: 'postgres://proscenium:word@127.0.0.1:1/proscenium',
      DATABASE_DIRECT_URL: database.url,
    };
    const run = spawnSync(process.execPath, ['ops/cli/migrate.ts'], {
      cwd: REPOSITORY,
      env,
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    expect(await pendingMigrations(client)).toEqual([]);
    await client.end();
    await database.drop();
  });

  describe('two webs and two workers on four connections', () => {
    let pooler: Pooler;
    let database: TestDatabase;
    let world: StagingWorld;
    beforeAll(async () => {
      database = await createDatabase();
      pooler = await startPooler(database.url, { poolSize: POOL_SIZE });
      world = await openStagingWorld({
        webs: 2,
        workers: 0,
        databaseUrl: database.url,
        settings: {
          DATABASE_URL: pooler.through(database.url),
          DATABASE_POOLER: 'transaction',
          DATABASE_DIRECT_URL: database.url,
        },
      });
      const workers = await Promise.all([1, 2].map(() => world.platform.startWorker(STEADY)));
      await Promise.all(workers.map(({ ready }) => ready));
    }, 120_000);
    afterAll(async () => {
      await world?.close();
      await pooler?.stop();
      await database?.drop();
    });

    const hold = () => changeSettings(world.platform.provider.baseUrl, { hold: true });
    const release = () => releaseHeld(world.platform.provider.baseUrl);
    const newJobs = (count: number) => Promise.all(Array.from({ length: count }, () => world.newJob()));
    const idsOf = (jobs: readonly { aiJobId: string }[]) => jobs.map(({ aiJobId }) => aiJobId);

    test('twenty rooms are staged, bought once; pictures are approved and rejected; a job is canceled', async () => {
      const jobs = await newJobs(20);
      await finishBoughtOnce(world.platform, idsOf(jobs));
      const [first, second] = await Promise.all(
        jobs
          .slice(0, 2)
          .map(async ({ originalImageId }) => (await variantsOf(world, originalImageId))[0]?.id),
      );
      const approved = await world.anyWeb().mutate('ai.approveStagedVariant', { imageId: first });
      expect(approved.data).toMatchObject({ reviewStatus: 'APPROVED' });
      const rejected = await world.anyWeb().mutate('ai.rejectStagedVariant', { imageId: second });
      expect(rejected.data).toMatchObject({ rejected: true });
      await hold();
      const [canceled] = idsOf(await newJobs(1));
      await attemptReaches(world.platform, canceled ?? '', 'RUNNING');
      await world.anyWeb().mutate('ai.cancelStagingJob', { aiJobId: canceled });
      await jobReaches(world.platform, canceled ?? '', 'CANCELED');
      await release();
      const sessions = await world.platform.rows<{ open: number }>(
        `select count(*)::int as open from pg_stat_activity
         where datname = current_database() and application_name like 'proscenium-%'`,
      );
      expect(sessions[0]?.open).toBeLessThanOrEqual(POOL_SIZE);
    });

    test('the pooler dies under load: requests are refused meanwhile, every job finishes and is bought once', async () => {
      let isDead = false;
      onTestFinished(async () => {
        if (isDead) await pooler.start();
        await release();
      });
      const before = idsOf(await newJobs(4));
      await hold();
      const running = idsOf(await newJobs(4));
      for (const jobId of running) await attemptReaches(world.platform, jobId, 'RUNNING');
      isDead = true;
      await pooler.kill();
      await release();
      const refused = await eventually(
        async () => {
          const answer = await world.anyWeb().query('users.getMe');
          return answer.status === 200 ? false : answer;
        },
        { what: 'a refusal' },
      );
      expect([refused.status, refused.errorCode]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      await pooler.start();
      isDead = false;
      await eventually(async () => (await world.anyWeb().query('users.getMe')).status === 200, {
        what: 'the API to recover',
      });
      const after = idsOf(await newJobs(4));
      await finishBoughtOnce(world.platform, [...before, ...running, ...after]);
      await expectWholeJournals(world.platform, [...before, ...running, ...after]);
      expect(world.platform.roles.every((role) => role.isRunning())).toBe(true);
    });
  });
});
