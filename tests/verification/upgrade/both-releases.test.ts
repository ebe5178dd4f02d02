import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPOSITORY } from '../../../ops/dev/stack/role-process.ts';
import { eventually } from '../../support/eventually.ts';
import { onWeb, type Person, signIn } from '../../support/platform/agent.ts';
import { createListing, jobReaches, submit, uploadRoom } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';

/**
 * An upgrade, between the migrations and the end of the last old process: both releases work on one schema, and each
 * with what the other has made. The folder of the release before comes from `npm run upgrade:check`.
 */
const release = process.env.UPGRADE_FROM;
const [OLD, NEW] = [0, 1];

describe.skipIf(release === undefined)('the release before and this one (npm run upgrade:check)', () => {
  let platform: TestPlatform;
  let agent: Person;
  let propertyId: string;
  let seed = 0;
  beforeAll(async () => {
    platform = await startTestPlatform({
      ...(release === undefined ? {} : { release }),
      workers: 0,
      webSettings: { SITE_ENABLED: 'false' },
    });
    await (await platform.startWeb({}, undefined, REPOSITORY)).ready;
    agent = await signIn(platform, { web: OLD });
    propertyId = await createListing(agent);
  }, 120_000);
  afterAll(() => platform.stop());

  const on = (web: number): Person => onWeb(platform, agent, web);
  /** A photo of the first web, staged by the running worker as the second web asked. */
  const staged = async (uploadOn: number, submitOn: number) => {
    seed += 1;
    const originalImageId = await uploadRoom(on(uploadOn), propertyId, seed);
    const { aiJobId } = await submit(on(submitOn), originalImageId);
    await jobReaches(platform, aiJobId, 'SUCCESS');
    const { data } = await on(submitOn).query('ai.listStagedVariants', { originalImageId });
    return { originalImageId, imageId: data.items[0].imageId as string };
  };
  const succeeds = async (answer: ReturnType<Person['mutate']>) => {
    const { status, body } = await answer;
    expect(status, JSON.stringify(body)).toBeLessThan(300);
  };

  test.each(['the release before', 'this release'])(
    'with a worker of %s, each web uploads, stages, reviews and deletes',
    async (which) => {
      const folder = which === 'this release' ? REPOSITORY : (release ?? '');
      const worker = await platform.startWorker({}, folder);
      await worker.ready;
      const program = (pid: number | undefined) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      expect([program(worker.pid), program(platform.roles[OLD]?.pid)]).toEqual([
        expect.stringContaining(folder),
        expect.stringContaining(release ?? ''),
      ]);
      for (const [uploads, submits, reviews] of [
        [OLD, OLD, OLD],
        [NEW, NEW, OLD],
        [OLD, NEW, NEW],
        [NEW, OLD, NEW],
      ] as const) {
        const { imageId } = await staged(uploads, submits);
        await succeeds(on(reviews).mutate('ai.approveStagedVariant', { imageId }));
        for (const web of [OLD, NEW]) await succeeds(on(web).query('properties.getDetail', { propertyId }));
        const other = await staged(uploads, submits);
        await succeeds(on(reviews).mutate('ai.rejectStagedVariant', { imageId: other.imageId }));
        await succeeds(on(reviews).request('DELETE', `/api/property-images/${other.originalImageId}`));
      }
      await worker.stop();
    },
    240_000,
  );

  test('each web signs people in, and shows the homes of the other', async () => {
    const worker = await platform.startWorker();
    await worker.ready;
    for (const web of [OLD, NEW]) {
      const customer = await signIn(platform, { agent: false, web });
      await succeeds(customer.query('users.getMe'));
      const home = await createListing(on(web));
      await eventually(
        async () => {
          const pages = await Promise.all(
            [OLD, NEW].map((one) => on(one).query('properties.getDetail', { propertyId: home })),
          );
          return pages.every(({ status }) => status === 200);
        },
        { what: 'both to show the new home' },
      );
    }
    const worst = platform.lines.filter((line) => /"level":"(?:error|fatal)"/.test(line));
    expect(worst).toEqual([]);
    await worker.stop();
  }, 120_000);
});
