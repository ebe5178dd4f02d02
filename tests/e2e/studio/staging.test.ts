import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { describeSite } from '../site/site-world.ts';
import { chooseFiles, photoFiles, stage, studioPath, uploadsDone } from './studio-window.ts';

const PROGRESS_MS = 2_000;
const STEP_MS = 50;
/** Pictures are ordered in medium quality; the other price is not theirs. */
const PRICES = { AI_STAGING_COST_MICROUSD_MEDIUM: '60000', AI_STAGING_COST_MICROUSD_HIGH: '250000' };

/** The staging of a listing: what it may cost, and how soon a change is seen. */
describeSite(
  'staging in the studio',
  (site) => {
    async function openPhotos(count: number, given: { readonly hasOwnClock?: boolean } = {}) {
      const agent = await site().signedIn();
      const propertyId = await seedProperty(site().host.pool, { ownerAgentId: agent.id });
      const window = await site().open({ as: agent });
      if (given.hasOwnClock === true) await window.page.clock.install();
      await window.go(studioPath(propertyId));
      await chooseFiles(window.page, await photoFiles(count));
      await uploadsDone(window.page);
      await window.page.getByRole('button', { name: 'Select all' }).click();
      return { window, page: window.page, propertyId };
    }

    test('progress reaches the page within two seconds', async () => {
      const { window, page, propertyId } = await openPhotos(1, { hasOwnClock: true });
      await stage(page, { style: 'Modern' });
      await page.getByText('In the queue').waitFor();
      const pass = await stopClock(page);
      // What was under way before the clock stood still is answered.
      await pass(STEP_MS);
      for (const { change, words } of [
        {
          change: `status = 'RETRYING', phase = 'BACKOFF', "retryAt" = now() + interval '1 hour'`,
          words: 'Waiting to try again',
        },
        {
          change: `status = 'FAILED', phase = null, "errorCode" = 'PROVIDER_FAILED', "finishedAt" = now()`,
          words: 'Failed',
        },
      ]) {
        const seen = page.getByText(words, { exact: true });
        const before = window.calls.filter((call) => call === 'ai.listStagingJobs').length;
        await site().host.rows(`update ai_jobs set ${change} where "propertyId" = $1`, [propertyId]);
        expect(await seen.count()).toBe(0);
        await pass(PROGRESS_MS);
        await seen.waitFor();
        expect(window.calls.filter((call) => call === 'ai.listStagingJobs').length).toBeGreaterThan(before);
      }
      await window.close();
    });

    test('the panel says what the chosen photos may cost, once and with every second try', async () => {
      const { window, page } = await openPhotos(2);
      await page.getByText('About $0.12, at most $0.24').waitFor();
      await page.locator('.photo-tile input').first().uncheck();
      await page.getByText('About $0.06, at most $0.12').waitFor();
      await window.close();
    });
  },
  PRICES,
);

/** Stops the page's clock. What it returns lets so much of the page's time go by; the server's answers take none. */
async function stopClock(page: Page): Promise<(ms: number) => Promise<void>> {
  const open = new Set<Request>();
  page.on('request', (request) => {
    if (request.url().includes('/api/trpc/')) open.add(request);
  });
  const ended = (request: Request): void => {
    open.delete(request);
  };
  page.on('requestfinished', ended);
  page.on('requestfailed', ended);
  await page.clock.pauseAt(Date.now() + PROGRESS_MS);
  return async (ms) => {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      await page.clock.runFor(STEP_MS);
      await eventually(() => open.size === 0, { what: 'all answers' });
    }
  };
}
