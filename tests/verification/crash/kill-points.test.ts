import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { attemptReaches, jobReaches } from '../../support/platform/listing.ts';
import { expectWholeJournals, finishBoughtOnce } from '../../support/platform/outcomes.ts';
import {
  attemptsOf,
  drainAll,
  imageRow,
  openStagingWorld,
  releaseClaims,
  type StagingWorld,
  storedKeys,
} from '../../support/platform/staging-world.ts';
import { type FaultController, kill, openFaultController } from './fault-controller.ts';
import { isWalked, NAMED_POINTS, type PointName, WORKER_POINTS } from './named-points.ts';
import { openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/**
 * One worker, killed with SIGKILL at each named point in turn and started again each time: the next process
 * continues the work, and nothing is bought, stored or shown twice.
 */
let faultController: FaultController;
let world: StagingWorld;
let slot: WorkerSlot;

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0 });
  slot = await openWorkerSlot(world.platform, { faultController, variables: { TEST_LEASE_MS: '1200' } });
  await slot.open();
}, 60_000);
afterEach(() => faultController.clear());
afterAll(async () => {
  await slot.close();
  await world.close();
  await faultController.close();
});

/** Kills the first process that reaches the point during `act`, which stands there while `meanwhile` is done. */
async function killedAt<T>(
  point: PointName,
  act: () => Promise<T>,
  meanwhile: () => Promise<unknown> = async () => {},
): Promise<T> {
  const before = slot.starts();
  const doomed = slot.process();
  const struck = faultController.interrupt(point, async (visit) => {
    await meanwhile();
    return kill(visit);
  });
  const result = await act();
  await struck;
  expect(await doomed.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await eventually(() => slot.starts() > before, { what: 'the next process' });
  return result;
}

/** How a job ends whose worker dies there, and how often the provider's ledger has its one attempt. */
const JOBS: Partial<Record<PointName, { bought: 0 | 1; by: 'nobody' | 'answer' | 'search' | 'anybody' }>> = {
  'before-reserve': { bought: 1, by: 'anybody' },
  'after-reserve': { bought: 1, by: 'anybody' },
  'before-claim': { bought: 1, by: 'anybody' },
  'after-claim': { bought: 0, by: 'nobody' },
  'before-post': { bought: 0, by: 'nobody' },
  'before-answer': { bought: 1, by: 'search' },
  'after-post': { bought: 1, by: 'search' },
  'before-id-stored': { bought: 1, by: 'search' },
  'after-id-stored': { bought: 1, by: 'answer' },
  'before-download': { bought: 1, by: 'answer' },
  'before-put': { bought: 1, by: 'answer' },
  'before-put-answer': { bought: 1, by: 'answer' },
  'after-put': { bought: 1, by: 'answer' },
  'after-result-recorded': { bought: 1, by: 'answer' },
};
const DELETIONS: PointName[] = [
  'before-outbox-claim',
  'after-outbox-claim',
  'before-delete',
  'before-delete-answer',
  'after-delete',
];
const COMPARISONS: PointName[] = ['after-drift-claim', 'after-drift-put', 'after-drift-record'];
const CHECKS: PointName[] = ['after-photo-claim', 'after-fingerprint-claim'];
const DOCUMENTS: PointName[] = ['before-search-write', 'after-search-write'];

test('every named point is in one of the tables below', () => {
  const tested = [...Object.keys(JOBS), ...DELETIONS, ...COMPARISONS, ...CHECKS, ...DOCUMENTS];
  expect(tested.toSorted()).toEqual(WORKER_POINTS.toSorted());
});

describe('a worker that stages is killed', () => {
  for (const [at, { bought, by }] of Object.entries(JOBS))
    test.runIf(isWalked(at as PointName))(
      `${at} (${NAMED_POINTS[at as PointName].meaning}): bought ${bought === 1 ? 'once' : 'never'}`,
      async () => {
        const { aiJobId } = await killedAt(at as PointName, () => world.newJob());
        if (by === 'nobody') await endAsLost(aiJobId);
        else await finishBoughtOnce(world.platform, [aiJobId]);
        const [attempt, ...others] = await attemptsOf(world, aiJobId);
        expect(others).toEqual([]);
        expect((await world.platform.purchases()).get(attempt?.id ?? '') ?? []).toHaveLength(bought);
        // A callback may arrive before the answer of a send that the kill did not affect.
        if (by !== 'anybody') expect(await broughtBy(attempt?.id ?? '')).toBe(by);
        const images = await world.platform.rows('select id from property_images where "aiJobId" = $1', [
          aiJobId,
        ]);
        expect(images).toHaveLength(bought);
        await expectWholeJournals(world.platform, [aiJobId]);
      },
    );

  /** There is nothing to find, so the row timestamps of the search and of the last scan are moved back. */
  async function endAsLost(aiJobId: string): Promise<void> {
    const { id } = await attemptReaches(world.platform, aiJobId, 'UNCONFIRMED');
    await world.platform.rows(
      `update ai_provider_attempts set "unconfirmedSince" = now() - interval '16 minutes' where id = $1`,
      [id],
    );
    await world.platform.rows(`update sweep_turns set "beganAt" = now() - interval '2 minutes'`);
    expect(await jobReaches(world.platform, aiJobId, 'FAILED')).toMatchObject({
      errorCode: 'PREDICTION_UNCONFIRMED',
    });
  }

  /** Whether the sender stored the id, a callback or the list brought it, or it was never found. */
  async function broughtBy(attemptId: string): Promise<string> {
    const [first] = await world.platform.rows<{ eventType: string; fromState: string }>(
      `select "eventType", "fromState" from actor_transitions where "actorId" = $1 and event ? 'predictionId'
        order by seq limit 1`,
      [attemptId],
    );
    if (first === undefined) return 'nobody';
    return first.eventType === 'PREDICTION_CREATED' ? 'answer' : 'search';
  }
});

describe('a worker that deletes is killed', () => {
  for (const at of DELETIONS)
    test.runIf(isWalked(at))(
      `${at} (${NAMED_POINTS[at].meaning}): exactly the due objects are deleted`,
      async () => {
        const [gone, kept] = [await world.newOriginal(), await world.newOriginal()];
        const [row, other] = [await imageRow(world, gone), await imageRow(world, kept)];
        await killedAt(at, () => world.agent.request('DELETE', `/api/property-images/${gone}`));
        await world.platform.rows(
          `update storage_deletion_outbox set "claimedAt" = now() - interval '1 hour' where status = 'PROCESSING'`,
        );
        await drainAll(world);
        const keys = await storedKeys(world);
        for (const key of [row?.objectKey, row?.paddedInputKey]) expect(keys).not.toContain(key);
        for (const key of [other?.objectKey, other?.paddedInputKey]) expect(keys).toContain(key);
      },
    );
});

describe('a worker that compares pictures stands still, and is killed', () => {
  for (const at of COMPARISONS)
    test.runIf(isWalked(at))(
      `${at} (${NAMED_POINTS[at].meaning}): no job waits for it, and every picture gets its comparison`,
      async () => {
        const jobIds: string[] = [];
        const { aiJobId } = await killedAt(
          at,
          () => world.newJob(),
          async () => {
            const other = await world.newJob();
            jobIds.push(other.aiJobId);
            await finishBoughtOnce(world.platform, jobIds);
          },
        );
        jobIds.push(aiJobId);
        await finishBoughtOnce(world.platform, jobIds);
        const pictures = await world.platform.rows<{ id: string }>(
          'select id from property_images where "aiJobId" = any($1)',
          [jobIds],
        );
        expect(pictures).toHaveLength(2);
        for (const { id } of pictures)
          expect((await world.agent.mutate('ai.approveStagedVariant', { imageId: id })).status).toBe(200);
        await releaseClaims(world);
        await eventually(async () => (await heatMapsOf(pictures.map(({ id }) => id))).length === 2, {
          what: 'both comparisons',
        });
        const stored = await storedKeys(world);
        for (const key of await heatMapsOf(pictures.map(({ id }) => id))) expect(stored).toContain(key);
      },
    );

  async function heatMapsOf(imageIds: string[]): Promise<string[]> {
    const rows = await world.platform.rows<{ key: string }>(
      `select "heatMapKey" as key from drift_comparisons
        where "stagedImageId" = any($1) and "comparedAt" is not null`,
      [imageIds],
    );
    return rows.map(({ key }) => key);
  }
});

describe('a worker that checks photos is killed', () => {
  for (const at of CHECKS)
    test.runIf(isWalked(at))(
      `${at} (${NAMED_POINTS[at].meaning}): the photo is shown after the claim has run out`,
      async () => {
        const { aiJobId, originalImageId } = await killedAt(at, () => world.newJob());
        await finishBoughtOnce(world.platform, [aiJobId]);
        await releaseClaims(world);
        await eventually(
          async () => {
            const [row] = await world.platform.rows<{ open: string }>(
              `select (select count(*) from photo_checks where "imageId" = $1 and verdict is null)
                 + (select count(*) from staged_fingerprints f join property_images v on v.id = f."stagedImageId"
                    where v."styledFromId" = $1 and f."madeAt" is null) as open`,
              [originalImageId],
            );
            return row?.open === '0';
          },
          { what: 'the verdict and the fingerprint' },
        );
      },
    );
});

describe('a worker that writes search documents is killed', () => {
  for (const at of DOCUMENTS)
    test.runIf(isWalked(at))(`${at} (${NAMED_POINTS[at].meaning}): the document equals the row`, async () => {
      // A repeat that wrote the same city would change nothing, and lead to no document.
      const city = `Town ${randomUUID()}`;
      await killedAt(at, () =>
        world.agent.mutate('properties.update', { propertyId: world.propertyId, city }),
      );
      await eventually(
        async () => (await world.kv.hget(`psearch:property:${world.propertyId}`, 'city')) === city,
        { what: 'the document to name the city' },
      );
    });
});
