import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createAlertTokens } from '../../../src/mail/alerts/alert-tokens.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { axeFindings, overflow, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** docs/contract.md#saved-searches, as buyers use them: saved on the search page, changed on their page, ended by a mail. */
describeSite('saved searches', (site) => {
  const buyer = (name: string): Promise<Person> => site().signedIn({ role: 'customer', name });
  const findings = async ({ page }: SiteWindow) => [...(await axeFindings(page)), await overflow(page)];
  const listed = async (person: Person) => (await person.query('searches.list')).data.items;
  const save = async (person: Person, name: string): Promise<string> =>
    (
      await person.mutate('searches.save', {
        name,
        filters: { beds: { min: 3 } },
        cadence: 'DAILY',
        channels: ['MAIL'],
      })
    ).data.id;
  /** Until the list of the API is so. */
  const until = (person: Person, what: string, is: (items: { [field: string]: unknown }[]) => boolean) =>
    eventually(async () => is(await listed(person)), { what });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  test('a search is saved, taken back, saved again, changed, renamed, opened and removed, at 1280', async () => {
    const person = await buyer('Sara Saves');
    const window = await site().open({ as: person });
    const { page } = window;
    await window.go('/search?q=Seattle&beds=3&maxPrice=900000');
    await button(page, 'Save search').click();
    const sheet = page.getByRole('dialog', { name: 'Save this search' });
    const name = '3+ beds in Seattle under $900K';
    expect(await sheet.getByLabel('Name').inputValue()).toBe(name);
    await sheet.getByText('Seattle, WA · Up to $900,000 · 3+ beds').waitFor();
    await sheet.getByLabel('Instantly').check();
    expect(await findings(window)).toEqual([0]);
    await sheet.getByRole('button', { name: 'Save search' }).click();
    await page.getByText('Search saved').waitFor();
    await page.locator('button:focus', { hasText: 'Saved · Edit' }).waitFor();
    expect(await listed(person)).toMatchObject([{ name, cadence: 'INSTANT', placeName: 'Seattle, WA' }]);
    await button(page, 'Undo').click();
    await button(page, 'Save search').click();
    expect(await listed(person)).toEqual([]);
    await page.getByLabel('Name').press('Enter');
    await button(page, 'Saved · Edit').click();
    await page.getByLabel('Weekly').check();
    await button(page, 'Save changes').click();
    await until(person, 'the other cadence', ([one]) => one?.cadence === 'WEEKLY');

    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'Saved searches' }).click();
    await page.getByText('Seattle, WA · Up to $900,000 · 3+ beds').waitFor();
    expect(await findings(window)).toEqual([0]);
    await page.getByLabel(`Emails · ${name}`).selectOption('Never');
    await until(person, 'no mails', ([one]) => `${one?.channels}` === 'PUSH');
    await button(page, 'Rename').click();
    await page.keyboard.type('For us');
    await page.keyboard.press('Enter');
    await until(person, 'the name', ([one]) => one?.name === 'For us');
    await page.locator('button:focus', { hasText: 'Rename' }).waitFor();
    await button(page, 'Remove').click();
    await page.getByText('You have no saved searches yet').waitFor();
    await page.locator('.toast', { hasText: 'Search removed' }).getByRole('button').click();
    await page.getByRole('link', { name: /For us/ }).click();
    await button(page, 'Saved · Edit').waitFor();
    expect(new URL(page.url()).searchParams.get('place')).toBe('city:us:wa:seattle');
    await page.getByRole('heading', { name: /homes? in Seattle, WA/ }).waitFor();
    await window.close();
  });

  test('a visitor signs in on the way, comes back to the search and saves it with one press, at 390 in Spanish', async () => {
    const window = await site().open({ width: 390, theme: 'dark' });
    const { page } = window;
    const email = `sofia-${Date.now()}@example.com`;
    await window.go('/es/search?beds=2&view=map');
    await button(page, 'Guardar búsqueda').click();
    await page.waitForURL(/sign-in/);
    await page.getByLabel('Correo electrónico').fill(email);
    await page.getByRole('button', { name: /código/ }).click();
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.insertText(site().codeFor(email));
    await page.getByLabel('Nombre').fill('Sofía');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog', { name: 'Guarda esta búsqueda' });
    await sheet.getByText(`Te escribiremos a ${email}.`).waitFor();
    expect(new URL(page.url()).search).toBe('?beds=2&view=map');
    expect(await findings(window)).toEqual([0]);
    await sheet.getByRole('button', { name: 'Guardar búsqueda' }).click();
    await button(page, 'Guardada · Editar').waitFor();
    await window.go('/es/searches');
    await page.getByRole('heading', { name: '2+ recámaras' }).waitFor();
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await findings(window)).toEqual([0]);
    await window.close();
  });

  test('what is new is on Discovery and on the page of searches until the search is looked at', async () => {
    const person = await buyer('Nina News');
    await save(person, 'Large ones');
    await site().host.rows(
      `with c as (update alert_cursor set "lastSeq" = "lastSeq" + 1 returning "lastSeq")
       insert into alert_events ("propertyId", kind, "isCut", "isBulk", seq, "matchedAt")
       select $1, 'NEW', false, false, "lastSeq", clock_timestamp() from c`,
      [site().home.propertyId],
    );
    const window = await site().open({ width: 390, as: person });
    const { page } = window;
    await window.go('/searches');
    await page.getByText('1 new home').waitFor();
    await window.go('/');
    await page.getByRole('link', { name: '1 new: Large ones' }).click();
    await until(person, 'no news', ([one]) => one?.newHomes === 0);
    await page.getByRole('link', { name: 'Discovery' }).click();
    await page
      .getByRole('heading', { name: 'New in Seattle' })
      .or(page.locator('.discovery-hero'))
      .first()
      .waitFor();
    expect(await page.getByText('1 new: Large ones').count()).toBe(0);
    await window.close();
  });

  test('a mail’s link ends its mails on a press, then all, with scripts and without', async () => {
    const person = await buyer('Una Unsubscribes');
    const searchId = await save(person, 'Old wish');
    const tokens = createAlertTokens(site().host.config.authSecret);
    const path = `/unsubscribe?token=${tokens.sign({ userId: person.id, about: 'SEARCH', searchId })}`;
    const window = await site().open({ width: 390 });
    const { page } = window;
    await window.go(path);
    expect(await listed(person)).toMatchObject([{ channels: ['MAIL'], cadence: 'DAILY' }]);
    await button(page, 'Stop these emails').click();
    await page.getByText('no more emails about “Old wish”').waitFor();
    const mailed = async () =>
      (await listed(person)).filter(({ cadence }: { cadence: string }) => cadence !== 'NONE').length;
    expect(await mailed()).toBe(0);
    expect(await findings(window)).toEqual([0]);
    await button(page, 'Stop all alert emails').click();
    await page.getByText('We’ll send you no more alert emails').waitFor();
    await window.close();

    await person.mutate('searches.update', { id: searchId, cadence: 'DAILY' });
    const plain = await site().open({ width: 390, javaScript: false });
    await plain.go(`/es${path}`);
    await button(plain.page, 'Dejar de recibir estos correos').click();
    await plain.page.getByText('No te enviaremos más correos como este').waitFor();
    expect(await mailed()).toBe(0);
    await button(plain.page, 'Dejar de recibir todas las alertas').click();
    await plain.page.getByText('No te enviaremos más correos de alertas').waitFor();
    await plain.close();
  });
});
