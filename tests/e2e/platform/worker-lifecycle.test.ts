import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import {
  addFault,
  changeSettings,
  clearFaults,
  type FaultRuleInput,
  releaseHeld,
} from '../../../ops/simulator/control-client.ts';
import type { CheckpointName } from '../../../supervisors/ports.ts';
import { eventually } from '../../support/eventually.ts';
import { attemptReaches, jobReaches } from '../../support/platform/listing.ts';
import {
  attemptsOfJob,
  countedCrashes,
  expectWholeJournals,
  finishBoughtOnce,
  lineLogged,
  logged,
  metricOf,
  opsUrlOf,
} from '../../support/platform/outcomes.ts';
import type { TestPlatform } from '../../support/platform/platform.ts';
import { test } from '../../support/platform/shared-platform.ts';
import { openSharedWorld, type SharedWorld, STEADY } from '../../support/platform/staging-world.ts';

/**
 * Workers start and stop: by SIGTERM, by SIGKILL, in any order, or frozen for longer than their lease. A
 * worker that stops cleanly hands its jobs over at once; any other costs only time.
 */
let platform: TestPlatform;
let world: SharedWorld;
const atProvider = () => platform.provider.baseUrl;

test.beforeAll(async ({ platform: shared }) => {
  platform = shared;
  world = await openSharedWorld(platform);
}, 60_000);
afterEach(() => world.settle());
afterAll(() => world.close());

const newJob = async () => (await world.newJob()).aiJobId;
const hold = () => changeSettings(atProvider(), { hold: true });

/** A clean stop: exit code 0 and no lease left, so that the next worker need not wait for an expiry. */
async function expectOrderlyExit(worker: RoleProcess, jobId: string): Promise<void> {
  expect(await worker.exited).toEqual({ code: 0, signal: null });
  const [lease] = await platform.rows('select "leaseOwner", "leaseExpiresAt" from ai_jobs where id = $1', [
    jobId,
  ]);
  expect(lease).toEqual({ leaseOwner: null, leaseExpiresAt: null });
  expect(logged(platform, worker).at(-1)).toMatchObject({ msg: 'stopped' });
}

async function expectHandedOver(jobId: string): Promise<void> {
  expect(await countedCrashes(platform, [jobId])).toBe(0);
  await expectWholeJournals(platform, [jobId]);
}

describe('SIGTERM during an activity: the current pass ends, the lease is given back, the next worker goes on', () => {
  const POINTS: [activity: string, at: CheckpointName][] = [
    ['sendPrediction', 'before-claim'],
    ['sendPrediction', 'after-claim'],
    ['sendPrediction', 'after-post'],
    ['collectOutput', 'before-download'],
    ['collectOutput', 'after-put'],
  ];
  test.each(POINTS)('%s, at %s', async (_effect, at) => {
    // A pass may take long on a busy machine, and ends anyway.
    const leaving = await platform.startWorker({ ...STEADY, TEST_TERM_AT: at, SHUTDOWN_GRACE_MS: '20000' });
    const jobId = await newJob();
    await expectOrderlyExit(leaving, jobId);
    await platform.startWorker(STEADY);
    await finishBoughtOnce(platform, [jobId]);
    await expectHandedOver(jobId);
  });

  const UNREADABLE_LIST: FaultRuleInput = {
    fault: 'body-not-json',
    times: 'always',
    options: { on: 'list' },
  };
  test.each<{ activity: string; state: string; faults: FaultRuleInput[]; cancel?: boolean }>([
    { activity: 'pollPrediction', state: 'RUNNING', faults: [] },
    {
      activity: 'reconcilePrediction',
      state: 'UNCONFIRMED',
      faults: [{ fault: 'accept-then-reset' }, UNREADABLE_LIST],
    },
    {
      activity: 'cancelPrediction',
      state: 'CANCELING',
      faults: [{ fault: 'cancel-error', times: 'always' }],
      cancel: true,
    },
  ])('$activity, in $state', async ({ state, faults, cancel = false }) => {
    await hold();
    for (const fault of faults) await addFault(atProvider(), fault);
    const leaving = await platform.startWorker(STEADY);
    const jobId = await newJob();
    if (cancel) {
      await attemptReaches(platform, jobId, 'RUNNING');
      await world.agent.mutate('ai.cancelStagingJob', { aiJobId: jobId });
    }
    const attempt = await attemptReaches(platform, jobId, state);
    await leaving.stop();
    await expectOrderlyExit(leaving, jobId);
    expect(await attemptReaches(platform, jobId, state)).toMatchObject({ id: attempt.id });

    await clearFaults(atProvider());
    await platform.startWorker(STEADY);
    if (cancel) await jobReaches(platform, jobId, 'CANCELED');
    else {
      await attemptReaches(platform, jobId, 'RUNNING');
      await releaseHeld(atProvider());
      await finishBoughtOnce(platform, [jobId]);
    }
    expect((await platform.purchases()).get(attempt.id)).toHaveLength(1);
    await expectHandedOver(jobId);
  });

  test('a create that outlasts the grace is left in flight, and its purchase is found after a restart', async () => {
    await addFault(atProvider(), { fault: 'timeout-after-acceptance', times: 1 });
    await hold();
    const leaving = await platform.startWorker({ SHUTDOWN_GRACE_MS: '1000' });
    const jobId = await newJob();
    const sent = await attemptReaches(platform, jobId, 'SENT');
    await eventually(async () => (await platform.purchases()).has(sent.id), {
      what: 'the create to be accepted',
    });
    await leaving.stop();
    expect(await leaving.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(logged(platform, leaving).at(-1)).toMatchObject({ msg: 'stopped, with work left under way' });
    const { id } = await attemptReaches(platform, jobId, 'SENT');
    await platform.startWorker();
    await attemptReaches(platform, jobId, 'RUNNING');
    const [row] = await platform.rows('select "unconfirmedCause" from ai_provider_attempts where id = $1', [
      id,
    ]);
    expect(row).toEqual({ unconfirmedCause: 'restart' });
    await releaseHeld(atProvider());
    await finishBoughtOnce(platform, [jobId]);
    await expectWholeJournals(platform, [jobId]);
  });
});

test('a second signal ends the process at once', async () => {
  // Accepted, so that the job can be ended afterwards: what the provider never had is looked for a quarter of an hour.
  await addFault(atProvider(), { fault: 'timeout-after-acceptance', times: 1 });
  const worker = await platform.startWorker({ SHUTDOWN_GRACE_MS: '60000' });
  const jobId = await newJob();
  const sent = await attemptReaches(platform, jobId, 'SENT');
  await eventually(async () => (await platform.purchases()).has(sent.id), {
    what: 'the create to be accepted',
  });
  process.kill(worker.pid, 'SIGTERM');
  await lineLogged(platform, 'stopping', ({ msg, pid }) => msg === 'stopping' && pid === worker.pid);
  expect(worker.isRunning()).toBe(true);
  process.kill(worker.pid, 'SIGTERM');
  expect(await worker.exited).toEqual({ code: 1, signal: null });
  expect(logged(platform, worker).at(-1)).toMatchObject({ msg: 'forced to stop' });
});

test('two workers are restarted in any order while jobs run', async () => {
  let workers = [await platform.startWorker(STEADY), await platform.startWorker(STEADY)];
  const jobs: string[] = [];
  for (const leaver of [0, 1, 1, 0]) {
    jobs.push(await newJob(), await newJob());
    const [replaced] = await Promise.all([platform.startWorker(STEADY), workers[leaver]?.stop()]);
    workers = workers.with(leaver, replaced);
  }
  await finishBoughtOnce(platform, jobs);
  await expectWholeJournals(platform, jobs);
  expect(await countedCrashes(platform, jobs)).toBe(0);
});

test('the late result of a worker frozen longer than its lease is rejected as stale: one purchase', async () => {
  const sleeper = await platform.startWorker({ TEST_STOP_AT: 'after-put' });
  const jobId = await newJob();
  await attemptReaches(platform, jobId, 'COLLECTING');
  const heir = await platform.startWorker();
  await finishBoughtOnce(platform, [jobId]);
  const before = await platform.rows('select * from actor_transitions where "actorId" = $1', [jobId]);
  const isRejection = ({ pid, outcome, eventType }: Record<string, unknown>) =>
    pid === sleeper.pid && outcome === 'stale' && eventType === 'OUTPUT_STORED';
  expect(logged(platform).some(isRejection)).toBe(false);

  process.kill(sleeper.pid, 'SIGCONT');
  await lineLogged(platform, 'of the rejection', isRejection);
  const url = await opsUrlOf(platform, sleeper);
  expect(await metricOf(url, 'proscenium_refused_events_total', 'event="OUTPUT_STORED"')).toBe(1);
  expect(await platform.rows('select * from actor_transitions where "actorId" = $1', [jobId])).toEqual(
    before,
  );
  expect(await platform.rows('select id from property_images where "aiJobId" = $1', [jobId])).toHaveLength(1);
  const [attempt, ...others] = await attemptsOfJob(platform, jobId);
  expect(others).toEqual([]);
  expect((await platform.purchases()).get(attempt?.id ?? '')).toHaveLength(1);
  await expectWholeJournals(platform, [jobId]);
  expect([sleeper.isRunning(), heir.isRunning()]).toEqual([true, true]);
});

describe('the alerts', () => {
  const ALERTS = [
    { status: 'PENDING', phase: 'QUEUED', alert: 'staging_pending_too_long', minutes: 5 },
    { status: 'PROCESSING', phase: 'ATTEMPT', alert: 'staging_heartbeat_stale', minutes: 2 },
    { status: 'CANCEL_REQUESTED', phase: null, alert: 'staging_heartbeat_stale', minutes: 2 },
    { status: 'RETRYING', phase: 'BACKOFF', alert: 'staging_retry_stale', minutes: 5 },
  ] as const;
  let worker: RoleProcess;
  let url: string;

  /** A job leased by another holder, without a heartbeat for so many seconds. */
  const silent: string[] = [];
  const silentJob = async ({ status, phase }: (typeof ALERTS)[number], seconds: number) => {
    const [row] = await platform.rows<{ id: string }>(
      `insert into ai_jobs (type, status, phase, "dedupeKey", "propertyId", "createdAt", "updatedAt", "heartbeatAt",
                            "retryAt", "leaseOwner", "leaseEpoch", "leaseExpiresAt")
       values ('ROOM_STAGING', $1, $2, $3, $4, now() - $5::interval, now(), now() - $5::interval,
               now() + interval '1 hour', 'somebody', 1, now() + interval '1 hour') returning id`,
      [status, phase, randomUUID(), world.propertyId, `${seconds} seconds`],
    );
    silent.push(row?.id ?? '');
    return row?.id ?? '';
  };
  const forget = () => platform.rows('delete from ai_jobs where id = any($1)', [silent.splice(0)]);
  // Workers take turns at looking: with those of other tests, this one's turn could come late.
  afterEach(async () => {
    await forget();
    await worker.stop();
  });
  const activeAlert = (alert: string) => metricOf(url, 'proscenium_alert_active', `alert="${alert}"`);
  const linesOf = (alert: string) => logged(platform, worker).filter((line) => line.alert === alert);

  test.each(ALERTS)('$status silent for $minutes minutes: $alert', async (given) => {
    worker = await platform.startWorker();
    url = await opsUrlOf(platform, worker);
    // A minute from the limit: a busy machine takes its time until the looks below.
    await silentJob(given, given.minutes * 60 - 60);
    await eventually(async () => (await activeAlert(given.alert)) === 0, {
      what: 'the alerts to be looked at',
    });
    expect(linesOf(given.alert)).toEqual([]);

    const old = await silentJob(given, given.minutes * 60 + 1);
    await eventually(async () => (await activeAlert(given.alert)) === 1, { what: 'the alert to hold' });
    expect(linesOf(given.alert)).toMatchObject([{ level: 'error', jobs: 1, jobIds: [old] }]);
    const others = new Set(ALERTS.map(({ alert }) => alert).filter((alert) => alert !== given.alert));
    for (const other of others) expect(await activeAlert(other)).toBe(0);

    await forget();
    await eventually(async () => (await activeAlert(given.alert)) === 0, { what: 'the alert to be over' });
    // Logged once when it begins and once when it ends.
    expect(linesOf(given.alert).map(({ level }) => level)).toEqual(['error', 'info']);
  });
});
