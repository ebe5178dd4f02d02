import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { jobHeldIn } from '../../support/platform/held-states.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { signIn } from './console-pages.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { openWindow } from './window.ts';

/**
 * The console's looks: axe finds nothing serious on any page and nothing is wider than the window, on wide
 * screens and phones, light and dark. KEEP_SCREENS=yes also takes the pictures of the documentation.
 */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const keeps = process.env.KEEP_SCREENS === 'yes';
const PICTURES = fileURLToPath(new URL('../../../docs/pictures/console/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PRICES = { AI_STAGING_COST_MICROUSD_MEDIUM: '53000', AI_STAGING_PRICING_VERSION: 'test-2026-11' };

interface Finding {
  id: string;
  impact: string;
  nodes: { target: string[]; failureSummary: string }[];
}

/** What axe calls serious or critical, one line each. */
async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
    violations: Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`),
    );
}

describe.skipIf('missing' in found)(`the console's looks${why}`, () => {
  let browser: Browser;
  let console: ConsoleWorld;
  /** Pages by the name of their picture. */
  const pages = new Map<string, string>();

  beforeAll(async () => {
    browser = await launchChromium('path' in found ? found.path : '');
    console = await openConsoleWorld(PRICES);
    const { world } = console;
    const done = await world.newJob();
    await jobReaches(world.platform, done.aiJobId, 'SUCCESS');
    const deletion = await console.failDeletion();
    const held = await jobHeldIn(world, 'RUNNING');
    const job = `/console/actors/stagingJob/${held.aiJobId}`;
    for (const [name, path] of [
      ['sign-in', '/sign-in'],
      ['overview', '/console'],
      ['charts', '/console/charts'],
      ['chart', '/console/charts/providerAttempt'],
      ['list', '/console/actors/stagingJob'],
      ['job', job],
      ['history', `/console/actors/stagingJob/${done.aiJobId}?step=1`],
      ['deletion', `/console/actors/deletionItem/${deletion}`],
      ['search', '/console/actors/search'],
      ['actions', '/console/actions'],
      ['cancel', `/console/actions/cancel-job?id=${held.aiJobId}`],
      ['bulk', '/console/actions/cancel-job/all'],
      ['costs', '/console/costs'],
      ['invite', '/console/actions/invite-agent'],
      ['ready', '/console/ready'],
      ['not-found', '/console/nothing'],
    ] as const)
      pages.set(name, path);
  });
  afterAll(async () => {
    await browser?.close();
    await console?.world.calm();
    await console?.close();
  });

  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390])
      test(`${colorScheme}, ${width} px wide`, async () => {
        const window = await openWindow(browser, { colorScheme, viewport: { width, height: 900 } });
        const { page } = window;
        await signIn(page, console.url);
        for (const [name, path] of pages) {
          await page.goto(`${console.url}${path}`);
          expect([name, await seriousFindings(page)]).toEqual([name, []]);
          const wide = await page.evaluate('document.documentElement.scrollWidth');
          expect([name, wide]).toEqual([name, width]);
          if (keeps && KEPT.has(`${name}-${width}-${colorScheme}`))
            await keep(page, `${name}-${width}-${colorScheme}`);
        }
        expect(window.complaints).toEqual([]);
        await window.close();
      });
});

/** A few for the documentation. */
const KEPT = new Set([
  'overview-1280-light',
  'job-1280-light',
  'chart-1280-dark',
  'list-1280-dark',
  'job-390-dark',
  'history-1280-light',
  'overview-390-light',
  'cancel-1280-light',
]);
const COLOURS = 64;

async function keep(page: Page, name: string): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const { length } = await sharp(await page.screenshot({ fullPage: name.startsWith('chart') }))
    .png({ palette: true, colours: COLOURS, compressionLevel: 9 })
    .toFile(join(PICTURES, `${name}.png`))
    .then(({ size }) => ({ length: size }));
  expect(length).toBeLessThan(200_000);
}
