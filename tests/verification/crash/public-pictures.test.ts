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
/** Its waits end first, each with what it saw. */
const TEST_MS = 300_000;
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

/** What a decision is about: a photo, and its pictures that are shown and withdrawn before it. */
interface About {
  photo: string;
  shown?: string;
  withdrawn?: string;
}
/** A new listing, because a photo is compared with every staged picture that its listing ever had. */
interface Scene {
  propertyId: string;
  about: Partial<Record<Decision, About>>;
}

interface DecisionRule {
  /** The pictures of its photo before it. */
  has: readonly ('shown' | 'withdrawn')[];
  /** Those that are shown after it. */
  leaves: readonly ('shown' | 'withdrawn')[];
  by(about: About): Promise<Answer>;
  /** In the statement that decides. */
  words: string;
}
const DECISIONS = {
  withdraw: {
    has: ['shown'],
    leaves: [],
    by: ({ shown }) => agent().mutate('ai.withdrawStagedVariant', { imageId: shown }),
    words: 'WITHDRAW',
  },
  lift: {
    has: ['withdrawn'],
    leaves: ['withdrawn'],
    by: ({ withdrawn }) => agent().mutate('ai.liftWithdrawal', { imageId: withdrawn }),
    words: 'LIFT',
  },
  delete: {
    has: ['shown', 'withdrawn'],
    leaves: [],
    by: ({ photo }) => agent().request('DELETE', `/api/property-images/${photo}`),
    words: 'ORIGINAL_DELETED',
  },
  declare: {
    has: ['shown'],
    leaves: [],
    by: ({ photo }) =>
      agent().mutate('properties.declareAltered', { imageId: photo, kind: 'Twilight Conversion' }),
    words: 'WITHDRAW',
  },
} satisfies Record<string, DecisionRule>;
type Decision = keyof typeof DECISIONS;
const ALL = Object.keys(DECISIONS) as Decision[];
const ruleOf = (decision: Decision): DecisionRule => DECISIONS[decision];
const STYLES = { shown: 'MODERN', withdrawn: 'LUXURY' };

async function newScene(decisions: readonly Decision[]): Promise<Scene> {
  const propertyId = await createListing(world.agent);
  const scenes = await Promise.all(
    decisions.map(async (decision): Promise<[Decision, About]> => {
      const photo = await newRoom(propertyId);
      const about: About = { photo };
      for (const kind of ruleOf(decision).has) about[kind] = await approved(photo, STYLES[kind]);
      return [decision, about];
    }),
  );
  await photosChecked(world.platform);
  for (const [, { withdrawn }] of scenes)
    if (withdrawn) await done(world.agent.mutate('ai.withdrawStagedVariant', { imageId: withdrawn }));
  return { propertyId, about: Object.fromEntries(scenes) };
}
async function approved(photo: string, style: string): Promise<string> {
  const { aiJobId } = await submit(world.agent, photo, style);
  await jobReaches(world.platform, aiJobId, 'SUCCESS');
  const [image] = await world.platform.rows<{ id: string }>(
    'select id from property_images where "aiJobId" = $1',
    [aiJobId],
  );
  await done(world.agent.mutate('ai.approveStagedVariant', { imageId: image?.id }));
  return image?.id ?? '';
}
function newRoom(propertyId: string): Promise<string> {
  rooms += 1;
  return uploadRoom(world.agent, propertyId, rooms);
}
async function done(asked: Promise<Answer>): Promise<void> {
  const { status, text } = await asked;
  expect(status, text).toBe(200);
}
function aboutOf({ about }: Scene, decision: Decision): About {
  const found = about[decision];
  if (found === undefined) throw new Error(`the scene has nothing for ${decision}`);
  return found;
}
const decide = (scene: Scene, decision: Decision) => ruleOf(decision).by(aboutOf(scene, decision));

/** Every place shows what it should after these decisions, and nothing else. */
async function expectPublic(scene: Scene, decided: readonly Decision[]): Promise<void> {
  const expected: Record<string, string[]> = {};
  for (const [name, { photo, ...pictures }] of Object.entries(scene.about)) {
    const decision = name as Decision;
    const isDecided = decided.includes(decision);
    expected[photo] = isDecided && decision === 'delete' ? [] : PHOTO_PLACES;
    const visible: readonly string[] = isDecided ? ruleOf(decision).leaves : ['shown'];
    for (const [kind, picture] of Object.entries(pictures))
      expected[picture] = visible.includes(kind) ? STAGED_PLACES : [];
  }
  const look = () => places(Object.keys(expected), scene.propertyId);
  expect(withoutCopies(await look())).toEqual(withoutCopies(expected));
  // A copy that was asked for before may be answered a moment longer (docs/contract.md#showing-pictures).
  await eventually(async () => isDeepStrictEqual(await look(), expected), {
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
        const scene = await newScene(ALL);
        const [doomed, altered] = [aboutOf(scene, 'delete').photo, aboutOf(scene, 'declare').photo];
        const deleted = [await imageRow(world, doomed), ...(await variantsOf(world, doomed))].map(
          (row) => row?.objectKey,
        );
        const spare = await newRoom(scene.propertyId);
        const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
        const before = slot.starts();
        const struck = faultController.interrupt(point, async (visit) => {
          await begun;
          for (const decision of ALL) await done(decide(scene, decision));
          return kill(visit);
        });
        // Together they lead to every point: a new photo, a job of the one that is deleted, a deletion, a changed listing.
        await newRoom(scene.propertyId);
        const { aiJobId } = await submit(world.agent, doomed, 'FARMHOUSE');
        const ofAltered = await submit(world.agent, altered, 'FARMHOUSE');
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
      TEST_MS,
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
        const scene = await newScene([decision]);
        const doomed = gatedWeb;
        const cut = gate.cutAt(point, ruleOf(decision).words, () => {
          process.kill(doomed?.pid ?? 0, 'SIGKILL');
        });
        const unanswered = expect(decide(scene, decision)).rejects.toThrow();
        await cut;
        await unanswered;
        expect(await doomed?.exited).toEqual({ code: null, signal: 'SIGKILL' });
        await expectPublic(scene, point === 'before-commit' ? [] : [decision]);
        await startGatedWeb();
        const { status } = await decide(scene, decision);
        expect(status).toBe(decision === 'delete' && point === 'after-commit' ? 404 : 200);
        await expectPublic(scene, [decision]);
        await clear(scene);
      },
      TEST_MS,
    );
});

test(
  'afterwards every invariant holds: of rows, journals, documents, queues and objects',
  async () => {
    await drainAll(world);
    const broken = await brokenInvariants({
      staging: world,
      aged,
      storageFaults: { lostDeletions: new Set() },
    });
    expect(broken).toEqual([]);
  },
  TEST_MS,
);
