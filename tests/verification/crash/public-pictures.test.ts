import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, onWeb } from '../../support/platform/agent.ts';
import {
  createListing,
  jobReaches,
  jobRow,
  photosChecked,
  submit,
  uploadRoom,
} from '../../support/platform/listing.ts';
import { attemptsOfJob } from '../../support/platform/outcomes.ts';
import {
  openPublicPlaces,
  PHOTO_PLACES,
  type PublicPlaces,
  STAGED_PLACES,
} from '../../support/platform/public-places.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import {
  drainAll,
  imageRow,
  openStagingWorld,
  releaseClaims,
  type StagingWorld,
  storedKeys,
  variantsOf,
} from '../../support/platform/staging-world.ts';
import { inShare } from '../../support/share.ts';
import { type FaultController, kill, openFaultController } from './fault-controller.ts';
import { isWalked, NAMED_POINTS, WEB_POINTS, WORKER_POINTS } from './named-points.ts';
import { openPostgresGate, type PostgresGate } from './outages/postgres-gate.ts';
import { brokenInvariants } from './run-verdict.ts';
import { closeWindows } from './run-watch.ts';
import { openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/**
 * A picture is withdrawn, another is shown again, an original with pictures is deleted, and another is declared altered,
 * while a process is killed
 * with SIGKILL: the worker at each of its points, and the web before and after its commit. At no time is anything
 * public that should not be (docs/contract.md#withdrawing).
 */
const GATED = 1;
/** A look at all places that takes a while, after the two seconds of the contract. */
const COPIES_MS = 4_000;
/** A logical Redis database for this file alone, because documents have no prefix per file. */
const kvUrl = new URL(sharedStack().kvUrl);
kvUrl.pathname = '/7';
let faultController: FaultController;
let world: StagingWorld;
let slot: WorkerSlot;
let gate: PostgresGate;
let gatedWeb: RoleProcess | undefined;
let places: PublicPlaces;
/** Makes every room another picture. */
let rooms = 0;
/** Attempts whose window was closed by hand. */
const aged = new Set<string>();

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0, kvUrl: kvUrl.href });
  gate = await openPostgresGate(String(world.platform.pool.options.connectionString));
  slot = await openWorkerSlot(world.platform, { faultController, variables: { TEST_LEASE_MS: '1200' } });
  await Promise.all([slot.open(), startGatedWeb()]);
  places = await openPublicPlaces(world);
}, 60_000);
afterEach(() => faultController.clear());
afterAll(async () => {
  await slot.close();
  await world.close();
  await gate.close();
  await faultController.close();
});

const startGatedWeb = async () => {
  gatedWeb = await world.platform.startWeb({ DATABASE_URL: gate.url }, GATED);
  await gatedWeb.ready;
};
const agent = () => onWeb(world.platform, world.agent, GATED);

/**
 * Four photos: the first and the last have a picture that is shown, the second a withdrawn one, the third one of each.
 * The listing is new, because a photo is compared with every staged picture that its listing ever had.
 */
interface Scene {
  propertyId: string;
  photos: [string, string, string, string];
  shown: string;
  withdrawn: string;
  ofAltered: string;
  others: [string, string];
}
async function newScene(): Promise<Scene> {
  const propertyId = await createListing(world.agent);
  const photos = (await Promise.all(Array.from({ length: 4 }, () => newRoom(propertyId)))) as Scene['photos'];
  const jobs = await Promise.all(photos.map((photo) => submit(world.agent, photo)));
  const second = await submit(world.agent, photos[2], 'LUXURY');
  const pictures: string[] = [];
  for (const { aiJobId } of [...jobs, second]) {
    await jobReaches(world.platform, aiJobId, 'SUCCESS');
    const [image] = await world.platform.rows<{ id: string }>(
      'select id from property_images where "aiJobId" = $1',
      [aiJobId],
    );
    pictures.push(image?.id ?? '');
    await done(world.agent.mutate('ai.approveStagedVariant', { imageId: image?.id }));
  }
  await photosChecked(world.platform);
  const [shown = '', withdrawn = '', other, ofAltered = '', last] = pictures;
  const others = [other, last];
  for (const imageId of [withdrawn, others[1]])
    await done(world.agent.mutate('ai.withdrawStagedVariant', { imageId }));
  return { propertyId, photos, shown, withdrawn, ofAltered, others: others as Scene['others'] };
}
function newRoom(propertyId: string): Promise<string> {
  rooms += 1;
  return uploadRoom(world.agent, propertyId, rooms);
}
async function done(asked: Promise<Answer>): Promise<void> {
  const { status, text } = await asked;
  expect(status, text).toBe(200);
}

const DECISIONS = {
  withdraw: {
    by: ({ shown }: Scene) => agent().mutate('ai.withdrawStagedVariant', { imageId: shown }),
    words: 'WITHDRAW',
  },
  lift: {
    by: ({ withdrawn }: Scene) => agent().mutate('ai.liftWithdrawal', { imageId: withdrawn }),
    words: 'LIFT',
  },
  delete: {
    by: ({ photos }: Scene) => agent().request('DELETE', `/api/property-images/${photos[2]}`),
    words: 'ORIGINAL_DELETED',
  },
  declare: {
    by: ({ photos }: Scene) =>
      agent().mutate('properties.declareAltered', { imageId: photos[3], kind: 'Twilight Conversion' }),
    words: 'WITHDRAW',
  },
};
type Decision = keyof typeof DECISIONS;
const ALL = Object.keys(DECISIONS) as Decision[];

/** Every place shows what it should after these decisions, and nothing else. */
async function expectPublic(scene: Scene, decided: readonly Decision[]): Promise<void> {
  const { propertyId, photos, shown, withdrawn, ofAltered, others } = scene;
  const unless = (decision: Decision, there: string[]) => (decided.includes(decision) ? [] : there);
  const pictures = [...photos, shown, withdrawn, ofAltered, ...others];
  const expected = {
    [photos[0]]: PHOTO_PLACES,
    [photos[1]]: PHOTO_PLACES,
    [photos[2]]: unless('delete', PHOTO_PLACES),
    [photos[3]]: PHOTO_PLACES,
    [shown]: unless('withdraw', STAGED_PLACES),
    [withdrawn]: decided.includes('lift') ? STAGED_PLACES : [],
    [ofAltered]: unless('declare', STAGED_PLACES),
    [others[0]]: unless('delete', STAGED_PLACES),
    [others[1]]: [],
  };
  expect(withoutCopies(await places(pictures, propertyId))).toEqual(withoutCopies(expected));
  // A copy that was asked for before may be answered a moment longer (docs/contract.md#showing-pictures).
  await eventually(async () => isDeepStrictEqual(await places(pictures, propertyId), expected), {
    what: `copies of public pictures only: ${JSON.stringify(expected)}`,
    timeoutMs: COPIES_MS,
  });
}
const withoutCopies = (seen: Record<string, string[]>) =>
  Object.entries(seen).map(([id, names]) => [id, names.filter((name) => name !== 'image')]);

/** What is withdrawn leaves room for the next scene where only some listings are shown. */
const clear = ({ propertyId }: Scene) =>
  done(world.agent.mutate('properties.setStatus', { propertyId, standardStatus: 'Withdrawn' }));

describe('all four decisions, and then the worker is killed', () => {
  for (const point of WORKER_POINTS)
    test.runIf(isWalked(point))(
      `${point} (${NAMED_POINTS[point].meaning})`,
      async () => {
        const scene = await newScene();
        const deleted = [
          await imageRow(world, scene.photos[2]),
          ...(await variantsOf(world, scene.photos[2])),
        ].map((row) => row?.objectKey);
        const spare = await newRoom(scene.propertyId);
        const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
        const before = slot.starts();
        const struck = faultController.interrupt(point, async (visit) => {
          await begun;
          for (const decision of ALL) await done(DECISIONS[decision].by(scene));
          return kill(visit);
        });
        // Together they lead to every point: a new photo, a job of the one that is deleted, a deletion, a changed listing.
        await newRoom(scene.propertyId);
        const { aiJobId } = await submit(world.agent, scene.photos[2], 'FARMHOUSE');
        const ofAltered = await submit(world.agent, scene.photos[3], 'FARMHOUSE');
        await done(world.agent.request('DELETE', `/api/property-images/${spare}`));
        begin();
        await struck;
        // At once, with no one who could tidy up.
        await expectPublic(scene, ALL);
        await eventually(() => slot.starts() > before, { what: 'the next process' });
        await over(aiJobId);
        await over(ofAltered.aiJobId);
        await drainAll(world);
        await expectPublic(scene, ALL);
        const stored = await storedKeys(world);
        for (const key of deleted) expect(stored).not.toContain(key);
        await clear(scene);
      },
      60_000,
    );

  /** A dead worker's claims would run out after minutes, which are timestamps in rows; so are the windows of purchases. */
  async function over(aiJobId: string): Promise<void> {
    const { rows } = world.platform;
    await rows(`update storage_deletion_outbox set "claimedAt" = now() - interval '1 hour'
      where status = 'PROCESSING'`);
    await releaseClaims(world);
    await eventually(
      async () => {
        await closeWindows({ staging: world, aged });
        await rows(`update sweep_turns set "beganAt" = now() - interval '2 minutes'`);
        const { status } = await jobRow(world.platform, aiJobId);
        if (status === 'SUCCESS' || status === 'CANCELED') return true;
        const [attempt] = await attemptsOfJob(world.platform, aiJobId);
        throw new Error(`the job is ${status}, its attempt ${attempt?.status}`);
      },
      { what: 'the job of the deleted photo to be over', timeoutMs: 40_000 },
    );
  }
});

describe.each(ALL)('%s, and its web is killed', (decision) => {
  for (const [index, point] of WEB_POINTS.entries())
    test.runIf(inShare(ALL.indexOf(decision) * WEB_POINTS.length + index))(
      `${point} (${NAMED_POINTS[point].meaning}): all of it happened or nothing, and a repeat ends it`,
      async () => {
        if (gatedWeb?.isRunning() !== true) await startGatedWeb();
        const scene = await newScene();
        const doomed = gatedWeb;
        const cut = gate.cutAt(point, DECISIONS[decision].words, () => {
          process.kill(doomed?.pid ?? 0, 'SIGKILL');
        });
        const unanswered = expect(DECISIONS[decision].by(scene)).rejects.toThrow();
        await cut;
        await unanswered;
        expect(await doomed?.exited).toEqual({ code: null, signal: 'SIGKILL' });
        await expectPublic(scene, point === 'before-commit' ? [] : [decision]);
        await startGatedWeb();
        const { status } = await DECISIONS[decision].by(scene);
        expect(status).toBe(decision === 'delete' && point === 'after-commit' ? 404 : 200);
        await expectPublic(scene, [decision]);
        await clear(scene);
      },
      60_000,
    );
});

test('afterwards every invariant holds: of rows, journals, documents, queues and objects', async () => {
  await drainAll(world);
  const broken = await brokenInvariants({
    staging: world,
    aged,
    storageFaults: { lostDeletions: new Set() },
  });
  expect(broken).toEqual([]);
}, 60_000);
