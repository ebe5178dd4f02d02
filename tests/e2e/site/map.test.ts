import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COLORS } from '../../../clients/web/tokens/tokens.ts';
import { freePort } from '../../../ops/dev/stack/free-port.ts';
import { seedProperty } from '../../support/database/seed.ts';
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
async function openMap(
  site: SiteWorld,
  options: WindowOptions,
  { allowed = [], search = '' }: { readonly allowed?: readonly string[]; readonly search?: string } = {},
) {
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
  await window.go(`/search?${search || NEAR}`);
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

/** A part of the map with most of the homes. */
const NEAR = 'box=-122.345,47.595,-122.30,47.64&zoom=13';

/** Names of marks that lie over each other, in pairs. */
const overlapping = ({ page }: SiteWindow): Promise<string[]> =>
  page.evaluate(`(() => {
    const marks = [...document.querySelectorAll('.map-view .button-pill')].map((mark) => ({
      name: mark.getAttribute('aria-label'), ...mark.getBoundingClientRect().toJSON() }));
    return marks.flatMap((one, index) => marks.slice(index + 1)
      .filter((other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom)
      .map((other) => one.name + ' / ' + other.name));
  })()`);

/** Where a part of the map is in the window, from 0 to 1 from its left and upper edges. */
async function onMap({ page }: SiteWindow) {
  const canvas = page.locator('.search-map canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the map is not shown');
  return (x: number, y: number) => ({ x: box.x + x * box.width, y: box.y + y * box.height });
}

/** What a layer of the shown style has as its color. */
const paintOf = ({ page }: SiteWindow, layer: string, property: string): Promise<string> =>
  page.evaluate(`shownMap.getPaintProperty('${layer}', '${property}')`);

const WHEEL_TURNS = 8;

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

  /** At each zoom no mark may lie over another, and each home is in one. */
  const zoomThrough = async (window: SiteWindow): Promise<void> => {
    expect(await overlapping(window)).toEqual([]);
    for (const button of ['Zoom out', 'Zoom in', 'Zoom in', 'Zoom in']) {
      const before = window.page.url();
      await window.page.getByRole('button', { name: button, exact: true }).click();
      await window.page.waitForURL((url) => url.href !== before);
      await inStep(window);
      expect(await overlapping(window)).toEqual([]);
    }
  };

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
        if (theme === 'light') await zoomThrough(window);
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
    for (let turn = 0; turn < WHEEL_TURNS; turn += 1) await page.mouse.wheel(0, -200);
    await eventually(async () => haveAsked(2) && (await listed(window)) < 41, { what: 'fewer homes' });
    await inStep(window);
    // On a busy machine the map may rest between two turns; while it moves it never asks.
    const { list, map: marks, names } = asked(window);
    for (const more of [list - before.list, marks - before.map, names - before.names])
      expect(more).toBeLessThanOrEqual(1 + WHEEL_TURNS);
    // The address is the whole state: another browser shows the same. The map may still be on its way there.
    const other = await site().open();
    const showsTheSame = async () => {
      await other.go(page.url());
      const line = await other.page.locator('.search-line').innerText();
      return line.startsWith(`${await listed(window)} home`);
    };
    await eventually(showsTheSame, { what: 'the same homes in another browser' });
    await other.close();
    await page.getByRole('link', { name: /^This area/ }).click();
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
    const link = map(window).getByRole('link', { name: /12 Lakeview Avenue/ });
    await link.waitFor();
    await map(window).locator('.home-card img').waitFor();
    await page.keyboard.press('Tab');
    expect(await link.evaluate((one) => one.matches(':focus'))).toBe(true);
    expect(await pill.getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'detached' });
    expect(await pill.evaluate((one) => one.matches(':focus'))).toBe(true);
    // A home without photos has a drawn house.
    await map(window).getByRole('button', { name: 'Home for $600K' }).press('Enter');
    await map(window).locator('.home-card .facade-drawing').waitFor();
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

  test('an area is drawn by mouse: it is searched, stays while the map moves, is drawn again later, and is taken off', async () => {
    const window = await site().open();
    const { page } = window;
    const files: string[] = [];
    page.on('request', (request) => files.push(request.url()));
    await window.go(`/search?view=map&${NEAR}`);
    await drawn(window);
    await inStep(window);
    const all = await listed(window);
    expect(files.filter((url) => url.includes('draw-area'))).toEqual([]);
    await page.getByRole('button', { name: 'Draw an area' }).click();
    await page.getByText('Place the corners one by one.').waitFor();
    const at = await onMap(window);
    const square = [at(0.2, 0.4), at(0.7, 0.4), at(0.7, 0.9), at(0.2, 0.9)];
    for (const { x, y } of square) await page.mouse.click(x, y);
    const last = square[3] ?? { x: 0, y: 0 };
    // The last corner ends the area once the library has taken it.
    await eventually(
      async () => {
        await page.mouse.click(last.x, last.y);
        return page.url().includes('area=');
      },
      { what: 'the drawn area' },
    );
    const total = () => listed(window);
    await eventually(async () => (await total()) < all, { what: 'fewer homes' });
    await inStep(window);
    const inArea = await total();
    expect(inArea).toBeGreaterThan(0);
    expect(await axeFindings(page)).toEqual([]);
    await keepScreen(page, 'site/map-drawn-area');
    const address = page.url();
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    await page.waitForURL((url) => url.href !== address);
    expect(await total()).toBe(inArea);
    const again = await openMap(
      site(),
      { theme: 'dark' },
      { search: new URL(address).search.slice(1).replace('view=map', '') },
    );
    await eventually(async () => (await again.drawn('drawn-area-fill')).length > 0, {
      what: 'the area on the map',
      timeoutMs: 60_000,
    });
    expect(await listed(again.window)).toBe(inArea);
    await again.window.close();
    await page.getByRole('link', { name: /Drawn area/ }).click();
    await page.waitForURL((url) => !url.searchParams.has('area'));
    await inStep(window);
    await window.close();
  });

  test('an area is drawn by finger in one stroke, one that crosses itself is not taken, and cards lie above the tab bar', async () => {
    const window = await site().open({ width: 390 });
    const { page, context } = window;
    await window.go(`/search?view=map&${NEAR}`);
    await drawn(window);
    await page.getByRole('button', { name: 'Draw an area' }).tap();
    await page.getByText('Freehand').tap();
    await page.getByText('in one stroke').waitFor();
    const at = await onMap(window);
    const session = await context.newCDPSession(page);
    const stroke = async (...line: (readonly [number, number])[]): Promise<void> => {
      const points = line.map(([x, y]) => at(x, y));
      for (const [index, point] of points.entries())
        await session.send('Input.dispatchTouchEvent', {
          type: index === 0 ? 'touchStart' : 'touchMove',
          touchPoints: [point],
        });
      await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    await stroke([0.1, 0.5], [0.2, 0.5], [0.8, 0.8], [0.8, 0.5], [0.5, 0.55], [0.1, 0.8]);
    await page.getByText('The line crosses itself').waitFor();
    // A stroke begins once the library has left the last one.
    await eventually(
      async () => {
        await stroke([0.1, 0.5], [0.3, 0.5], [0.8, 0.5], [0.8, 0.65], [0.8, 0.8], [0.4, 0.8], [0.1, 0.8]);
        return page.url().includes('area=');
      },
      { what: 'the drawn area' },
    );
    await inStep(window);
    await drawn(window);
    await page.getByRole('button', { name: 'Remove area' }).tap();
    await page.waitForURL((url) => !url.searchParams.has('area'));
    await inStep(window);
    // Leaving the map ends a drawing that has begun.
    await page.getByRole('button', { name: 'Draw an area' }).tap();
    await page.getByText('in one stroke').waitFor();
    await page.getByRole('link', { name: 'List' }).tap();
    await page.getByRole('link', { name: 'Map' }).tap();
    await drawn(window);
    await inStep(window);
    await map(window)
      .getByRole('button', { name: /^Home for / })
      .first()
      .tap();
    await map(window).locator('.home-card a').waitFor();
    const card = await map(window).locator('.home-card').boundingBox();
    const bar = await page.locator('.shell-bar').boundingBox();
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
    expect(await axeFindings(page)).toEqual([]);
    await window.close();
  });

  test('an area is chosen by keyboard: the map is moved, and what it shows is searched until it is taken off', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go(`/search?view=map&${NEAR}`);
    await drawn(window);
    await page.getByRole('button', { name: 'Draw an area' }).press('Enter');
    const canvas = page.locator('.search-map canvas');
    const before = page.url();
    await canvas.press('+');
    await page.waitForURL((url) => url.href !== before);
    await page.getByRole('button', { name: 'Search this area' }).press('Enter');
    await page.waitForURL(/area=/);
    await inStep(window);
    const inArea = await listed(window);
    const chosen = new URL(page.url()).searchParams.get('area');
    await canvas.press('-');
    await page.waitForURL((url) => url.searchParams.get('area') === chosen && !url.href.includes('zoom=14'));
    await inStep(window);
    expect(await listed(window)).toBe(inArea);
    await page.getByRole('button', { name: 'Remove area' }).press('Enter');
    await page.waitForURL((url) => !url.searchParams.has('area'));
    await inStep(window);
    await window.close();
  });

  test("a home's page draws the map of its surroundings when it comes into view, and has directions without scripts", async () => {
    const { home, host, agent } = site();
    for (const width of [390, 1280] as const) {
      const window = await site().open({ width, theme: width === 390 ? 'dark' : 'light' });
      const { page } = window;
      const files: string[] = [];
      page.on('request', (request) => files.push(request.url()));
      await window.go(`/properties/${home.propertyId}`);
      await page.waitForLoadState('networkidle');
      const ofMap = () => files.filter((url) => /maplibre|surroundings-map|search\.map/.test(url));
      expect(ofMap()).toEqual([]);
      await page.locator('.surroundings-place').scrollIntoViewIfNeeded();
      await page.getByRole('button', { name: 'This home' }).waitFor(SLOW);
      await page
        .getByRole('button', { name: /^Home for/ })
        .first()
        .waitFor(SLOW);
      expect(ofMap().length).toBeGreaterThan(0);
      expect(await overlapping(window)).toEqual([]);
      expect(files.filter((url) => new URL(url).origin !== site().url)).toEqual([]);
      expect(await axeFindings(page)).toEqual([]);
      await keepScreen(page, `site/surroundings-${width}`);
      await page
        .getByRole('button', { name: /^Home for/ })
        .first()
        .press('Enter');
      await page.locator('.surroundings-map .home-card a').waitFor();
      await window.close();
    }
    const plain = await site().open({ javaScript: false });
    await plain.go(`/properties/${home.propertyId}`);
    const link = plain.page.getByRole('link', { name: 'Directions on OpenStreetMap' });
    expect(await link.getAttribute('href')).toContain('47.63%2C-122.32');
    expect(await link.getAttribute('rel')).toBe('noreferrer');
    const nowhere = await seedProperty(host.pool, {
      ownerAgentId: agent.id,
      latitude: null,
      longitude: null,
    });
    await plain.go(`/properties/${nowhere}`);
    expect(await link.count()).toBe(0);
    await plain.close();
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
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
    await page.waitForURL(/zoom=1[34]/);
    await eventually(() => !isFirst, { what: 'the first question' });
    const first = page.url();
    const before = await names(window);
    await page.getByRole('button', { name: 'Zoom in', exact: true }).click();
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
      const { window, elsewhere, drawn } = await openMap(
        site(),
        { theme: 'dark' },
        { allowed: [tileOrigin] },
      );
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
