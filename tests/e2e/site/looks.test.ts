import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { TYPE_SCALE } from '../../../clients/web/tokens/tokens.ts';
import type { Person } from '../../support/http/person.ts';
import { expectFewScripts, expectFewScriptsInEveryLanguage } from './page-scripts.ts';
import { axeFindings, keepScreen, LOOKS, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/**
 * The looks of every page: axe finds nothing and nothing is wider than the window, on phones and desktops, light and
 * dark, English and Spanish, signed out and in. KEEP_SCREENS=yes takes the pictures of docs/pictures/site.
 */

/** The looks that the documentation shows, by page and combination. */
const WHOLE = ['home 1280 light en', 'provenance 1280 light en', 'provenance 390 dark es'];
const PICTURED: Readonly<Record<string, string>> = {
  '/ 1280 light en': 'discovery-1280-light',
  '/ 390 dark es': 'discovery-390-dark-es',
  '/search 390 light en': 'search-390-light',
  'home 1280 light en': 'home-1280-light',
  'provenance 1280 light en': 'provenance-1280-light',
  'provenance 390 dark es': 'provenance-390-dark-es',
  'home 390 dark en': 'home-390-dark',
  'signed in /inbox 390 light en': 'inbox-390-light',
  'signed in /menu 390 dark es': 'menu-390-dark-es',
};

const PUBLIC = [
  '/',
  '/search',
  '/search?q=Seattle&beds=3',
  '/search?q=Nowhere+at+all',
  'home',
  'photos',
  'compare',
  'shared',
  'provenance',
  '/provenance/log',
  '/unknown',
  '/privacy',
  '/terms',
  '/about',
  '/contact',
];
const SIGNED_OUT = [
  '/favorites',
  '/searches',
  '/unsubscribe?token=x',
  '/inbox',
  '/menu',
  '/sign-in',
  '/invitation',
];
const SIGNED_IN = [
  '/favorites',
  '/searches',
  '/inbox',
  'thread',
  '/tours',
  '/menu',
  `/invitation#${'x'.repeat(43)}`,
];

describeSite('the looks of the site', (site) => {
  let customer: Person;
  let shared: string;
  beforeAll(async () => {
    customer = await site().signedIn({ role: 'customer', name: 'Carl Customer' });
    await customer.mutate('favorites.add', { propertyId: site().home.propertyId });
    await customer.mutate('favorites.setNote', {
      propertyId: site().home.propertyId,
      note: 'A calm street.',
    });
    const { data } = await customer.mutate('favorites.share', { name: 'Carl', withNotes: true });
    shared = new URL(data.url).pathname;
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await customer.mutate('tours.request', {
      propertyId: site().home.propertyId,
      slots: [{ startsAt: `${day}T18:00:00.000Z`, endsAt: `${day}T19:00:00.000Z` }],
      note: 'With two dogs.',
    });
  });

  const pathOf = (page: string, locale: 'en' | 'es'): string => {
    const named: Readonly<Record<string, string>> = {
      home: `/properties/${site().home.propertyId}`,
      photos: `/properties/${site().home.propertyId}/photos`,
      provenance: `/provenance/${site().home.staged}`,
      thread: `/inbox/${site().home.propertyId}/${customer.id}`,
      compare: `/compare?${[site().home.propertyId, ...site().others.slice(0, 3)].map((id) => `home=${id}`).join('&')}`,
      shared,
    };
    const path = named[page] ?? page;
    return locale === 'es' ? `/es${path === '/' ? '' : path}` : path;
  };

  test('no page without a map loads more than 150 kB of scripts before it is used', async () => {
    expectFewScriptsInEveryLanguage();
    for (const [paths, as] of [
      [[...PUBLIC, ...SIGNED_OUT], undefined],
      [SIGNED_IN, customer],
    ] as const)
      for (const path of paths) {
        const window = await site().open({ width: 390, ...(as === undefined ? {} : { as }) });
        await expectFewScripts(window, pathOf(path, 'en'));
        await window.close();
      }
  });

  test.each(LOOKS)('signed out, $name', async ({ width, theme, locale, name }) => {
    const window = await site().open({ width, theme });
    for (const path of [...PUBLIC, ...SIGNED_OUT]) {
      const status = await window.go(pathOf(path, locale));
      expect([path, status]).toEqual([path, path === '/unknown' ? 404 : 200]);
      expect([path, await window.page.locator('html').getAttribute('lang')]).toEqual([path, locale]);
      expect([path, await axeFindings(window.page)]).toEqual([path, []]);
      expect([path, await overflow(window.page)]).toEqual([path, 0]);
      expect([path, await window.page.locator('h1').count()]).toEqual([path, 1]);
      expect([path, await strayTypes(window.page, width)]).toEqual([path, []]);
      await keepPictured(window.page, `${path} ${name}`);
    }
    await window.close();
  });

  test.each(LOOKS)('signed in, $name', async ({ width, theme, locale, name }) => {
    const window = await site().open({ width, theme, as: customer });
    for (const path of SIGNED_IN) {
      await window.go(pathOf(path, locale));
      await window.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      expect([path, await axeFindings(window.page)]).toEqual([path, []]);
      expect([path, await overflow(window.page)]).toEqual([path, 0]);
      expect([path, await strayTypes(window.page, width)]).toEqual([path, []]);
      await keepPictured(window.page, `signed in ${path} ${name}`);
    }
    await window.close();
  });

  test.each(['/', '/search', 'home', 'compare', 'provenance', '/provenance/log', '/menu'])(
    '%s works with text of twice the size',
    async (path) => {
      const window = await site().open({ width: 390 });
      await window.go(pathOf(path, 'en'));
      await window.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await overflow(window.page)).toBe(0);
      expect(await axeFindings(window.page)).toEqual([]);
      await window.close();
    },
  );
});

/** Texts in a size or weight that the scale of this width does not have. */
function strayTypes(page: Page, width: 390 | 1280): Promise<string[]> {
  const scale = Object.values(TYPE_SCALE).map((sizes) => sizes[width === 390 ? 'phone' : 'wide']);
  return page.evaluate(`[...document.body.querySelectorAll('*')].filter((one) => one instanceof HTMLElement
    && one.checkVisibility() && [...one.childNodes].some(({ nodeType, data }) => nodeType === 3 && data.trim() !== ''))
    .map((one) => [one, getComputedStyle(one)])
    .filter(([, { fontSize, fontWeight }]) => !${JSON.stringify(scale)}.includes(parseFloat(fontSize)) || !['400', '600', '700'].includes(fontWeight))
    .map(([one, { fontSize, fontWeight }]) => fontSize + ' ' + fontWeight + ' ' + one.outerHTML.slice(0, 80))`);
}

async function keepPictured(page: Page, look: string): Promise<void> {
  const name = PICTURED[look];
  if (name !== undefined) await keepScreen(page, `site/${name}`, { fullPage: WHOLE.includes(look) });
}
