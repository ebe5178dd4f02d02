import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { RedisServer } from '../../../ops/dev/stack/redis.ts';
import { changeSettings, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { checkDocuments } from '../../../src/search/document-check.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { attemptReaches, createListing } from '../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce } from '../../support/platform/outcomes.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { startWatchedRedis, type WatchedRedis } from './sentinels.ts';

/**
 * Redis with Sentinel: the primary is lost with jobs under way, and a replica that has forgotten the newest entries and
 * documents is promoted.
 */
let watched: WatchedRedis;
let world: StagingWorld;

beforeAll(async () => {
  watched = await startWatchedRedis();
  world = await openStagingWorld({ webs: 2, workers: 0, kvUrl: watched.kvUrl });
  const workers = await Promise.all([1, 2].map(() => world.platform.startWorker(STEADY)));
  await Promise.all(workers.map(({ ready }) => ready));
}, 180_000);
afterAll(async () => {
  await world?.close();
  await watched?.stop();
}, 60_000);

const newJobs = async (count: number) =>
  (await Promise.all(Array.from({ length: count }, () => world.newJob()))).map(({ aiJobId }) => aiJobId);

/** Until every document is written, as the database knows it. */
const written = () =>
  eventually(
    async () => {
      const dirty = await world.platform.rows('select 1 from properties where "searchDirtyAt" is not null');
      const whole = await world.platform.rows('select 1 from search_epoch where "finishedAt" is not null');
      return dirty.length === 0 && whole.length === 1;
    },
    { what: 'every search document' },
  );

/** Calls that need no Redis, one after the other, until `over`. @returns the statuses seen */
async function visit(over: AbortSignal): Promise<Set<number>> {
  const statuses = new Set<number>();
  while (!over.aborted) {
    statuses.add((await world.anyWeb().query('users.getMe')).status);
    statuses.add((await world.anyWeb().query('search.list', { filters: {} })).status);
  }
  return statuses;
}

test.each([
  {
    how: 'killed',
    leave: (server: RedisServer) => server.crash(),
    comeBack: (server: RedisServer) => server.start(),
  },
  {
    how: 'frozen',
    leave: async (server: RedisServer) => server.pause(),
    comeBack: async (server: RedisServer) => server.resume(),
  },
])(
  'the primary is $how: nothing is bought twice, every job finishes, documents are right',
  async ({ leave, comeBack }) => {
    const { baseUrl } = world.platform.provider;
    await changeSettings(baseUrl, { hold: true });
    const running = await newJobs(4);
    for (const jobId of running) await attemptReaches(world.platform, jobId, 'RUNNING');
    await written();

    const { primary, replica } = await watched.servers();
    await watched.cutOff(replica);
    // Entries and documents that the promoted server does not know, of one listing that no one touches again.
    const waiting = await newJobs(8);
    await createListing(world.agent);
    await written();

    const over = new AbortController();
    const visits = visit(over.signal);
    let isAway = true;
    onTestFinished(async () => {
      over.abort();
      await releaseHeld(baseUrl);
      if (isAway) await comeBack(primary);
      await watched.whole();
    });
    await leave(primary);
    await releaseHeld(baseUrl);
    await watched.promoted(replica);
    const during = await newJobs(2);
    over.abort();
    expect([...(await visits)]).toEqual([200]);

    const jobs = [...running, ...waiting, ...during];
    await finishBoughtOnce(world.platform, jobs);
    await expectWholeJournals(world.platform, jobs);
    expect((await signIn(world.platform)).cookie).not.toBe('');
    await eventually(
      async () => {
        await written();
        const publicBaseUrl = world.platform.urls[0];
        const { faults } = await checkDocuments({
          pool: world.platform.pool,
          redis: world.kv,
          publicBaseUrl,
        });
        if (faults.length > 0) throw new Error(JSON.stringify(faults));
        return true;
      },
      { what: 'right documents', timeoutMs: 60_000 },
    );
    await comeBack(primary);
    isAway = false;
    await watched.whole();
    expect(world.platform.roles.every((role) => role.isRunning())).toBe(true);
  },
  240_000,
);
