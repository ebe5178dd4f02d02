import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findChromium } from '../../../ops/dev/chromium.ts';
import { createInvitationSecrets } from '../../../src/mail/invitation-secret.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { temporaryDirectory } from '../../support/platform/stack.ts';
import type { SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** One browser, several people: tabs of different persons, what is left for the next one, and storage that fails. */
describeSite('several people at one browser', (site) => {
  let people = 0;
  const newPerson = (name: string): Promise<Person> => site().signedIn({ role: 'customer', name });
  const newEmail = (name: string): string => {
    people += 1;
    return `${name}-${people}-${Date.now()}@example.com`;
  };
  const emailOf = ({ id }: Person): string => `${id}@example.com`;
  const nameOf = async (person: Person) => (await person.query('users.getMe')).data.name;

  /**
   * Another person's session takes the place of the first one, and no page hears of it. In one step and while the page
   * asks nothing: a call without a session leads to the sign-in page, and one with the new session reloads the page.
   */
  async function replaceSession({ page, context }: SiteWindow, { cookie }: Person): Promise<void> {
    await page.waitForLoadState('networkidle');
    const equals = cookie.indexOf('=');
    const [name, value] = [cookie.slice(0, equals), cookie.slice(equals + 1)];
    await context.addCookies([{ name, value, url: site().url, httpOnly: true, sameSite: 'Lax' }]);
  }
  async function signIn(page: Page, email: string): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill(site().codeFor(email));
  }
  async function nameOneself(page: Page, name: string): Promise<void> {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
  }
  const home = () => `/properties/${site().home.propertyId}`;
  const save = (page: Page) => page.getByRole('button', { name: 'Save 12 Lakeview Avenue' }).first();
  const saved = (page: Page) =>
    page.getByRole('button', { name: 'Remove 12 Lakeview Avenue from favorites' }).first();

  test('an agent invites a colleague, who signs in, accepts, and is an agent of the same office', async () => {
    const { host, agent } = site();
    const email = newEmail('invited');
    const office = (await agent.query('users.getMe')).data.agent.officeName;
    const studio = await site().open({ as: agent });
    await studio.go('/studio');
    await studio.page.getByText('Invite a colleague').click();
    await studio.page.getByLabel('Email address').fill(email);
    await studio.page.getByRole('button', { name: 'Send the invitation' }).click();
    await studio.page.getByText('The invitation is on its way.').waitFor();
    await studio.close();
    const mailed = async () =>
      (
        await host.rows<{ id: string }>(
          'select id from agent_invitations where email = $1 and "secretHash" is not null',
          [email],
        )
      )[0]?.id;
    await eventually(async () => (await mailed()) !== undefined, { what: 'the mail of the invitation' });
    const secret = createInvitationSecrets(host.config.authSecret)((await mailed()) ?? '');

    const window = await site().open({ width: 390 });
    const { page } = window;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await window.go(`/invitation#${secret}`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await signIn(page, email);
    await nameOneself(page, 'Cleo Colleague');
    await page.getByLabel('License number').fill('L-7');
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByText('You’re an agent').waitFor();
    expect(sent.filter((url) => url.includes(secret))).toEqual([]);
    expect(await page.evaluate('sessionStorage.getItem("invitation")')).toBeNull();
    expect(
      await host.rows('select role, "officeName", "licenseNumber" from "user" where email = $1', [email]),
    ).toEqual([{ role: 'agent', officeName: office, licenseNumber: 'L-7' }]);
    await window.close();
  });

  test('what the page of the first one sends is refused; the page says so and is loaded for the second', async () => {
    const [ann, ben] = [await newPerson('Ann First'), await newPerson('Ben Second')];
    const window = await site().open({ as: ann });
    const { page } = window;
    const unnamed: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/(?!images)/.test(request.url()) && request.headers()['x-person'] === undefined)
        unnamed.push(request.url());
    });
    await window.go('/menu');
    await replaceSession(window, ben);
    await page.getByLabel('Name').fill('Typed as Ann');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`You’re now signed in as ${emailOf(ben)}`).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Ben Second');
    expect([await nameOf(ann), await nameOf(ben)]).toEqual(['Ann First', 'Ben Second']);
    // The page is Ben's: it works, and says nothing more after the next reload.
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByLabel('Name').fill('Ben Himself');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await nameOf(ben)) === 'Ben Himself', { what: 'the name of Ben' });
    await page.reload();
    expect(await page.getByText('You’re now signed in as').count()).toBe(0);
    expect(unnamed).toEqual([]);
    await window.close();
  });

  test('a public page of the first one does not sign the second out, and saves nothing for them', async () => {
    const [ann, ben] = [await newPerson('Ann Public'), await newPerson('Ben Public')];
    const window = await site().open({ as: ann });
    const { page } = window;
    await window.go(home());
    await save(page).waitFor();
    await replaceSession(window, ben);
    await save(page).click();
    await page.getByText(`You’re now signed in as ${emailOf(ben)}`).waitFor();
    expect((await ben.query('favorites.listIds')).data.propertyIds).toEqual([]);
    await save(page).click();
    await saved(page).waitFor();
    await window.go('/menu');
    await replaceSession(window, ann);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText(`You’re now signed in as ${emailOf(ann)}`).waitFor();
    expect(await nameOf(ann)).toBe('Ann Public');
    await window.close();
  });

  test('tabs tell each other who is signed in: what was entered in another one is gone', async () => {
    const ann = await newPerson('Ann Tabs');
    const window = await site().open({ as: ann });
    const { page: first, context } = window;
    await window.go(home());
    await saved(first).or(save(first)).waitFor();
    await first.getByRole('button', { name: 'Request a tour' }).first().click();
    await first.getByLabel('Note to the agent').fill('Written by Ann.');
    const second = await context.newPage();
    await second.goto('/menu');
    await second.locator('html[data-ready]').waitFor({ state: 'attached' });
    await second.getByRole('button', { name: 'Sign out' }).click();
    await first.getByText('You’re signed out in this browser now.').waitFor();
    expect(await first.getByLabel('Note to the agent').count()).toBe(0);
    const email = newEmail('tabs');
    await second.goto('/sign-in');
    await second.locator('html[data-ready]').waitFor({ state: 'attached' });
    await signIn(second, email);
    await nameOneself(second, 'Ben Tabs');
    await first.getByText(`You’re now signed in as ${email}`).waitFor();
    await window.close();
  });

  test('a page that comes back from the history does not show who was there before', async () => {
    const ann = await newPerson('Ann History');
    const window = await site().open({ as: ann });
    const { page, context } = window;
    await window.go('/menu');
    await window.go('/privacy');
    await context.clearCookies();
    await page.evaluate(`localStorage.removeItem('signed-in')`);
    await page.goBack();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(await page.content()).not.toContain('Ann History');
    await window.close();
  });

  describe('what the browser keeps of a person', () => {
    const LISTS = ['studio-order', 'studio-decisions', 'studio-markets', 'recent-searches', 'home-marks'];
    const plant = (page: Page, { id }: Person) =>
      page.evaluate(`new Promise((done) => {
        for (const key of ${JSON.stringify(LISTS)}) localStorage.setItem(key, JSON.stringify([{ personId: '${id}',
          imageId: '00000000-0000-4000-8000-000000000000', reason: null, address: { q: 'secret' },
          hidden: ['${id}'], seen: ['${id}'], unsent: { hidden: ['${id}'], seen: ['${id}'] } }]));
        const opening = indexedDB.open('studio', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('uploads', { keyPath: 'key' });
        opening.onsuccess = () => {
          const writing = opening.result.transaction('uploads', 'readwrite');
          writing.objectStore('uploads').put({ key: 'k', personId: '${id}', name: 'passport.jpg', file: new Blob(['x']) });
          writing.oncomplete = () => { opening.result.close(); done(); };
        };
      })`);
    const left = (page: Page) =>
      page.evaluate(`new Promise((done) => {
        const lists = ${JSON.stringify(LISTS)}.filter((key) => localStorage.getItem(key) !== null);
        indexedDB.databases().then((all) => {
          if (!all.some(({ name }) => name === 'studio')) return done([lists, 0]);
          const opening = indexedDB.open('studio');
          opening.onsuccess = () => {
            const count = opening.result.transaction('uploads').objectStore('uploads').count();
            count.onsuccess = () => { opening.result.close(); done([lists, count.result]); };
          };
        });
      })`);
    const isGone = (window: SiteWindow) =>
      eventually(async () => JSON.stringify(await left(window.page)) === '[[],0]', { what: 'nothing left' });

    test('goes when the session has ended, and when another person is signed in', async () => {
      const [ann, ben] = [await newPerson('Ann Kept'), await newPerson('Ben Kept')];
      const window = await site().open({ as: ann });
      const { page, context } = window;
      await window.go('/menu');
      await plant(page, ann);
      // The menu would send the marks.
      await window.go('/privacy');
      expect(await left(page)).toEqual([LISTS, 1]);
      await context.clearCookies();
      await window.go('/favorites');
      await isGone(window);
      await replaceSession(window, ann);
      await window.go('/menu');
      await plant(page, ann);
      const sent: string[] = [];
      // What Ann's page sends when it is left names her, and is refused: the session is Ben's.
      page.on('request', (request) => {
        if (request.method() === 'POST' && request.headers()['x-person'] !== ann.id)
          sent.push(request.postData() ?? '');
      });
      await replaceSession(window, ben);
      await window.go('/menu');
      await isGone(window);
      // Ben is asked what he has marked elsewhere, and sends nothing.
      const nothing = JSON.stringify({ json: { seen: [], hidden: [], restored: [] } });
      expect(sent.filter((one) => one !== nothing)).toEqual([]);
      await window.close();
    });

    test('homes that a visitor hid are the person’s who signs in, on each device, and gone here at sign-out', async () => {
      const [hidden = '', elsewhere = ''] = site().others.slice(-2);
      const window = await site().open();
      const { page } = window;
      const hiddenOf = () =>
        page.evaluate(`(JSON.parse(localStorage.getItem('home-marks')) ?? []).flatMap((one) => one.hidden)`);
      await window.go(`/properties/${hidden}`);
      await page.getByRole('button', { name: /^Hide: / }).click();
      expect(await hiddenOf()).toEqual([hidden]);
      const ann = await newPerson('Ann Hides');
      await ann.mutate('homes.merge', { hidden: [elsewhere] });
      await page.evaluate(`localStorage.setItem('signed-in', '1')`);
      // A page that finds another person's session loads itself again, which would break off the way to the menu.
      await page.goto('about:blank');
      await replaceSession(window, ann);
      await window.go('/menu');
      await page.getByRole('heading', { name: 'Hidden homes (2)' }).waitFor();
      expect((await ann.mutate('homes.merge', {})).data).toEqual({
        seen: [hidden],
        hidden: [hidden, elsewhere],
      });
      await page
        .getByRole('button', { name: /^Show again: / })
        .last()
        .click();
      await page.getByRole('heading', { name: 'Hidden homes (1)' }).waitFor();
      await eventually(async () => (await ann.mutate('homes.merge', {})).data.hidden.length === 1, {
        what: 'the server to hear of it',
      });
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('link', { name: 'Sign in' }).waitFor();
      expect(await page.evaluate(`localStorage.getItem('home-marks')`)).toBeNull();
      const ben = await newPerson('Ben Looks');
      await replaceSession(window, ben);
      await window.go(`/properties/${hidden}`);
      await page.getByRole('button', { name: /^Hide: / }).waitFor();
      expect((await ben.mutate('homes.merge', {})).data.hidden).toEqual([]);
      await window.close();
    });

    test('an action is not finished for the next person when its visitor has left the sign-in page', async () => {
      const window = await site().open();
      const { page } = window;
      await window.go(home());
      await save(page).click();
      await page.waitForURL(/sign-in/);
      await page.getByRole('link', { name: 'Search' }).click();
      await page.locator('#search-results').waitFor();
      const email = newEmail('next');
      await window.go('/sign-in');
      await signIn(page, email);
      await nameOneself(page, 'Nina Next');
      await page.waitForURL(`${site().url}/`);
      await window.go('/favorites');
      await page.getByText('No saved homes yet').waitFor();
      await window.close();
    });
  });

  describe.each([
    [
      'throws when it is touched',
      `for (const name of ['localStorage', 'sessionStorage', 'indexedDB'])
         Object.defineProperty(window, name, { get() { throw new DOMException('blocked', 'SecurityError'); } })`,
    ],
    [
      'is full',
      `Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };
       IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }`,
    ],
  ])('where storage %s', (_, script) => {
    test('everything works: searching, themes, signing in, saving, and the next page knows the person', async () => {
      const window = await site().open({ width: 390 });
      const { page, context } = window;
      await context.addInitScript(script);
      await window.go('/search');
      await page.getByLabel(/^City, neighborhood/).click();
      await page.getByLabel(/^City, neighborhood/).fill('Seattle');
      await page.locator('.place-field button[type=submit]').click();
      await page.waitForURL(/q=Seattle/);
      await page
        .getByRole('button', { name: /^More about / })
        .first()
        .click();
      await page.getByRole('button', { name: /^Hide: / }).click();
      await page.getByText('You’ve hidden 1 home here.').waitFor();
      await window.go('/menu');
      await page.getByLabel('Dark').check();
      expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
      await window.go(home());
      await save(page).click();
      await page.waitForURL(/sign-in/);
      await signIn(page, newEmail('stored'));
      await nameOneself(page, 'Sam Stored');
      await saved(page).waitFor();
      await window.go(home());
      await saved(page).waitFor();
      expect(await page.getByText('You’re now signed in as').count()).toBe(0);
      await window.close();
    });
  });

  test('signing in where the browser blocks cookies says so', async () => {
    // Only a browser with windows reads preferences.
    const found = findChromium('chromium');
    const folder = temporaryDirectory();
    mkdirSync(join(folder, 'Default'));
    const blocked = { profile: { default_content_setting_values: { cookies: 2 } } };
    writeFileSync(join(folder, 'Default/Preferences'), JSON.stringify(blocked));
    const context = await chromium.launchPersistentContext(folder, {
      executablePath: `/usr/bin/${'path' in found ? found.path : ''}`,
      args: ['--no-sandbox', '--disable-gpu'],
      locale: 'en-US',
    });
    try {
      const page = await context.newPage();
      await page.goto(`${site().url}${home()}`);
      await page.locator('html[data-ready]').waitFor({ state: 'attached' });
      await save(page).click();
      await page.waitForURL(/sign-in/);
      await page.getByText('Your browser blocks cookies for this site').waitFor();
    } finally {
      await context.close();
    }
  });

  test('an answer to signing in whose cookie was not kept says so, too', async () => {
    const window = await site().open();
    const { page, context } = window;
    await window.go('/sign-in');
    await page.route('**/api/auth/sign-in/**', async (route) => {
      const response = await route.fetch();
      await context.clearCookies();
      await route.fulfill({ response, headers: { 'content-type': 'application/json' } });
    });
    await signIn(page, newEmail('lost'));
    await page.getByText('Your browser blocks cookies for this site').waitFor();
    await window.close();
  });
});
