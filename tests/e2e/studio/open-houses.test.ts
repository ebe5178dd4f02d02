import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

const DAY_MS = 86_400_000;

/** docs/contract.md#open-houses */
describeSite('open houses', (site) => {
  test('one that an agent adds is found by a buyer, goes into a calendar, and is gone when it is canceled', async () => {
    const { propertyId } = site().home;
    const agent = await site().open({ width: 390, as: site().agent });
    const { page } = agent;
    await agent.go(studioPath(propertyId, 'publish'));
    const day = new Date(Date.now() + 2 * DAY_MS).toISOString().slice(0, 10);
    await page.getByLabel('Day').fill(day);
    await page.getByLabel('Note for visitors').fill('Parking behind the house.');
    await page.getByRole('button', { name: 'Add open house' }).click();
    await page.getByText('Parking behind the house.').waitFor();
    // A time that ends before it begins is named at its field, before anything is sent.
    await page.locator('input[name="to"]').fill('12:00');
    await page.getByRole('button', { name: 'Add open house' }).click();
    await page.getByText('Choose a time that is not over yet').waitFor();
    await page.locator('input[name="to"]').fill('15:00');
    // The same time again is refused with its reason, and what was typed stays.
    await page.getByLabel('Day').fill(day);
    await page.getByRole('button', { name: 'Add open house' }).click();
    await page
      .getByText('This listing already has an open house at that time. Choose another time.')
      .waitFor();
    expect(await page.getByLabel('Day').inputValue()).toBe(day);

    const buyer = await site().open();
    await buyer.go('/search?open=7');
    const card = buyer.page.locator(`a[href*="${propertyId}"]`).first();
    await card.waitFor();
    await buyer.page.getByText('Open house in the next 7 days').first().waitFor();
    await buyer.page.locator('.card-news', { hasText: 'Open house' }).first().waitFor();
    await buyer.go(`/properties/${propertyId}`);
    await buyer.page.getByRole('heading', { name: 'Open houses' }).waitFor();
    const described = await buyer.page.locator('script[type="application/ld+json"]').first().textContent();
    expect(JSON.parse(described ?? '').mainEntity.event).toMatchObject([
      {
        '@type': 'Event',
        name: expect.stringMatching(/^Open house /),
        startDate: expect.stringContaining(day),
      },
    ]);
    await buyer.page.getByText('Parking behind the house.').waitFor();
    const saved = buyer.page.waitForEvent('download');
    await buyer.page.getByRole('button', { name: /^Add to calendar/ }).click();
    const calendar = await readFile(await (await saved).path(), 'utf8');
    expect(calendar).toContain(`DTSTART:${day.replaceAll('-', '')}`);

    await page.getByRole('button', { name: /^Cancel the open house on/ }).click();
    await page.getByText('Canceled', { exact: true }).waitFor();
    // A page that was opened is kept for a minute.
    await buyer.go('/search?open=14');
    await buyer.page.getByText('Open house in the next 14 days').first().waitFor();
    expect(await card.count()).toBe(0);
    await buyer.close();
    await agent.close();
  });
});
