import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The search: its field on every page, its heading, its bar and sheet of filters, its list and the way back to it. */
const WIDTHS = [390, 1280] as const;

describeSite('the search', (site) => {
  const field = (page: Page) => page.getByRole('combobox', { name: /^City, neighborhood/ });
  const heading = (page: Page) => page.getByRole('heading', { level: 1 });
  const headed = (page: Page, name: string) =>
    heading(page)
      .filter({ hasText: new RegExp(`^${name}$`) })
      .waitFor();
  const option = (page: Page, name: RegExp) => page.getByRole('option', { name });
  const cards = (page: Page) => page.locator('#search-results > li');
  const chips = (page: Page) => page.locator('.chip').allInnerTexts();

  beforeAll(async () => {
    const homes = [
      ['CA', 37.55, -121.98],
      ['CA', 37.56, -121.97],
      ['CA', 37.57, -121.96],
      ['NE', 41.43, -96.49],
    ] as const;
    for (const [index, [stateOrProvince, latitude, longitude]] of homes.entries())
      await seedProperty(site().host.pool, {
        ownerAgentId: site().agent.id,
        address: `${index + 1} Mission Boulevard`,
        city: 'Fremont',
        stateOrProvince,
        country: 'US',
        currency: 'USD',
        latitude,
        longitude,
        listPrice: '300000',
        propertyType: 'Residential',
        listedAt: new Date(Date.now() - 90 * 86_400_000),
      });
  });

  describe.each([
    ['the list', 390, '/search'],
    ['the map', 390, '/search?view=map'],
    ['the first page', 390, '/'],
    ['a home', 1280, 'home'],
  ] as const)('Enter on %s, at %i', (_, width, path) => {
    const opened = async () => {
      const window = await site().open({ width });
      await window.go(path === 'home' ? `/properties/${site().home.propertyId}` : path);
      return window;
    };

    test.each(['open', 'closed', 'waiting'] as const)(
      'searches the typed place while the suggestions are %s',
      async (state) => {
        const window = await opened();
        const { page } = window;
        const held = Promise.withResolvers<void>();
        if (state === 'waiting')
          await page.route('**/api/trpc/search.suggestLocations*', async (route) => {
            await held.promise;
            await route.continue();
          });
        await field(page).click();
        await field(page).pressSequentially('fremont');
        // Maps say that they load as well.
        if (state === 'waiting') await page.locator('.place-field-list', { hasText: 'Loading' }).waitFor();
        else await option(page, /^Fremont, CA/).waitFor();
        if (state === 'closed') await field(page).press('Escape');
        await field(page).press('Enter');
        await page.waitForURL(/\/search\?.*q=fremont/);
        held.resolve();
        // There are more homes than in the other Fremont, which is offered.
        await headed(page, '3 homes in Fremont, CA');
        expect(await page.getByRole('listbox').count()).toBe(0);
        await page.getByRole('link', { name: /^Fremont, NE/ }).click();
        await headed(page, '1 home in Fremont, NE');
        await window.close();
      },
    );

    test('goes to the suggestion of the arrow keys', async () => {
      const window = await opened();
      const { page } = window;
      await field(page).click();
      await field(page).pressSequentially('fremont');
      const other = option(page, /^Fremont, NE/);
      await other.waitFor();
      expect(await option(page, /^Fremont, CA/).innerText()).toContain('3 homes');
      expect(await page.getByRole('listbox').getByRole('option').count()).toBeLessThanOrEqual(8);
      await field(page).press('ArrowDown');
      await field(page).press('ArrowDown');
      expect(await other.getAttribute('aria-selected')).toBe('true');
      await field(page).press('Enter');
      await page.waitForURL(/place=/);
      await headed(page, '1 home in Fremont, NE');
      await window.close();
    });
  });

  test.each(WIDTHS)('without JavaScript all filters are one form, at %i', async (width) => {
    const window = await site().open({ width, javaScript: false });
    const { page } = window;
    await window.go('/es/search');
    await page.locator('summary', { hasText: 'Precio' }).click();
    await page.getByLabel('Mínimo').fill('1,000,000');
    await page.locator('.filters-part[open] button[type=submit]').click();
    expect(await chips(page)).toEqual([expect.stringContaining('Desde $1,000,000')]);
    expect(await heading(page).innerText()).toBe('16 viviendas');
    await page.getByLabel('Ordenar por').selectOption('PRICE_DESC');
    await page.getByRole('button', { name: 'Ordenar' }).click();
    expect(await cards(page).first().innerText()).toContain('139 Union Street');
    expect(await overflow(page)).toBe(0);
    await window.close();
  });

  test('the parts of the bar are used by keyboard: thousands apart, a live count, and the focus comes back', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search');
    await field(page).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const price = page.locator('summary', { hasText: 'Price' });
    const isFocused = () => price.evaluate((one) => one === one.ownerDocument.activeElement);
    expect(await isFocused()).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByLabel('Minimum').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('1000000');
    expect(await page.getByLabel('Minimum').inputValue()).toBe('1,000,000');
    await page.getByRole('button', { name: 'Show 16 homes' }).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect([await page.getByLabel('Minimum').isVisible(), await isFocused()]).toEqual([false, true]);
    await page.keyboard.press('Enter');
    await page.getByLabel('Minimum').press('Enter');
    await page.waitForURL(/minPrice=1000000/);
    await headed(page, '16 homes');
    expect(await isFocused()).toBe(true);
    expect(await chips(page)).toEqual([expect.stringContaining('From $1,000,000')]);
    await window.close();
  });

  test('on a phone one sheet has the filters, and its button the number of homes', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    await window.go('/search?q=Fremont&sort=PRICE_ASC');
    await page.getByRole('button', { name: 'Filters', exact: true }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Minimum').fill('400000');
    const show = sheet.getByRole('button', { name: 'Show 0 homes' });
    await show.waitFor();
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect([await overflow(page), await axeFindings(page)]).toEqual([0, []]);
    await page.evaluate(`document.documentElement.style.fontSize = ''`);
    const box = await show.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Filters', exact: true }).press('Enter');
    await sheet.getByLabel('Minimum').fill('400000');
    await sheet.getByRole('button', { name: 'Show 0 homes' }).click();
    await page.waitForURL((url) => url.search === '?q=Fremont&minPrice=400000&sort=PRICE_ASC');
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor();
    // Nothing is there: one filter is offered to be taken off.
    await page.getByRole('link', { name: 'Without “From $400,000”: 3 homes' }).click();
    await headed(page, '3 homes in Fremont, CA');
    await window.close();
  });

  test.each(WIDTHS)(
    'Back leads to the same card in the same place of the whole list, at %i',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      await window.go('/search?sort=PRICE_ASC');
      expect(await cards(page).count()).toBe(24);
      await page.mouse.move(200, 500);
      await page.mouse.wheel(0, 20_000);
      await eventually(async () => (await cards(page).count()) === 45, { what: 'the rest of the homes' });
      const link = cards(page).nth(39).locator('.property-card-link');
      const href = await link.getAttribute('href');
      await link.scrollIntoViewIfNeeded();
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const before = Number(await page.evaluate('scrollY'));
      expect(before).toBeGreaterThan(2_000);
      if (width === 390) await link.tap();
      else await link.press('Enter');
      await page.waitForURL(`**${href}`);
      await page.locator('.search').waitFor({ state: 'detached' });
      await page.goBack();
      await link.waitFor();
      await eventually(async () => Math.abs(Number(await page.evaluate('scrollY')) - before) < 2, {
        what: 'the place in the list',
      });
      expect(await cards(page).count()).toBe(45);
      expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(href);
      await window.close();
    },
  );

  test('homes on their way have their places, and homes that do not come are asked for again', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/');
    const held = Promise.withResolvers<void>();
    await page.route('**/api/trpc/search.list*', async (route) => {
      await held.promise;
      await route.fulfill({ status: 503, body: '{}' });
    });
    await page.getByRole('link', { name: 'Search' }).click();
    await page.locator('.search-skeleton').first().waitFor();
    expect(await heading(page).innerText()).toBe('Search homes');
    held.resolve();
    await page.getByText('We couldn’t load the homes').waitFor();
    await page.unroute('**/api/trpc/search.list*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await headed(page, '45 homes');
    await window.close();
  });

  test.each(WIDTHS)(
    'the first picture is loaded once, as the head of the page asks for it, at %i',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      await window.go('/search?sort=NEWEST');
      const first = page.locator('#search-results img').first();
      await eventually(
        () => first.evaluate((image) => (image as unknown as { complete: boolean }).complete),
        {
          what: 'the picture',
        },
      );
      const shown = await first.evaluate((image) => (image as unknown as { currentSrc: string }).currentSrc);
      const loaded = await page.evaluate(
        `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.startsWith('${shown.split('?')[0]}'))`,
      );
      expect(loaded).toEqual([shown]);
      await window.close();
    },
  );
});
