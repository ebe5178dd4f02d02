import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { axeFindings, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** What visitors do on the site, from the first page to the other side's answer, in real browsers. */
const WIDTHS = [390, 1280] as const;

describeSite('journeys on the site', (site) => {
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
  const total = (page: Page) => page.locator('.search-line [role=status]').innerText();

  let people = 0;
  /** A number that no test has had: a second try asks as another person, for another day. */
  const nextPerson = () => {
    people += 1;
    return people;
  };
  const newEmail = (name: string) => `${name}-${nextPerson()}@example.com`;

  /** Asks for a code, reads it from the mail and enters it. */
  async function enterCode({ page }: SiteWindow, email: string, name?: string): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await button(page, 'Email me a code').click();
    // The focus waits there, and six digits are sent by themselves.
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.insertText(site().codeFor(email));
    if (name === undefined) return;
    await page.getByLabel('Name').fill(name);
    await button(page, 'Continue').click();
  }

  interface ProviderAnswer {
    readonly provider: string;
    readonly issuer: string;
    readonly email: string;
    /** What comes beside the token. */
    readonly more?: Readonly<Record<string, string>>;
  }

  /** The provider's page, as far as a browser sees it: it sends the person back with a token, each in its own way. */
  async function answerAsProvider(
    { page }: SiteWindow,
    { provider, issuer, email, more = {} }: ProviderAnswer,
  ): Promise<void> {
    await page.route(`${issuer}/**`, async (route) => {
      const asked = new URL(route.request().url()).searchParams;
      const back = asked.get('redirect_uri') ?? '';
      const iat = Math.floor(Date.now() / 1_000);
      const token = await site().signToken({
        iss: issuer,
        aud: asked.get('client_id'),
        sub: email,
        iat,
        exp: iat + 600,
        email,
        email_verified: true,
        nonce: asked.get('nonce'),
      });
      const answer = { ...more, state: asked.get('state') ?? '', id_token: token };
      if (provider === 'google')
        await route.fulfill({
          status: 302,
          headers: { location: `${back}#${new URLSearchParams(answer)}` },
        });
      else
        await route.fulfill({
          contentType: 'text/html',
          body: `<form method="post" action="${back}">${Object.entries(answer)
            .map(([key, value]) => `<input name="${key}" value="${value}">`)
            .join('')}</form><script>document.forms[0].submit()</script>`,
        });
    });
  }

  test.each(WIDTHS)(
    'a search narrows by place, filters and chips, and the address is all of it, at %i',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      await window.go('/search');
      expect(await total(page)).toBe('41 homes');
      await page.getByLabel(/^City, neighborhood/).click();
      await page.getByLabel(/^City, neighborhood/).pressSequentially('seatt');
      await page.getByRole('option', { name: /^Seattle, WA/ }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/place=city/);
      const open = async (part: string) => {
        if (width === 1280) await page.locator('summary', { hasText: part }).click();
      };
      if (width === 390) await button(page, 'Filters').click();
      await open('Beds & baths');
      await page.getByRole('group', { name: 'Bedrooms' }).getByLabel('3+').check();
      await open('More');
      await page.getByText('Parking & storage').last().click();
      await page.getByRole('checkbox', { name: /^Garage/ }).check();
      // Each third of a fourth of the forty homes, and no other: the button counts before one searches.
      await button(page, 'Show 6 homes').click();
      await page.waitForURL(/feature=GARAGE/);
      await eventually(async () => (await total(page)) === '6 homes in Seattle, WA', {
        what: 'the homes of the button',
      });
      expect(await page.locator('.chip').allInnerTexts()).toEqual([
        expect.stringContaining('Seattle, WA'),
        expect.stringContaining('3+ beds'),
        expect.stringContaining('Garage'),
      ]);
      const address = page.url();
      const other = await site().open({ width });
      await other.go(address);
      expect(await total(other.page)).toBe('6 homes in Seattle, WA');
      await other.close();
      await page.locator('.chip').filter({ hasText: 'Garage' }).click();
      await page.waitForURL((url) => !url.search.includes('feature'));
      await eventually(async () => (await total(page)) !== '6 homes in Seattle, WA', { what: 'more homes' });
      await page.goBack();
      await eventually(async () => (await total(page)) === '6 homes in Seattle, WA', {
        what: 'the earlier homes',
      });
      await window.close();
    },
  );

  test('who scrolls before the scripts are there stays there, and the list goes on', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    const held = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto('/search?sort=PRICE_ASC', { waitUntil: 'domcontentloaded' });
    await page.mouse.wheel(0, 20_000);
    const scrolled = async () => Number(await page.evaluate('scrollY'));
    await eventually(async () => (await scrolled()) > 2_000, { what: 'the end of the first page' });
    held.resolve();
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    const cards = page.locator('#search-results > li');
    await eventually(async () => (await cards.count()) === 41, { what: 'the rest of the homes' });
    expect(await scrolled()).toBeGreaterThan(2_000);
    await window.close();
  });

  test('recent searches are offered, and forgotten when one signs out', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Rita Recent' });
    const window = await site().open({ as: customer });
    const { page } = window;
    await window.go('/search');
    await page.getByLabel(/^City, neighborhood/).click();
    await page.getByLabel(/^City, neighborhood/).fill('Seattle');
    await page.locator('.place-field button[type=submit]').click();
    await page.waitForURL(/q=Seattle/);
    await window.go('/search');
    await page.getByLabel(/^City, neighborhood/).click();
    await page.getByLabel(/^City, neighborhood/).press('ArrowDown');
    await page.getByRole('option', { name: 'Seattle' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/q=Seattle/);
    await window.go('/menu');
    await button(page, 'Sign out').click();
    await page.getByText('Sign in').first().waitFor();
    expect(await page.evaluate(`localStorage.getItem('recent-searches')`)).toBe(null);
    await window.close();
  });

  test.each(WIDTHS)(
    'a heart of a signed-out visitor is finished after signing in, at the same place, at %i',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      await window.go('/search?sort=PRICE_ASC&beds=2');
      await page.getByRole('button', { name: 'Save 101 Union Street' }).click();
      await page.waitForURL(/sign-in/);
      await enterCode(window, newEmail('heart'), 'Hanna Heart');
      await page.waitForURL(/search\?/);
      expect(new URL(page.url()).search).toBe('?sort=PRICE_ASC&beds=2');
      await page.getByRole('button', { name: 'Remove 101 Union Street from favorites' }).waitFor();
      await page.getByRole('link', { name: 'Favorites' }).click();
      await page.getByRole('link', { name: /101 Union Street/ }).waitFor();
      await eventually(async () => (await page.locator('.property-card').count()) === 1, {
        what: 'the saved home alone',
      });
      await window.close();
    },
  );

  test('a tour is asked for by one who signs in on the way, answered with another time, accepted, and canceled', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    const name = `Tina Tour ${nextPerson()}`;
    await window.go(`/properties/${site().home.propertyId}`);
    const bar = page.locator('.listing-bar');
    await bar.getByRole('button', { name: 'Request a tour' }).click();
    await page.waitForURL(/sign-in/);
    await enterCode(window, newEmail('tina'), name);
    const sheet = page.getByRole('dialog', { name: 'Request a tour' });
    await sheet.getByRole('checkbox').first().check();
    await sheet.getByRole('combobox').selectOption({ index: 1 });
    await sheet.getByRole('checkbox').first().check();
    const chosen = sheet.getByRole('button', { name: 'Remove this time' });
    expect(await chosen.count()).toBe(2);
    await chosen.first().click();
    expect(await chosen.count()).toBe(1);
    await sheet.getByLabel('Note to the agent').fill('With two dogs.');
    await sheet.getByRole('button', { name: 'Send request' }).click();
    await page.getByText('Request sent.').waitFor();
    const thread = bar.getByRole('link', { name: 'Tour requested' });
    await thread.waitFor();
    await page.reload();
    await thread.waitFor();

    const agent = await site().open({ as: site().agent });
    await agent.go('/');
    await agent.page.getByRole('navigation').getByRole('link', { name: 'Studio' }).waitFor();
    await agent.page.getByRole('link', { name: /^Inbox\s*\d+ unread$/ }).click();
    // Another try has made a request of its own.
    const card = agent.page.locator('.thread-card').filter({ hasText: name });
    await card.getByText('New', { exact: true }).waitFor();
    await card.getByText('With two dogs.').waitFor();
    await card.click();
    await agent.page.getByText(`${name} requested a tour`).last().waitFor();
    await card.getByText('New', { exact: true }).waitFor({ state: 'detached' });
    const tour = agent.page.locator('.inbox-thread');
    await tour.getByRole('button', { name: 'Propose another time' }).click();
    const proposal = agent.page.getByRole('dialog');
    await proposal.getByRole('combobox').selectOption({ index: 1 });
    await proposal.getByRole('checkbox').nth(1).check();
    await proposal.getByRole('textbox').fill('The morning is quieter.');
    await proposal.getByRole('button', { name: 'Send proposal' }).click();
    await tour.getByText(/^You proposed .+ P[SD]T$/).waitFor();

    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('Awaiting your reply').waitFor();
    const own = page.locator('.thread-card');
    await own.getByText('The morning is quieter.').waitFor();
    await own.click();
    await page.locator('.thread-step', { hasText: 'Ada Lovelace proposed' }).last().waitFor();
    expect(await own.isVisible()).toBe(false);
    await page.goBack();
    await own.waitFor();
    await page.goForward();
    expect(await axeFindings(page)).toEqual([]);
    await page.getByRole('button', { name: /P[SD]T \(Accept this time\)$/ }).click();
    await page.getByText('Agreed time:').waitFor();
    const download = page.waitForEvent('download');
    await button(page, 'Add to calendar').click();
    expect((await download).suggestedFilename()).toMatch(/\.ics$/);
    expect(await page.locator('.thread-step').count()).toBe(3);

    await agent.page.reload();
    await tour.getByText(`${name} confirmed`).waitFor();
    await tour.getByRole('button', { name: 'Cancel tour' }).click();
    await agent.page.getByRole('dialog').getByRole('button', { name: 'Cancel tour' }).click();
    await tour.getByText('You canceled the tour').waitFor();
    await agent.close();
    await window.close();
  });

  test('who has left the step of the name is asked for it with the first tour', async () => {
    const person = nextPerson();
    const window = await site().open({ width: 390 });
    const { page } = window;
    await window.go('/sign-in');
    await enterCode(window, newEmail('nora'));
    await page.getByText('What should we call you?').waitFor();
    await window.go(`/properties/${site().others[person] ?? ''}`);
    await page.locator('.listing-bar').getByRole('button', { name: 'Request a tour' }).click();
    const sheet = page.getByRole('dialog', { name: 'Request a tour' });
    await sheet.getByRole('checkbox').first().check();
    await sheet.getByLabel('Your name').fill(`Nora Name ${person}`);
    await sheet.getByRole('button', { name: 'Send request' }).click();
    await page.locator('.listing-bar').getByRole('link', { name: 'Tour requested' }).click();
    await page.getByText('You requested a tour').last().waitFor();
    await page.getByRole('link', { name: 'Menu' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(`Nora Name ${person}`);
    await window.close();
  });

  test('a request is confirmed or declined by the agent, and the customer sees which', async () => {
    const person = nextPerson();
    const name = `Dora Decline ${person}`;
    const customer = await site().signedIn({ role: 'customer', name });
    const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    const ask = (propertyId: string, day: string) =>
      customer.mutate('tours.request', {
        propertyId,
        slots: [{ startsAt: `${day}T15:00:00.000Z`, endsAt: `${day}T16:00:00.000Z` }],
      });
    await ask(site().others[0] ?? '', at(2 * person));
    await ask(site().others[1] ?? '', at(2 * person + 1));
    const agent = await site().open({ as: site().agent });
    await agent.go('/inbox');
    const card = (street: string) =>
      agent.page.locator('.thread-card').filter({ hasText: name }).filter({ hasText: street });
    const thread = agent.page.locator('.inbox-thread');
    await card('100 Union Street').click();
    await thread.getByRole('button', { name: 'Confirm' }).click();
    await thread.getByText('Agreed time:').waitFor();
    await card('101 Union Street').click();
    await thread.getByRole('button', { name: 'Decline' }).click();
    const dialog = agent.page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('The home is being painted.');
    await dialog.getByRole('button', { name: 'Decline' }).click();
    await thread.getByText('You declined').waitFor();
    // Without scripts the inbox is there to be read.
    for (const javaScript of [true, false]) {
      const window = await site().open({ as: customer, javaScript });
      await window.go('/inbox');
      await window.page.getByText('Ada Lovelace confirmed').waitFor();
      await window.page.locator('.thread-card').filter({ hasText: 'The home is being painted.' }).click();
      await window.page.locator('.thread-words', { hasText: 'The home is being painted.' }).waitFor();
      await window.close();
    }
    await agent.close();
  });

  test.each([
    { provider: 'google', name: 'Google', issuer: 'https://accounts.google.com' },
    { provider: 'apple', name: 'Apple', issuer: 'https://appleid.apple.com' },
  ])('signing in with $name comes back to the same place and finishes the save', async (given) => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    await answerAsProvider(window, { ...given, email: newEmail(given.provider) });
    await window.go(`/es/properties/${site().home.propertyId}`);
    await button(page, /^Guardar 12 Lakeview/).click();
    await button(page, `Continuar con ${given.name}`).click();
    await page.getByLabel('Nombre').fill('Nora Nueva');
    await button(page, 'Continuar').click();
    await page.waitForURL(`**/es/properties/${site().home.propertyId}`);
    await button(page, /^Quitar 12 Lakeview/).waitFor();
    expect(page.url()).not.toContain('id_token');
    await window.close();
  });

  test('a name from the provider that cannot be read does not hold up signing in: the person is asked for it', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    await answerAsProvider(window, {
      provider: 'apple',
      issuer: 'https://appleid.apple.com',
      email: newEmail('unreadable'),
      more: { user: '{broken' },
    });
    await window.go('/sign-in');
    await button(page, 'Continue with Apple').click();
    await page.getByLabel('Name').fill('Nia Named');
    await button(page, 'Continue').click();
    await page.waitForURL(`${site().url}/`);
    await window.close();
  });

  test('a token that this tab has not asked for is not used', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/sign-in#state=1&id_token=e30.e30.e30');
    await page.getByText('Sign-in there failed.').waitFor();
    expect(page.url()).not.toContain('id_token');
    await window.close();
  });

  test('the menu: profile, mails, language and theme live, becoming an agent, ending another session', async () => {
    const person = await site().signedIn({ role: 'customer', name: 'Mia Menu' });
    await site().host.rows(
      `insert into session ("expiresAt", token, "userId", "userAgent") values (now() + interval '1 day', 'other', $1, $2)`,
      [person.id, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605.1'],
    );
    const window = await site().open({ as: person });
    const { page } = window;
    await window.go('/menu');
    await page.getByLabel('Name').fill('Mia Moved');
    await button(page, 'Save').click();
    await page.getByText('Saved').first().waitFor();
    await page.getByLabel('A tour is canceled').uncheck();
    await eventually(
      async () => JSON.stringify((await person.query('users.getMe')).data.mutedMails) === '["TOUR_CANCELED"]',
      { what: 'the switch of mails' },
    );
    await button(page, 'End session').click();
    await eventually(async () => (await person.query('users.listSessions')).data.sessions.length === 1, {
      what: 'the other session to end',
    });
    await page.getByLabel('Dark').check();
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByText('Become an agent').first().click();
    await page.getByLabel(/licen[cs]e/i).fill('WA-9');
    await page.getByLabel(/office/i).fill('Moved Homes');
    await button(page, 'Become an agent').click();
    await eventually(async () => (await person.query('users.getMe')).data.role === 'agent', {
      what: 'an agent',
    });
    await page.getByLabel('Español').click();
    await page.waitForURL(/\/es\/menu/);
    await page.getByRole('heading', { level: 1, name: 'Menú' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    await page.getByRole('link', { name: 'Buscar' }).click();
    await page.waitForURL(/\/es\/search/);
    await window.close();
  });

  test('a picture of oneself: its square is moved by keys, sent, shown, and removed', async () => {
    const person = await site().signedIn({ role: 'customer', name: 'Paula Picture' });
    const window = await site().open({ as: person, width: 390 });
    const { page } = window;
    await window.go('/menu');
    const halves = sharp({ create: { width: 1200, height: 400, channels: 3, background: 'blue' } }).composite(
      [
        {
          input: { create: { width: 600, height: 400, channels: 3, background: 'red' } },
          gravity: 'west',
        },
      ],
    );
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: await halves.png().toBuffer() });
    const square = page.getByRole('img', { name: 'Visible area' });
    await square.focus();
    for (let step = 0; step < 20; step += 1) await page.keyboard.press('ArrowRight');
    await button(page, 'Use this photo').click();
    const shown = page.locator('.avatar-large img');
    await shown.waitFor();
    const address = new URL((await shown.getAttribute('src')) ?? '', site().url);
    const sent = Buffer.from(await (await fetch(address)).arrayBuffer());
    const { dominant } = await sharp(sent).stats();
    expect(dominant.r).toBeGreaterThan(200);
    expect(dominant.b).toBeLessThan(60);
    await button(page, 'Remove photo').click();
    await shown.waitFor({ state: 'detached' });
    await window.close();
  });

  test('an account is downloaded and deleted with mailed codes', async () => {
    const person = await site().signedIn({ role: 'customer', name: 'Gerda Gone' });
    const window = await site().open({ width: 390, as: person });
    const { page } = window;
    const email = `${person.id}@example.com`;
    await window.go('/menu');
    const coded = (title: RegExp) =>
      page.locator('details').filter({ has: page.locator('summary', { hasText: title }) });
    const exporting = coded(/Download/);
    await exporting.locator('summary').click();
    await exporting.getByRole('button', { name: 'Email me a code' }).click();
    await exporting.getByLabel('Code', { exact: true }).waitFor();
    await exporting.getByLabel('Code', { exact: true }).fill(site().codeFor(email));
    const download = page.waitForEvent('download');
    await exporting.getByRole('button').click();
    expect((await download).suggestedFilename()).toBe('proscenium.json');
    const deleting = coded(/Delete/);
    await deleting.locator('summary').click();
    await deleting.getByRole('button', { name: 'Email me a code' }).click();
    await deleting.getByLabel('Code', { exact: true }).waitFor();
    await deleting.getByLabel('Code', { exact: true }).fill(site().codeFor(email));
    await deleting.getByRole('button').click();
    await page.waitForURL(`${site().url}/`);
    expect((await person.query('users.getMe')).status).toBe(401);
    await window.close();
  });

  test('a typed address finds its home; a street shows its homes', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search?q=12+Lakeview+Avenue');
    expect(await page.locator('.property-card-link').allInnerTexts()).toEqual([
      '12 Lakeview Avenue, Seattle',
    ]);
    await window.go('/search?q=Union+Street');
    await page.getByText('No place is called “Union Street”, but these homes').waitFor();
    await page
      .locator('.search-column li > a', { hasText: /^\d+ Union Street, / })
      .first()
      .click();
    await page.getByRole('heading', { level: 1, name: /Union Street/ }).waitFor();
    await window.go('/search?q=Atlantis');
    await page.getByText('We found no place called “Atlantis”. Showing homes everywhere.').waitFor();
    await window.close();
  });

  test('the gallery: large pictures by keyboard, the original under the staged one, with the label and a slider', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go(`/properties/${site().home.propertyId}`);
    const staged = page.locator('.before-after');
    expect(await staged.locator('.picture-label').allInnerTexts()).toEqual([
      'Original photo',
      'AI · Virtually staged',
    ]);
    const slider = staged.getByRole('slider');
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.inputValue()).toBe('100');
    await page.locator('.gallery a').first().click();
    const large = page.getByRole('dialog');
    await large.waitFor();
    await large.getByRole('heading', { name: /1 .*3/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    await large.getByRole('heading', { name: /2 .*3/ }).waitFor();
    expect(await large.locator('.picture-label').innerText()).toMatch(/^AI · Virtually staged\n/);
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'detached' });
    await window.close();
  });
});
