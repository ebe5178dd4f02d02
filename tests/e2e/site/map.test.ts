import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COLORS } from '../../../clients/web/tokens/tokens.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { eventually } from '../../support/eventually.ts';
import { startTileHost } from '../../support/http/tile-host.ts';
import { axeFindings, keepScreen, type SiteWindow, type WindowOptions } from './site-window.ts';
import { describeSite, type SiteWorld } from './site-world.ts';

/** The map of a search in a browser that draws it with software: slow, so waits are long. */
const SLOW = { timeout: 60_000 };

/**
 * Opens a page whose map can be asked what it has drawn: the page keeps the map that is made last. Requests to other
 * origins are counted, and go nowhere but to those that are allowed.
 */
async function openMap(site: SiteWorld, options: WindowOptions, allowed: readonly string[] = []) {
  const window = await site.open({ ...options, width: 390 });
  const { page } = window;
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && ![site.url, ...allowed].includes(origin))
      elsewhere.push(request.url());
  });
  const library = readdirSync('dist/site/client/assets').find((name) =>
    /^maplibre-gl-(?!worker).*\.js$/.test(name),
  );
  await window.go('/search?box=-122.345,47.595,-122.30,47.64&zoom=13');
  await page.evaluate(`import('/assets/${library}').then((library) => {
    const { prototype } = Object.values(library).find((one) => one.prototype?.queryRenderedFeatures);
    const { setStyle } = prototype;
    prototype.setStyle = function (...args) { globalThis.shownMap = this; return setStyle.apply(this, args); };
  })`);
  await page.getByRole('link', { name: 'Map' }).click();
  await page.locator('.search-map .button-pill').first().waitFor(SLOW);
  /** Names on the map by layers of the style. */
  const drawn = (...layers: string[]): Promise<string[]> =>
    page.evaluate(
      `shownMap.isStyleLoaded() ? shownMap.queryRenderedFeatures({ layers: ${JSON.stringify(layers)} }).map((one) => one.properties.name) : []`,
    );
  return { window, elsewhere, drawn };
}

/** What a layer of the shown style has as its color. */
const paintOf = ({ page }: SiteWindow, layer: string, property: string): Promise<string> =>
  page.evaluate(`shownMap.getPaintProperty('${layer}', '${property}')`);

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
    const window = await site().open({ width: 390 });
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

  test.each(['light', 'dark'] as const)(
    'without a setting it shows the streets of the sample town with their names and sources, from our origin alone, in %s',
    async (theme) => {
      const { window, elsewhere, drawn } = await openMap(site(), {
        theme,
        width: theme === 'dark' ? 390 : 1280,
      });
      await eventually(async () => (await drawn('road-names')).includes('Broadway'), {
        what: 'names of streets',
        timeoutMs: 60_000,
      });
      expect((await drawn('postal-code-names')).length).toBeGreaterThan(0);
      expect(await paintOf(window, 'arterials', 'line-color')).toBe(COLORS.roadMajor[theme]);
      const sources = map(window).locator('.maplibregl-ctrl-attrib');
      expect(await sources.innerText()).toBe('City of Seattle | U.S. Census Bureau');
      const [box, bar] = [await sources.boundingBox(), await window.page.locator('.shell-bar').boundingBox()];
      if (theme === 'dark') expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
      expect(elsewhere).toEqual([]);
      await window.close();
    },
  );

  test('a map of another city loads no streets of this one', async () => {
    const window = await site().open({ width: 390 });
    const files: string[] = [];
    window.page.on('request', (request) => files.push(request.url()));
    await window.go('/search?view=map&box=-80.3,25.7,-80.1,25.9&zoom=11');
    await eventually(() => asked(window).map >= 1 && files.some((url) => url.includes('states-10m')), {
      what: 'the map',
    });
    await window.page.waitForLoadState('networkidle');
    expect(files.filter((url) => /roads-\w+\.json/.test(url))).toEqual([]);
    await window.close();
  });
});

const port = await freePort();
const tileOrigin = `http://127.0.0.1:${port}`;

describeSite(
  'the map over the PMTiles file of an operator',
  (site) => {
    let tiles: Awaited<ReturnType<typeof startTileHost>>;
    beforeAll(async () => {
      tiles = await startTileHost(port);
    });
    afterAll(() => tiles.close());

    test('shows its streets and its source, and asks only the server that the setting names', async () => {
      const { window, elsewhere, drawn } = await openMap(site(), { theme: 'dark' }, [tileOrigin]);
      await eventually(async () => (await drawn('road-names')).includes('Broadway'), {
        what: 'names of streets',
        timeoutMs: 60_000,
      });
      expect(await paintOf(window, 'highways', 'line-color')).toBe(COLORS.roadMajor.dark);
      expect(await window.page.locator('.maplibregl-ctrl-attrib').innerText()).toBe(
        '© OpenStreetMap Protomaps',
      );
      expect(tiles.ranges.length).toBeGreaterThan(1);
      expect(elsewhere).toEqual([]);
      const policy = (await window.page.request.get('/search')).headers()['content-security-policy'];
      expect(policy).toContain(`connect-src 'self' ${tileOrigin};`);
      expect(policy?.split(tileOrigin)).toHaveLength(2);
      // A violation of the policy would be a complaint.
      await window.close();
    });
  },
  { MAP_PMTILES_URL: `${tileOrigin}/town.pmtiles` },
);
