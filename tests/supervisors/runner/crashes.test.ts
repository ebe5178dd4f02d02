import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../../machines/crashes.ts';
import { RECONCILE_WINDOW_MS } from '../../../machines/limits.ts';
import { askRows } from '../../../ops/invariants/ask-rows.ts';
import type { ActorStore } from '../../../persistence/actors/actor-store.ts';
import type { CheckpointName } from '../../../supervisors/ports.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { BOTH_KINDS } from '../../support/worlds/both-kinds.ts';
import {
  createFakeProvider,
  finished,
  foundAs,
  listedFor,
  unfinished,
  written,
} from '../../support/worlds/fake-provider.ts';
import {
  closeWorlds,
  forget,
  openWorld,
  POLL_MS,
  type RunnerWorld,
  submit,
} from '../../support/worlds/runner-world.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());
afterEach(closeWorlds);

const TTL = 15_000;
const crashCountOf = async (world: RunnerWorld, jobId: string) =>
  (await world.read(jobId)).job.context.crashCount;
/** Another process takes the job over when the previous lease has expired. */
const takeOver = (
  time: ManualTime,
  jobId: string,
  { owner, by = 'rescuer' }: { owner: string; by?: string },
) => {
  time.advance(TTL);
  const world = openWorld(database, { time, leaseTtlMs: TTL, owner });
  if (by === 'rescuer') void world.runner.rescue([jobId]);
  else void world.start(jobId);
  return world;
};
const bringsItHome = (world: RunnerWorld) => {
  world.provider.answerGet = (id) => foundAs(finished(id));
};

/** Runs the job to SUCCESS, skips every wait, and expects no quarantine. */
const succeeds = async (world: RunnerWorld, jobId: string) => {
  const run = world.start(jobId);
  await eventually(
    async () => {
      world.time.advanceToNextWake();
      return (await world.states(jobId))[0] === 'SUCCESS';
    },
    { what: 'the end' },
  );
  await run;
  expect(world.reporter.counts.jobs_quarantined).toBeUndefined();
};

describe('an error in a pass of local work', () => {
  test.each(BOTH_KINDS)(
    '$kind: counts as a crash of that job: runs are a second apart, the fifth fails it, and another job succeeds',
    async ({ kind }) => {
      let passes = 0;
      const crash = () => {
        passes += 1;
        throw new Error('poison');
      };
      const world = openWorld(database, {
        kind,
        checkText: (text) => (text === 'poison' ? crash() : { kind: 'good', text: String(text) }),
      });
      const isPoison = (key: string) => key.includes(String(world.provider.creates[0]));
      const { answer } = world.collector;
      world.collector.answer = (key, signal) => (isPoison(key) ? crash() : answer(key, signal));
      world.provider.answerGet = (id) =>
        foundAs(kind === 'stagingJob' ? finished(id) : written(id, isPoison(id) ? 'poison' : 'A home.'));
      const jobId = await submit(database, kind);
      const run = world.start(jobId);
      for (let crashes = 1; crashes < MAX_RUNNER_CRASHES; crashes += 1) {
        await world.asleep(1_000);
        expect([passes, await crashCountOf(world, jobId)]).toEqual([crashes, crashes]);
        if (crashes === 1) {
          const other = await submit(database, kind);
          await world.start(other);
          expect(await world.states(other)).toEqual(['SUCCESS', 'SUCCEEDED']);
        }
        world.time.advance(1_000);
      }
      await world.reaches(jobId, 'FAILED', 'FAILED');
      world.time.advance(1_000);
      await run;
      expect((await world.read(jobId)).job.context.errorCode).toBe('RUNNER_CRASHED');
      expect(world.provider.creates).toHaveLength(2);
      expect(world.reporter.alerts).toMatchObject([{ alert: 'runner_crashed', id: jobId }]);
      const asked = { when: 'always', replay: true, at: world.time.now(), timeoutMs: 30_000 } as const;
      const broken = (await askRows(database.pool, asked)).filter(({ outcome }) => outcome === 'broken');
      expect(broken).toEqual([]);
    },
  );

  test('that stops occurring lets the job succeed', async () => {
    const world = openWorld(database);
    bringsItHome(world);
    const { answer } = world.collector;
    let passes = 0;
    world.collector.answer = (...given) => {
      passes += 1;
      if (passes < MAX_RUNNER_CRASHES) throw new Error('poison for now');
      return answer(...given);
    };
    const jobId = await submit(database);
    const run = world.start(jobId);
    for (let crash = 1; crash < MAX_RUNNER_CRASHES; crash += 1) {
      await world.asleep(1_000);
      world.time.advance(1_000);
    }
    await run;
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
    expect((await world.read(jobId)).job.localPass).toBeNull();
  });
});

describe('the death of a process', () => {
  test('never counts against a job that only waits for the provider', async () => {
    const first = openWorld(database, { leaseTtlMs: TTL, owner: 'node-0' });
    first.provider.answerGet = (id) => foundAs(unfinished(id));
    const jobId = await submit(database);
    void first.start(jobId);
    await first.reaches(jobId, 'PROCESSING.ATTEMPT', 'RUNNING');
    for (let death = 1; death <= 2 * MAX_RUNNER_CRASHES; death += 1) {
      const next = takeOver(first.time, jobId, {
        owner: `node-${death}`,
        by: death % 2 ? 'rescuer' : 'queue',
      });
      next.provider.answerGet = (id) => foundAs(unfinished(id));
      await eventually(() => next.provider.gets.length === 1, { what: `worker ${death} at work` });
      expect(await crashCountOf(next, jobId)).toBe(0);
    }
    const last = takeOver(first.time, jobId, { owner: 'node-last' });
    bringsItHome(last);
    await last.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
  });

  for (const by of ['rescuer', 'queue'])
    test(`counts against the job in work, and the fifth fails it, taken over by the ${by}`, async () => {
      const neverEnds = (world: RunnerWorld) => {
        bringsItHome(world);
        world.collector.answer = () => new Promise(() => {});
      };
      const first = openWorld(database, { leaseTtlMs: TTL, owner: 'node-0' });
      neverEnds(first);
      const jobId = await submit(database);
      void first.start(jobId);
      const underWay = async () => (await first.read(jobId)).job.localPass;
      await eventually(underWay, { what: 'the first pass' });
      const alone: boolean[] = [];
      for (let death = 1; death < MAX_RUNNER_CRASHES; death += 1) {
        alone.push((await underWay())?.alone === true);
        const next = takeOver(first.time, jobId, { owner: `node-${death}`, by });
        neverEnds(next);
        await eventually(async () => (await underWay()) !== null && next.provider.gets.length > 0, {
          what: `pass ${death + 1}`,
        });
        expect(await crashCountOf(next, jobId)).toBe(death);
      }
      alone.push((await underWay())?.alone === true);
      expect(alone).toEqual([false, false, false, true, true]);
      const last = takeOver(first.time, jobId, { owner: 'node-last', by });
      await last.reaches(jobId, 'FAILED', 'FAILED');
      const { rows } = await database.pool.query(
        `select event->>'pass' as pass, (event->>'alone')::boolean as alone from actor_transitions
         where "eventType" = 'RUNNER_CRASHED' order by id`,
      );
      expect(rows).toEqual(alone.map((each) => ({ pass: 'collect-output', alone: each })));
    });

  test('after a completed pass does not count either', async () => {
    const first = openWorld(database, { leaseTtlMs: TTL, owner: 'node-0' });
    let gets = 0;
    // The next poll, which comes before the next pass, never ends.
    first.provider.answerGet = (id) => {
      gets += 1;
      return gets <= 2 ? foundAs(finished(id)) : new Promise(() => {});
    };
    first.collector.answer = async () => ({ kind: 'download-failed' });
    const jobId = await submit(database);
    void first.start(jobId);
    await eventually(async () => (await first.read(jobId)).attempts[0]?.context.downloadTries === 1, {
      what: 'a result',
    });
    const next = takeOver(first.time, jobId, { owner: 'node-1' });
    bringsItHome(next);
    await next.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
    expect(await crashCountOf(next, jobId)).toBe(0);
  });
});

/** Where a process may die, and how the next process ends the job. */
const DEATHS: { at: CheckpointName; creates: number; ends: string; errorCode?: string }[] = [
  { at: 'before-reserve', creates: 1, ends: 'SUCCESS' },
  { at: 'after-reserve', creates: 1, ends: 'SUCCESS' },
  { at: 'before-claim', creates: 1, ends: 'SUCCESS' },
  { at: 'after-claim', creates: 0, ends: 'FAILED', errorCode: 'PREDICTION_UNCONFIRMED' },
  { at: 'before-post', creates: 0, ends: 'FAILED', errorCode: 'PREDICTION_UNCONFIRMED' },
  { at: 'after-post', creates: 1, ends: 'SUCCESS' },
  { at: 'before-id-stored', creates: 1, ends: 'SUCCESS' },
  { at: 'after-id-stored', creates: 1, ends: 'SUCCESS' },
  { at: 'after-result-recorded', creates: 1, ends: 'SUCCESS' },
];

describe.each(BOTH_KINDS)('the death of a process: $kind', ({ kind }) => {
  test.each(DEATHS)(
    '$at: bought $creates times in all, and the next process ends the job $ends',
    async (death) => {
      const provider = createFakeProvider(kind);
      const time = createManualTime();
      const reached = Promise.withResolvers<void>();
      const dying = openWorld(database, {
        kind,
        time,
        provider,
        leaseTtlMs: TTL,
        owner: 'dead',
        checkpoint(name) {
          if (name !== death.at) return;
          reached.resolve();
          return new Promise<never>(() => {});
        },
      });
      const jobId = await submit(database, kind);
      void dying.start(jobId);
      await reached.promise;
      forget(dying);
      time.advance(TTL);
      const heir = openWorld(database, { kind, time: createManualTime(time.now()), provider });
      if ((await heir.read(jobId)).job.state === 'PENDING.QUEUED') void heir.start(jobId);
      else expect(await heir.runner.rescue([jobId])).toBe(true);
      await eventually(
        async () => {
          heir.lister.predictions = provider.creates.map((attemptId) =>
            listedFor(attemptId, kind === 'descriptionJob' ? jobId : null),
          );
          await heir.scan();
          if (heir.time.sleeping().length > 0) heir.time.advanceToNextWake();
          return (await heir.read(jobId)).job.state === death.ends;
        },
        { what: `the job to end ${death.ends}`, timeoutMs: 20_000, intervalMs: 2 },
      );
      expect(provider.creates).toHaveLength(death.creates);
      const { job, attempts } = await heir.read(jobId);
      expect([job.context.errorCode, attempts.length]).toEqual([death.errorCode ?? null, 1]);
      if (death.creates > 0) return;
      const { unconfirmedCause, unconfirmedSince } = attempts[0]?.context ?? {};
      expect(unconfirmedCause).toBe('restart');
      expect(heir.time.now() - Number(unconfirmedSince)).toBeGreaterThanOrEqual(RECONCILE_WINDOW_MS);
      // After the commit that ended the job.
      await eventually(() => heir.reporter.alerts.some(({ alert }) => alert === 'attempt_lost'), {
        what: 'the alert',
      });
    },
  );
});

describe('an internal error elsewhere', () => {
  test('quarantines the job after five in a row, and never fails it', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    world.provider.answerGet = () => {
      throw new Error('a bug');
    };
    const run = world.start(jobId);
    for (let crash = 1; crash < 5; crash += 1) {
      await world.asleep(1_000);
      world.time.advance(1_000);
    }
    await run;
    const { job } = await world.read(jobId);
    expect(job).toMatchObject({ state: 'PROCESSING.ATTEMPT', quarantined: true, lease: null });
    expect(job.context.crashCount).toBe(0);
    expect(world.reporter.counts.jobs_quarantined).toBe(1);
    expect(world.reporter.alerts).toMatchObject([{ alert: 'quarantined', id: jobId }]);
  });

  test('is no longer counted after a successful pass', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    let gets = 0;
    world.provider.answerGet = (id) => {
      gets += 1;
      if (gets >= 30) return foundAs(finished(id));
      if (gets % 5 !== 0) throw new Error('a bug now and then');
      return foundAs(unfinished(id));
    };
    await succeeds(world, jobId);
  });

  test('before the first pass is counted over all runs; an operator who releases the job resets the count', async () => {
    const world = openWorld(database);
    const jobId = await submit(database);
    // The journal has a step that the row lacks, so each start violates the unique index.
    await database.pool.query(
      `insert into actor_transitions
         ("actorKind", "actorId", seq, "eventType", event, "fromState", "toState", at, "actedBy")
       values ('stagingJob', $1, 1, 'X', '{}', 'A', 'B', now(), 'restored by hand')`,
      [jobId],
    );
    for (let run = 1; run <= 4; run += 1) await world.start(jobId);
    expect((await world.read(jobId)).job).toMatchObject({ state: 'PENDING.QUEUED', quarantined: false });
    await world.start(jobId);
    expect((await world.read(jobId)).job).toMatchObject({ state: 'PENDING.QUEUED', quarantined: true });
    const problems = world.reporter.problems.length;
    await world.start(jobId);
    expect(world.reporter.problems).toHaveLength(problems);
    await database.pool.query(`delete from actor_transitions`);
    await world.actorSystem.deliver(
      { to: 'stagingJob', id: jobId, event: { type: 'RELEASE_ASKED', at: world.time.now() } },
      { by: 'operator:ada' },
    );
    bringsItHome(world);
    await world.start(jobId);
    expect(await world.states(jobId)).toEqual(['SUCCESS', 'SUCCEEDED']);
  });

  test('does not include a locked row: the job waits for the lock', async () => {
    let conflicts = 20;
    const lockTimeout = () =>
      Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' });
    const store: ActorStore = {
      ...database.store,
      async acquireLease(request) {
        const taken = await database.store.acquireLease(request);
        return taken && { ...taken, seen: null };
      },
      readJob: (jobId: string) => {
        conflicts -= 1;
        return conflicts >= 0 && conflicts < 18
          ? Promise.reject(lockTimeout())
          : database.store.readJob(jobId);
      },
    };
    const world = openWorld(database, { store });
    bringsItHome(world);
    const jobId = await submit(database);
    await succeeds(world, jobId);
  });
});

test('a job under suspicion works alone, and the others before and after it', async () => {
  const world = openWorld(database, { concurrency: 8 });
  bringsItHome(world);
  const { answer } = world.collector;
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push(await submit(database));
  const [suspect = ''] = ids;
  const atOnce = new Set<string>();
  const met: string[][] = [];
  world.collector.answer = async (...given) => {
    const [objectKey] = given;
    atOnce.add(objectKey);
    await new Promise((resolve) => setImmediate(resolve));
    met.push([...atOnce]);
    atOnce.delete(objectKey);
    return answer(...given);
  };
  await database.pool.query(`update ai_jobs set "crashCount" = 3 where id = $1`, [suspect]);
  // A start resets the crash count, so only a job in progress is under suspicion.
  world.provider.answerGet = (id) => foundAs(unfinished(id));
  void world.start(suspect);
  await world.reaches(suspect, 'PROCESSING.ATTEMPT', 'RUNNING');
  await database.pool.query(`update ai_jobs set "crashCount" = 3 where id = $1`, [suspect]);
  bringsItHome(world);
  const runs = ids.slice(1).map((id) => world.start(id));
  await eventually(() => world.time.sleeping().length > 0, { what: 'the wait for the next poll' });
  world.time.advance(POLL_MS);
  await Promise.all(runs);
  await world.reaches(suspect, 'SUCCESS', 'SUCCEEDED');
  const own = (await world.read(suspect)).attempts[0]?.context.objectKey ?? '';
  expect(met.filter((keys) => keys.includes(own))).toEqual([[own]]);
});
