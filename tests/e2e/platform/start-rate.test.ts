import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing, submit, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/** The start rate over whole processes, according to the journal. */
const LIMIT = 3;
const JOBS = 20;
const MINUTE = 60_000;

let platform: TestPlatform;
// Every try has its own: the rate counts all starts of a minute.
beforeEach(async () => {
  platform = await startTestPlatform({
    webs: 1,
    workers: 0,
    speed: 'instant',
    settings: { AI_STAGING_RATE_LIMIT_PER_MINUTE: String(LIMIT) },
  });
}, 60_000);
afterEach(() => platform.stop());

/** When each start was counted. */
const startsCounted = async (): Promise<number[]> =>
  (
    await platform.rows<{ at: number }>(
      `select (event->'started'->>'at')::float8 as at from actor_transitions
       where "actorKind" = 'stagingJob' and "toState" = 'PROCESSING.ATTEMPT' order by at`,
    )
  ).map(({ at }) => at);

test('two workers with twenty waiting jobs start at most three in any 60 s, and lose none', async () => {
  const agent = await signIn(platform);
  const propertyId = await createListing(agent);
  for (let number = 0; number < JOBS; number += 1)
    await submit(agent, await uploadRoom(agent, propertyId, number));
  await Promise.all([1, 2].map(async () => (await platform.startWorker()).ready));
  await eventually(async () => (await startsCounted()).length > LIMIT * 2, {
    what: 'the first start of the third minute',
    timeoutMs: 180_000,
    intervalMs: 500,
  });
  // One statement, because another job may start between two.
  const [seen] = await platform.rows<{ starts: number[]; waiting: number }>(
    `select (select count(*)::int from ai_jobs where status = 'PENDING' and "quarantinedAt" is null) as waiting,
       (select array_agg((event->'started'->>'at')::float8 order by (event->'started'->>'at')::float8)
        from actor_transitions where "actorKind" = 'stagingJob' and "toState" = 'PROCESSING.ATTEMPT') as starts`,
  );
  const { starts = [], waiting } = seen ?? {};
  for (const [index, at] of starts.entries()) {
    const before = starts[index - LIMIT];
    if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(MINUTE);
  }
  // None is lost: jobs that have not started wait in their rows and in the queue.
  expect(waiting).toBe(JOBS - starts.length);
  // The rate is reached without constant retries.
  const refused = platform.lines.filter((line) => line.includes('"outcome":"limited"'));
  expect(refused.length).toBeLessThan(JOBS * 2);
}, 240_000);
