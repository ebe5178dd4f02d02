import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The site under bad conditions: no JavaScript, a keyboard alone, hostile texts, an API that is slow, broken or away. */

const MARKUP = `</script><script>document.title='owned'</script><img src=x onerror="document.title='owned'">`;
const REVERSED = 'safe\u202Egpj.exe\u2069 \u200Fשלום';
const LONG = 'w'.repeat(10_000);

/** What lies over something else of the banners, bars and messages. */
const OVERLAPS = `(() => {
  const parts = [...document.querySelectorAll('.toast, .offline-banner, .shell-bar, .shell-sample, .listing-bar, .compare-bar')]
    .filter((one) => one.checkVisibility()).map((one) => [one.className, one.getBoundingClientRect()]);
  return parts.flatMap(([name, box], index) => parts.slice(index + 1)
    .filter(([, other]) => box.left < other.right && other.left < box.right && box.top + 1 < other.bottom && other.top + 1 < box.bottom)
    .map(([other]) => name + ' ' + other));
})()`;

/** '' where the element in focus has a ring and nothing lies over it, null where none has the focus. */
const FOCUS = `(() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one.closest('.pill') ?? one);
  const { left, top, width, height } = (one.getClientRects()[0] ?? new DOMRect());
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  const isSeen = over !== null && (one.contains(over) || over.contains(one) || one.closest('label')?.contains(over));
  return outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2 && isSeen ? '' : outlineStyle + ' ' + over?.className + ' over ' + one.outerHTML.slice(0, 120);
})()`;

describeSite('the site under bad conditions', (site) => {
  const focused = (page: Page) =>
    page.evaluate(
      '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()',
    );

  describe.each([390, 1280] as const)('without JavaScript, at %i', (width) => {
    test('a home’s page is whole', async () => {
      const window = await site().open({ width, javaScript: false });
      const { page } = window;
      expect(await window.go(`/properties/${site().home.propertyId}`)).toBe(200);
      const text = await page.locator('main').innerText();
      for (const part of [
        '$895,000',
        '12 Lakeview Avenue',
        'A calm house above the lake.',
        'Fireplace',
        'Ada Lovelace',
        'WA-12345',
      ])
        expect(text).toContain(part);
      expect(await page.locator('.before-after .picture-label').allInnerTexts()).toEqual([
        'Original photo',
        'AI · Virtually staged',
      ]);
      expect(await page.locator('.gallery img').count()).toBe(3);
      expect(await page.locator('table').count()).toBeGreaterThan(0);
      const data = JSON.parse(await page.locator('script[type="application/ld+json"]').innerText());
      expect(data).toMatchObject({
        '@type': 'RealEstateListing',
        offers: { price: 895_000, priceCurrency: 'USD' },
      });
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
        `${site().url}/properties/${site().home.propertyId}`,
      );
      expect(await page.locator('meta[property="og:image"]').getAttribute('content')).toContain(
        `/api/images/${site().home.photos[0]}`,
      );
      await window.close();
    });

    test('a search is a form, and its next page a link', async () => {
      const window = await site().open({ width, javaScript: false });
      const { page } = window;
      await window.go('/');
      await page.locator('main input[name=q]').fill('Seattle');
      await page.locator('main').getByRole('button', { name: 'Search' }).click();
      expect(new URL(page.url()).pathname).toBe('/search');
      expect(await page.locator('.search-line').innerText()).toContain('41 homes');
      const first = await page.locator('.property-card-link').allInnerTexts();
      await page.getByRole('link', { name: 'Show more' }).click();
      const second = await page.locator('.property-card-link').allInnerTexts();
      expect([first.length, second.length]).toEqual([24, 17]);
      expect(second.filter((address) => first.includes(address))).toEqual([]);
      await window.close();
    });

    test('pages of a person say what they need', async () => {
      const window = await site().open({ width, javaScript: false });
      await window.go('/sign-in');
      expect(await window.page.locator('main').innerText()).toContain('JavaScript');
      await window.close();
    });
  });

  test('everything is reached by keyboard: skipping to the content, a home, its gallery, asking for a visit', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Kay Keyboard' });
    const window = await site().open({ as: customer });
    const { page } = window;
    await window.go(`/properties/${site().home.propertyId}`);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    const order: unknown[] = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      order.push(await focused(page));
      if (order.at(-1) === 'Request a tour') break;
    }
    expect(order.at(-1)).toBe('Request a tour');
    const ring = await page.evaluate(
      'getComputedStyle(document.activeElement).outlineStyle + getComputedStyle(document.activeElement).outlineWidth',
    );
    expect(ring).toMatch(/^solid[2-9]px$/);
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const box = dialog.getByRole('checkbox').first();
    await box.waitFor();
    const isOnBox = () => page.evaluate(`document.activeElement.type === 'checkbox'`);
    for (let step = 0; step < 6 && !(await isOnBox()); step += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await box.isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(async () => (await focused(page)) === 'Request a tour', {
      what: 'the focus to be back',
    });
    await window.close();
  });

  test('controls are 44 pixels tall, and nothing moves for those who want no motion', async () => {
    const window = await site().open({ width: 390 });
    for (const path of ['/', '/search', `/properties/${site().home.propertyId}`, '/sign-in']) {
      await window.go(path);
      const small =
        await window.page.evaluate(`[...document.querySelectorAll('button, .button, select, input:not([type=checkbox]):not([type=radio]):not([type=range]), .shell-tab, .pill, .chip')]
        .filter((one) => one.getClientRects().length > 0 && one.getBoundingClientRect().height < 44)
        .map((one) => one.outerHTML.slice(0, 120))`);
      expect([path, small]).toEqual([path, []]);
      const moving = await window.page.evaluate(
        'document.getAnimations().filter(({ playState }) => playState === "running").length',
      );
      expect([path, moving]).toEqual([path, 0]);
    }
    await window.close();
  });

  test('hostile names and texts are shown as they are and do nothing', async () => {
    const agent = await site().signedIn({ name: `Eve ${MARKUP}`, officeName: `${REVERSED} ${MARKUP}` });
    const propertyId = await seedProperty(site().host.pool, {
      ownerAgentId: agent.id,
      address: `1 ${MARKUP} ${REVERSED}`,
      city: `${MARKUP}`,
      publicRemarks: `${MARKUP}\n${REVERSED}\n${LONG}`,
      listedAt: new Date(Date.now() + 60_000),
    });
    onTestFinished(async () => {
      await site().host.rows('delete from properties where id = $1', [propertyId]);
    });
    for (const width of [390, 1280] as const) {
      const window = await site().open({ width });
      const { page } = window;
      for (const path of [
        '/',
        '/search?sort=NEWEST',
        `/search?q=${encodeURIComponent(MARKUP)}`,
        `/properties/${propertyId}`,
      ]) {
        await window.go(path);
        expect([path, await page.title()]).not.toEqual([path, 'owned']);
        expect([path, await page.locator('img[src=x]').count()]).toEqual([path, 0]);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      expect(await page.locator('.listing-description').innerText()).toContain(LONG);
      expect(await page.locator('h1').innerText()).toContain(MARKUP);
      const data = JSON.parse(await page.locator('script[type="application/ld+json"]').innerText());
      expect(JSON.stringify(data)).toContain('onerror');
      // Fails when the policy was violated.
      await window.close();
    }
  });

  test('a script that has got into a document is refused by the browser; our own run', async () => {
    const person = await site().signedIn({ role: 'customer', name: 'Ina Injected' });
    const window = await site().open({ as: person });
    const { page } = window;
    // Else it loads the pages after the first, which the test cannot change then.
    await page.addInitScript('navigator.serviceWorker.register = async () => undefined');
    // As a fault of ours would: the document has it, the policy is the server's.
    await page.route(/\/(?:menu|search|properties\/[\w-]+)$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(
        '</body>',
        `<script>document.title = 'owned'</script><img src="data:," alt="" onerror="document.title = 'owned'"></body>`,
      );
      await route.fulfill({ response, body });
    });
    for (const path of ['/search', `/properties/${site().home.propertyId}`, '/menu']) {
      await window.go(path);
      expect([path, await page.title()]).not.toEqual([path, 'owned']);
      const refused = window.complaints.splice(0).filter((one) => /Content Security Policy/.test(one));
      expect([path, refused.length]).toEqual([path, 2]);
    }
    await window.close();
  });

  test('a tap before it is known who is signed in waits for that, and does not lead to signing in', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Eve Early' });
    const window = await site().open({ width: 390, as: customer });
    const { page } = window;
    let answer = (): void => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/trpc/users.getMe*', async (route) => {
      await held;
      await route.continue();
    });
    await window.go(`/properties/${site().home.propertyId}`);
    await page.getByRole('button', { name: 'Save 12 Lakeview Avenue' }).first().click();
    await page.getByRole('button', { name: 'Request a tour' }).click();
    answer();
    await page.getByRole('dialog').waitFor();
    await eventually(async () => (await customer.query('favorites.listIds')).data.propertyIds.length === 1, {
      what: 'the home to be saved',
    });
    expect(page.url()).not.toContain('sign-in');
    await window.close();
  });

  test('a tap that cannot find out who is signed in says so, and the next one works', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Una Unreached' });
    const window = await site().open({ width: 390, as: customer });
    const { page } = window;
    const question = '**/api/trpc/users.getMe*';
    await page.route(question, (route) => route.abort());
    const heart = page.getByRole('button', { name: 'Save 12 Lakeview Avenue' }).first();
    for (const button of [page.getByRole('button', { name: 'Request a tour' }), heart]) {
      await window.go(`/properties/${site().home.propertyId}`);
      await button.click();
      await page.getByText('We couldn’t reach the server. Please try again.').waitFor();
      expect(page.url()).not.toContain('sign-in');
    }
    await page.unroute(question);
    await heart.click();
    await page.getByRole('button', { name: 'Remove 12 Lakeview Avenue from favorites' }).first().waitFor();
    await window.close();
  });

  test('a heart whose call fails is taken back and says so', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Fay Failing' });
    const window = await site().open({ width: 390, as: customer });
    const { page } = window;
    await window.go('/search?sort=PRICE_ASC');
    await page.getByRole('button', { name: 'Save 100 Union Street' }).waitFor();
    const held = await site().host.pool.connect();
    onTestFinished(async () => {
      await site().host.rows('alter table favorites drop constraint if exists refused');
    });
    try {
      // The call waits for the table, and then cannot write.
      await held.query('begin');
      await held.query('lock table favorites in exclusive mode');
      await page.getByRole('button', { name: 'Save 100 Union Street' }).click();
      // Shown at once, before the answer.
      await page.getByRole('button', { name: 'Remove 100 Union Street from favorites' }).waitFor();
      await held.query(
        `alter table favorites add constraint refused check ("userId" <> '${customer.id}') not valid`,
      );
      await held.query('commit');
    } finally {
      held.release();
    }
    await page.getByRole('button', { name: 'Save 100 Union Street' }).waitFor();
    await page.getByText('We couldn’t save that. Please try again.').waitFor();
    await window.close();
  });

  test('a slow answer never overwrites a later one', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/search');
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/trpc/search.list*', async (route) => {
      if (decodeURIComponent(route.request().url()).includes('"beds":{"min":4}')) await held;
      await route.continue().catch(() => undefined);
    });
    const choose = async (beds: string) => {
      await page.locator('summary', { hasText: 'Beds & baths' }).click();
      await page.getByRole('group', { name: 'Bedrooms' }).getByLabel(`${beds}+`).check();
      await page.locator('.filters-part[open] button[type=submit]').click();
    };
    await choose('4');
    await choose('5');
    await page.waitForURL(/beds=5/);
    await eventually(async () => (await page.locator('.search-line').innerText()).includes('8 homes'), {
      what: 'the later answer',
    });
    release();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.search-line').innerText()).toContain('8 homes');
    expect(page.url()).toContain('beds=5');
    await window.close();
  });

  test('a page whose API fails says so and tries again', async () => {
    const window = await site().open();
    const { page } = window;
    await window.go('/');
    await page.route('**/search.getFilterCatalog*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.getByRole('link', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'We couldn’t show this page' }).waitFor();
    await page.unroute('**/search.getFilterCatalog*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('#search-results').waitFor();
    window.complaints.splice(0);
    await window.close();
  });

  test('any 401 signs out once, and asks nothing private any more', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Ida Ended' });
    const window = await site().open({ as: customer });
    const { page } = window;
    await window.go('/favorites');
    await site().host.rows('delete from session where "userId" = $1', [customer.id]);
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByText('Your questions and tours in one place').waitFor();
    const before = window.calls.length;
    await page.getByRole('link', { name: 'Favorites' }).click();
    await page.getByText('Save the homes you like').waitFor();
    expect(
      window.calls.slice(before).filter((call) => !call.startsWith('home.') && !call.startsWith('search.')),
    ).toEqual([]);
    await window.close();
  });

  test('without a connection a banner says so, and a new page is the offline page; nothing private is kept', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Otto Offline' });
    const window = await site().open({ as: customer });
    const { page, context } = window;
    await window.go('/menu');
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await window.go('/menu');
    await context.setOffline(true);
    await page.getByText('You’re offline. This page may be out of date.').waitFor();
    const kept = (await page.evaluate(`caches.keys().then((names) => Promise.all(names.map((name) =>
      caches.open(name).then((cache) => cache.keys()).then((keys) => keys.map(({ url }) => new URL(url).pathname)))))
      .then((all) => all.flat())`)) as string[];
    expect(kept.filter((path) => /api|menu|favorites|inbox|tours/.test(path))).toEqual([]);
    await page.goto('/menu').catch(() => undefined);
    await page.getByText('You’re offline').first().waitFor();
    await context.setOffline(false);
    window.complaints.splice(0);
    await window.close();
  });

  test.each([390, 1280] as const)(
    'without a connection at %i, banner, bars and messages keep apart, and what was seen stays readable',
    async (width) => {
      const customer = await site().signedIn({ role: 'customer', name: 'Olga Offline' });
      const window = await site().open({ width, as: customer });
      const { page, context } = window;
      await window.go('/');
      const first = await page.locator('.property-card-link').first().innerText();
      await page.locator('.property-card-link').first().click();
      await page.locator('.gallery img').first().waitFor();
      await page.waitForLoadState('networkidle');
      await context.setOffline(true);
      await page.getByText('You’re offline').waitFor();
      await page
        .getByRole('button', { name: /^Save / })
        .first()
        .click();
      await page.locator('.toast').waitFor();
      for (const textSize of ['100%', '200%']) {
        await page.evaluate(`document.documentElement.style.fontSize = '${textSize}'`);
        expect([textSize, await page.evaluate(OVERLAPS)]).toEqual([textSize, []]);
      }
      await page.evaluate(`document.documentElement.style.fontSize = ''`);
      await page.goBack();
      await page.locator('.discovery-hero').waitFor();
      expect(await page.locator('.property-card-link').first().innerText()).toBe(first);
      await context.setOffline(false);
      expect(window.complaints).toEqual([]);
      await window.close();
    },
  );

  test('printed, a page is dark on white, without bars, with its brand and the labels of staged pictures', async () => {
    const window = await site().open({ width: 390, theme: 'dark' });
    const { page } = window;
    for (const path of ['/', '/search', `/properties/${site().home.propertyId}`]) {
      await window.go(path);
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`);
      await page.emulateMedia({ media: 'print' });
      expect([path, await page.evaluate('getComputedStyle(document.body).color')]).toEqual([
        path,
        'rgb(27, 28, 32)',
      ]);
      const shown = await page.evaluate(
        `['.shell-name', '.shell-tabs', '.place-search', '.heart', '.listing-bar'].map((one) => document.querySelector(one)?.checkVisibility() ?? false)`,
      );
      // The flyer of a home names the brand next to its code.
      const isFlyer = path.startsWith('/properties/');
      expect([path, shown]).toEqual([path, [!isFlyer, false, false, false, false]]);
      expect([path, await overflow(page)]).toEqual([path, 0]);
      await page.emulateMedia({ media: null });
    }
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByText('AI · Virtually staged').first().isVisible()).toBe(true);
    await window.close();
  });

  test('nothing is wider than a window of 320 pixels', async () => {
    const customer = await site().signedIn({ role: 'customer', name: 'Nora Narrow' });
    const window = await site().open({ width: 390, as: customer });
    const { page } = window;
    await page.setViewportSize({ width: 320, height: 640 });
    for (const path of [
      '/',
      '/es',
      '/search?q=Seattle&beds=2&reduced=1',
      `/properties/${site().home.propertyId}`,
      `/provenance/${site().home.staged}`,
      '/favorites',
      '/inbox',
      '/tours',
      '/menu',
      '/sign-in',
      '/about',
    ]) {
      await window.go(path);
      expect([path, await overflow(page)]).toEqual([path, 0]);
    }
    await window.close();
  });

  test.each([390, 1280] as const)(
    'at %i, every control of the first page and the search takes the focus in sight',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      for (const path of ['/', '/search']) {
        await window.go(path);
        const controls =
          (await page.evaluate(`[...document.querySelectorAll('a[href], button, input, select, summary')]
        .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true })).length`)) as number;
        const lost: unknown[] = [];
        let reached = 0;
        for (; reached <= controls; reached += 1) {
          await page.keyboard.press('Tab');
          const found = await page.evaluate(FOCUS);
          if (found === null) break;
          if (found !== '') lost.push(found);
        }
        expect([path, lost]).toEqual([path, []]);
        expect([path, reached >= controls]).toEqual([path, true]);
      }
      await window.close();
    },
  );

  test('two people behind one cache never see each other’s page', async () => {
    const [ann, ben] = [
      await site().signedIn({ role: 'customer', name: 'Ann Alone' }),
      await site().signedIn({ role: 'customer', name: 'Ben Beside' }),
    ];
    // A cache as careless as the headers allow: by address alone.
    const cache = new Map<string, { status: number; headers: Record<string, string>; body: Buffer }>();
    const behind = async (person: typeof ann) => {
      const window = await site().open({ as: person });
      await window.context.route(`${site().url}/**`, async (route) => {
        const request = route.request();
        const kept = request.method() === 'GET' ? cache.get(request.url()) : undefined;
        if (kept !== undefined) return route.fulfill(kept);
        const response = await route.fetch();
        const headers = response.headers();
        const answer = { status: response.status(), headers, body: await response.body() };
        if (request.method() === 'GET' && /\bpublic\b/.test(headers['cache-control'] ?? '')) {
          expect(headers['set-cookie']).toBeUndefined();
          cache.set(request.url(), answer);
        }
        return route.fulfill(answer);
      });
      return window;
    };
    const paths = ['/', '/search', `/properties/${site().home.propertyId}`, '/favorites', '/inbox', '/menu'];
    await ann.mutate('favorites.add', { propertyId: site().home.propertyId });
    const [first, second] = [await behind(ann), await behind(ben)];
    for (const path of paths) {
      await first.go(path);
      await second.go(path);
    }
    expect(await second.page.getByLabel('Name').inputValue()).toBe('Ben Beside');
    expect(await first.page.getByLabel('Name').inputValue()).toBe('Ann Alone');
    await second.go('/favorites');
    await second.page.getByText('No saved homes yet').waitFor();
    await first.go('/favorites');
    await first.page.getByRole('link', { name: /12 Lakeview Avenue/ }).waitFor();
    expect([...cache.values()].some(({ body }) => /Ann Alone|Ben Beside/.test(body.toString()))).toBe(false);
    // The first page depends on the visitor's language.
    const shared = [...cache.keys()].map((url) => new URL(url).pathname);
    expect(shared).toContain('/search');
    expect(shared).not.toContain('/');
    await first.close();
    await second.close();
  });
});

describeSite(
  'errors of pages',
  (site) => {
    test('are reported by the page’s pattern, and nothing of the person is', async () => {
      const window = await site().open({ width: 1280 });
      const { page } = window;
      const sent: string[] = [];
      await page.route('https://o1.example.com/**', async (route) => {
        sent.push(route.request().postData() ?? '');
        await route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '{}' });
      });
      const path = `/properties/${site().home.propertyId}`;
      await window.go(`${path}?pictures=any`);
      // Before the library is there, and by an event of each kind.
      await page.evaluate(
        `setTimeout(() => { throw new Error('broken for someone.real@example.com') }); void Promise.reject(new Error('refused')); 0`,
      );
      await eventually(() => sent.length === 2, { what: 'two reports' });
      const events = sent.map((body) => JSON.parse(body.split('\n')[2] ?? ''));
      expect(events.map(({ exception }) => exception.values[0].value).sort()).toEqual([
        'broken for [redacted]',
        'refused',
      ]);
      for (const event of events)
        expect(event).toMatchObject({
          transaction: '/properties/$propertyId',
          tags: { role: 'site' },
          request: { method: 'GET', headers: {} },
          release: expect.stringMatching(/\d/),
        });
      expect(sent.join()).not.toMatch(/pictures=any|someone\.real|breadcrumbs/);
      expect(sent.join()).not.toContain(path);
      expect(window.complaints.splice(0)).toHaveLength(2);
      await window.close();
    });
  },
  { SITE_SENTRY_DSN: 'https://key@o1.example.com/1' },
);
