import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { RoleProcess } from '../../../ops/dev/stack/role-process.ts';
import { eventually } from '../../support/eventually.ts';
import { onWeb } from '../../support/platform/agent.ts';
import { openGate, openHttpGate } from '../../support/platform/gates.ts';
import { createListing, uploadRoom } from '../../support/platform/listing.ts';
import { finishBoughtOnce, lineLogged, opsUrlOf, readyz } from '../../support/platform/outcomes.ts';
import { sharedStack } from '../../support/platform/stack.ts';
import { openStagingWorld, type StagingWorld } from '../../support/platform/staging-world.ts';
import { type FaultController, openFaultController } from './fault-controller.ts';
import { isWalked, NAMED_POINTS, type PointName, WORKER_POINTS } from './named-points.ts';
import { CREATE, openWorkerSlot, type WorkerSlot } from './worker-slot.ts';

/**
 * SIGTERM at each named point, and from that moment on no other service answers: no create begins, and the
 * process ends within its grace and two seconds (I28). Afterwards the job ends normally.
 */
const GRACE_MS = 1_000;
const GONE_MS = GRACE_MS + 2_000;
let faultController: FaultController;
let world: StagingWorld;
let slot: WorkerSlot;
/** While set, the provider and the store do not answer. */
let hanging: { over: Promise<void>; end(): void } | null = null;
/** Which process each create came from. */
const creates: number[] = [];

beforeAll(async () => {
  faultController = await openFaultController();
  world = await openStagingWorld({ workers: 0 });
  slot = await openWorkerSlot(world.platform, {
    faultController,
    async beforeProvider(method, path) {
      if (method === 'POST' && CREATE.test(path)) creates.push(slot.process().pid);
      await hanging?.over;
    },
    storageFaults: {
      async before() {
        await hanging?.over;
        return 'pass';
      },
    },
    variables: { TEST_LEASE_MS: '4000', SHUTDOWN_GRACE_MS: String(GRACE_MS) },
  });
  await slot.open();
}, 60_000);
afterEach(() => {
  faultController.clear();
  hanging?.end();
  hanging = null;
});
afterAll(async () => {
  await slot.close();
  await world.close();
  await faultController.close();
});

function hang(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  hanging = { over: promise, end: resolve };
  return promise;
}

const stopping = ({ pid }: { pid: number }) =>
  lineLogged(world.platform, 'stopping', (line) => line.msg === 'stopping' && line.pid === pid);

/** The time until the process has ended. */
async function gone(leaver: RoleProcess, since: number): Promise<number> {
  await leaver.exited;
  return performance.now() - since;
}

describe('SIGTERM, and the provider and the store hang from then on', () => {
  const askedToGo = (point: PointName) => {
    const before = { leaver: slot.process(), at: 0, creates: 0 };
    const struck = faultController.interrupt(point, async (visit) => {
      const over = hang();
      const [leaver, at] = [slot.process(), performance.now()];
      process.kill(visit.pid, 'SIGTERM');
      await stopping(visit);
      // A create of another job may have been on its way while the signal was, and a busy machine hears of it later.
      await slot.callsHeard();
      Object.assign(before, { leaver, at, creates: creates.length });
      // At the gates, the held request or its answer hangs like all others.
      if (NAMED_POINTS[point].seam !== 'worker') await over;
      return 'go' as const;
    });
    struck.catch(() => {});
    return before;
  };

  for (const point of WORKER_POINTS)
    test.runIf(isWalked(point))(`${point} (${NAMED_POINTS[point].meaning})`, async () => {
      const before = askedToGo(point);
      const known = creates.length;
      const { aiJobId } = await world.newJob();
      // A create that hangs when its worker goes is never made, and the worker after it waits a quarter of an hour for it.
      await eventually(() => creates.length > known || before.at > 0, {
        what: 'the create, or the visit',
        timeoutMs: 30_000,
      });
      await world.platform.rows(
        `insert into storage_deletion_outbox ("objectKey", reason, "nextAttemptAt")
         values ($1, 'STAGED_IMAGE_DELETED', now())`,
        [`staged/of-nobody-${aiJobId}.jpg`],
      );
      await eventually(() => before.at > 0, { what: `a visit of ${point}`, timeoutMs: 30_000 });
      expect(await gone(before.leaver, before.at)).toBeLessThan(GONE_MS);
      expect(creates.slice(before.creates).filter((pid) => pid === before.leaver.pid)).toEqual([]);
      hanging?.end();
      hanging = null;
      await finishBoughtOnce(world.platform, [aiJobId]);
    });
});

test('hanging descriptions do not delay the stop, and a new job is not begun meanwhile', async () => {
  const leaver = slot.process();
  await leaver.ready;
  hang();
  const { data } = await world.agent.mutate('ai.requestDescription', {
    // A listing has one text at a time: a second try needs another.
    propertyId: await createListing(world.agent),
    locale: 'en',
  });
  const known = creates.length;
  await eventually(() => creates.length > known, { what: 'the create of a text' });
  const since = performance.now();
  process.kill(leaver.pid, 'SIGTERM');
  await stopping(leaver);
  const { aiJobId } = await world.newJob();
  expect(await gone(leaver, since)).toBeLessThan(GONE_MS);
  expect(creates.slice(known)).toEqual([leaver.pid]);
  hanging?.end();
  hanging = null;
  await finishBoughtOnce(world.platform, [aiJobId]);
  // The text was not bought, but the worker cannot know that: it searches for the purchase and never sends
  // again.
  await eventually(
    async () => {
      const [row] = await world.platform.rows<{ cause: string | null }>(
        'select "unconfirmedCause" as cause from ai_provider_attempts where "aiJobId" = $1',
        [data.aiJobId],
      );
      return row?.cause === 'restart';
    },
    { what: 'the restart to be written down', timeoutMs: 30_000 },
  );
  expect(creates.slice(known + 1)).not.toContain(leaver.pid);
});

test('the worker ends although PostgreSQL and Redis hang', async () => {
  const { platform } = world;
  const { kvUrl } = platform;
  const databaseUrl = String(platform.pool.options.connectionString);
  const [rows, hints] = [await openGate(databaseUrl), await openGate(kvUrl)];
  onTestFinished(async () => {
    for (const gate of [rows, hints]) await gate.close();
  });
  const worker = await platform.startWorker({
    DATABASE_URL: rows.through(databaseUrl),
    KV_URL: hints.through(kvUrl),
    SHUTDOWN_GRACE_MS: String(GRACE_MS),
  });
  await worker.ready;
  for (const gate of [rows, hints]) gate.freeze();
  const since = performance.now();
  process.kill(worker.pid, 'SIGTERM');
  expect(await gone(worker, since)).toBeLessThan(GONE_MS);
});

test('a web is not ready after SIGTERM, and ends although an upload hangs', async () => {
  const { platform, agent } = world;
  let puts = 0;
  const store = await openHttpGate(sharedStack().s3.endpoint, {
    async before(method) {
      if (method !== 'PUT') return 'pass' as const;
      puts += 1;
      await hanging?.over;
      return 'pass' as const;
    },
  });
  onTestFinished(() => store.close());
  const web = await platform.startWeb({ S3_ENDPOINT: store.url, SHUTDOWN_GRACE_MS: String(GRACE_MS) });
  await web.ready;
  hang();
  const upload = uploadRoom(onWeb(platform, agent, platform.urls.length - 1), world.propertyId, 77).catch(
    () => null,
  );
  await eventually(() => puts > 0, { what: 'an upload that hangs' });
  const ops = await opsUrlOf(platform, web);
  const since = performance.now();
  process.kill(web.pid, 'SIGTERM');
  await stopping(web);
  expect(await readyz(ops)).toMatchObject({ status: 503, checks: { running: { code: 'STOPPING' } } });
  expect(await gone(web, since)).toBeLessThan(GONE_MS);
  await upload;
});
