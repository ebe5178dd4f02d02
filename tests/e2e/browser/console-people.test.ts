import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { seedProperty, seedUser } from '../../support/database/seed.ts';
import { type ConsoleHost, openConsole } from '../../support/http/console-host.ts';
import { signIn, suspendByKeyboard } from './console-pages.ts';

/** An operator ends an abuser by the keyboard alone; axe finds nothing serious, and nothing is wider than the window. */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf('missing' in found)(`the console's pages of people${why}`, () => {
  let host: ConsoleHost;
  beforeAll(async () => {
    host = await openConsole();
  });
  afterAll(() => host?.close());

  test.each([390, 1280])(
    '%d px wide: from a mail address to a suspension in eight presses',
    async (width) => {
      const { pool } = host.database;
      const personId = await seedUser(pool);
      const propertyId = await seedProperty(pool, { ownerAgentId: personId });
      const browser = await launchChromium('path' in found ? found.path : '');
      onTestFinished(() => browser.close());
      const page = await (await browser.newContext({ viewport: { width, height: 900 } })).newPage();
      await signIn(page, host.base);
      for (const path of ['people', `people/${personId}`, `listings/${propertyId}`]) {
        await page.goto(`${host.base}/console/${path}`);
        await page.evaluate(AXE);
        const grave = `axe.run(document).then(({ violations }) => violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id))`;
        expect([path, await page.evaluate(grave)]).toEqual([path, []]);
        expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width]);
      }
      await page.goto(`${host.base}/console/people`);
      await suspendByKeyboard(page, `${personId}@example.com`);
      const { rows } = await pool.query('select "hiddenFor" from properties where id = $1', [propertyId]);
      expect(rows).toEqual([{ hiddenFor: ['OWNER_SUSPENDED'] }]);
    },
  );
});
