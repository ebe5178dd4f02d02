import { afterAll, afterEach, expect } from 'vitest';
import { changeSettings } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing, submit, uploadRoom } from '../../support/platform/listing.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/** One agent submits a lot before another submits a little; a worker starts one job at a time. */
const MANY = 12;
const FEW = 2;

let world: SharedWorld;
let platform: TestPlatform;
test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
  await changeSettings(platform.provider.baseUrl, { speed: 'instant' });
}, 60_000);
afterEach(() => world.settle());
afterAll(() => world.close());

const startedOf = (agentIds: readonly string[]) =>
  platform.rows<{ requestedByUserId: string }>(
    `select "requestedByUserId" from ai_jobs where "startedAt" is not null and "requestedByUserId" = any($1)
      order by "startedAt"`,
    [agentIds],
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
  await (await platform.startWorker({ ...STEADY, AI_STAGING_CONCURRENCY: '1' })).ready;
  const starts = await eventually(
    async () => {
      const rows = await startedOf([first, second]);
      return rows.length === MANY + FEW && rows;
    },
    { what: 'the start of every job', timeoutMs: 60_000 },
  );
  const order = starts.map(({ requestedByUserId }) => (requestedByUserId === second ? 'second' : 'first'));
  expect(order.slice(0, 2 * FEW)).toEqual(['first', 'second', 'first', 'second']);
  expect(starts.filter(({ requestedByUserId }) => requestedByUserId === first)).toHaveLength(MANY);
}, 120_000);
