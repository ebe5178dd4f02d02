import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { addFault } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { metricOf, opsUrlOf } from '../../support/platform/outcomes.ts';
import {
  attemptsOf,
  endBackoff,
  journalOf,
  openStagingWorld,
  STEADY,
  type StagingWorld,
} from '../../support/platform/staging-world.ts';

/** Estimated costs in a running worker: they are recorded and shown, and change no other behavior. */
const CREDENTIALS = { QUEUE_DASHBOARD_USER: 'operator', QUEUE_DASHBOARD_PASSWORD: 'correct-horse-battery' };
const authorization = `Basic ${Buffer.from('operator:correct-horse-battery').toString('base64')}`;
const MOST = '999999999999';

let world: StagingWorld;
beforeAll(async () => {
  world = await openStagingWorld({ workers: 0, settings: STEADY });
});
afterAll(() => world.close());

async function withWorker<T>(
  prices: Record<string, string>,
  work: (worker: RoleProcess) => Promise<T>,
): Promise<T> {
  const worker = await world.platform.startWorker({ ...CREDENTIALS, ...prices });
  await worker.ready;
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}

/** The events of a job whose first purchase fails and whose second succeeds. */
async function lifeOfJob(): Promise<{ aiJobId: string; story: string[] }> {
  const { baseUrl } = world.platform.provider;
  await addFault(baseUrl, { fault: 'failed', times: 1, options: { error: 'busy (E003)' } });
  const { aiJobId } = await world.newJob();
  await jobReaches(world.platform, aiJobId, 'RETRYING');
  await endBackoff(world, aiJobId);
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  const attempts = await attemptsOf(world, aiJobId);
  const journals = await Promise.all(
    [aiJobId, ...attempts.map(({ id }) => id)].map((id) => journalOf(world, id)),
  );
  const bought = await world.platform.purchases();
  return {
    aiJobId,
    story: [
      // A callback may arrive before or after the poll with the same result.
      ...journals.map((journal) =>
        journal
          .filter(({ eventType }) => eventType !== 'CALLBACK_RECEIVED')
          .map(({ eventType, fromState, toState }) => `${eventType}: ${fromState} -> ${toState}`)
          .join(', '),
      ),
      ...attempts.map(({ id, status }) => `${status}, bought ${bought.get(id)?.length ?? 0} times`),
    ],
  };
}

const costsOf = (jobId: string) =>
  world.platform.rows<{ cost: string | null; kind: string | null }>(
    `select "costMicrousd"::text as cost, "costKind" as kind from ai_provider_attempts
     where "aiJobId" = $1 order by "attemptNumber"`,
    [jobId],
  );

async function costPage(worker: RoleProcess): Promise<string> {
  const answer = await fetch(`${await opsUrlOf(world.platform, worker)}/console/costs`, {
    headers: { authorization },
  });
  expect(answer.status).toBe(200);
  return answer.text();
}

test('no price, the lowest and the highest give the same events, and each purchase has its own price', async () => {
  const unpriced = await withWorker({}, async (worker) => {
    const life = await lifeOfJob();
    const page = await costPage(worker);
    expect(page).toContain('No prices are set');
    expect(page).not.toContain('$');
    return life;
  });
  expect(await costsOf(unpriced.aiJobId)).toEqual(Array(2).fill({ cost: null, kind: null }));

  const free = await withWorker({ AI_STAGING_COST_MICROUSD_MEDIUM: '0' }, async () => {
    const life = await lifeOfJob();
    await eventually(async () => (await costsOf(life.aiJobId)).every(({ cost }) => cost === '0'), {
      what: 'the price of nothing to be noted',
    });
    return life;
  });

  const dear = await withWorker(
    { AI_STAGING_COST_MICROUSD_MEDIUM: MOST, AI_STAGING_PRICING_VERSION: '2026-08-13' },
    async (worker) => {
      const life = await lifeOfJob();
      await eventually(async () => (await costsOf(life.aiJobId)).every(({ cost }) => cost === MOST), {
        what: 'the highest price to be noted',
      });
      expect((await costsOf(life.aiJobId)).map(({ kind }) => kind)).toEqual(
        Array(2).fill('estimate:2026-08-13'),
      );
      const page = await costPage(worker);
      expect(page).toContain('Estimate, pricing version 2026-08-13.');
      expect(page).toContain(life.aiJobId);
      expect(page).toContain('<svg');
      const url = await opsUrlOf(world.platform, worker);
      await eventually(
        async () => ((await metricOf(url, 'proscenium_estimated_cost_usd_total')) ?? 0) >= 1_999_999,
        { what: 'the estimated cost to be counted' },
      );
      return life;
    },
  );

  expect(free.story).toEqual(unpriced.story);
  expect(dear.story).toEqual(unpriced.story);
  expect(dear.story.join('\n')).toMatch(/bought 1 times[\s\S]*bought 1 times/);
});
