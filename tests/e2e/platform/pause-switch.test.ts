import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { ledgerOf, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { jobHeldIn } from '../../support/platform/held-states.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import {
  attemptsOf,
  enqueue,
  journalOf,
  openStagingWorld,
  STEADY,
  type StagingWorld,
} from '../../support/platform/staging-world.ts';

/**
 * The pause switch over whole processes: an operator pauses and resumes while a worker runs, without a
 * restart. A pause stops exactly what the flag stops.
 */
let world: StagingWorld;
beforeAll(async () => {
  world = await openStagingWorld({ webs: 1, workers: 0 });
}, 60_000);
afterAll(() => world.close());
afterEach(() => world.calm());

/** Pauses or resumes as an operator does, and waits until the running worker applies it. */
const ops = async (command: 'pause-starting' | 'resume-starting') => {
  const heard = { 'pause-starting': 'the pause switch is on', 'resume-starting': 'the pause switch is off' };
  const { lines, roles, pool } = world.platform;
  const before = lines.length;
  const said: string[] = [];
  const code = await operate({
    args: [command, '--by', 'ada', '--reason', 'the provider is down'],
    environment: { DATABASE_URL: pool.options.connectionString },
    screen: { out: (text) => void said.push(text), err: (text) => void said.push(text) },
    signal: new AbortController().signal,
  });
  expect([code, ...said.filter((line) => line.startsWith('not '))]).toEqual([0]);
  const running = roles.some((role) => role.name.startsWith('worker') && role.isRunning());
  if (running)
    await eventually(() => lines.slice(before).some((line) => line.includes(heard[command])), {
      what: heard[command],
    });
};
const createCalls = async (): Promise<number> =>
  (await ledgerOf(world.platform.provider.baseUrl)).filter(({ kind }) => kind === 'create').length;
const startWorker = async () => {
  const worker = await world.platform.startWorker(STEADY);
  await worker.ready;
  return worker;
};

describe('a paused worker', () => {
  test('buys nothing; resumed, it buys once without a restart; paused again, it cancels and collects', async () => {
    await ops('pause-starting');
    const before = await createCalls();
    const worker = await startWorker();
    const waiting = await world.newJob();
    await jobReaches(world.platform, waiting.aiJobId, 'PENDING.PROVIDER_DISABLED');
    await enqueue(world, waiting.aiJobId);
    const cancelled = await world.newJob();
    await jobReaches(world.platform, cancelled.aiJobId, 'PENDING.PROVIDER_DISABLED');
    await world.agent.mutate('ai.cancelStagingJob', { aiJobId: cancelled.aiJobId });
    await jobReaches(world.platform, cancelled.aiJobId, 'CANCELED');
    expect(await createCalls()).toBe(before);
    expect(await attemptsOf(world, waiting.aiJobId)).toEqual([]);

    await ops('resume-starting');
    await jobReaches(world.platform, waiting.aiJobId, 'SUCCESS');
    expect((await journalOf(world, waiting.aiJobId)).map(({ toState }) => toState)).toEqual([
      'PENDING.QUEUED',
      'PENDING.PROVIDER_DISABLED',
      'PROCESSING.ATTEMPT',
      'SUCCESS',
    ]);
    expect(await createCalls()).toBe(before + 1);

    const collected = await jobHeldIn(world, 'RUNNING');
    const calledOff = await jobHeldIn(world, 'RUNNING');
    await ops('pause-starting');
    const late = await world.newJob();
    await jobReaches(world.platform, late.aiJobId, 'PENDING.PROVIDER_DISABLED');
    await world.agent.mutate('ai.cancelStagingJob', { aiJobId: calledOff.aiJobId });
    await jobReaches(world.platform, calledOff.aiJobId, 'CANCELED');
    await releaseHeld(world.platform.provider.baseUrl);
    await jobReaches(world.platform, collected.aiJobId, 'SUCCESS');
    expect(await attemptsOf(world, late.aiJobId)).toEqual([]);
    await ops('resume-starting');
    await jobReaches(world.platform, late.aiJobId, 'SUCCESS');
    for (const { aiJobId } of [waiting, late]) expect(await attemptsOf(world, aiJobId)).toHaveLength(1);
    for (const purchases of (await world.platform.purchases()).values()) expect(purchases).toHaveLength(1);
    await worker.stop();
  });

  test('does not send an attempt reserved before the pause; resumed, it is sent once', async () => {
    const first = await startWorker();
    const reserved = await jobHeldIn(world, 'RESERVED');
    await ops('pause-starting');
    await first.stop();
    await world.calm();
    const before = await createCalls();
    const second = await startWorker();
    await enqueue(world, reserved.aiJobId);
    // The worker has processed the queue entry, and goes on with others.
    const later = await world.newJob();
    await jobReaches(world.platform, later.aiJobId, 'PENDING.PROVIDER_DISABLED');
    expect(await attemptsOf(world, reserved.aiJobId)).toMatchObject([{ status: 'RESERVED' }]);
    expect(await createCalls()).toBe(before);
    await ops('resume-starting');
    await jobReaches(world.platform, reserved.aiJobId, 'SUCCESS');
    expect(await attemptsOf(world, reserved.aiJobId)).toHaveLength(1);
    const attempt = (await attemptsOf(world, reserved.aiJobId))[0];
    expect((await world.platform.purchases()).get(String(attempt?.id))).toHaveLength(1);
    await jobReaches(world.platform, later.aiJobId, 'SUCCESS');
    await second.stop();
  });
});

test('the journal says who paused and resumed, and why', async () => {
  const rows = await world.platform.rows<{ toState: string; actedBy: string; note: string }>(
    `select "toState", "actedBy", note from actor_transitions
     where "actorKind" = 'startGate' and "eventType" <> 'SERVER_SEEN' order by seq`,
  );
  expect(rows.map(({ toState }) => toState)).toEqual(['PAUSED', 'OPEN', 'PAUSED', 'OPEN', 'PAUSED', 'OPEN']);
  for (const { actedBy, note } of rows)
    expect([actedBy, note]).toEqual(['operator:ada', 'the provider is down']);
});
