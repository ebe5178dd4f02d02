import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** docs/contract.md#figures-of-a-listing */
describeSite('the figures of a listing', (site) => {
  const viewsOf = async (propertyId: string): Promise<number> => {
    const { data } = await site().agent.query('properties.getFigures', { propertyId, days: 7 });
    return data.days.reduce((sum: number, { views }: { views: number }) => sum + views, 0);
  };

  test('a buyer who looks at a home is counted once, and its agent sees it by day', async () => {
    const { propertyId } = site().home;
    const person = await site().signedIn({ role: 'customer' });
    const buyer = await site().open({ as: person });
    for (let visit = 0; visit < 2; visit += 1) {
      const counted = buyer.page.waitForResponse((answer) => answer.url().includes('homes.countView'));
      await buyer.go(`/properties/${propertyId}`);
      expect((await counted).status()).toBe(200);
    }
    await buyer.close();
    await person.mutate('favorites.add', { propertyId });
    await eventually(async () => (await viewsOf(propertyId)) === 1, {
      what: 'the view to be written',
      timeoutMs: 45_000,
      intervalMs: 250,
    });

    const agent = await site().open({ width: 390, as: site().agent });
    const { page } = agent;
    await agent.go(`/properties/${propertyId}`);
    await agent.go(studioPath(propertyId, 'publish'));
    await page.getByRole('link', { name: 'Figures' }).click();
    await page.getByText('Views', { exact: true }).first().waitFor();
    const step = await page.locator('.studio-step[aria-current]').boundingBox();
    expect((step?.x ?? 390) + (step?.width ?? 0)).toBeLessThanOrEqual(390);
    await page.getByLabel('7 days').check();
    await page.getByText('All days as a table').click();
    const today = page.locator('.figures-table tbody tr').first();
    await eventually(async () => (await page.locator('.figures-table tbody tr').count()) === 7, {
      what: 'a row for each day',
    });
    expect(await today.locator('td').allInnerTexts()).toEqual(['1', '1', '0', '0']);
    await agent.close();
    expect(await viewsOf(propertyId)).toBe(1);
  });

  test('a page that is only opened in the background counts when it is looked at', async () => {
    const { propertyId } = site().home;
    const buyer = await site().open({ as: await site().signedIn({ role: 'customer' }) });
    await buyer.page.addInitScript(`let state = 'hidden';
      Object.defineProperty(document, 'visibilityState', { get: () => state });
      globalThis.show = () => { state = 'visible'; document.dispatchEvent(new Event('visibilitychange')); };`);
    await buyer.go(`/properties/${propertyId}`);
    await buyer.page.waitForLoadState('networkidle');
    expect(buyer.calls).not.toContain('homes.countView');
    const counted = buyer.page.waitForRequest((request) => request.url().includes('homes.countView'));
    await buyer.page.evaluate('show()');
    await counted;
    await buyer.close();
  });
});
