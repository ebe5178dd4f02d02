import { expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { seedCompletedTour } from '../../support/database/seed-report.ts';
import { eventually } from '../../support/eventually.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { studioPath } from '../studio/studio-window.ts';
import { axeFindings } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The customer's word after a visit, by keyboard, and the answer of the agent. */
describeSite('pictures that did not match the home', (site) => {
  async function visited() {
    const { host } = site();
    const agent = await site().signedIn({ name: 'Mia Match' });
    const customer = await site().signedIn({ role: 'customer', name: 'Vera Visitor' });
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, standardStatus: 'Active' });
    const bytes = await drawSampleRoom('BEDROOM', { width: 800, height: 600, seed: 7 });
    const pictures: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      pictures.push(await storedVariant(host, original, { reviewStatus: 'APPROVED', bytes, format: 'jpeg' }));
    }
    const tourId = await seedCompletedTour(host.pool, {
      propertyId,
      customerId: customer.id,
      at: Date.now() - 3_600_000,
    });
    return { agent, customer, propertyId, pictures, tourId };
  }
  const reports = (tourId: string) =>
    site().host.rows<{ note: string | null; status: string }>(
      'select note, status::text from mismatch_reports where "tourId" = $1',
      [tourId],
    );

  test.each([
    { theme: 'light', width: 1280, prefix: '', action: 'Report pictures', send: 'Report' },
    { theme: 'dark', width: 390, prefix: '/es', action: 'Reportar fotos', send: 'Enviar aviso' },
  ] as const)('are reported by keyboard: $theme, $width', async ({ theme, width, prefix, action, send }) => {
    const { customer, propertyId, tourId } = await visited();
    const window = await site().open({ as: customer, theme, width });
    const { page } = window;
    await window.go(`${prefix}/inbox/${propertyId}/${customer.id}`);
    await page.getByRole('button', { name: action }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    const box = dialog.getByRole('checkbox').first();
    await box.waitFor();
    expect(await dialog.getByRole('button', { name: send, exact: true }).isDisabled()).toBe(true);
    await box.focus();
    await page.keyboard.press('Space');
    await dialog.getByRole('textbox').fill('There is no window.');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: send, exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('summary', { hasText: /1/ }).click();
    await page.getByText('There is no window.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(await reports(tourId)).toEqual([{ note: 'There is no window.', status: 'OPEN' }]);
    await window.close();
  });

  test.each([
    { theme: 'light', width: 1280, prefix: '', contest: 'I was there', action: 'Report pictures' },
    { theme: 'dark', width: 390, prefix: '/es', contest: 'Sí fui', action: 'Reportar fotos' },
  ] as const)('after a no-show that the customer contests: $theme, $width', async (shown) => {
    const { customer, propertyId, tourId } = await visited();
    await site().host.rows(
      `update tours set status = 'NO_SHOW', reason = 'The door stayed shut.' where id = $1`,
      [tourId],
    );
    const window = await site().open({ as: customer, theme: shown.theme, width: shown.width });
    const { page } = window;
    await window.go(`${shown.prefix}/inbox/${propertyId}/${customer.id}`);
    const contest = page.getByRole('button', { name: shown.contest });
    await contest.focus();
    expect(await page.getByRole('button', { name: shown.action }).count()).toBe(0);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('We rang twice.');
    expect(await axeFindings(page)).toEqual([]);
    await dialog.getByRole('button', { name: shown.contest }).click();
    await page.getByRole('button', { name: shown.action }).waitFor();
    await contest.waitFor({ state: 'detached' });
    await page.getByText('We rang twice.').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await window.close();
  });

  test.each([
    { theme: 'light', width: 1280, button: 'Acknowledge', status: 'ACKNOWLEDGED' },
    { theme: 'dark', width: 390, button: 'Withdraw picture', status: 'UPHELD' },
  ] as const)('are answered in the studio: $button', async ({ theme, width, button, status }) => {
    const { agent, customer, propertyId, pictures, tourId } = await visited();
    const imageIds = pictures.slice(0, 1);
    const note = 'There is no window.';
    expect((await customer.mutate('tours.reportMismatch', { tourId, imageIds, note })).status).toBe(200);
    const window = await site().open({ as: agent, theme, width });
    const { page } = window;
    await window.go('/studio');
    await page.getByRole('link', { name: '1 report after a tour' }).click();
    await page.waitForURL(`**${studioPath(propertyId, 'review')}`);
    await page.getByText(note).waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: button }).click();
    await eventually(async () => (await reports(tourId))[0]?.status === status, { what: 'the answer' });
    await page.getByText(note).waitFor({ state: 'detached' });
    await window.close();
  });
});
