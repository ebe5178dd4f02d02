import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../../machines/crashes.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import { foundAs, unfinished, written } from '../../support/worlds/fake-provider.ts';
import {
  closeWorlds,
  forget,
  openWorld,
  type RunnerWorld,
  storeOf,
  submit,
} from '../../support/worlds/runner-world.ts';

/** Processes that die while they check a text: a crash of that job, and of no other. */
const database = useStoreDatabase();
let time: ManualTime;
beforeEach(async () => {
  await database.clear();
  time = createManualTime();
});
afterEach(closeWorlds);

const TTL = 15_000;
const kind = 'descriptionJob';
const newJob = () => submit(database, kind);
const never = () => new Promise<never>(() => {});
const crashCountOf = async (world: RunnerWorld, jobId: string) =>
  (await world.read(jobId)).job.context.crashCount;
const markOf = async (world: RunnerWorld, jobId: string) => (await world.read(jobId)).job.localPass;

/** A job whose text is still being written, and the id of its prediction. */
interface Waiting {
  jobId: string;
  predictionId: string | null;
}

/** Has the text ready at the first poll, except for the job that must wait: the first that is bought. */
function answerPolls({ provider }: RunnerWorld, waiting: Waiting): void {
  provider.answerGet = (id) => {
    waiting.predictionId ??= id;
    return foundAs(id === waiting.predictionId ? unfinished(id) : written(id, 'poison'));
  };
}

/** A process that hangs as soon as it begins to check a text. */
function openDying(owner: string, waiting: Waiting) {
  let checks = 0;
  const store = storeOf(database, kind);
  const world = openWorld(database, {
    kind,
    time,
    owner,
    leaseTtlMs: TTL,
    checkText(text) {
      checks += 1;
      return { kind: 'good', text: String(text) };
    },
    store: {
      ...store,
      transaction: (work) => (checks > 0 ? never() : store.transaction(work)),
      moveAttemptAsSeen: (move) => (checks > 0 ? never() : store.moveAttemptAsSeen(move)),
      writeAsSeen: (change) => (checks > 0 ? never() : store.writeAsSeen(change)),
    },
  });
  answerPolls(world, waiting);
  const hasDied = async () => {
    await eventually(() => checks > 0 && world.provider.gets.includes(String(waiting.predictionId)), {
      what: 'a check of the text, and a look at the other',
    });
    forget(world);
  };
  return { world, hasDied };
}

/** The first process, which has bought both texts and dies while it checks the other one. */
async function dieWhileChecking(jobId: string): Promise<Waiting> {
  const waiting: Waiting = { jobId: await newJob(), predictionId: null };
  const { world, hasDied } = openDying('node-0', waiting);
  void world.start(waiting.jobId);
  await eventually(() => waiting.predictionId !== null, { what: 'a poll of the one that waits' });
  void world.start(jobId);
  await hasDied();
  return waiting;
}

test('the fifth crash during the check of a text fails the job; a job that waits for the provider counts none', async () => {
  const poison = await newJob();
  const waiting = await dieWhileChecking(poison);
  const reader = openWorld(database, { kind, time, owner: 'reader' });
  const marks = [await markOf(reader, poison)];
  for (let death = 1; death < MAX_RUNNER_CRASHES; death += 1) {
    time.advance(TTL);
    const next = openDying(`node-${death}`, waiting);
    await next.world.runner.rescue([waiting.jobId]);
    await eventually(() => next.world.provider.gets.length > 0, { what: 'a look at the one that waits' });
    await next.world.runner.rescue([poison]);
    await next.hasDied();
    expect(await crashCountOf(reader, poison)).toBe(death);
    marks.push(await markOf(reader, poison));
  }
  expect(marks.map((mark) => [mark?.pass, mark?.alone])).toEqual(
    [false, false, false, true, true].map((alone) => ['check-text', alone]),
  );

  time.advance(TTL);
  const last = openWorld(database, { kind, time, owner: 'node-last', leaseTtlMs: TTL });
  answerPolls(last, waiting);
  await last.runner.rescue([poison]);
  await last.reaches(poison, 'FAILED', 'FAILED');
  expect((await last.read(poison)).job.context.errorCode).toBe('RUNNER_CRASHED');
  expect(last.reporter.alerts).toMatchObject([{ alert: 'runner_crashed', id: poison }]);
  expect(last.provider.creates).toEqual([]);
  expect(await last.events(waiting.jobId)).not.toContain('RUNNER_CRASHED');
  expect(await last.states(waiting.jobId)).toEqual(['PROCESSING.ATTEMPT', 'RUNNING']);
});

test('a text that the next process can check is stored without a second purchase', async () => {
  const jobId = await newJob();
  await dieWhileChecking(jobId);
  time.advance(TTL);
  const heir = openWorld(database, { kind, time, owner: 'node-1' });
  await heir.runner.rescue([jobId]);
  await heir.reaches(jobId, 'SUCCESS', 'SUCCEEDED');
  expect(await heir.events(jobId)).toEqual([
    'WORKER_STARTED',
    'CREATED',
    'SEND_CLAIMED',
    'PREDICTION_CREATED',
    'PREDICTION_SUCCEEDED',
    'RUNNER_CRASHED',
    'TEXT_STORED',
    'ATTEMPT_SUCCEEDED',
  ]);
  expect(heir.provider.creates).toEqual([]);
});
