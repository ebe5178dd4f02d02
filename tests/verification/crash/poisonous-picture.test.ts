import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../../machines/crashes.ts';
import { changeSettings } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { attemptReaches, jobReaches } from '../../support/platform/listing.ts';
import { countedCrashes, expectWholeJournals } from '../../support/platform/outcomes.ts';
import { attemptsOf, openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type FaultController, kill, openFaultController } from './fault-controller.ts';
import { openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/**
 * One picture among twenty kills the process whenever its result is collected. One worker is started again
 * each time: that job fails, and the nineteen others succeed, both those in the same process and those that
 * only wait for the provider.
 */
const WORKED_ON = 7;
const WAITING = 12;
let faultController: FaultController;
let world: StagingWorld;
let slot: WorkerSlot;

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0 });
  slot = await openWorkerSlot(world.platform, {
    faultController,
    variables: { TEST_LEASE_MS: '3000', AI_STAGING_CONCURRENCY: '24' },
  });
  await slot.open();
}, 60_000);
afterAll(async () => {
  await slot.close();
  await world.close();
  await faultController.close();
});

const newJobs = (count: number) => Promise.all(Array.from({ length: count }, () => world.newJob()));
const attemptOf = async (jobId: string) => (await attemptsOf(world, jobId))[0]?.id ?? '';

/**
 * No output is collected before `begin`; after it the poisonous one kills its process each time, and the others pass.
 */
function poison(attemptId: Promise<string>) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const collecting = new Set<string>();
  faultController.otherwise = async (visit) => {
    if (visit.point !== 'before-download') return 'go';
    collecting.add(visit.subject);
    await begun;
    return visit.subject === (await attemptId) ? kill(visit) : 'go';
  };
  return { collecting, begin };
}

test('a picture that kills its worker ends alone; the nineteen others succeed, and nothing is bought twice', async () => {
  const { promise: poisoned, resolve: name } = Promise.withResolvers<string>();
  const { collecting, begin } = poison(poisoned);
  const [poisonous, ...workedOn] = (await newJobs(1 + WORKED_ON)).map(({ aiJobId }) => aiJobId);
  if (poisonous === undefined) throw new Error('no job');
  await eventually(() => collecting.size === 1 + WORKED_ON, { what: 'results to be collected' });
  await changeSettings(world.platform.provider.baseUrl, { hold: true });
  const waiting = (await newJobs(WAITING)).map(({ aiJobId }) => aiJobId);
  for (const jobId of waiting) await attemptReaches(world.platform, jobId, 'RUNNING');
  name(await attemptOf(poisonous));
  const starts = slot.starts();
  begin();

  const failed = await jobReaches(world.platform, poisonous, 'FAILED', 90_000);
  expect(failed.errorCode).toBe('RUNNER_CRASHED');
  expect(slot.starts() - starts).toBe(MAX_RUNNER_CRASHES);
  const crashes = await world.platform.rows(
    `select event->>'pass' as pass, event->'alone' as alone from actor_transitions
     where "actorId" = $1 and "eventType" = 'RUNNER_CRASHED' order by seq`,
    [poisonous],
  );
  expect(crashes).toEqual(
    [false, false, false, true, true].map((alone) => ({ pass: 'collect-output', alone })),
  );
  expect(await countedCrashes(world.platform, waiting)).toBe(0);

  await changeSettings(world.platform.provider.baseUrl, { hold: false });
  for (const jobId of [...workedOn, ...waiting]) await jobReaches(world.platform, jobId, 'SUCCESS');
  const all = [poisonous, ...workedOn, ...waiting];
  const bought = await world.platform.purchases();
  for (const jobId of all) expect(bought.get(await attemptOf(jobId)), `job ${jobId}`).toHaveLength(1);
  expect(bought.size).toBe(all.length);
  await expectWholeJournals(world.platform, all);
}, 240_000);
