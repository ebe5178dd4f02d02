import { afterEach, beforeEach, expect, test } from 'vitest';
import { MAX_RUNNER_CRASHES } from '../../../machines/crashes.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { createManualTime, type ManualTime } from '../../support/manual-time.ts';
import {
  createFakeTexts,
  openDescriptionWorld,
  textIdOf,
  unfinishedText,
  writtenText,
} from '../../support/worlds/description-world.ts';
import { closeWorlds, forget } from '../../support/worlds/runner-world.ts';

/** Processes that die while they check a text: a crash of that job, and of no other. */
const database = useStoreDatabase();
let time: ManualTime;
beforeEach(async () => {
  await database.clear();
  time = createManualTime();
});
afterEach(closeWorlds);

const TTL = 15_000;
const newJob = async () => (await seedDescription(database.pool)).jobId;
const never = () => new Promise<never>(() => {});

/** Has the text ready at the first poll, except for the job that must wait. */
function textsFor(waiting: string) {
  const texts = createFakeTexts();
  texts.answerGet = (id) => ({
    kind: 'found',
    prediction: id === textIdOf(waiting) ? unfinishedText(id) : writtenText(id, 'poison'),
  });
  return texts;
}

/** A process that hangs as soon as it begins to check a text. */
function openDying(owner: string, waiting: string) {
  let checks = 0;
  const texts = textsFor(waiting);
  const world = openDescriptionWorld(database, {
    time,
    owner,
    texts,
    checkText(text) {
      checks += 1;
      return { kind: 'good', text: String(text) };
    },
    wrap: (store) => ({
      ...store,
      transaction: (work) => (checks > 0 ? never() : store.transaction(work)),
      moveAttemptAsSeen: (move) => (checks > 0 ? never() : store.moveAttemptAsSeen(move)),
      writeAsSeen: (change) => (checks > 0 ? never() : store.writeAsSeen(change)),
    }),
  });
  const hasDied = async () => {
    await eventually(() => checks > 0 && texts.gets.includes(textIdOf(waiting)), {
      what: 'a check of the text, and a look at the other',
    });
    forget(world);
  };
  return { world, texts, hasDied };
}

test('the fifth crash during the check of a text fails the job; a job that waits for the provider counts none', async () => {
  const [poison, waiting] = [await newJob(), await newJob()];
  const first = openDying('node-0', waiting);
  void first.world.start(waiting);
  await first.world.reaches(waiting, 'PROCESSING.RUNNING');
  void first.world.start(poison);
  await first.hasDied();
  const marks = [(await first.world.read(poison)).localPass];
  for (let death = 1; death < MAX_RUNNER_CRASHES; death += 1) {
    time.advance(TTL);
    const next = openDying(`node-${death}`, waiting);
    await next.world.runner.rescue([waiting]);
    await eventually(() => next.texts.gets.length > 0, { what: 'a look at the one that waits' });
    await next.world.runner.rescue([poison]);
    await next.hasDied();
    expect((await next.world.read(poison)).context.crashCount).toBe(death);
    marks.push((await next.world.read(poison)).localPass);
  }
  expect(marks.map((mark) => [mark?.pass, mark?.alone])).toEqual(
    [false, false, false, true, true].map((alone) => ['check-text', alone]),
  );

  time.advance(TTL);
  const last = openDescriptionWorld(database, { time, owner: 'node-last', texts: textsFor(waiting) });
  await last.runner.rescue([poison]);
  await last.reaches(poison, 'FAILED');
  expect((await last.read(poison)).context).toMatchObject({ errorCode: 'RUNNER_CRASHED' });
  expect(last.reporter.alerts).toMatchObject([{ alert: 'runner_crashed', id: poison }]);
  expect(last.texts.creates).toEqual([]);
  expect(await last.events(waiting)).not.toContain('RUNNER_CRASHED');
  expect((await last.read(waiting)).state).toBe('PROCESSING.RUNNING');
});

test('a text that the next process can check is stored without a second purchase', async () => {
  const jobId = await newJob();
  const waiting = await newJob();
  const dying = openDying('node-0', waiting);
  void dying.world.start(waiting);
  await dying.world.reaches(waiting, 'PROCESSING.RUNNING');
  void dying.world.start(jobId);
  await dying.hasDied();
  time.advance(TTL);
  const heir = openDescriptionWorld(database, { time, owner: 'node-1' });
  await heir.runner.rescue([jobId]);
  await heir.reaches(jobId, 'SUCCESS');
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
  expect(heir.texts.creates).toEqual([]);
});
