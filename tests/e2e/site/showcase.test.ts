import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { serveShowcase } from '../../../ops/dev/site/showcase.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openWindow } from '../browser/window.ts';
import { axeFindings, overflow } from './site-window.ts';

/** The page of all primitives, as `npm run primitives` serves it. */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';

describe.skipIf('missing' in found)(`the primitives${why}`, () => {
  let browser: Browser;
  let page: Awaited<ReturnType<typeof serveShowcase>>;
  beforeAll(async () => {
    browser = await launchChromium('path' in found ? found.path : '');
    page = await serveShowcase({ port: 0, cacheDir: temporaryDirectory() });
  });
  afterAll(async () => {
    await browser?.close();
    await page?.close();
  });

  test.each((['light', 'dark'] as const).flatMap((theme) => [390, 1280].map((width) => ({ theme, width }))))(
    'are whole and clean to axe, $theme at $width',
    async ({ theme, width }) => {
      const window = await openWindow(browser, {
        colorScheme: theme,
        viewport: { width, height: 900 },
        timezoneId: 'America/Los_Angeles',
      });
      await window.page.goto(page.url);
      await window.page.getByRole('heading', { name: 'Primitives' }).waitFor({ timeout: 60_000 });
      expect(await axeFindings(window.page)).toEqual([]);
      expect(await overflow(window.page)).toBe(0);
      await window.page.getByRole('button', { name: 'Open the sheet' }).click();
      await window.page.getByRole('dialog').waitFor();
      expect(await axeFindings(window.page)).toEqual([]);
      expect(window.complaints).toEqual([]);
      await window.close();
    },
  );
});
