import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { OPERATIONS } from '../../../src/operations/descriptions.ts';
import { OPERATION_NAMES } from '../../../src/operations/operation.ts';
import { UnsignedError } from '../../../src/operations/signature.ts';
import {
  seedDeletion,
  seedOriginal,
  seedProperty,
  seedStagingJob,
  seedVariant,
} from '../../support/database/seed.ts';
import { seedDescription } from '../../support/database/seed-description.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { JobDriver, ROUTES } from '../../support/worlds/job-driver.ts';
import {
  ADA,
  type OperationWorld,
  openOperationWorld,
  SECRET,
} from '../../support/worlds/operation-world.ts';
import { expectInvariants } from '../../verification/model/staging-rows.ts';

/** Every operation on real rows: its preview, its effect, what it does not change, and its journal entries. */
const database = useStoreDatabase();
let world: OperationWorld;
beforeEach(async () => {
  await database.clear();
  world = openOperationWorld(database);
});

const journal = (kind: string, id: string) => journalOf(database.pool, kind as never, id);
const quarantine = (jobId: string) =>
  database.pool.query(
    `update ai_jobs set "quarantinedAt" = now(), "quarantineError" = 'poison', "leaseOwner" = null, "leaseExpiresAt" = null
     where id = $1`,
    [jobId],
  );
const isQuarantined = async (jobId: string): Promise<boolean> =>
  (
    await database.pool.query('select "quarantinedAt" is not null as aside from ai_jobs where id = $1', [
      jobId,
    ])
  ).rows[0].aside;

/** Documents are rebuilt with an epoch. A person looks at each picture and tour. */
const ONE_BY_ONE: readonly string[] = [
  'rebuild-document',
  'withdraw-picture',
  'lift-withdrawal',
  'dismiss-reports',
  'consent-to-approval',
  'mark-contest-read',
];

test('each operation has a name, a label, the kinds it applies to, and a bulk form unless it is done one by one', () => {
  expect(OPERATIONS.map(({ name }) => name)).toEqual([...OPERATION_NAMES]);
  for (const { name, title, sentence, kinds, bulk, onlyId } of OPERATIONS) {
    expect(title).toMatch(/^[A-Z]/);
    expect(sentence).toMatch(/^[A-Z].*\.$/);
    expect(kinds.length).toBeGreaterThan(0);
    expect(bulk === null).toBe(onlyId !== null || ONE_BY_ONE.includes(name));
  }
  const named = (kind: string) => world.operations.operationsFor(kind).map(({ name }) => name);
  expect(named('stagingJob')).toEqual(['cancel-job', 'release-job', 're-enqueue-job', 'collect-output']);
  expect(named('deletionItem')).toEqual(['retry-deletion']);
  expect(named('startGate')).toEqual(['pause-starting', 'resume-starting', 'close-gap']);
  expect(named('feed')).toEqual([
    'start-feed',
    'pause-feed',
    'reconcile-feed',
    'accept-feed-deletions',
    'refuse-feed-deletions',
  ]);
  expect(named('searchDocument')).toEqual(['rebuild-document']);
  expect(named('imageReview')).toEqual([
    'withdraw-picture',
    'lift-withdrawal',
    'dismiss-reports',
    'consent-to-approval',
  ]);
  expect(named('tour')).toEqual(['mark-contest-read']);
});

describe('withdraw-picture and lift-withdrawal', () => {
  test('hide an approved picture and show it again, with operator and reason in the journal', async () => {
    const { pool } = database;
    const imageId = await seedVariant(pool, await seedOriginal(pool), { reviewStatus: 'APPROVED' });
    const [withdraw, lift] = [world.operation('withdraw-picture'), world.operation('lift-withdrawal')];
    expect(await lift.run(imageId, ADA)).toMatchObject({ outcome: 'ignored', why: 'It is not withdrawn.' });
    expect(await withdraw.preview(imageId)).toMatchObject({ outcome: 'applies', to: { state: 'WITHDRAWN' } });
    expect(await withdraw.run(imageId, ADA)).toMatchObject({ outcome: 'applied', state: 'WITHDRAWN' });
    expect(await withdraw.run(imageId, ADA)).toMatchObject({ outcome: 'ignored' });
    expect(await lift.run(imageId, ADA)).toMatchObject({ outcome: 'applied', state: 'APPROVED' });
    expect(await journal('imageReview', imageId)).toMatchObject([
      { eventType: 'WITHDRAW', actedBy: 'operator:ada', note: ADA.reason },
      { eventType: 'LIFT', actedBy: 'operator:ada', note: ADA.reason },
    ]);
  });

  test('dismiss-reports and consent-to-approval apply once, in the states that they are for', async () => {
    const original = await seedOriginal(database.pool);
    const shown = await seedVariant(database.pool, original, { reviewStatus: 'APPROVED' });
    const waiting = await seedVariant(database.pool, await seedOriginal(database.pool));
    const [dismiss, consent] = [world.operation('dismiss-reports'), world.operation('consent-to-approval')];
    expect(await dismiss.run(shown, ADA)).toMatchObject({ outcome: 'applied', state: 'APPROVED' });
    expect(await dismiss.run(waiting, ADA)).toMatchObject({ why: 'Only a shown picture has reports.' });
    expect(await consent.run(waiting, ADA)).toMatchObject({ outcome: 'applied', state: 'PENDING_REVIEW' });
    expect(await consent.run(waiting, ADA)).toMatchObject({ why: 'There is a consent already.' });
    expect(await consent.run(shown, ADA)).toMatchObject({ why: 'It is not waiting for a review.' });
  });

  test('do nothing to a picture that no one has approved', async () => {
    const imageId = await seedVariant(database.pool, await seedOriginal(database.pool));
    expect(await world.operation('withdraw-picture').run(imageId, ADA)).toMatchObject({
      outcome: 'ignored',
      why: 'Only an approved picture can be withdrawn.',
    });
  });
});

describe('cancel-job', () => {
  test('shows a preview and writes nothing, then applies it; operator and reason are in every journal row', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.RESERVED());
    const { id: attemptId } = await driver.attempt();
    const before = await database.pool.query(
      'select * from ai_jobs, ai_provider_attempts, actor_transitions',
    );
    const preview = await world.operation('cancel-job').preview(driver.jobId);
    expect(preview).toMatchObject({
      outcome: 'applies',
      kind: 'stagingJob',
      version: 1,
      why: null,
      from: { state: 'PROCESSING.ATTEMPT' },
      to: { state: 'CANCELED' },
    });
    expect(preview.effects.join(' ')).toContain('Attempt 1 goes from RESERVED to CANCELED');
    expect(
      (await database.pool.query('select * from ai_jobs, ai_provider_attempts, actor_transitions')).rows,
    ).toEqual(before.rows);

    const outcome = await world.operation('cancel-job').run(driver.jobId, { ...ADA, seenVersion: 1 });
    expect(outcome).toMatchObject({ outcome: 'applied', kind: 'stagingJob', why: null });
    expect(await driver.states()).toEqual(['CANCELED', 'CANCELED']);
    const told = [
      ...(await journal('stagingJob', driver.jobId)),
      ...(await journal('providerAttempt', attemptId)),
    ];
    const mine = told.filter(({ actedBy }) => actedBy === 'operator:ada');
    expect(mine.map(({ eventType, note }) => [eventType, note])).toEqual([
      ['CANCEL_ASKED', ADA.reason],
      ['ATTEMPT_CANCELED', ADA.reason],
      ['CANCEL', ADA.reason],
    ]);
    expect(told.filter(({ actedBy }) => actedBy !== 'operator:ada').every(({ note }) => note === null)).toBe(
      true,
    );
    await expectInvariants(database.pool, driver.at);
  });

  test.each(Object.keys(ROUTES) as (keyof typeof ROUTES)[])(
    'from %s: the preview has the resulting state',
    async (state) => {
      const driver = await JobDriver.open(world.runtime);
      await driver.play(ROUTES[state]());
      const preview = await world.operation('cancel-job').preview(driver.jobId);
      const outcome = await world.operation('cancel-job').run(driver.jobId, ADA);
      expect(outcome.outcome).toBe('applied');
      expect((await driver.states())[0]).toBe(preview.to?.state);
    },
  );

  test('is ignored, with the reason, for a job that is over or being canceled', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.RUNNING());
    const cancel = world.operation('cancel-job');
    await cancel.run(driver.jobId, ADA);
    expect(await cancel.preview(driver.jobId)).toMatchObject({ outcome: 'ignored', to: null, effects: [] });
    expect(await cancel.run(driver.jobId, ADA)).toMatchObject({
      outcome: 'ignored',
      state: 'CANCEL_REQUESTED',
      why: 'It is being canceled already.',
    });
    const { jobId } = await seedStagingJob(database.pool);
    await cancel.run(jobId, ADA);
    expect(await cancel.run(jobId, ADA)).toMatchObject({
      outcome: 'ignored',
      why: expect.stringContaining('over'),
    });
    expect(await journal('stagingJob', jobId)).toHaveLength(1);
  });

  test('ends a description that is not bought, and cancels a bought one at the provider', async () => {
    const { jobId } = await seedDescription(database.pool);
    const cancel = world.operation('cancel-job');
    expect(await cancel.preview(jobId)).toMatchObject({ kind: 'descriptionJob', to: { state: 'CANCELED' } });
    expect(await cancel.run(jobId, ADA)).toMatchObject({ outcome: 'applied', state: 'CANCELED' });
    expect(await journal('descriptionJob', jobId)).toMatchObject([
      { eventType: 'CANCEL_ASKED', actedBy: 'operator:ada', note: ADA.reason },
    ]);
    const { jobId: bought } = await seedDescription(database.pool);
    await database.pool.query(`update ai_jobs set status = 'PROCESSING', phase = 'ATTEMPT' where id = $1`, [
      bought,
    ]);
    await database.pool.query(
      `insert into ai_provider_attempts
         (id, "aiJobId", "attemptNumber", status, "providerPredictionId", "createdAt", "updatedAt")
       values (gen_random_uuid(), $1::uuid, 1, 'RUNNING', $1::text, now(), now())`,
      [bought],
    );
    expect(await cancel.run(bought, ADA)).toMatchObject({ outcome: 'applied', state: 'CANCEL_REQUESTED' });
  });

  test('says of a quarantined job that no worker acts on it yet', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.RUNNING());
    await quarantine(driver.jobId);
    const { effects } = await world.operation('cancel-job').preview(driver.jobId);
    expect(effects.join(' ')).toContain('before it is released');
  });
});

describe('release-job', () => {
  test('ends the quarantine with all counts reset, so that a worker can take the job', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.COLLECTING());
    await driver.sendToJob({ type: 'RUNNER_CRASHED', pass: 'collect-output', alone: false });
    await quarantine(driver.jobId);
    const orphaned = () => database.store.orphanedJobs({ limit: 9, at: world.clock.at, enabled: true });
    expect(await orphaned()).toEqual([]);
    const release = world.operation('release-job');
    const preview = await release.preview(driver.jobId);
    expect(preview).toMatchObject({ outcome: 'applies', to: { state: 'PROCESSING.ATTEMPT' } });
    expect(preview.effects.join(' ')).toContain('no longer quarantined');
    expect(await isQuarantined(driver.jobId)).toBe(true);
    expect(await release.run(driver.jobId, ADA)).toMatchObject({ outcome: 'applied' });
    expect(await isQuarantined(driver.jobId)).toBe(false);
    expect((await driver.aggregate()).job.context).toMatchObject({ crashCount: 0, crashMark: null });
    expect(await orphaned()).toEqual([driver.jobId]);
    expect((await journal('stagingJob', driver.jobId)).at(-1)).toMatchObject({
      eventType: 'RELEASE_ASKED',
      event: { quarantined: true },
      note: ADA.reason,
    });
    await expectInvariants(database.pool, driver.at);
  });

  test('is ignored for a job that is not quarantined, also without a version', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    expect(await world.operation('release-job').run(jobId, ADA)).toMatchObject({
      outcome: 'ignored',
      why: 'It is not quarantined.',
    });
    expect(await journal('stagingJob', jobId)).toEqual([]);
  });

  test('applies to a description too', async () => {
    const { jobId } = await seedDescription(database.pool);
    await quarantine(jobId);
    expect(await world.operation('release-job').run(jobId, ADA)).toMatchObject({ outcome: 'applied' });
    expect(await isQuarantined(jobId)).toBe(false);
  });

  test('of twenty simultaneous calls, one releases the job', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    await quarantine(jobId);
    const asked = Array.from({ length: 20 }, (_, n) =>
      world.operation('release-job').run(jobId, { by: `operator-${n}`, reason: 'all at once' }),
    );
    const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'ignored')).toHaveLength(19);
    expect(await journal('stagingJob', jobId)).toHaveLength(1);
  });
});

describe('re-enqueue-job', () => {
  test('enqueues a waiting job after the commit', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const offer = world.operation('re-enqueue-job');
    expect((await offer.preview(jobId)).effects).toEqual([
      'The queue brings it to a worker, at the start rate.',
    ]);
    expect(world.runtime.queue.enqueued).toEqual([]);
    expect(await offer.run(jobId, ADA)).toMatchObject({ outcome: 'applied', state: 'PENDING.QUEUED' });
    expect(world.runtime.queue.enqueued).toEqual([{ jobId, delayMs: 0 }]);
    const { jobId: description } = await seedDescription(database.pool);
    await offer.run(description, ADA);
    expect(world.runtime.descriptionQueue.enqueued).toEqual([{ jobId: description, delayMs: 0 }]);
  });

  test('a job in back-off is enqueued for the time of its retry, once', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES['RETRYING.BACKOFF']());
    const { retryAt } = (await driver.aggregate()).job.context;
    world.clock.at = Number(retryAt) - 7_000;
    world.runtime.queue.enqueued.length = 0;
    expect(await world.operation('re-enqueue-job').run(driver.jobId, ADA)).toMatchObject({
      outcome: 'applied',
    });
    expect(world.runtime.queue.enqueued).toEqual([{ jobId: driver.jobId, delayMs: 7_000 }]);
  });

  test('a job under way is not enqueued', async () => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES.RUNNING());
    expect(await world.operation('re-enqueue-job').run(driver.jobId, ADA)).toMatchObject({
      outcome: 'ignored',
    });
    expect(world.runtime.queue.enqueued).toEqual([]);
  });

  test('an unreachable queue costs only time: the job is unchanged, the problem is reported', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    world.runtime.queue.failing = new Error('away');
    expect(await world.operation('re-enqueue-job').run(jobId, ADA)).toMatchObject({ outcome: 'applied' });
    await eventually(() => world.runtime.reporter.problems.length === 1, { what: 'the problem' });
  });
});

describe('retry-deletion', () => {
  const failed = (errorClass: string) =>
    seedDeletion(database.pool, { status: 'FAILED', attempts: 10, errorClass, lastError: 'no' });

  test('enqueues a deletion with a transient error; one that needs a person only with force', async () => {
    const [healed, broken] = [await failed('transient'), await failed('needs-person')];
    const retry = world.operation('retry-deletion');
    expect(await retry.run(healed, ADA)).toMatchObject({ outcome: 'applied', state: 'PENDING' });
    expect(await retry.preview(broken)).toMatchObject({
      outcome: 'ignored',
      why: expect.stringContaining('force'),
    });
    expect(await retry.run(broken, ADA)).toMatchObject({ outcome: 'ignored', state: 'FAILED' });
    expect(await retry.preview(broken, { force: true })).toMatchObject({ outcome: 'applies' });
    expect(await retry.run(broken, { ...ADA, force: true })).toMatchObject({ outcome: 'applied' });
    expect(await journal('deletionItem', broken)).toMatchObject([
      { eventType: 'RETRY_ASKED', event: { force: true }, actedBy: 'operator:ada', note: ADA.reason },
    ]);
  });

  test('a deletion that has not failed is unchanged', async () => {
    const waiting = await seedDeletion(database.pool);
    expect(await world.operation('retry-deletion').run(waiting, ADA)).toMatchObject({
      outcome: 'ignored',
      why: expect.stringContaining('PENDING'),
    });
  });
});

describe('rebuild-document', () => {
  const document = async (id: string) =>
    (
      await database.pool.query(
        `select "searchVersion"::int as version, "searchDirtyAt" is not null as owed from properties where id = $1`,
        [id],
      )
    ).rows[0];

  test('marks the document for a rebuild with a new version, and its journal row has that version', async () => {
    const propertyId = await seedProperty(database.pool);
    await database.pool.query('update properties set "searchDirtyAt" = null where id = $1', [propertyId]);
    const { version } = await document(propertyId);
    const rebuild = world.operation('rebuild-document');
    expect(await rebuild.preview(propertyId)).toMatchObject({
      outcome: 'applies',
      version,
      to: { state: 'KEPT' },
    });
    expect(await document(propertyId)).toEqual({ version, owed: false });
    expect(await rebuild.run(propertyId, ADA)).toMatchObject({ outcome: 'applied', version: version + 1 });
    expect(await document(propertyId)).toEqual({ version: version + 1, owed: true });
    expect(await journal('searchDocument', propertyId)).toMatchObject([
      { seq: version + 1, eventType: 'REBUILD_ASKED', actedBy: 'operator:ada', note: ADA.reason },
    ]);
    await database.pool.query(`update properties set city = 'Elsewhere' where id = $1`, [propertyId]);
    expect(await rebuild.run(propertyId, ADA)).toMatchObject({ outcome: 'applied', version: version + 3 });
    await expectInvariants(database.pool, world.clock.at);
  });

  test('says when a listing is to have no document', async () => {
    const propertyId = await seedProperty(database.pool, { standardStatus: 'Incomplete' });
    expect((await world.operation('rebuild-document').preview(propertyId)).effects.join()).toContain(
      'not on the market',
    );
  });
});

describe('pause-starting and resume-starting', () => {
  test('pause and resume the single pause switch, once each', async () => {
    const [pause, resume] = [world.operation('pause-starting'), world.operation('resume-starting')];
    expect(await resume.preview(PAUSE_SWITCH_ID)).toMatchObject({ outcome: 'ignored' });
    expect(await pause.preview(PAUSE_SWITCH_ID)).toMatchObject({
      outcome: 'applies',
      to: { state: 'PAUSED' },
    });
    expect((await database.store.read('startGate', PAUSE_SWITCH_ID))?.state).toBe('OPEN');
    expect(await pause.run(PAUSE_SWITCH_ID, ADA)).toMatchObject({ outcome: 'applied', version: 1 });
    expect(await pause.run(PAUSE_SWITCH_ID, ADA)).toMatchObject({ outcome: 'ignored' });
    expect(await database.store.read('startGate', PAUSE_SWITCH_ID)).toMatchObject({
      state: 'PAUSED',
      version: 1,
      context: { changedAt: world.clock.at },
    });
    expect(
      await resume.run(PAUSE_SWITCH_ID, { by: 'bob', reason: 'the provider is well again' }),
    ).toMatchObject({
      outcome: 'applied',
      state: 'OPEN',
    });
    expect(await journal('startGate', PAUSE_SWITCH_ID)).toMatchObject([
      { seq: 1, eventType: 'PAUSE_ASKED', actedBy: 'operator:ada', note: ADA.reason },
      { seq: 2, eventType: 'RESUME_ASKED', actedBy: 'operator:bob', note: 'the provider is well again' },
    ]);
    await expectInvariants(database.pool, world.clock.at);
  });

  test('another id is no pause switch', async () => {
    expect(await world.operation('pause-starting').run(randomUUID(), ADA)).toMatchObject({
      outcome: 'missing',
    });
    expect((await database.store.read('startGate', PAUSE_SWITCH_ID))?.state).toBe('OPEN');
  });

  test('ten simultaneous calls pause once', async () => {
    const asked = Array.from({ length: 10 }, (_, n) =>
      world.operation('pause-starting').run(PAUSE_SWITCH_ID, { by: `operator-${n}`, reason: 'all at once' }),
    );
    const outcomes = (await Promise.all(asked)).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === 'applied')).toHaveLength(1);
    expect((await database.store.read('startGate', PAUSE_SWITCH_ID))?.version).toBe(1);
  });
});

describe('for every operation', () => {
  test.each(['nonsense', '', randomUUID(), "'; drop table ai_jobs --"])(
    '%j is reported as missing',
    async (id) => {
      for (const { name, preview, run } of world.operations.list()) {
        expect([name, (await preview(id)).outcome]).toEqual([name, 'missing']);
        expect([name, (await run(id, ADA)).outcome]).toEqual([name, 'missing']);
      }
    },
  );

  test('an id of another kind of actor is reported as missing', async () => {
    const deletion = await seedDeletion(database.pool, { status: 'FAILED', errorClass: 'transient' });
    const { jobId } = await seedStagingJob(database.pool);
    expect(await world.operation('cancel-job').run(deletion, ADA)).toMatchObject({ outcome: 'missing' });
    expect(await world.operation('retry-deletion').run(jobId, ADA)).toMatchObject({ outcome: 'missing' });
  });

  test('a decision on an older version changes nothing', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const seen = await world.operation('cancel-job').preview(jobId);
    await world.operation('re-enqueue-job').run(jobId, ADA);
    const seenVersion = Number(seen.version);
    expect(await world.operation('cancel-job').run(jobId, { ...ADA, seenVersion })).toMatchObject({
      outcome: 'stale',
      state: 'PENDING.QUEUED',
      version: 1,
      why: expect.stringContaining('moved on'),
    });
    expect(await world.operation('cancel-job').run(jobId, { ...ADA, seenVersion: 1 })).toMatchObject({
      outcome: 'applied',
    });
    const { jobId: description } = await seedDescription(database.pool);
    expect(await world.operation('cancel-job').run(description, { ...ADA, seenVersion: 7 })).toMatchObject({
      outcome: 'stale',
    });
    const propertyId = await seedProperty(database.pool);
    const rebuild = world.operation('rebuild-document');
    const { version } = await rebuild.preview(propertyId);
    await database.pool.query(`update properties set city = 'Elsewhere' where id = $1`, [propertyId]);
    expect(await rebuild.run(propertyId, { ...ADA, seenVersion: Number(version) })).toMatchObject({
      outcome: 'stale',
    });
  });

  test.each(['', 'ab', 'x'.repeat(501), ' \n\t '])('the reason %j counts as missing', async (reason) => {
    const { jobId } = await seedStagingJob(database.pool);
    await expect(world.operation('cancel-job').run(jobId, { by: 'ada', reason })).rejects.toThrow(
      UnsignedError,
    );
    await expect(world.operation('cancel-job').run(jobId, { ...ADA, by: '' })).rejects.toThrow(UnsignedError);
    expect((await database.store.readJob(jobId))?.job.state).toBe('PENDING.QUEUED');
  });

  test('secrets, mail addresses and control characters are not written to the journal', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    const reason = `asked by\u0000 jane@example.com\nwith ${SECRET} and Bearer abcdef0123456789 \ud800`;
    await world.operation('cancel-job').run(jobId, { by: 'ada@example.com', reason });
    const [row] = await journal('stagingJob', jobId);
    expect(row?.actedBy).toBe('operator:ada');
    expect(row?.note).toBe('asked by [mail address] with [redacted] and Bearer [redacted] \ufffd');
  });
});

describe('suspend-account', () => {
  test.each([
    ['PENDING.QUEUED', 'CANCELED'],
    ['RESERVED', 'CANCELED'],
    ['SENT', 'PROCESSING.ATTEMPT'],
    ['UNCONFIRMED', 'PROCESSING.ATTEMPT'],
    ['RUNNING', 'PROCESSING.ATTEMPT'],
    ['COLLECTING', 'PROCESSING.ATTEMPT'],
    ['RETRYING.BACKOFF', 'CANCEL_REQUESTED'],
  ] as const)('of a job in %s buys nothing more, and finishes what was bought: %s', async (from, to) => {
    const driver = await JobDriver.open(world.runtime);
    await driver.play(ROUTES[from]());
    const { rows } = await database.pool.query(
      `update ai_jobs j set "requestedByUserId" = p."ownerAgentId" from properties p
       where j.id = $1 and p.id = j."propertyId" returning p."ownerAgentId" as person`,
      [driver.jobId],
    );
    const suspend = world.operations.find('suspend-account');
    expect(await suspend?.run(rows[0].person, ADA)).toMatchObject({ outcome: 'applied', state: 'SUSPENDED' });
    expect((await driver.states())[0]).toBe(to);
    await expectInvariants(database.pool, world.clock.at);
  });
});
