import type { Browser } from 'playwright-core';

/** What a visitor with a slow phone on a slow line saw of a page. */
export interface Visit {
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  /** The browser's score: 0 when nothing moved. */
  readonly layoutShift: number;
}

/** DevTools' "Slow 4G": each request waits this long, all share the bytes a second. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6e6 * 0.9) / 8,
  uploadThroughput: (750e3 * 0.9) / 8,
};
const SLOWER_TIMES = 4;
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
};

/** Nothing is kept of an earlier visit. */
export async function drawnOnPhone(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW_4G);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_TIMES });
    await page.addInitScript(`window.seen = { largestPaintMs: 0, layoutShift: 0 };
      const watch = (type, see) => new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
      watch('largest-contentful-paint', (entry) => { seen.largestPaintMs = entry.startTime; });
      watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.layoutShift += entry.value; });`);
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    return (await page.evaluate(
      `({ ...seen, firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0].startTime })`,
    )) as Visit;
  } finally {
    await context.close();
  }
}

const STEPS = ['ArrowRight', 'ArrowDown', 'Equal', 'ArrowLeft', 'ArrowUp', 'Minus', 'ArrowRight', 'Equal'];
const START = '/search?view=map&box=-122.44,47.49,-122.24,47.74&zoom=11';
/** The browser draws with software, beside the server. */
const SLOW = { timeout: 120_000 };

/** How long each of these took to be answered to a page of the site, in milliseconds. */
export async function askedByPage(
  browser: Browser,
  origin: string,
  paths: readonly string[],
): Promise<readonly number[]> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${origin}/privacy`);
    return await page.evaluate(async (asked) => {
      performance.setResourceTimingBufferSize(10_000);
      performance.clearResourceTimings();
      for (const path of asked) await (await fetch(path)).text();
      return performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/api/trpc/'))
        .map(({ duration }) => duration);
    }, paths);
  } finally {
    await context.close();
  }
}

/** How long list and map took to be answered while someone moves the map, in milliseconds each. */
export async function searchedByHand(
  browser: Browser,
  origin: string,
  moves: number,
): Promise<{ readonly list: readonly number[]; readonly map: readonly number[] }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
  });
  try {
    const page = await context.newPage();
    await page.addInitScript('performance.setResourceTimingBufferSize(10_000)');
    await page.goto(origin + START);
    await page.locator('.search-map .button-pill').first().waitFor(SLOW);
    const canvas = page.locator('.search-map canvas');
    for (let move = 0; move < moves; move += 1) {
      const answered = ['list', 'map'].map((name) =>
        page.waitForResponse((response) => response.url().includes(`search.${name}`), SLOW),
      );
      await canvas.focus();
      await page.keyboard.press(STEPS[move % STEPS.length] ?? '');
      await Promise.all(answered);
    }
    const taken = (name: string): Promise<number[]> =>
      page.evaluate(
        `performance.getEntriesByType('resource').filter((entry) => entry.name.includes('search.${name}')).map((entry) => entry.duration)`,
      );
    return { list: await taken('list'), map: await taken('map') };
  } finally {
    await context.close();
  }
}
