import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { exportedListing } from '../../support/worlds/export-world.ts';
import { readZip } from '../../support/zip-reader.ts';
import { axeFindings } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** “Where can you publish?” in the studio: by keyboard, in both languages, and the pictures for a market. */
describeSite('where pictures may be published', (site) => {
  test('an agent sees what the market of the address asks, chooses another, and gets its pictures', async () => {
    const { agent, propertyId, staged } = await exportedListing(site().host, {
      agent: await site().signedIn(),
      columns: { country: 'US', stateOrProvince: 'CA' },
    });
    const window = await site().open({ as: agent });
    const { page } = window;
    await window.go(studioPath(propertyId, 'publish'));
    const section = page.locator('#disclosure');
    const market = section.getByLabel('Market or listing service');
    await section.getByText('Based on the address: California').waitFor({ state: 'attached' });
    await section.getByText('Ready for this market').waitFor();
    expect(await section.getByText('Met', { exact: true }).count()).toBe(2);
    await section.getByText('read on Nov 29, 2026').first().waitFor();
    await section.getByText('not legal advice').waitFor();

    // The listing services of the state are one press away.
    const services = section.getByRole('button', { name: /MLS|CRMLS/ });
    expect((await services.allTextContents()).sort()).toEqual([
      'CCAR MLS (California)',
      'CRMLS (California)',
    ]);

    // By keyboard: typing a name chooses it.
    await market.focus();
    await page.keyboard.type('Northwest');
    await section.getByText('The label says “virtually staged”').waitFor();
    expect(await section.getByText('Up to you', { exact: true }).count()).toBe(2);
    await section.getByText('The export does this').waitFor();
    await section.getByText('Not ready yet').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    // What only the agent can know is confirmed, one by one.
    for (const left of [1, 0]) {
      const button = section.getByRole('button', { name: 'Confirm: ' }).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await section
        .getByText('Confirmed on')
        .nth(1 - left)
        .waitFor();
      await expect.poll(() => section.getByText('Up to you', { exact: true }).count()).toBe(left);
    }
    await section.getByText('Ready for this market').waitFor();
    expect(await axeFindings(page)).toEqual([]);

    await section.getByRole('link', { name: 'Download pictures' }).focus();
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(download.suggestedFilename()).toBe(`${propertyId}-US-WA-NWMLS.zip`);
    const files = readZip(await readFile((await download.path()) ?? ''));
    expect(files.filter(({ name }) => name.endsWith('-staged.jpg'))).toHaveLength(staged.length);

    // The choice is the next listing's too, and goes back to the address when it is asked to.
    await page.reload();
    await section.getByText('Ready for this market').waitFor();
    expect(await market.inputValue()).toBe('US-WA-NWMLS');
    await section.getByRole('button', { name: 'CRMLS (California)' }).click();
    await section.getByText('The unaltered photo directly before or after the altered picture').waitFor();
    await market.selectOption('');
    await page.reload();
    await section.getByText('Based on the address: California').waitFor({ state: 'attached' });
    await expect.poll(() => market.inputValue()).toBe('');
    await window.close();
  });

  test('a download can be canceled, and one that is refused says why', async () => {
    const { host } = site();
    const { agent, propertyId, yard } = await exportedListing(host, { agent: await site().signedIn() });
    const window = await site().open({ width: 390, as: agent });
    const { page } = window;
    await page.route('**/api/disclosure/**', () => {}, { times: 1 });
    await window.go(studioPath(propertyId, 'publish'));
    const download = page.getByRole('link', { name: 'Download pictures' });
    await download.click();
    await page.getByText('Preparing the files…').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel download' }).click();
    await page.getByText('Preparing the files…').waitFor({ state: 'detached' });

    // What a proxy ends as if it were whole is no file.
    const headers = { 'content-type': 'application/zip', 'x-export-files': '9' };
    await page.route('**/api/disclosure/**', (route) => route.fulfill({ headers, body: 'PK' }), { times: 1 });
    const saved: string[] = [];
    page.on('download', (one) => saved.push(one.suggestedFilename()));
    await download.click();
    await page.getByText('We couldn’t reach').waitFor();
    expect(saved).toEqual([]);

    const [row] = await host.rows<{ objectKey: string }>(
      'select "objectKey" from property_images where id = $1',
      [yard.imageId],
    );
    await host.deleteObject(row?.objectKey ?? '');
    await download.click();
    await page.getByText('A photo of this listing is missing in storage').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    expect(page.url()).toContain('/publish');
    await window.close();
  });

  test('pictures that change while an agent confirms are shown, and are not confirmed', async () => {
    const { agent, propertyId, staged } = await exportedListing(site().host, {
      agent: await site().signedIn(),
      columns: { country: 'AU' },
    });
    const window = await site().open({ as: agent });
    await window.go(studioPath(propertyId, 'publish'));
    const section = window.page.locator('#disclosure');
    const button = section.getByRole('button', { name: 'Confirm: ' });
    await button.waitFor();
    await agent.mutate('ai.withdrawStagedVariant', { imageId: staged[0]?.imageId });
    await button.click();
    await window.page.getByText('changed').first().waitFor();
    await button.click();
    await section.getByText('Confirmed on').waitFor();
    await window.close();
  });

  test('rules of a later day say from when', async () => {
    const { agent, propertyId } = await exportedListing(site().host, {
      agent: await site().signedIn(),
      columns: { country: 'US', stateOrProvince: 'WI' },
    });
    const window = await site().open({ as: agent });
    await window.go(studioPath(propertyId, 'publish'));
    await window.page.locator('#disclosure').getByText('These rules apply from Jan 1, 2027').waitFor();
    await window.close();
  });

  test('a draft says what is missing, in Spanish', async () => {
    const { agent, propertyId } = await exportedListing(site().host, {
      agent: await site().signedIn(),
      columns: { standardStatus: 'Incomplete', country: 'CH' },
    });
    const window = await site().open({ as: agent });
    await window.go(`/es${studioPath(propertyId, 'publish')}`);
    const section = window.page.locator('#disclosure');
    await section.getByText('Aún no está listo').waitFor();
    await section.getByText('No cumplido', { exact: true }).waitFor();
    await section.getByText('Publica el anuncio').waitFor();
    await section.getByText('no asesoría legal').waitFor();
    await section.getByRole('button', { name: 'Confirmar: ' }).first().waitFor();
    expect(await axeFindings(window.page)).toEqual([]);
    await window.close();
  });
});
