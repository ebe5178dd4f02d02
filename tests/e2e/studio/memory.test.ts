import { randomFillSync } from 'node:crypto';
import { linkSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { peakMegabytes } from '../../support/peak-memory.ts';
import { signIn } from '../../support/platform/agent.ts';
import { createListing } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import { openSiteWindow } from '../site/site-window.ts';
import { chooseFiles, studioPath, uploadsDone } from './studio-window.ts';

/** What forty large photos cost in memory: the page that sends them, and the process that takes them. */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const PHOTOS = 40;
const MEGABYTE = 1024 * 1024;
const MOST_OF_A_PAGE = 300;
const MOST_OF_THE_ROLE = 600;

describe.skipIf('missing' in found)(`forty photos of 10 MB${why}`, () => {
  let browser: Browser;
  let platform: TestPlatform;
  beforeAll(async () => {
    browser = await launchChromium('path' in found ? found.path : '');
    platform = await startTestPlatform({ workers: 0, settings: { SITE_ENABLED: 'true' } });
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test('keep the page under 300 MB and the web role under 600 MB', { timeout: 600_000 }, async () => {
    const agent = await signIn(platform);
    const propertyId = await createListing(agent);
    const window = await openSiteWindow(browser, platform.urls[0] ?? '', { as: agent });
    await window.go(studioPath(propertyId));
    await chooseFiles(window.page, await largePhotos());
    await uploadsDone(window.page, 480_000);
    const [stored] = await platform.rows<{ count: string }>(
      'select count(*) from property_images where "propertyId" = $1',
      [propertyId],
    );
    expect(Number(stored?.count)).toBe(PHOTOS);
    expect(Math.max(...(await renderers()).map((pid) => peakMegabytes(pid)))).toBeLessThan(MOST_OF_A_PAGE);
    const web = platform.roles.find(({ name }) => name.startsWith('web'));
    expect(peakMegabytes(web?.pid ?? 0)).toBeLessThan(MOST_OF_THE_ROLE);
    await window.close();
  });

  /** The processes of the browser that draw pages. */
  async function renderers(): Promise<number[]> {
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  }
});

/** Noise, which no encoder makes small. */
async function largePhotos(): Promise<string[]> {
  const folder = temporaryDirectory();
  const first = join(folder, 'photo-00.jpg');
  const [width, height] = [3400, 2300];
  const noise = randomFillSync(Buffer.alloc(width * height * 3));
  await sharp(noise, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 99 })
    .toFile(first);
  expect((await stat(first)).size).toBeGreaterThan(9 * MEGABYTE);
  const others = Array.from({ length: PHOTOS - 1 }, (_, index) =>
    join(folder, `photo-${String(index + 1).padStart(2, '0')}.jpg`),
  );
  for (const other of others) linkSync(first, other);
  return [first, ...others];
}
