import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { countChangedRegions } from '../../../persistence/search/region-counting.ts';
import { eventually } from '../../support/eventually.ts';
import { overflow, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** Parts of pages that use what the device has: fingers, position, clipboard; the first page, and the chart. */
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
    const NEW = 'New in Seattle, WA';
    const listed = (page: Page, row: string) =>
      page.getByRole('list', { name: row }).locator('.property-card-link');
    interface Sides {
      readonly left: number;
      readonly right: number;
    }
    /** Of the cards of a row: those that are seen whole, and those that are cut. */
    const seenOf = (page: Page, row: string): Promise<{ whole: number[]; cut: number[] }> =>
      page.getByRole('list', { name: row }).evaluate((list) => {
        const frame = list.getBoundingClientRect();
        const places = [...list.children].map((card) => card.getBoundingClientRect());
        const isIn = ({ left, right }: Sides) => left >= frame.left - 1 && right <= frame.right + 1;
        const isOut = ({ left, right }: Sides) => right <= frame.left + 1 || left >= frame.right - 1;
        const indexes = (matches: (place: Sides) => boolean) =>
          places.flatMap((place, index) => (matches(place) ? [index] : []));
        return { whole: indexes(isIn), cut: indexes((place) => !isIn(place) && !isOut(place)) };
      });

    beforeAll(async () => {
      // Of 98101 both.
      for (const index of [20, 22])
        await site().agent.mutate('properties.update', {
          propertyId: site().others[index],
          listPrice: 400_000,
        });
      await countChangedRegions(site().host.pool, 1_000);
    });

    test.each([true, false])('leads to all of what it shows, with scripts: %s', async (javaScript) => {
      const window = await site().open({ javaScript });
      const { page } = window;
      await window.go('/');
      expect(await page.title()).toBe('Homes for sale in Seattle, WA · Proscenium');
      expect(await listed(page, NEW).count()).toBe(12);
      expect(await listed(page, 'Price cuts in Seattle, WA').count()).toBe(2);
      const places = page.locator('.discovery-places a');
      expect(await places.first().innerText()).toMatch(/^Seattle, WA\s+41 homes$/);
      for (const [link, chosen] of [
        [page.getByRole('link', { name: /^New in Seattle, WA See all \d+$/ }), /days=14/],
        [page.getByRole('link', { name: 'Price cuts in Seattle, WA See all 2' }), /reduced=1/],
        [places.first(), /place=city/],
      ] as const) {
        const count = (await link.innerText()).match(/\d+(?=\s*$|\s+homes)/)?.[0];
        await link.click();
        await page.waitForURL(chosen);
        await page
          .getByText(new RegExp(`\\b${count} homes\\b`))
          .first()
          .waitFor();
        await window.go('/');
      }
      await window.close();
    });

    test('is turned by its arrows, which keep the focus, and cuts no card of a wide window', async () => {
      const window = await site().open();
      const { page } = window;
      await window.go('/');
      const [back, next] = [`Previous homes: ${NEW}`, `Next homes: ${NEW}`].map((name) =>
        page.getByRole('button', { name }),
      );
      expect(await back?.isVisible()).toBe(false);
      for (const whole of [
        [4, 5, 6, 7],
        [8, 9, 10, 11],
      ]) {
        expect((await seenOf(page, NEW)).cut).toEqual([]);
        await next?.press('Enter');
        await eventually(
          async () => JSON.stringify((await seenOf(page, NEW)).whole) === JSON.stringify(whole),
          {
            what: `the cards ${whole}`,
          },
        );
      }
      const focus = 'document.activeElement.getAttribute("aria-label") + document.activeElement.ariaDisabled';
      await eventually(async () => (await page.evaluate(focus)) === `Next homes: ${NEW}true`, {
        what: 'the end',
      });
      expect(await next?.isVisible()).toBe(true);
      await back?.press('Enter');
      await eventually(async () => (await seenOf(page, NEW)).whole[0] === 4, { what: 'the way back' });
      // A card that was reached by keyboard is seen whole.
      await listed(page, NEW).nth(10).focus();
      await eventually(async () => (await seenOf(page, NEW)).whole.includes(10), {
        what: 'the card in focus',
      });
      await window.close();
    });

    test('remembers the last place and the homes that were viewed, at this browser alone', async () => {
      const window = await site().open();
      const { page } = window;
      await window.go(`/properties/${site().home.propertyId}`);
      await window.go('/search');
      await page.locator('#search-place').fill('98104');
      await page.keyboard.press('Enter');
      await page
        .getByText(/\b20 homes\b/)
        .first()
        .waitFor();
      await window.go('/');
      await page.getByRole('heading', { name: /^New in 98104, Seattle, WA/ }).waitFor();
      // It has no cuts: those of the site's place stay.
      expect(await listed(page, 'Price cuts in Seattle, WA').count()).toBe(2);
      await eventually(async () => (await listed(page, 'Recently viewed').count()) === 1, {
        what: 'the home',
      });
      expect(await listed(page, 'Recently viewed').innerText()).toContain('12 Lakeview Avenue');
      const other = await site().open();
      await other.go('/');
      expect(await other.page.getByRole('heading', { name: 'Recently viewed' }).count()).toBe(0);
      expect(await listed(other.page, NEW).count()).toBe(12);
      await other.close();
      await window.close();
    });

    test('says which homes could not be loaded, and loads them when it is asked to', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go('/menu');
      await page.route('**/api/trpc/search.list*', (route) => route.fulfill({ status: 503, body: '{}' }));
      await page.getByRole('link', { name: 'Discovery' }).click();
      const failed = page.getByText('We couldn’t load these homes.');
      await failed.first().waitFor();
      await page.unroute('**/api/trpc/search.list*');
      for (let left = await failed.count(); left > 0; left -= 1) {
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await eventually(async () => (await failed.count()) < left, { what: 'the homes' });
      }
      expect(await listed(page, NEW).count()).toBe(12);
      window.complaints.splice(0);
      await window.close();
    });

    test.each([
      ['/', 'Search', '/search'],
      ['/es', 'Buscar', '/es/search'],
    ])('%s searches for what is entered into its form', async (first, go, path) => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go(first);
      await page.locator('main').locator('input[name=q]').fill('98104');
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
    await page.getByText('Price changes as a table').click();
    const rows = await page.locator('.table-scroll tbody tr').allInnerTexts();
    expect(rows).toEqual([expect.stringMatching(/\$380,000\s+-5%/), expect.stringContaining('$400,000')]);
    await window.go(`/properties/${other}`);
    expect(await page.locator('.table-scroll tbody tr').count()).toBe(1);
    expect(await line.count()).toBe(0);
    await window.close();
  });

  describe('a card', () => {
    const card = (page: Page) =>
      page.locator('#search-results .property-card', { hasText: '12 Lakeview Avenue' });
    const shownPlace = async (page: Page) => {
      const [strip, photo] = [
        await card(page).locator('.card-photos').boundingBox(),
        await card(page).locator('.card-photo').nth(1).boundingBox(),
      ];
      return Math.round((photo?.x ?? 0) - (strip?.x ?? 0));
    };

    test('turns its photos and loads them when asked; Back leads to the photo that was shown', async () => {
      const window = await site().open();
      const { page } = window;
      await window.go('/search');
      const pictures = card(page).locator('.card-photos img');
      expect(await pictures.count()).toBe(1);
      const stops = await card(page)
        .locator('a:not([tabindex="-1"]), button:not([tabindex="-1"]), [tabindex="0"]')
        .count();
      expect(stops).toBe(4);
      const next = card(page).getByRole('button', { name: /^Next photo of 12 Lakeview Avenue/ });
      await next.focus();
      await page.keyboard.press('Enter');
      await card(page)
        .getByRole('button', { name: /now 2 of 3$/ })
        .waitFor();
      expect(await pictures.count()).toBe(3);
      const labels = await card(page).locator('.card-photo').allInnerTexts();
      expect(labels.filter((label) => label === 'AI · Virtually staged')).toHaveLength(1);
      await card(page).locator('.card-photo').nth(1).click();
      await page.getByRole('heading', { level: 1, name: /^12 Lakeview Avenue/ }).waitFor();
      await page.goBack();
      await card(page)
        .getByRole('button', { name: /now 2 of 3$/ })
        .waitFor();
      expect(await shownPlace(page)).toBe(0);
      // It has been seen by now.
      await card(page).getByText('Seen', { exact: true }).waitFor();
      await card(page)
        .getByRole('button', { name: /^Previous photo/ })
        .click();
      await card(page)
        .getByRole('button', { name: /now 1 of 3$/ })
        .waitFor();
      await window.close();
    });

    test('is hidden and shown again, by keyboard; the total counts it', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go('/search');
      const total = await page.locator('.search-line [role=status]').innerText();
      const more = card(page).getByRole('button', { name: 'More about 12 Lakeview Avenue' });
      await more.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('More about 12 Lakeview Avenue');
      const hide = async () => {
        await more.click();
        await card(page).getByRole('button', { name: 'Hide: 12 Lakeview Avenue' }).click();
        await card(page).waitFor({ state: 'detached' });
      };
      await hide();
      expect(await page.evaluate('document.activeElement.className')).toBe('property-card-link');
      await page.getByText('You’ve hidden 1 home here.').waitFor();
      expect(await page.locator('.search-line [role=status]').innerText()).toBe(total);
      await page.getByRole('button', { name: 'Undo' }).click();
      await card(page).waitFor();
      await hide();
      await window.go('/search');
      await page.getByRole('button', { name: 'Show 1 hidden home' }).click();
      await card(page).waitFor();
      await window.close();
    });
  });

  describe('the comparison', () => {
    const link = (ids: readonly string[]) => `/compare?${ids.map((id) => `home=${id}`).join('&')}`;

    test('of marked homes is one press away, under nothing; a fifth home does not fit', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go('/search');
      const mark = async (place: number) => {
        const one = page.locator('#search-results .property-card').nth(place);
        await one.getByRole('button', { name: /^More about/ }).click();
        await one.getByRole('button', { name: /^Compare: / }).click();
        await page.keyboard.press('Escape');
      };
      await mark(0);
      expect(await page.locator('.compare-bar').count()).toBe(0);
      for (const place of [1, 2, 3, 4]) await mark(place);
      await page.getByText('You can compare up to four homes.').waitFor();
      const open = page.getByRole('link', { name: 'Compare 4 homes' });
      const [bar, tabs] = [
        await page.locator('.compare-bar').boundingBox(),
        await page.locator('.shell-bar').boundingBox(),
      ];
      expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(tabs?.y ?? 0);
      await open.click();
      await page.getByRole('table').waitFor();
      expect(await page.locator('.compare-home a[href*="/properties/"]').count()).toBe(4);
      expect(await overflow(page)).toBe(0);
      await window.close();
    });

    test('marks what differs, leaves a home out, and says which is no longer there, without scripts', async () => {
      const { propertyId } = site().home;
      const [other = ''] = site().others;
      const window = await site().open({ javaScript: false });
      const { page } = window;
      await window.go(link([propertyId, other, '00000000-0000-4000-8000-000000000000']));
      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
      expect(await row('Price ?Differs').locator('td').allInnerTexts()).toEqual([
        '$895,000',
        expect.stringMatching(/^\$/),
        '',
      ]);
      expect(await row('Status').locator('td').allInnerTexts()).toEqual(['For sale', 'For sale', '']);
      expect(await row('Status').locator('.compare-mark').count()).toBe(0);
      await page.getByRole('columnheader', { name: 'No longer on the market' }).getByRole('link').click();
      expect(await page.locator('.compare-home').count()).toBe(2);
      await window.close();
    });
  });

  test('saved homes: notes, what has changed, and an address for others that can be ended', async () => {
    const person = await site().signedIn({ role: 'customer', name: 'Nora Notes' });
    const propertyId = site().others.at(-3) ?? '';
    await person.mutate('favorites.add', { propertyId });
    await site().host.rows('update properties set "listPrice" = "listPrice" - 20000 where id = $1', [
      propertyId,
    ]);
    const window = await site().open({ as: person });
    const { page } = window;
    await window.go('/favorites');
    await page.getByText('Down $20,000 since you saved it').waitFor();
    const noteOf = async () => (await person.query('favorites.list', {})).data.items[0].note;
    const note = page.getByLabel('Your note');
    await note.fill('Ask about the roof.');
    await page.getByText('Note saved').waitFor();
    expect(await noteOf()).toBe('Ask about the roof.');
    // The worker of the site must not take what a page sends when it is left.
    const isControlled = () => page.evaluate('navigator.serviceWorker.controller !== null');
    for (const text of ['Ask about the fee.', 'Ask about the fence.', 'Ask about the roof and the fee.']) {
      await eventually(isControlled, { what: 'the worker' });
      await note.fill(text);
      await window.go('/search');
      await eventually(async () => (await noteOf()) === text, {
        what: 'what was typed before the page was left',
      });
      await window.go('/favorites');
    }
    await page.getByText('Share this list').click();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const url = await page.getByLabel('Link to your list').inputValue();
    const guest = await site().open({ width: 390, javaScript: false });
    const shown = await guest.page.goto(url);
    expect(shown?.headers()['cache-control']).toBe('no-store');
    expect(await guest.page.getByRole('heading', { level: 1 }).innerText()).toBe('Homes saved by Nora Notes');
    expect(await guest.page.locator('.property-card').count()).toBe(1);
    for (const [name, content] of [
      ['robots', 'noindex'],
      ['referrer', 'no-referrer'],
    ])
      expect(await guest.page.locator(`meta[name=${name}]`).getAttribute('content')).toBe(content);
    expect(await guest.page.content()).not.toContain('Ask about the roof');
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Your list is no longer shared').waitFor();
    expect((await guest.page.reload())?.status()).toBe(404);
    await guest.close();
    await window.close();
  });

  test.each([390, 1280] as const)(
    'at %i, the hint for a first picture is of one that is shown, and comes with documents alone',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      const hints = (): Promise<boolean[]> =>
        page.evaluate(`[...document.querySelectorAll('link[rel=preload][as=image]')].map(({ imageSrcset, imageSizes }) =>
          [...document.images].some((one) => one.srcset === imageSrcset && one.sizes === imageSizes && one.fetchPriority === 'high'))`);
      for (const path of ['/', '/search', `/properties/${site().home.propertyId}`]) {
        await window.go(path);
        const found = await hints();
        expect([path, found.length > 0, found.every((isShown) => isShown)]).toEqual([path, true, true]);
      }
      await window.go('/');
      await page.evaluate(
        `document.querySelectorAll('link[rel=preload][as=image]').forEach((hint) => hint.remove())`,
      );
      await page.locator('.property-card-link').first().click();
      await page.locator('.gallery img').first().waitFor();
      await page.getByRole('link', { name: 'Discovery' }).click();
      await page.locator('.discovery-hero').waitFor();
      expect(await hints()).toEqual([]);
      await window.close();
    },
  );

  test('a picture that cannot be loaded says so, and is loaded once there is a connection', async () => {
    const window = await site().open();
    const { page } = window;
    await page.route('**/api/images/**', (route) => route.abort());
    await window.go(`/properties/${site().home.propertyId}`);
    const words = page.locator('.gallery').getByText('This picture couldn’t be loaded.');
    await words.first().waitFor();
    await page.unroute('**/api/images/**');
    await page.evaluate(`dispatchEvent(new Event('online'))`);
    await words.first().waitFor({ state: 'detached' });
    await eventually(
      () =>
        page
          .locator('.gallery img')
          .first()
          .evaluate((image) => Reflect.get(image, 'naturalWidth') > 0),
      { what: 'the picture' },
    );
    window.complaints.splice(0);
    await window.close();
  });
});
