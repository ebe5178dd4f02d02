import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AnyEventObject, AnyStateMachine } from 'xstate';
import { deletionItemMachine } from '../../../machines/deletion-item.ts';
import { imageReviewMachine } from '../../../machines/image-review.ts';
import { pauseSwitchMachine } from '../../../machines/pause-switch.ts';
import { providerAttemptMachine } from '../../../machines/provider-attempt.ts';
import { searchDocumentMachine } from '../../../machines/search-document.ts';
import { jobMachine } from '../../../machines/staging-job.ts';
import type { AnyActor, SingleKind } from '../../../persistence/actors/actor-kinds.ts';
import type { ActorTransaction } from '../../../persistence/actors/actor-store.ts';
import { PAUSE_SWITCH_ID } from '../../../persistence/actors/rows/pause-switch-row.ts';
import { seedDeletion, seedOriginal, seedStagingJob, seedVariant } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { createAttempt, entryFor } from '../../support/database/store-under-test.ts';
import * as events from '../../support/machines/event-catalogues.ts';
import { explore } from '../../support/machines/exploration.ts';
import { MANUAL_EPOCH } from '../../support/manual-time.ts';
import { JobDriver, openTestRuntime, ROUTES } from '../../support/worlds/job-driver.ts';

const database = useStoreDatabase();
beforeEach(() => database.clear());

interface Reached {
  state: string;
  context: Record<string, unknown>;
}

/** One of each state with each combination of known and unknown fields. */
function reachedBy(machine: AnyStateMachine, catalogue: readonly AnyEventObject[]): Reached[] {
  const distinct = new Map<string, Reached>();
  for (const reached of explore(machine, catalogue).reached) {
    const known = Object.entries(reached.context).map(([, value]) => (value === null ? '-' : typeof value));
    const attempts = reached.context.attemptCount ?? '';
    distinct.set(`${reached.state} ${attempts} ${known.join(' ')}`, reached);
  }
  return [...distinct.values()];
}

/** Overwrites an actor's state, and reads the row again. */
async function writeAndRead(
  kind: 'job' | 'attempt' | SingleKind,
  id: string,
  reached: Reached,
): Promise<AnyActor> {
  const load = async (tx: ActorTransaction): Promise<AnyActor> => {
    const actor =
      kind === 'job'
        ? (await tx.lockJob(id))?.job
        : kind === 'attempt'
          ? (await tx.lockJob(id))?.attempts[0]
          : await tx.lock(kind, id);
    if (!actor) throw new Error(`no actor ${id}`);
    return actor;
  };
  const write = await database.store.transaction(async (tx) => {
    const actor = await load(tx);
    return tx.save(actor, reached as never, entryFor(actor, reached.state, { type: 'WRITTEN' }));
  });
  const read = await database.store.transaction(load);
  expect([read.state, read.context, read.version]).toEqual([write.state, write.context, write.version]);
  return read;
}

describe('every reachable state can be stored and read back unchanged', () => {
  test('staging job', async () => {
    const bare = (await seedStagingJob(database.pool)).jobId;
    const { jobId } = await seedStagingJob(database.pool);
    const states = reachedBy(jobMachine, events.STAGING_JOB_EVENTS);
    expect(states.length).toBeGreaterThan(15);
    const withAttempts = [bare];
    for (const attemptNumber of [1, 2] as const) {
      const id = attemptNumber === 1 ? jobId : (await seedStagingJob(database.pool)).jobId;
      withAttempts.push(id);
      for (let number = 1; number <= attemptNumber; number += 1)
        await database.store.transaction((tx) =>
          createAttempt(tx, id, {
            attemptId: randomUUID(),
            attemptNumber: number as 1 | 2,
            at: MANUAL_EPOCH,
          }),
        );
    }
    for (const reached of states) {
      const id = String(withAttempts[Number(reached.context.attemptCount)]);
      const { state, context } = await writeAndRead('job', id, reached);
      expect({ state, context }).toEqual(reached);
    }
  });

  test('provider attempt', async () => {
    const { jobId } = await seedStagingJob(database.pool);
    await database.store.transaction((tx) =>
      createAttempt(tx, jobId, { attemptId: randomUUID(), attemptNumber: 1, at: MANUAL_EPOCH }),
    );
    const states = reachedBy(providerAttemptMachine, events.PROVIDER_ATTEMPT_EVENTS);
    expect(states.length).toBeGreaterThan(80);
    for (const reached of states) {
      const { state, context } = await writeAndRead('attempt', jobId, reached);
      expect({ state, context }).toEqual(reached);
    }
  });

  test('image review; REMOVED deletes the row', async () => {
    const original = await seedOriginal(database.pool);
    // Approved by a person and recorded, so that the gate lets each of these states be written.
    const approved = { reviewStatus: 'APPROVED', reviewedByUserId: events.IDS.user };
    const id = await seedVariant(database.pool, original, approved);
    const reachable = reachedBy(imageReviewMachine, events.IMAGE_REVIEW_EVENTS);
    const kept = reachable.filter(({ state }) => state !== 'REMOVED');
    expect(new Set(kept.map(({ state }) => state))).toEqual(
      new Set(['PENDING_REVIEW', 'APPROVED', 'WITHDRAWN']),
    );
    expect(reachable.length).toBeGreaterThan(kept.length);
    for (const reached of kept) {
      const { state, context } = await writeAndRead('imageReview', id, reached);
      expect({ state, context }).toEqual(reached);
    }
    await database.store.transaction(async (tx) => {
      const image = await tx.lock('imageReview', id);
      if (!image) throw new Error('no image');
      await tx.save(image, { ...image, state: 'REMOVED' }, entryFor(image, 'REMOVED', { type: 'REJECT' }));
      expect(await tx.deleteImage(id)).toBe(true);
    });
    expect(await journalOf(database.pool, 'imageReview', id)).toHaveLength(kept.length + 1);
  });

  test('deletion item', async () => {
    const id = await seedDeletion(database.pool);
    const states = reachedBy(deletionItemMachine, events.DELETION_ITEM_EVENTS);
    expect(states.length).toBeGreaterThan(6);
    for (const reached of states) {
      const { state, context } = await writeAndRead('deletionItem', id, reached);
      expect({ state, context }).toEqual(reached);
    }
  });
});

describe('actors that operators change', () => {
  test('pause switch', async () => {
    for (const reached of reachedBy(pauseSwitchMachine, events.PAUSE_SWITCH_EVENTS)) {
      const { state, context } = await writeAndRead('startGate', PAUSE_SWITCH_ID, reached);
      expect({ state, context }).toEqual(reached);
    }
    await expect(
      database.pool.query('insert into start_gate (id) values ($1)', [randomUUID()]),
    ).rejects.toThrow('start_gate_one_row_check');
  });

  test('search document: its version is the listing’s search version', async () => {
    const { propertyId } = await seedOriginal(database.pool);
    const states = reachedBy(searchDocumentMachine, events.SEARCH_DOCUMENT_EVENTS);
    expect(states.length).toBe(2);
    for (const reached of states) {
      const { state, context, version } = await writeAndRead('searchDocument', propertyId, reached);
      expect({ state, context }).toEqual(reached);
      const { rows } = await database.pool.query(
        'select "searchVersion"::int as version from properties where id = $1',
        [propertyId],
      );
      expect(rows).toEqual([{ version }]);
    }
  });
});

describe('the trigger of 0010 makes the same change as the machine when an original is deleted', () => {
  const INSTANTS = ['startedAt', 'finishedAt', 'cancelRequestedAt', 'canceledAt', 'retryAt', 'heartbeatAt'];
  const TIMES = [...INSTANTS, 'leaseExpiresAt', 'updatedAt'];

  /**
   * The row and its last journal line; ids and times are reduced to known or unknown, since they always
   * differ.
   */
  const portrait = async (driver: JobDriver) => {
    const { rows } = await database.pool.query('select * from ai_jobs where id = $1', [driver.jobId]);
    const { id, dedupeKey, propertyId, createdAt, ...row } = rows[0];
    const moment = row.updatedAt;
    const journal = await journalOf(database.pool, 'stagingJob', driver.jobId);
    const { at, event, actedBy, leaseEpoch, ...last } = journal.at(-1) ?? {};
    return {
      ...row,
      ...Object.fromEntries(TIMES.map((name) => [name, row[name] === null ? null : 'known'])),
      now: INSTANTS.filter((name) => row[name]?.getTime() === moment.getTime()),
      journal: { ...last, entries: journal.length, event: { ...event, at: event?.at === at?.getTime() } },
    };
  };

  for (const state of Object.keys(ROUTES) as (keyof typeof ROUTES)[])
    for (const held of [true, false])
      test(`${state}, ${held ? 'held by a runner' : 'without a lease'}`, async () => {
        const runtime = openTestRuntime(database);
        const [byTrigger, byMachine] = [await JobDriver.open(runtime), await JobDriver.open(runtime)];
        for (const driver of [byTrigger, byMachine]) {
          await driver.play(ROUTES[state]());
          const { lease, jobId } = driver;
          if (!held) await database.store.releaseLease({ ...lease, jobId });
        }
        const before = await portrait(byTrigger);
        await database.pool.query('delete from property_images where id = $1', [byTrigger.seeded.imageId]);
        await byMachine.sendToJob({ type: 'ORIGINAL_DELETED' }, { leased: false });
        // The machine may go on to CANCELED when the attempt has no prediction to cancel.
        const machineEntries = await journalOf(database.pool, 'stagingJob', byMachine.jobId);
        const first = machineEntries.find(({ eventType }) => eventType === 'ORIGINAL_DELETED');
        const trigger = await portrait(byTrigger);
        expect(trigger.journal).toMatchObject({ eventType: 'ORIGINAL_DELETED', entries: before.version + 1 });
        expect([trigger.journal.fromState, trigger.journal.toState, trigger.journal.seq]).toEqual([
          first?.fromState,
          first?.toState,
          first?.seq,
        ]);
        expect(trigger.version).toBe(before.version + 1);
        expect(trigger.journal.event).toEqual({ type: 'ORIGINAL_DELETED', at: true });
        if (machineEntries.at(-1) === first) expect(trigger).toEqual(await portrait(byMachine));
        else {
          await byTrigger.sendToAttempt({ type: 'CANCEL' });
          const { now: _, ...told } = await portrait(byTrigger);
          const { now: __, ...chained } = await portrait(byMachine);
          expect(told).toEqual(chained);
        }
      });

  test('neither changes jobs in CANCEL_REQUESTED or a final state', async () => {
    const runtime = openTestRuntime(database);
    const driver = await JobDriver.open(runtime);
    await driver.play(ROUTES.RUNNING());
    await driver.sendToJob({ type: 'CANCEL_ASKED' });
    const over = await JobDriver.open(runtime);
    await over.sendToJob({ type: 'CANCEL_ASKED' });
    const before = [await portrait(driver), await portrait(over)];
    for (const { seeded } of [driver, over])
      await database.pool.query('delete from property_images where id = $1', [seeded.imageId]);
    expect([await portrait(driver), await portrait(over)]).toEqual(before);
    expect(await driver.sendToJob({ type: 'ORIGINAL_DELETED' })).toMatchObject({ outcome: 'ignored' });
    expect(await over.sendToJob({ type: 'ORIGINAL_DELETED' })).toMatchObject({ outcome: 'ignored' });
  });
});
