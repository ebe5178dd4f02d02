import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import {
  openPushService,
  type PushedBrowser,
  type PushService,
  VAPID_SETTINGS,
} from '../../support/http/push-service.ts';
import { alertLine, giveAlert } from '../../support/worlds/push-world.ts';
import { axeFindings, overflow, type SiteWindow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/**
 * Push notices in Chromium (docs/contract.md#push-notices). A browser without the internet has no push service, so its
 * `subscribe` is replaced by the tests' service, and what that has decrypted is delivered to the worker by DevTools.
 */
let service: PushService;
beforeAll(async () => {
  service = await openPushService();
});
afterAll(() => service.close());

/** The browser's own side of a subscription, kept for the documents of a window. */
const replaced = ({ subscription: { endpoint, p256dh, auth } }: PushedBrowser): string => `{
  const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer;
  const keys = { p256dh: '${p256dh}', auth: '${auth}' };
  const subscription = {
    endpoint: '${endpoint}',
    options: { applicationServerKey: null },
    getKey: (name) => bytes(keys[name]),
    unsubscribe: async () => { sessionStorage.removeItem('subscribed'); return true; },
  };
  const current = async () => sessionStorage.getItem('subscribed') === null ? null : subscription;
  PushManager.prototype.getSubscription = current;
  PushManager.prototype.subscribe = async () => { sessionStorage.setItem('subscribed', '1'); return subscription; };
}`;

/** Hands data to the site's worker, as the browser does with what its push service brings. */
async function deliver({ context, page }: SiteWindow, origin: string, data: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL === `${origin}/`);
      if (found !== undefined) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await session.detach();
}

const shown = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.ready.then((one) => one.getNotifications())
    .then((all) => all.map(({ title, tag, data }) => ({ title, tag, url: data.url })))`) as Promise<
    { title: string; tag: string; url: string }[]
  >;

describeSite(
  'push notices',
  (site) => {
    const on = (page: Page) => page.getByRole('button', { name: 'Turn on notifications' });
    const off = (page: Page) => page.getByRole('button', { name: 'Turn off notifications' });
    const open = async (name: string, width: 390 | 1280 = 390) => {
      const person = await site().signedIn({ role: 'customer', name });
      const window = await site().open({ width, as: person });
      return { person, window, page: window.page };
    };

    test('turned on by a press, a notice arrives encrypted and is shown; turned off, none is sent', async () => {
      const { person, window, page } = await open('Nora Notified');
      const browser = service.browser();
      await window.context.grantPermissions(['notifications']);
      await page.addInitScript(replaced(browser));
      await window.go('/menu');
      await on(page).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      expect(await site().host.rows('select from push_subscriptions')).toEqual([]);
      await on(page).click();
      await page.getByText('Notifications are on in this browser.').waitFor();
      const { propertyId } = site().home;
      const searchId = randomUUID();
      const tell = () =>
        giveAlert(site().host.pool, {
          userId: person.id,
          searchId,
          name: 'Seattle',
          propertyId,
          at: Date.now(),
        });
      await tell();
      await eventually(() => browser.taken.length === 1, { what: 'the notice to be sent' });
      const { line, url, tag } = browser.taken[0] ?? { line: '', url: '', tag: '' };
      expect([line, url]).toEqual([alertLine('Seattle'), `${site().url}/searches`]);
      await deliver(window, site().url, JSON.stringify({ line, url, tag }));
      await eventually(async () => (await shown(page)).length === 1, { what: 'the notice to be shown' });
      await deliver(window, site().url, JSON.stringify({ line: '3 new homes in Seattle', url, tag }));
      await eventually(async () => (await shown(page))[0]?.title === '3 new homes in Seattle', {
        what: 'the later notice in the place of the earlier one',
      });
      expect(await shown(page)).toEqual([{ title: '3 new homes in Seattle', tag, url }]);

      await window.go('/menu');
      await off(page).click();
      await on(page).waitFor();
      expect(await site().host.rows('select from push_subscriptions')).toEqual([]);
      await tell();
      expect(await site().host.rows('select from push_notices')).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await window.close();
    });

    test('a browser that refuses, or gives no answer, says what to do', async () => {
      const { person, window, page } = await open('Dina Denied');
      await page.addInitScript(`Notification.requestPermission = async () => 'denied'`);
      await window.go('/es/menu');
      const press = page.getByRole('button', { name: 'Activar notificaciones' });
      await press.click();
      await page.getByText('Tu navegador bloquea las notificaciones de este sitio.').waitFor();
      expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);
      await page.clock.install();
      await page.addInitScript(`Notification.requestPermission = async () => 'granted';
        PushManager.prototype.getSubscription = async () => null;
        PushManager.prototype.subscribe = () => { document.title = 'asked'; return new Promise(() => {}); };`);
      await window.go('/menu');
      await on(page).click();
      await page.waitForFunction(`document.title === 'asked'`);
      await page.clock.fastForward(20_000);
      await page.getByText('Your browser did not answer.').waitFor();
      expect(await on(page).isEnabled()).toBe(true);
      const kept = 'select from push_subscriptions where "userId" = $1';
      expect(await site().host.rows(kept, [person.id])).toEqual([]);
      await window.close();
    });
  },
  VAPID_SETTINGS,
  // The one without windows shows no notifications.
  'chromium',
);
