import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { axeFindings, keepScreen, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The map of a search in a browser that draws it with software: slow, so waits are long. */
const SLOW = { timeout: 60_000 };

describeSite('the map', (site) => {
  const map = ({ page }: SiteWindow) => page.locator('.search-map');
  const pills = (window: SiteWindow) => map(window).locator('.button-pill');
  const drawn = (window: SiteWindow) => pills(window).first().waitFor(SLOW);
  const names = ({ page }: SiteWindow): Promise<string[]> =>
    page.evaluate(
      `[...document.querySelectorAll('.search-map .button-pill')].map((one) => one.getAttribute('aria-label'))`,
    );
  /** How many homes the map shows, alone or in clusters. */
  const shown = async (window: SiteWindow) =>
    (await names(window)).reduce(
      (sum, name) => sum + (name.startsWith('Home for') ? 1 : Number(/^\d+/.exec(name)?.[0])),
      0,
    );
  const listed = async ({ page }: SiteWindow) =>
    Number(/\d+/.exec(await page.locator('.search-line').innerText())?.[0]);
  const inStep = (window: SiteWindow) =>
    eventually(async () => (await shown(window)) === (await listed(window)), {
      what: 'as many homes on the map as in the list',
      timeoutMs: 30_000,
    });
  const asked = ({ calls }: SiteWindow) => ({
    list: calls.filter((call) => call === 'search.list').length,
    map: calls.filter((call) => call === 'search.map').length,
    names: calls.filter((call) => call === 'search.placeNames').length,
  });

  test('is not loaded before it is shown, nor is its library', async () => {
    const window = await site().open();
    const files: string[] = [];
    window.page.on('request', (request) => files.push(request.url()));
    await window.go('/search');
    expect(files.filter((url) => url.includes('maplibre'))).toEqual([]);
    await window.page.getByRole('link', { name: 'Map' }).click();
    await drawn(window);
    expect(files.filter((url) => /maplibre-gl-\w+\.js/.test(url)).length).toBeGreaterThan(0);
    await window.close();
  });

  test.each([390, 1280] as const)(
    'shows all homes of the search, and is clean to axe, at %i',
    async (width) => {
      for (const theme of ['light', 'dark'] as const) {
        const window = await site().open({ width, theme });
        await window.go('/search?view=map');
        await drawn(window);
        await eventually(async () => (await shown(window)) === 41, {
          what: 'all homes on the map',
          timeoutMs: 60_000,
        });
        expect(await axeFindings(window.page)).toEqual([]);
        await keepScreen(window.page, `site/map-${width}-${theme}`);
        await window.close();
      }
    },
  );

  test('a move asks once when the map rests, and list, map and address stay in step', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search?view=map');
    await drawn(window);
    // The whole world, where homes are, and what fits around them; names for the last.
    await eventually(() => asked(window).map >= 3 && asked(window).names >= 1, {
      what: 'the first questions',
    });
    await eventually(async () => (await shown(window)) === 41, { what: 'all homes', timeoutMs: 60_000 });
    const before = asked(window);
    const view = await map(window).locator('canvas').boundingBox();
    const [x = 0, y = 0] = view === null ? [] : [view.x + view.width / 2, view.y + view.height / 2];
    await page.mouse.move(x + 90, y + 90);
    await page.mouse.down();
    for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + 90 - step * 12, y + 90 - step * 4);
    await page.mouse.up();
    await page.waitForURL(/box=/);
    const haveAsked = (times: number) => {
      const { list, map, names } = asked(window);
      return Math.min(list - before.list, map - before.map, names - before.names) >= times;
    };
    await eventually(() => haveAsked(1), { what: 'the questions about the new place' });
    await inStep(window);
    expect(asked(window)).toEqual({ list: before.list + 1, map: before.map + 1, names: before.names + 1 });
    for (let turn = 0; turn < 8; turn += 1) await page.mouse.wheel(0, -200);
    await eventually(async () => haveAsked(2) && (await listed(window)) < 41, { what: 'fewer homes' });
    await inStep(window);
    expect(asked(window)).toEqual({ list: before.list + 2, map: before.map + 2, names: before.names + 2 });
    // The address is the whole state: another browser shows the same. The map may still be on its way there.
    const other = await site().open();
    const showsTheSame = async () => {
      await other.go(page.url());
      const line = await other.page.locator('.search-line').innerText();
      return line.startsWith(`${await listed(window)} home`);
    };
    await eventually(showsTheSame, { what: 'the same homes in another browser' });
    await other.close();
    await page.getByRole('link', { name: /This area/ }).click();
    await eventually(async () => (await page.locator('.search-line').innerText()).includes('41 homes'), {
      what: 'all homes again',
    });
    await window.close();
  });

  test('is reached and used by keyboard: a pill opens its home, a card points to its pill', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search?view=map&box=-122.345,47.595,-122.30,47.64&zoom=16');
    await drawn(window);
    const pill = map(window).getByRole('button', { name: 'Home for $895K' });
    await pill.waitFor(SLOW);
    await pill.focus();
    const card = page.locator('#search-results > li').filter({ hasText: '12 Lakeview Avenue' });
    await eventually(async () => ((await card.getAttribute('class')) ?? '').includes('search-pointed'), {
      what: 'the card to be pointed at',
    });
    await page.keyboard.press('Enter');
    await map(window)
      .getByRole('link', { name: /12 Lakeview Avenue/ })
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await card.hover();
    await eventually(async () => (await pill.getAttribute('data-pointed')) === 'true', {
      what: 'the pill to be pointed at',
    });
    await pill.press('Enter');
    await map(window)
      .getByRole('link', { name: /12 Lakeview Avenue/ })
      .click();
    await page.getByRole('heading', { level: 1, name: /12 Lakeview Avenue/ }).waitFor();
    await window.close();
  });

  test('a late answer about an earlier place is never shown', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search?view=map&box=-122.345,47.595,-122.30,47.64&zoom=13');
    await drawn(window);
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isFirst = true;
    let isAnswered = false;
    await page.route('**/api/trpc/search.map*', async (route) => {
      const mine = isFirst;
      isFirst = false;
      if (mine) await held;
      // The page may have given the question up.
      await route.continue().catch(() => undefined);
      isAnswered ||= mine;
    });
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL(/zoom=1[34]/);
    await eventually(() => !isFirst, { what: 'the first question' });
    const first = page.url();
    const before = await names(window);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.waitForURL((url) => url.href !== first);
    await eventually(async () => String(await names(window)) !== String(before), {
      what: 'the later answer',
    });
    const later = await names(window);
    release();
    await eventually(() => isAnswered, { what: 'the earlier answer' });
    await page.waitForLoadState('networkidle');
    expect(await names(window)).toEqual(later);
    await window.close();
  });
});
