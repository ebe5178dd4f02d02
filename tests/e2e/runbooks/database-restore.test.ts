import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RedisServer, startRedis } from '../../../ops/dev/stack/redis.ts';
import { createDatabase, type TestDatabase } from '../../support/database/database.ts';
import { eventually } from '../../support/eventually.ts';
import { jobReaches, submit } from '../../support/platform/listing.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openStagingWorld, STEADY, type StagingWorld } from '../../support/platform/staging-world.ts';
import { commandOf, run } from './commands.ts';

/**
 * The drill of docs/runbooks/database-restore.md with its own commands: a database is copied, the platform
 * goes on buying, and the copy is restored. Jobs that the check names are canceled, and nothing is bought
 * twice.
 */
const PAGE = 'database-restore.md';
let redis: RedisServer;
let before: TestDatabase;
let world: StagingWorld;

// Every try has its own: it counts purchases and ends the web of the platform that was lost.
beforeEach(async () => {
  // A separate one, because the page flushes it.
  redis = await startRedis({ dataDir: temporaryDirectory(), durable: false });
  before = await createDatabase();
  world = await openStagingWorld({ databaseUrl: before.url, kvUrl: redis.url, workers: 0 });
}, 60_000);
afterEach(async () => {
  await world.close();
  await before.drop();
  await redis.stop();
});

test('a backup that is older than the purchases buys none of them again', async () => {
  const { platform } = world;
  const [waiting, second] = [await world.newJob('MODERN'), await world.newJob('LUXURY')];
  const since = new Date().toISOString();
  await platform.roles[0]?.stop();
  const backup = await createDatabase({ copyOf: before });
  const worker = await platform.startWorker(STEADY);
  for (const { aiJobId } of [waiting, second]) await jobReaches(platform, aiJobId, 'SUCCESS');
  await worker.stop();
  expect(await bought()).toBe(2);

  const env = {
    DATABASE_URL: backup.url,
    KV_URL: platform.kvUrl,
    QUEUE_SUFFIX: platform.queueSuffix,
    PROVIDER_BASE_URL: platform.provider.baseUrl,
    PROVIDER_API_TOKEN: platform.provider.token,
  };
  const check = commandOf(PAGE, 'restore:check').replace(/--since \S+/, `--since ${since}`);
  const operate = (words: string) => run(commandOf(PAGE, words), env);
  try {
    expect(await operate('flushall')).toMatchObject({ code: 0, text: expect.stringContaining('OK') });
    expect(await operate('migrate')).toMatchObject({ code: 0 });
    expect(await operate('--always-only')).toMatchObject({ code: 0 });
    const found = await run(check, env);
    expect(found.text).toContain('2  WOULD BE BOUGHT AGAIN by an open job');
    expect(found.code).toBe(1);
    const cancellations = found.text.split('\n').filter((line) => line.trim().startsWith('npm run ops'));
    expect(cancellations).toHaveLength(2);
    for (const command of cancellations) expect(await run(command, env)).toMatchObject({ code: 0 });
    expect(await run(check, env)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Nothing would be bought again'),
    });

    const restored = { ...STEADY, DATABASE_URL: backup.url };
    const [restoredWorker, web] = [
      await platform.startWorker(restored),
      await platform.startWeb(restored, 0),
    ];
    await Promise.all([restoredWorker.ready, web.ready]);
    for (const { aiJobId } of [waiting, second])
      expect((await world.agent.query('ai.getStagingJob', { aiJobId })).data.status).toBe('CANCELED');
    const { aiJobId } = await submit(world.agent, waiting.originalImageId, 'FARMHOUSE');
    const status = async () =>
      (await world.agent.query('ai.getStagingJob', { aiJobId })).data.status === 'SUCCESS';
    await eventually(status, { what: 'the restored platform to stage' });
    await eventually(async () => (await operate('--quiet-only')).code === 0, {
      what: 'everything to come to rest',
    });
    await Promise.all([restoredWorker.stop(), web.stop()]);
    expect(await bought()).toBe(3);
  } finally {
    await backup.drop();
  }
}, 120_000);

/** Everything that was ever bought. */
async function bought(): Promise<number> {
  const purchases = [...(await world.platform.purchases()).values()].flat();
  return purchases.length;
}
