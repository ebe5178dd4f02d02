import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../../support/eventually.ts';
import { quickProfile } from '../../../support/feeds/quick-profiles.ts';
import { startTestPlatform, type TestPlatform } from '../../../support/platform/platform.ts';
import { emptySource, feedPorts, startedFeed } from '../../../support/worlds/feed-world.ts';
import {
  expectHistory,
  expectHomes,
  expectNoFalseEnd,
  expectPictures,
  expectRecords,
  mostInWindow,
  type OracleCase,
} from './feed-oracle.ts';
import { type KilledWorker, openKilledWorker } from './killed-workers.ts';
import { ANSWER_FAULTS, openTroubledFeed, type TroubledFeed } from './troubled-feed.ts';

/**
 * Three feeds do everything wrong at once while their records change, and the workers that read them are killed with SIGKILL
 * every five seconds, wherever they are or at a commit. After it settles, all is as the feeds say, and nothing false has
 * happened in between. Two of the feeds share their credentials, and so their rate.
 */
const SEED = 7;
const TROUBLE_MS = 32_000;
/** So many lists of keys lack a part when all other faults are over. */
const SHORT_LISTS = 10;
const KILL_MS = 5_000;
const EDIT_MS = 250;
/** An operator who acts all the time is in the way of the workers. */
const OPERATE_MS = 700;
/** At least; on a busy machine the trouble takes longer. */
const KILLS = 5;
let platform: TestPlatform;
let plain: TroubledFeed;
let grid: TroubledFeed;
let workers: KilledWorker[];
let feeds: OracleCase[];
let ports: ReturnType<typeof feedPorts>;
beforeAll(async () => {
  [plain, grid] = await Promise.all([
    openTroubledFeed({ seed: SEED, listings: 30, quotes: true }),
    openTroubledFeed({ seed: SEED + 1, listings: 20, rules: 'mls-grid' }),
  ]);
  platform = await startTestPlatform({ webs: 0, workers: 0 });
  await platform.rows('create table gone_log ("feedId" uuid, resource text, key text)');
  await platform.rows(
    `create function note_gone() returns trigger language plpgsql as $$ begin
       insert into gone_log values (new."feedId", new.resource, new.key); return new; end $$`,
  );
  await platform.rows(
    `create trigger note_gone after update on feed_records for each row
     when (new.state = 'GONE' and old.state <> 'GONE') execute function note_gone()`,
  );
  ports = feedPorts(platform.pool, emptySource(), { now: () => Date.now() });
  const start = (feed: TroubledFeed, profile: string, credentials: string) =>
    startedFeed(ports, Date.now(), {
      profile,
      baseUrl: `${feed.simulator.url}/`,
      credentials,
      ...(profile === 'mls-grid' && { filter: "OriginatingSystemName eq 'actris'" }),
    });
  feeds = [];
  for (const [feed, profile, credentials] of [
    [plain, 'generic', 'FEED_PLAIN_TOKEN'],
    [plain, 'generic', 'FEED_PLAIN_TOKEN'],
    [grid, 'mls-grid', 'FEED_GRID_TOKEN'],
  ] as const) {
    const feedId = await start(feed, profile, credentials);
    feeds.push({ platform, feedId, feed, isGrid: profile === 'mls-grid' });
  }
  const variables = { TEST_QUICK_FEEDS: 'true', FEED_PLAIN_TOKEN: 'plain', FEED_GRID_TOKEN: 'grid' };
  const { connectionString: url = '' } = platform.pool.options;
  workers = [];
  for (let number = 0; number < 2; number += 1)
    workers.push(await openKilledWorker(platform, url, variables));
}, 60_000);
afterAll(async () => {
  for (const worker of workers ?? []) await worker.close();
  await platform?.stop();
  await Promise.all([plain?.close(), grid?.close()]);
});

const used = new Set<string>();
function addUp(times: Readonly<Record<string, number>>): void {
  for (const [fault, count] of Object.entries(times)) if (count > 0) used.add(fault);
}

/** What an operator does: starts what waits, and lets listings leave only by a list that was begun after the trouble. */
async function operate(since: number): Promise<void> {
  const rows = await platform.rows<{ id: string; status: string; held: number; began: Date | null }>(
    'select id, status, "heldDeletions" as held, "listBegan" as began from feeds',
  );
  for (const { id, status, held, began } of rows) {
    const send = (type: 'START_ASKED' | 'DELETIONS_ACCEPTED' | 'DELETIONS_REFUSED') =>
      ports.actorSystem.deliver({ to: 'feed', id, event: { type, at: Date.now() } }, { by: 'operator:ann' });
    if (held > 0) await send((began?.getTime() ?? 0) > since ? 'DELETIONS_ACCEPTED' : 'DELETIONS_REFUSED');
    if (status === 'WAITING' || status === 'FAILED') await send('START_ASKED');
  }
}

async function makeTrouble(): Promise<void> {
  const both = [plain, grid];
  for (const feed of both) feed.trouble();
  for (const feed of both) feed.unreadable(true);
  const began = performance.now();
  let [edits, kills, armedAt, isShaken] = [0, 0, 0, false];
  let [dying, operatedAt]: [KilledWorker | null, number] = [null, 0];
  await eventually(
    async () => {
      const since = performance.now() - began;
      if (since > EDIT_MS * edits) {
        for (const feed of both) feed.edit();
        for (const feed of both) feed.late(edits % 16 < 5);
        edits += 1;
      }
      if (!isShaken && since > TROUBLE_MS / 3) {
        isShaken = true;
        for (const feed of both) feed.unreadable(false);
        for (const feed of both) feed.shake();
      }
      if (dying !== null && (!dying.isRunning() || since > armedAt + KILL_MS / 2)) {
        await dying.replace();
        dying = null;
      }
      if (since > armedAt + KILL_MS && workers.every((worker) => worker.isReady())) {
        dying = workers[kills % workers.length] ?? null;
        dying?.arm(kills);
        armedAt = since;
        kills += 1;
      }
      if (since > operatedAt + OPERATE_MS) {
        operatedAt = since;
        // A conflict with a worker is no failure: the next look does it.
        await operate(Number.POSITIVE_INFINITY).catch(() => {});
      }
      return dying === null && since > TROUBLE_MS && kills >= KILLS;
    },
    { what: 'the trouble to end', timeoutMs: 3 * TROUBLE_MS },
  );
  for (const feed of both) addUp(feed.faultsUsed());
  for (const feed of both) feed.shorten();
  await eventually(
    async () => {
      await operate(Number.POSITIVE_INFINITY).catch(() => {});
      return (plain.faultsUsed()['short-list'] ?? 0) >= SHORT_LISTS;
    },
    { what: 'lists that lack a part', timeoutMs: 90_000, intervalMs: 700 },
  );
  for (const feed of both) feed.calm();
}

test('with every fault on and workers killed every five seconds, all is as the feeds say in the end', async () => {
  await makeTrouble();
  const calmAt = Date.now();
  // What a dead worker had claimed would be free after five minutes.
  await platform.rows(`update feed_media set "nextAttemptAt" = clock_timestamp() where state = 'WAITING'`);
  for (const oracle of [expectRecords, expectHomes])
    for (const one of feeds)
      await eventually(
        async () => {
          await operate(calmAt).catch(() => {});
          await oracle(one);
          return true;
        },
        { what: `${oracle.name} of ${one.feedId}`, timeoutMs: 90_000, intervalMs: 700 },
      );
  for (const one of feeds) {
    await expectHistory(one);
    await expectNoFalseEnd(one);
  }
  await mendPictures();
  for (const one of feeds)
    await eventually(async () => (await expectPictures(one)) === undefined, {
      what: 'the pictures',
      timeoutMs: 120_000,
      intervalMs: 250,
    });
  for (const one of feeds) {
    await expectRecords(one);
    await expectHomes(one);
    await expectHistory(one);
    await expectNoFalseEnd(one);
  }
  expectRates();
  // A few need what may not come, such as a record that is requested by itself.
  const unused = ANSWER_FAULTS.filter((fault) => !used.has(fault));
  expect(unused.length, unused.join(', ')).toBeLessThanOrEqual(10);
}, 400_000);

/** The source replaces what could not be taken, and nothing waits for its next try. */
async function mendPictures(): Promise<void> {
  await platform.rows(
    `update feed_media set state = 'WAITING', reason = null, attempts = 0, "nextAttemptAt" = clock_timestamp()
     where state = 'REFUSED' and reason in ('PHOTO_TOO_LARGE', 'NOT_FOUND')`,
  );
}

/** A request that was late on its way arrives nearer to the ones after it. Milliseconds. */
const LATE_MS = 250;

function expectRates(): void {
  const { rates, media } = quickProfile('generic');
  for (const feed of [plain, grid]) {
    const { requests, pictures } = feed.simulator.control;
    const at = (list: readonly { readonly at: number }[]) => list.map((one) => one.at);
    expect(mostInWindow(at(requests()), 1_000 - LATE_MS)).toBeLessThanOrEqual(rates.second ?? 0);
    expect(mostInWindow(at(requests()), 60_000 - LATE_MS)).toBeLessThanOrEqual(rates.minute ?? 0);
    expect(mostInWindow(at(pictures()), 60_000 - LATE_MS)).toBeLessThanOrEqual(media.minute);
  }
}
