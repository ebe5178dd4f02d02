import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** Parts of pages that use what the device has: fingers, position, clipboard; and the first page's form and the chart. */
describeSite('parts of pages', (site) => {
  const homePage = () => `/properties/${site().home.propertyId}`;
  /** Until the page has shown what came before. */
  const drawn = (page: Page) =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

  describe('the large pictures', () => {
    type Finger = readonly [x: number, y: number];

    /** Moves fingers from where they are put to where they are lifted, measured from the middle of the picture. */
    async function openPictures(window: SiteWindow) {
      const { page, context } = window;
      await window.go(homePage());
      await page.locator('.gallery a').first().click();
      const large = page.getByRole('dialog');
      const title = large.getByRole('heading');
      await title.waitFor();
      const box = await large.locator('.lightbox-view').boundingBox();
      if (box === null) throw new Error('the picture has no place');
      const session = await context.newCDPSession(page);
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: readonly Finger[]) =>
        session.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: fingers.map(([x, y], id) => ({
            x: box.x + box.width / 2 + x,
            y: box.y + box.height / 2 + y,
            id,
          })),
        });
      return {
        large,
        async move(...fingers: readonly (readonly [from: Finger, to: Finger])[]): Promise<void> {
          const at = (share: number): Finger[] =>
            fingers.map(([[x, y], [toX, toY]]) => [x + (toX - x) * share, y + (toY - y) * share]);
          await touch('touchStart', at(0));
          for (const share of [0.5, 1]) await touch('touchMove', at(share));
          await touch('touchEnd', []);
          await drawn(page);
        },
        shown: async () => [
          await title.innerText(),
          await large.locator('.lightbox-picture img').getAttribute('style'),
        ],
      };
    }

    test('are turned by a swipe to either side, not by a short one', async () => {
      const window = await site().open({ width: 390 });
      const { move, shown } = await openPictures(window);
      const swipe = (by: number) =>
        move([
          [-by / 2, 0],
          [by / 2, 0],
        ]);
      await swipe(40);
      expect(await shown()).toEqual(['Picture 1 of 3', 'transform: translate(0px, 0px) scale(1);']);
      for (const [by, number] of [
        [-120, 2],
        [-120, 3],
        [-120, 1],
        [120, 3],
        [120, 2],
      ] as const) {
        await swipe(by);
        expect(await shown()).toEqual([`Picture ${number} of 3`, 'transform: translate(0px, 0px) scale(1);']);
      }
      await window.close();
    });

    test('grow and shrink under two fingers; a large one is not turned by a swipe', async () => {
      const window = await site().open({ width: 390 });
      const { large, move, shown } = await openPictures(window);
      const pinch = (from: number, to: number) =>
        move(
          [
            [-from / 2, 0],
            [-to / 2, 0],
          ],
          [
            [from / 2, 0],
            [to / 2, 0],
          ],
        );
      await pinch(100, 200);
      expect(await shown()).toEqual(['Picture 1 of 3', 'transform: translate(0px, 0px) scale(2);']);
      await move([
        [60, 0],
        [-60, 0],
      ]);
      expect(await shown()).toEqual(['Picture 1 of 3', 'transform: translate(-120px, 0px) scale(2);']);
      await pinch(60, 300);
      expect(await shown()).toEqual(['Picture 1 of 3', 'transform: translate(-120px, 0px) scale(4);']);
      await pinch(300, 30);
      expect(await shown()).toEqual(['Picture 1 of 3', 'transform: translate(0px, 0px) scale(1);']);
      await pinch(100, 150);
      await large.getByRole('button', { name: 'Next picture' }).click();
      await drawn(window.page);
      expect(await shown()).toEqual(['Picture 2 of 3', 'transform: translate(0px, 0px) scale(1);']);
      await window.close();
    });
  });

  describe('the first page', () => {
    test.each([
      ['/', 'Search', '/search'],
      ['/es', 'Buscar', '/es/search'],
    ])('%s searches for what is entered into its form', async (first, go, path) => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go(first);
      await page.getByRole('searchbox').fill('98104');
      await page.locator('main').getByRole('button', { name: go }).click();
      await page.waitForURL(`${site().url}${path}?q=98104`);
      await page.locator('#search-results').waitFor();
      expect(await page.locator('.search-line [role=status]').innerText()).toMatch(/^20 /);
      await window.close();
    });

    test('shows the homes near the visitor, the nearest first', async () => {
      const window = await site().open({ width: 390 });
      const { page, context } = window;
      await context.grantPermissions(['geolocation'], { origin: site().url });
      await context.setGeolocation({ latitude: 47.6301, longitude: -122.3201 });
      await window.go('/');
      expect(window.calls).toEqual([]);
      await page.getByRole('button', { name: 'Show homes near me' }).click();
      const near = page.getByRole('list', { name: 'Near you' }).locator('.property-card-link');
      await eventually(async () => (await near.count()) > 1, { what: 'homes near the visitor' });
      expect(await near.first().innerText()).toContain('12 Lakeview Avenue');
      await window.close();
    });

    test('says that no home is near', async () => {
      const window = await site().open();
      const { page, context } = window;
      await context.grantPermissions(['geolocation'], { origin: site().url });
      await context.setGeolocation({ latitude: -45, longitude: 170 });
      await window.go('/');
      await page.getByRole('button', { name: 'Show homes near me' }).click();
      await page.getByText('No homes for sale near you yet.').waitFor();
      await window.close();
    });

    test('says that it does not know the position when it may not ask for it', async () => {
      const window = await site().open();
      const { page } = window;
      await window.go('/');
      const ask = page.getByRole('button', { name: 'Show homes near me' });
      await ask.click();
      await page.getByText('We couldn’t get your location.').waitFor();
      expect(await ask.isVisible()).toBe(true);
      await window.close();
    });
  });

  describe('sharing a home', () => {
    const share = (page: Page) => page.getByRole('button', { name: 'Share' }).click();

    test('copies its link where the device has no sheet of its own', async () => {
      const window = await site().open();
      const { page, context } = window;
      await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site().url });
      await window.go(homePage());
      await share(page);
      await page.getByText('Link copied.').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(site().url + homePage());
      await window.close();
    });

    test('opens the device’s sheet; closing it is no failure, and a failure says what else to do', async () => {
      const window = await site().open({ width: 390 });
      const { page, context } = window;
      // Chromium has no sheet on Linux.
      await context.addInitScript(`window.shared = [];
        window.outcome = 'AbortError';
        navigator.share = async (what) => { shared.push(what); throw new DOMException('', outcome); }`);
      await window.go(homePage());
      const failure = page.getByText('We couldn’t share the link. Copy it from the address bar.');
      await share(page);
      await eventually(async () => (await page.evaluate('shared.length')) === 1, { what: 'the sheet' });
      await drawn(page);
      expect(await failure.count()).toBe(0);
      expect(await page.evaluate('shared[0]')).toEqual({
        title: '12 Lakeview Avenue, Seattle, WA 98102',
        url: site().url + homePage(),
      });
      await page.evaluate(`window.outcome = 'DataError'`);
      await share(page);
      await failure.waitFor();
      await window.close();
    });
  });

  test('a home whose price has changed has a chart of its prices, and another has none', async () => {
    const [changed = '', other = ''] = site().others;
    await site().host.rows('update properties set "listPrice" = 380000 where id = $1', [changed]);
    const window = await site().open();
    const { page } = window;
    await window.go(`/properties/${changed}`);
    const line = page.locator('.price-chart polyline');
    // The first price holds until the second, which is lower.
    expect(await line.getAttribute('points')).toBe('0.0,0.0 100.0,0.0 100.0,100.0 100.0,100.0');
    expect(await line.isVisible()).toBe(true);
    expect(await page.locator('.price-chart-tick').allInnerTexts()).toEqual(['$380K', '$390K', '$400K']);
    await page.getByRole('img', { name: /^Price from \$400,000 on .* to \$380,000 on / }).waitFor();
    await page.getByText('Price changes in a table').click();
    const rows = await page.locator('.table-scroll tbody tr').allInnerTexts();
    expect(rows).toEqual([expect.stringMatching(/\$380,000\s+-5%/), expect.stringContaining('$400,000')]);
    await window.go(`/properties/${other}`);
    expect(await page.locator('.table-scroll tbody tr').count()).toBe(1);
    expect(await line.count()).toBe(0);
    await window.close();
  });
});
