import { afterAll, expect, test } from 'vitest';
import { startRouterSimulator } from '../../../ops/simulator/router/server.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** docs/contract.md#travel-times. A world of its own: the others have no router. */
const router = await startRouterSimulator();
afterAll(() => router.close());
const settings = { ROUTER_URL: router.url, ROUTER_KIND: 'valhalla' };

describeSite(
  'travel times',
  (site) => {
    test('a home says how long it takes to a place, which stays on the device, and leads to homes near it', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      const path = `/properties/${site().home.propertyId}`;
      await window.go(path);
      await page.getByRole('button', { name: 'Add a destination' }).click();
      const field = page.getByRole('combobox', { name: 'Destination' });
      await field.fill('Seattle');
      const suggested = page.locator('.commute datalist option').first();
      await suggested.waitFor({ state: 'attached' });
      await field.fill((await suggested.getAttribute('value')) ?? '');
      await page.getByText(/^\d+ minutes? by car to /).waitFor();
      await page.getByText('On foot').click();
      await page.getByText(/^\d+ minutes? on foot to /).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);

      router.setFault('error');
      await window.go(`/properties/${site().others[0]}`);
      await page.getByText('No travel time available.').waitFor();
      router.setFault(null);
      await window.go(path);
      await page.getByText(/^\d+ minutes? on foot to /).waitFor();

      await page.getByRole('button', { name: 'Show homes' }).click();
      await page.waitForURL(/\/search\?.*area=/);
      // Each card says it too.
      await page
        .locator('#search-results')
        .getByText(/^\d+ minutes? on foot to /)
        .first()
        .waitFor();
      await window.close();
    });
  },
  settings,
);
