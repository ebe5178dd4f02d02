import { randomUUID } from 'node:crypto';
import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { seedProperty, seedStagingJob } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { overflow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import { chooseFiles, photoFiles, stage, studioPath, uploadsDone } from './studio-window.ts';

const PROGRESS_MS = 2_000;
const STEP_MS = 50;
/** Pictures are ordered in medium quality; the other price is not theirs. */
const PRICES = {
  AI_STAGING_COST_MICROUSD_MEDIUM: '60000',
  AI_STAGING_COST_MICROUSD_HIGH: '250000',
  AI_STAGING_QUOTA_HOUR: '8',
};
/** More than a window holds. */
const MANY = 24;

/** The staging of a listing: what it may cost, where the order is, what has come of it, and how soon a change is seen. */
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
      await page.getByText('You can order 8 more pictures this hour.').waitFor();
      await page.locator('.photo-tile input').first().uncheck();
      await page.getByText('About $0.06, at most $0.12').waitFor();
      await stage(page, { style: 'Modern' });
      await page.locator('.photo-tile input').first().check();
      await page.getByText('You can order 7 more pictures this hour.').waitFor();
      await window.close();
    });

    /** A listing with one photo so many times. */
    async function openMany(count: number, width: 390 | 1280) {
      const agent = await site().signedIn();
      const propertyId = await seedProperty(site().host.pool, { ownerAgentId: agent.id });
      const bytes = await drawSampleRoom('LIVING_ROOM', { width: 800, height: 600, seed: 1 });
      for (let photo = 0; photo < count; photo += 1)
        await storedOriginal(site().host, { propertyId, bytes, format: 'jpeg' });
      const window = await site().open({ width, as: agent });
      await window.go(studioPath(propertyId));
      await eventually(async () => (await window.page.locator('.photo-tile').count()) === count, {
        what: 'the photos',
      });
      await window.page.locator('.photo-filter').first().waitFor();
      return { window, page: window.page, propertyId };
    }
    const jobsOf = (propertyId: string) =>
      site().host.rows<{ style: string; groupId: string | null }>(
        `select s."canonicalStyle" as style, s."groupId" from ai_room_staging_jobs s join ai_jobs j on j.id = s."aiJobId"
         where j."propertyId" = $1 and j.status = 'PENDING'`,
        [propertyId],
      );
    /** Whether something is whole in the window and nothing lies over it. */
    const isInSight = (page: Page, selector: string): Promise<boolean> =>
      page.locator(selector).evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const { ownerDocument } = element;
        const seen = ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        const height = ownerDocument.defaultView?.innerHeight ?? 0;
        return top >= 0 && bottom <= height && element.contains(seen);
      });
    const BUTTON = '.studio-staging .button-primary';

    test('on a phone three taps order all photos; the order lies above the tabs, and the photos keep their place', async () => {
      const { window, page, propertyId } = await openMany(6, 390);
      expect(await page.locator('.studio-staging').isVisible()).toBe(false);
      const tile = page.locator('.photo-tile-choice').nth(1);
      await page.waitForLoadState('networkidle');
      await tile.scrollIntoViewIfNeeded();
      const before = await tile.boundingBox();
      await tile.tap();
      await page.getByText('1 photo selected').waitFor();
      expect(await tile.boundingBox()).toEqual(before);
      const sheet = await page.locator('.studio-staging').boundingBox();
      const tabs = await page.locator('.shell-bar').boundingBox();
      expect((sheet?.y ?? 0) + (sheet?.height ?? 0)).toBeLessThanOrEqual((tabs?.y ?? 0) + 1);
      expect(sheet?.height).toBeLessThanOrEqual(844 * 0.6);
      expect(await isInSight(page, '.shell-tab:visible >> nth=0')).toBe(true);
      // The photos below can still be reached, and taken.
      const last = page.locator('.photo-tile-choice').last();
      await last.tap();
      await page.getByText('2 photos selected').waitFor();
      // The order makes room for the photos when it is folded.
      await page.locator('.studio-staging-choices > summary').tap();
      await eventually(
        async () =>
          ((await page.locator('.studio-staging').boundingBox())?.height ?? 844) < (sheet?.height ?? 0),
        { what: 'the folded order' },
      );
      await page.locator('.studio-staging-choices > summary').tap();

      await page.getByRole('button', { name: 'Select all' }).tap();
      await page.getByRole('radio', { name: 'Luxury' }).tap();
      expect(await isInSight(page, BUTTON)).toBe(true);
      await page.getByRole('button', { name: 'Stage 6 photos' }).tap();
      await eventually(async () => (await jobsOf(propertyId)).length === 6, { what: 'the order' });
      await eventually(async () => !(await page.locator('.studio-staging').isVisible()), {
        what: 'no order',
      });
      // With text of twice the size, too.
      await page.getByRole('button', { name: 'Select all' }).tap();
      await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await overflow(page)).toBe(0);
      expect(await isInSight(page, BUTTON)).toBe(true);
      await window.close();
    });

    test('at a desk actions and order stay in sight, and both are reached by keyboard', async () => {
      const { window, page, propertyId } = await openMany(MANY, 1280);
      await page.locator('.photo-tile input').last().focus();
      await page.keyboard.press('Space');
      await page.getByText('1 photo selected').waitFor();
      expect(await page.evaluate('scrollY')).toBeGreaterThan(200);
      expect(await isInSight(page, BUTTON)).toBe(true);
      expect(await isInSight(page, '.studio-toolbar .button >> nth=1')).toBe(true);
      await page.getByRole('button', { name: 'Delete' }).focus();
      // The order follows the actions: its room, its style, its button.
      const focused = () =>
        page.evaluate(`document.activeElement.getAttribute('value') ?? document.activeElement.tagName`);
      for (let presses = 0; presses < 8 && (await focused()) !== 'MODERN'; presses += 1)
        await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      expect(await page.getByRole('radio', { name: 'Scandinavian' }).isChecked()).toBe(true);
      for (let presses = 0; presses < 4; presses += 1) {
        await page.keyboard.press('Tab');
        if ((await page.evaluate('document.activeElement.textContent')) === 'Stage 1 photo') break;
      }
      await page.keyboard.press('Enter');
      await eventually(async () => (await jobsOf(propertyId)).length === 1, { what: 'the order' });
      expect((await jobsOf(propertyId))[0]?.style).toBe('SCANDINAVIAN');
      await window.close();
    });

    test('a rejected picture is ordered again as it was', async () => {
      const agent = await site().signedIn();
      const { host } = site();
      const { pool } = host;
      const propertyId = await seedProperty(pool, { ownerAgentId: agent.id });
      const bytes = await drawSampleRoom('LIVING_ROOM', { width: 800, height: 600, seed: 2 });
      const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      await seedStagingJob(pool, {
        original,
        canonicalStyle: 'LUXURY',
        job: { status: 'SUCCESS', phase: null },
        details: { resultImageId: randomUUID() },
      });
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go(studioPath(propertyId));
      await page.getByText('Rejected', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Stage again' }).click();
      await page.getByText('1 photo selected').waitFor();
      await eventually(() => page.getByRole('radio', { name: 'Luxury' }).isChecked(), { what: 'the style' });
      await page.getByRole('button', { name: 'Stage 1 photo' }).click();
      await eventually(async () => (await jobsOf(propertyId))[0]?.style === 'LUXURY', { what: 'the order' });
      await page.getByText('Rejected', { exact: true }).waitFor({ state: 'detached' });
      await window.close();
    });

    test('a staged picture stands next to its photo; both are seen large, and what is approved is kept', async () => {
      const agent = await site().signedIn();
      const { host } = site();
      const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id });
      const bytes = await drawSampleRoom('KITCHEN', { width: 800, height: 600, seed: 3 });
      const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      const pending = { reviewStatus: 'PENDING_REVIEW', bytes, format: 'jpeg' } as const;
      await host.rows(
        `update property_images set "canonicalStyle" = 'LUXURY', style = 'LUXURY' where id = $1`,
        [await storedVariant(host, original, pending)],
      );
      await storedVariant(host, original, { ...pending, reviewStatus: 'APPROVED' });
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go(studioPath(propertyId));
      const staged = page.locator('.photo-tile-staged');
      await staged.last().waitFor();
      expect(await staged.locator('.picture-label').allInnerTexts()).toEqual([
        'AI · Virtually staged',
        'AI · Virtually staged',
      ]);
      await page.getByRole('link', { name: 'Waiting for review 1' }).waitFor();
      expect(await page.getByText('1 picture to review').count()).toBe(2);
      await page.getByRole('link', { name: 'Download photos and approved pictures' }).waitFor();
      await page.getByRole('button', { name: 'See larger: 1. Living room', exact: true }).click();
      const view = page.getByRole('dialog');
      await view.getByText('1. Living room', { exact: true }).waitFor();
      const download = page.waitForEvent('download');
      await view.getByRole('link', { name: 'Download' }).click();
      expect((await download).suggestedFilename()).toMatch(/^01-living-room\.jpe?g$/);
      const links: number[] = [];
      for (let turn = 0; turn < 2; turn += 1) {
        await page.keyboard.press('ArrowRight');
        await view.getByText(`Picture ${turn + 2} of 3`).waitFor();
        await view.locator('.picture-label').waitFor();
        links.push(await view.getByRole('link', { name: 'Download' }).count());
      }
      // The one that waits for its review does not leave.
      expect(links.toSorted()).toEqual([0, 1]);
      await page.goBack();
      await view.waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('large=');
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
