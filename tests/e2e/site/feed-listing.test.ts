import { expect, test } from 'vitest';
import { FIRM, seedFeed, seedFeedListing } from '../../support/worlds/feed-listing.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

describeSite('a listing of a feed', (site) => {
  const seed = async () => {
    const { pool } = site().host;
    return seedFeedListing(pool, await seedFeed(pool, { seenAt: Date.now() }), {
      city: 'Ballard',
      stateOrProvince: 'WA',
      postalCode: '98107',
      address: '1 Hidden Way',
      showAddress: false,
      publicRemarks: 'A quiet home near the locks.',
      bedroomsTotal: 3,
    });
  };

  test('names its firm as large as its own text, offers no agent, and takes a report of wrong data', async () => {
    const propertyId = await seed();
    for (const [width, theme, locale] of [
      [390, 'light', 'en'],
      [390, 'dark', 'es'],
      [1280, 'light', 'es'],
      [1280, 'dark', 'en'],
    ] as const) {
      const { page, go, close } = await site().open({ width, theme });
      await go(`${locale === 'es' ? '/es' : ''}/properties/${propertyId}`);
      await page.getByRole('heading', { level: 1, name: 'Ballard, WA 98107' }).waitFor();
      const size = (selector: string) =>
        page.evaluate<number>(`parseFloat(getComputedStyle(document.querySelector('${selector}')).fontSize)`);
      expect(await size('.listing-attribution p')).toBeGreaterThanOrEqual(await size('.listing-description'));
      const attribution = await page.locator('.listing-attribution').innerText();
      for (const words of [FIRM.listOfficeName, FIRM.attributionContact, FIRM.listAgentName, 'MLS Grid'])
        expect(attribution).toContain(words);
      expect(await page.getByRole('button', { name: /Request a tour|Pedir una visita/ }).count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.listing-attribution').isVisible()).toBe(true);
      expect(await page.getByRole('button', { name: /Report wrong data|Avisar de datos/ }).isVisible()).toBe(
        false,
      );
      await close();
    }
    const { page, go, close } = await site().open({ width: 390 });
    await go(`/properties/${propertyId}`);
    await page.getByRole('button', { name: 'Report wrong data' }).click();
    await page.getByLabel('About').selectOption('STATUS');
    await page.getByLabel('What is wrong?').fill('It was sold in May.');
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Send the report' }).click();
    await page.getByText('Thank you. We will look at it.').waitFor();
    expect(await site().host.rows('select subject, note from data_reports')).toEqual([
      { subject: 'STATUS', note: 'It was sold in May.' },
    ]);
    await close();
  });
});
