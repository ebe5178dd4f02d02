import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeSettings } from '../../../../ops/simulator/control-client.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Answer, onWeb } from '../../../support/platform/agent.ts';
import { attemptReaches, jobReaches } from '../../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce } from '../../../support/platform/outcomes.ts';
import {
  openStagingWorld,
  STEADY,
  type StagingWorld,
  variantsOf,
} from '../../../support/platform/staging-world.ts';
import { openPostgresGate, type PostgresGate } from './postgres-gate.ts';

/**
 * PostgreSQL commits but its answer is lost, aborts our transaction in a deadlock, or accepts no connection.
 */
let world: StagingWorld;
let gate: PostgresGate;
/** A session of the test itself, past the gate. */
let session: pg.Client;
const GATED = 1;

beforeAll(async () => {
  world = await openStagingWorld({ workers: 0 });
  gate = await openPostgresGate(databaseUrl());
  await world.platform.startWorker({ DATABASE_URL: gate.url, ...STEADY });
  await world.platform.startWeb({ DATABASE_URL: gate.url });
  await Promise.all(world.platform.roles.map((role) => role.ready));
  session = new pg.Client({ connectionString: databaseUrl() });
  await session.connect();
}, 60_000);
beforeEach(() => world.calm());
afterAll(async () => {
  await session.end();
  await world.close();
  await gate.close();
});

const databaseUrl = () => String(world.platform.pool.options.connectionString);
const agent = () => onWeb(world.platform, world.agent, GATED);
/** Repeats the call as long as the platform answers that the result is unknown. */
const insist = (ask: () => Promise<Answer>) =>
  eventually(
    async () => {
      const answer = await ask();
      if (answer.status >= 500)
        expect(answer).toMatchObject({ status: 503, errorCode: 'SERVICE_UNAVAILABLE' });
      return answer.status < 500 && answer;
    },
    { what: 'the platform to know again' },
  );

describe('the commit is applied and its answer is lost', () => {
  for (const [what, words] of [
    ['the reservation', 'START'],
    ['the claim', 'SEND_CLAIMED'],
    ['the prediction id', 'PREDICTION_CREATED'],
    ['the end of the prediction', 'PREDICTION_SUCCEEDED'],
    ['the result', 'OUTPUT_STORED'],
  ] as const)
    test(`of ${what}: bought once, one picture`, async () => {
      const lost = gate.cutAt('after-commit', words);
      const { aiJobId, originalImageId } = await world.newJob();
      await lost;
      await finishBoughtOnce(world.platform, [aiJobId]);
      await expectWholeJournals(world.platform, [aiJobId]);
      expect(await variantsOf(world, originalImageId)).toHaveLength(1);
    });

  test('of a submission: a repeat finds the job that was made', async () => {
    const originalImageId = await world.newOriginal();
    const wish = { assignments: [{ originalImageId, roomType: 'LIVING_ROOM', style: 'MODERN' }] };
    const lost = gate.cutAt('after-commit', 'INSERT INTO ai_room_staging_jobs');
    const answer = insist(() => agent().mutate('ai.submitRoomStaging', wish));
    await lost;
    expect((await answer).data.results).toHaveLength(1);
    const jobs = await world.platform.rows<{ id: string }>(
      'select "aiJobId" as id from ai_room_staging_jobs where "originalImageId" = $1',
      [originalImageId],
    );
    expect(jobs).toHaveLength(1);
    await finishBoughtOnce(world.platform, [jobs[0]?.id ?? '']);
  });

  test('of an approval: approved once, and a repeat gets the same answer', async () => {
    const { aiJobId, originalImageId } = await world.newJob();
    await finishBoughtOnce(world.platform, [aiJobId]);
    const [variant] = await variantsOf(world, originalImageId);
    const imageId = variant?.id ?? '';
    const lost = gate.cutAt('after-commit', 'APPROVE');
    const answer = insist(() => agent().mutate('ai.approveStagedVariant', { imageId }));
    await lost;
    expect((await answer).data).toMatchObject({ reviewStatus: 'APPROVED' });
    const events = await world.platform.rows(
      'select kind from property_image_review_events where "imageId" = $1',
      [imageId],
    );
    expect(events).toEqual([{ kind: 'APPROVED' }]);
  });
});

const waitingForLocks = async (application: string): Promise<number> => {
  const [row] = await world.platform.rows<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and application_name like $1 and wait_event_type = 'Lock'`,
    [`${application}%`],
  );
  return row?.waiting ?? 0;
};

test('a deadlock that aborts our transaction: the cancellation is repeated and takes effect', async () => {
  await changeSettings(world.platform.provider.baseUrl, { hold: true });
  const { aiJobId } = await world.newJob();
  const attempt = await attemptReaches(world.platform, aiJobId, 'RUNNING');
  const deadlocks = async () =>
    Number(
      (await session.query('select deadlocks from pg_stat_database where datname = current_database()'))
        .rows[0].deadlocks,
    );
  const before = await deadlocks();
  await session.query('begin');
  // The session that waits longest checks for deadlocks first, and is rolled back.
  await session.query(`set local deadlock_timeout = '60s'`);
  await session.query('select from ai_provider_attempts where id = $1 for update', [attempt.id]);
  const answer = agent().mutate('ai.cancelStagingJob', { aiJobId });
  await eventually(async () => (await waitingForLocks('proscenium-web')) > 0, {
    what: 'the web to wait for the attempt',
  });
  await session.query('select from ai_jobs where id = $1 for update', [aiJobId]);
  await session.query('rollback');
  expect((await answer).data).toMatchObject({ status: 'CANCEL_REQUESTED' });
  await jobReaches(world.platform, aiJobId, 'CANCELED');
  await eventually(async () => (await deadlocks()) > before, {
    what: 'PostgreSQL to have counted the deadlock',
  });
  await expectWholeJournals(world.platform, [aiJobId]);
});

test('an exhausted pool: calls succeed late or get SERVICE_UNAVAILABLE, and work again afterwards', async () => {
  await session.query('begin');
  await session.query('lock table property_images in access exclusive mode');
  const asked = Array.from({ length: 24 }, () => agent().query('properties.listMine', {}));
  await eventually(async () => (await waitingForLocks('proscenium-web')) >= 10, {
    what: 'every connection of the web to wait',
  });
  await Promise.race(asked);
  await session.query('rollback');
  const statuses = (await Promise.all(asked)).map(({ status, errorCode }) =>
    `${status} ${errorCode ?? ''}`.trim(),
  );
  expect(new Set([...statuses, '200', '503 SERVICE_UNAVAILABLE'])).toEqual(
    new Set(['200', '503 SERVICE_UNAVAILABLE']),
  );
  expect((await agent().query('properties.listMine', {})).status).toBe(200);
  const { aiJobId } = await world.newJob();
  await finishBoughtOnce(world.platform, [aiJobId]);
});
