import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { axeFindings, LOOKS, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** What a buyer chooses about altered pictures: on the search, on a home's page, and from one to the other. */

describeSite('the choice of pictures', (site) => {
  const homePage = (query = '') => `/properties/${site().home.propertyId}${query}`;
  const gallery = (page: Page): Promise<(string | null)[]> =>
    page
      .locator('.gallery-item')
      .evaluateAll((items) => items.map((item) => item.getAttribute('id')?.replace('picture-', '') ?? null));
  const cardOf = (page: Page): Locator =>
    page.locator('.property-card').filter({ hasText: '12 Lakeview Avenue' });
  const hidden = '1 altered photo is hidden';

  describe.each([390, 1280] as const)('without JavaScript, at %i', (width) => {
    test('is made in the form of the search and goes with the links to homes', async () => {
      const window = await site().open({ width, javaScript: false });
      const { page } = window;
      await window.go('/search?sort=NEWEST');
      expect(await page.getByText(hidden).count()).toBe(0);
      await page.locator('.filters-part').last().locator('summary').first().click();
      await page.getByRole('radio', { name: 'Only real photos' }).check();
      await page.locator('.filters-part[open] button[type=submit]').click();
      expect(new URL(page.url()).searchParams.getAll('pictures')).toEqual(['realOnly']);
      expect(await page.locator('.search-line').innerText()).toContain('41 homes');
      expect(await cardOf(page).innerText()).toContain(hidden);
      await cardOf(page).getByRole('link').click();
      expect(new URL(page.url()).search).toBe('?pictures=realOnly');
      expect(await gallery(page)).toEqual([...site().home.photos]);
      expect(await page.getByRole('status').filter({ hasText: hidden }).count()).toBe(1);
      await window.close();
    });

    test('is made on a home’s page', async () => {
      const window = await site().open({ width, javaScript: false });
      const { page } = window;
      const [first = '', second = ''] = site().home.photos;
      const { staged } = site().home;
      await window.go(homePage());
      expect(await gallery(page)).toEqual([first, staged, second]);
      await page.locator('.menu > summary').click();
      await page.getByRole('link', { name: 'Real photos first' }).click();
      expect(new URL(page.url()).search).toBe('?pictures=realFirst');
      expect(await gallery(page)).toEqual([first, second, staged]);
      expect(await page.locator('.menu > summary').innerText()).toContain('Real photos first');
      expect(await page.locator('.property-card-link').first().getAttribute('href')).toMatch(
        /\?pictures=realFirst$/,
      );
      await window.close();
    });
  });

  test('an address with another value shows all pictures', async () => {
    const window = await site().open();
    await window.go(homePage('?pictures=none&pictures=realOnly'));
    expect(await gallery(window.page)).toHaveLength(3);
    expect(await window.page.locator('.menu > summary').innerText()).toContain('All photos');
    await window.close();
  });

  test('on a home’s page is made by keyboard, stands in the address, and survives a reload', async () => {
    const window = await site().open();
    const { page } = window;
    const [first = '', second = ''] = site().home.photos;
    await window.go(homePage());
    const menu = page.locator('.menu > summary');
    const choose = async (name: string): Promise<void> => {
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await choose('Real photos first');
    await page.waitForURL(/\?pictures=realFirst$/);
    await choose('Only real photos');
    await page.waitForURL(/\?pictures=realOnly$/);
    await page.getByText(hidden).waitFor();
    expect(await gallery(page)).toEqual([first, second]);
    expect(await page.locator('.before-after').count()).toBe(0);
    await page.reload();
    expect(await gallery(page)).toEqual([first, second]);
    await menu.click();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('link', { name: 'All photos' }).isVisible()).toBe(false);
    await choose('All photos');
    await eventually(async () => (await gallery(page)).length === 3, { what: 'all pictures' });
    expect(new URL(page.url()).search).toBe('');
    await window.close();
  });

  test('on the search asks for the list again, and for no count; a chip takes it off', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search?sort=NEWEST');
    await page.locator('summary', { hasText: 'More' }).click();
    const counted = () => window.calls.filter((call) => call === 'search.featureCounts').length;
    await eventually(() => counted() === 1, { what: 'the counts' });
    await page.getByRole('radio', { name: 'Only real photos' }).check();
    await page.locator('.filters-part[open] button[type=submit]').click();
    await cardOf(page).getByText(hidden).waitFor();
    expect(counted()).toBe(1);
    expect(await page.evaluate(`localStorage.getItem('recent-searches')`)).not.toContain('pictures');
    await cardOf(page).getByRole('link').click();
    await page.waitForURL(/\/properties\/[^/]+\?pictures=realOnly$/);
    await page.goBack();
    await page.getByRole('link', { name: 'Only real photos' }).click();
    await page.waitForURL((url) => !url.search.includes('pictures'));
    await eventually(async () => (await cardOf(page).getByText(hidden).count()) === 0, {
      what: 'all pictures',
    });
    await window.close();
  });

  test('a home without staged pictures has no choice', async () => {
    const window = await site().open();
    await window.go(`/properties/${site().others[0]}`);
    expect(await window.page.locator('.gallery-item').count()).toBe(1);
    expect(await window.page.locator('.menu').count()).toBe(0);
    await window.close();
  });

  test.each(['', '/es'])(
    'the label of a staged picture leads to the page of its making, under “%s”',
    async (prefix) => {
      const window = await site().open();
      const { page } = window;
      await window.go(prefix + homePage());
      const made = `${prefix}/provenance/${site().home.staged}`;
      const links = page.locator(`main a[href="${made}"]`);
      expect(await links.count()).toBe(2);
      expect(
        await page
          .locator('.gallery')
          .getByRole('link', { name: /^AI · Virtually staged/ })
          .getAttribute('href'),
      ).toBe(made);
      await page.locator('.gallery-link').nth(1).click();
      const dialog = page.getByRole('dialog');
      const label = dialog.getByRole('link', { name: /^AI · Virtually staged/ });
      expect(await label.getAttribute('href')).toBe(made);
      await page.keyboard.press('ArrowRight');
      await label.waitFor({ state: 'detached' });
      await window.close();
    },
  );

  test.each(LOOKS)('looks right at $name', async ({ width, theme, locale }) => {
    const window = await site().open({ width, theme });
    const { page } = window;
    const prefix = locale === 'es' ? '/es' : '';
    for (const path of [
      '/search?sort=NEWEST&pictures=realOnly',
      homePage('?pictures=realOnly'),
      homePage('?pictures=realFirst'),
    ]) {
      await window.go(prefix + path);
      if (path.startsWith('/search')) {
        await (width === 390
          ? page.locator('.filters-open button')
          : page.locator('.filters-part > summary').last()
        ).click();
        if (width === 390) await page.getByRole('dialog').waitFor();
      }
      expect([path, await axeFindings(page)]).toEqual([path, []]);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    await window.close();
  });
});
