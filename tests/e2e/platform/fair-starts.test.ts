import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing, submit, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/** One agent submits a lot before another submits a little; a worker starts one job at a time. */
const MANY = 12;
const FEW = 2;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    webs: 1,
    workers: 0,
    speed: 'instant',
    settings: { AI_STAGING_CONCURRENCY: '1' },
  });
}, 60_000);
afterAll(() => platform.stop());

const started = () =>
  platform.rows<{ requestedByUserId: string }>(
    `select "requestedByUserId" from ai_jobs where "startedAt" is not null order by "startedAt"`,
  );

test('the starts of two agents are interleaved, however many jobs one of them submitted before the other', async () => {
  const submitted = async (count: number): Promise<string> => {
    const agent = await signIn(platform);
    const propertyId = await createListing(agent);
    let jobId = '';
    for (let number = 0; number < count; number += 1)
      ({ aiJobId: jobId } = await submit(agent, await uploadRoom(agent, propertyId, number)));
    const [job] = await platform.rows<{ requestedByUserId: string }>(
      'select "requestedByUserId" from ai_jobs where id = $1',
      [jobId],
    );
    return job?.requestedByUserId ?? '';
  };
  const first = await submitted(MANY);
  const second = await submitted(FEW);
  await (await platform.startWorker()).ready;
  const starts = await eventually(
    async () => {
      const rows = await started();
      return rows.length === MANY + FEW && rows;
    },
    { what: 'the start of every job', timeoutMs: 60_000 },
  );
  const order = starts.map(({ requestedByUserId }) => (requestedByUserId === second ? 'second' : 'first'));
  expect(order.slice(0, 2 * FEW)).toEqual(['first', 'second', 'first', 'second']);
  expect(starts.filter(({ requestedByUserId }) => requestedByUserId === first)).toHaveLength(MANY);
}, 120_000);
