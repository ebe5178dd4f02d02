import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest';
import { operate } from '../../../ops/cli/operate.ts';
import { ledgerOf, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { jobHeldIn } from '../../support/platform/held-states.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { test } from '../../support/platform/shared-platform.ts';
import {
  attemptsOf,
  enqueue,
  journalOf,
  openSharedWorld,
  type SharedWorld,
  STEADY,
} from '../../support/platform/staging-world.ts';

/**
 * The pause switch over whole processes: an operator pauses and resumes while a worker runs, without a
 * restart. A pause stops exactly what the flag stops.
 */
let world: SharedWorld;
/** The journal of the switch before this try. */
let entriesBefore: number;
test.beforeAll(async ({ platform }) => {
  world = await openSharedWorld(platform);
}, 60_000);
afterAll(() => world.close());
beforeEach(async () => {
  entriesBefore = (await switchJournal()).length;
});
afterEach(async () => {
  await world.platform.reset();
  const [gate] = (await switchJournal()).slice(-1);
  if (gate?.toState === 'PAUSED') await ops('resume-starting');
  await world.settle();
});

/** Who paused and resumed, and why, oldest first. */
const switchJournal = () =>
  world.platform.rows<{ toState: string; actedBy: string; note: string }>(
    `select "toState", "actedBy", note from actor_transitions
     where "actorKind" = 'startGate' and "eventType" <> 'SERVER_SEEN' order by seq`,
  );
const expectJournaled = async (...states: string[]) =>
  expect((await switchJournal()).slice(entriesBefore)).toEqual(
    states.map((toState) => ({ toState, actedBy: 'operator:ada', note: 'the provider is down' })),
  );

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
  test('buys nothing; resumed, it buys once without a restart; paused again, it cancels and collects; the journal says who did it and why', async () => {
    await ops('pause-starting');
    const before = await createCalls();
    await startWorker();
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
    const bought = await world.platform.purchases();
    for (const { aiJobId } of [waiting, late, collected, calledOff]) {
      const [attempt, ...others] = await attemptsOf(world, aiJobId);
      expect(others).toEqual([]);
      expect(bought.get(attempt?.id ?? '')).toHaveLength(1);
    }
    await expectJournaled('PAUSED', 'OPEN', 'PAUSED', 'OPEN');
  });

  test('does not send an attempt reserved before the pause; resumed, it is sent once; the journal says so', async () => {
    const first = await startWorker();
    const reserved = await jobHeldIn(world, 'RESERVED');
    await ops('pause-starting');
    await first.stop();
    await world.calm();
    const before = await createCalls();
    await startWorker();
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
    await expectJournaled('PAUSED', 'OPEN');
  });
});
