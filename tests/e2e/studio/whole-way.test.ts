import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { waitForMail } from '../../../ops/dev/stack/mailbox.ts';
import { changeSettings, releaseHeld } from '../../../ops/simulator/control-client.ts';
import { eventually } from '../../support/eventually.ts';
import { type Person, signIn } from '../../support/platform/agent.ts';
import { photosChecked } from '../../support/platform/listing.ts';
import { startTestPlatform, type TestPlatform } from '../../support/platform/platform.ts';
import { openSiteWindow, type SiteWindow, type WindowOptions } from '../site/site-window.ts';
import { chooseFiles, photoFiles, stage, studioPath, uploadsDone } from './studio-window.ts';

/**
 * From a folder of forty photos to approved, labeled pictures, through the pages alone, with everything that can come in
 * between: a cut network, reloads, a killed worker, a second agent, a person who has no business there.
 */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';
const PHOTOS = 40;
const SOME = 6;
/** Jobs that a worker has under way, and those that the provider has confirmed. */
const AT_ONCE = 4;
/** Pictures that are approved by themselves only. */
const NOT_COMPARED = `from drift_comparisons d join property_images v on v.id = d."stagedImageId"
  where v."propertyId" = $1 and d."comparedAt" is null`;
/** On a phone, besides typing and choosing files. */
const MOST_TAPS = 25;
const ON_A_PHONE = 20;
const UNDER_WAY = `from ai_provider_attempts a join ai_jobs j on j.id = a."aiJobId"
  where j."propertyId" = $1 and a.status = 'RUNNING' and a."providerPredictionId" is not null`;

describe.skipIf('missing' in found)(`an agent's whole way${why}`, () => {
  let browser: Browser;
  let platform: TestPlatform;
  let [ada, bob, eve]: Person[] = [];
  const windows: SiteWindow[] = [];
  const openAs = async (person: Person | undefined, options: WindowOptions = {}): Promise<SiteWindow> => {
    const as = person === undefined ? {} : { as: person };
    const window = await openSiteWindow(browser, platform.urls[0] ?? '', { ...options, ...as });
    // Photos are decoded and staged on the same machine.
    window.context.setDefaultTimeout(60_000);
    windows.push(window);
    return window;
  };

  beforeAll(async () => {
    browser = await launchChromium('path' in found ? found.path : '');
    platform = await startTestPlatform({ settings: { SITE_ENABLED: 'true' } });
    [ada, bob, eve] = [await signIn(platform), await signIn(platform), await signIn(platform)];
  });
  afterAll(async () => {
    for (const window of windows) await window.close();
    await browser?.close();
    await platform?.stop();
  });

  const count = async (sql: string, propertyId: string): Promise<number> => {
    const [row] = await platform.rows<{ count: string }>(`select count(*) ${sql}`, [propertyId]);
    return Number(row?.count);
  };
  /** Waits until there are so many, or more than that when it says so. */
  const reaches = (
    read: () => Promise<number>,
    wanted: number,
    { isMore = false }: { readonly isMore?: boolean } = {},
  ): Promise<unknown> =>
    eventually(
      async () => {
        const now = await read();
        if (isMore ? now > wanted : now === wanted) return true;
        throw new Error(`there are ${now}`);
      },
      { what: `${isMore ? 'more than ' : ''}${wanted}`, timeoutMs: 240_000, intervalMs: 250 },
    );
  const originals = (id: string) =>
    count('from property_images where "propertyId" = $1 and not "isStyled"', id);
  const succeeded = (id: string) => count(`from ai_jobs where "propertyId" = $1 and status = 'SUCCESS'`, id);
  const reviewed = (id: string, event: string) =>
    count(`from property_image_review_events where "propertyId" = $1 and kind = '${event}'`, id);
  const reload = async (page: Page): Promise<void> => {
    await page.reload({ waitUntil: 'load' });
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  };

  test('forty photos become approved pictures; nothing is lost, doubled or shown to the wrong person', {
    timeout: 600_000,
  }, async () => {
    // A failed try may have left predictions held, and no worker.
    await releaseHeld(platform.provider.baseUrl);
    if (platform.roles.at(-1)?.isRunning() === false) await platform.startWorker();
    const window = await openAs(ada);
    const { page, context } = window;

    // A listing.
    await window.go('/studio/new');
    await page.getByLabel('Street and number').fill('7 Harbor Street');
    await page.getByLabel('City').fill('Seattle');
    await page.getByLabel('Price').fill('895000');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.waitForURL(/\/studio\/[0-9a-f-]{36}$/);
    const propertyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await reload(page);

    // Its photos: the network is cut, comes back, and the page is reloaded while they are on their way.
    await chooseFiles(page, await photoFiles(PHOTOS));
    await reaches(() => originals(propertyId), 2, { isMore: true });
    await context.setOffline(true);
    await page.getByText('You’re offline').waitFor();
    await context.setOffline(false);
    await reaches(() => originals(propertyId), SOME, { isMore: true });
    await reload(page);
    await uploadsDone(page, 240_000);
    await reaches(() => originals(propertyId), PHOTOS);
    const [stored] = await platform.rows<{ files: string }>(
      'select count(distinct "outputChecksum") as files from property_images where "propertyId" = $1',
      [propertyId],
    );
    expect(Number(stored?.files)).toBe(PHOTOS);
    await reload(page);
    await reaches(() => page.locator('.photo-tile').count(), PHOTOS);

    // A second agent of the listing; another agent sees nothing of it.
    await page.getByRole('link', { name: 'Publish' }).click();
    await page.getByLabel('Another agent’s email address').fill(bob?.email ?? '');
    await page.getByRole('button', { name: 'Invite agent' }).click();
    await page.getByText(/^Invited to work on it/).waitFor();
    const otherAgent = await openAs(eve);
    await otherAgent.go(studioPath(propertyId));
    await otherAgent.page.getByText('This listing doesn’t exist or isn’t yours').waitFor();
    const second = await openAs(bob);
    await second.go('/studio');
    await second.page.getByRole('button', { name: 'Accept' }).click();
    await second.page.getByText('You accepted.').waitFor();
    await second.go(studioPath(propertyId));
    await reaches(() => second.page.locator('.photo-tile').count(), PHOTOS);

    // All are staged. A worker dies in between.
    await page.getByRole('link', { name: /^Photos/ }).click();
    await page.getByRole('button', { name: 'Select all' }).click();
    await stage(page, { room: 'LIVING_ROOM', style: 'Scandinavian' });
    await page.getByText(/\d+ of \d+ pictures are ready/).waitFor();
    await reload(page);
    await second.page.getByText(/\d+ of \d+ pictures are ready/).waitFor();
    await reaches(() => succeeded(propertyId), SOME, { isMore: true });
    // The provider holds what it has: the worker dies with as many purchases under way as it takes at once.
    await changeSettings(platform.provider.baseUrl, { hold: true });
    await reaches(() => count(UNDER_WAY, propertyId), AT_ONCE);
    await platform.roles.at(-1)?.stop('SIGKILL');
    await releaseHeld(platform.provider.baseUrl);
    await reload(page);
    await (await platform.startWorker()).ready;
    await reaches(() => succeeded(propertyId), PHOTOS);
    await page.getByText('40 pictures to review').first().waitFor();
    const bought = await platform.purchases();
    expect([...bought.values()].map((all) => all.length)).toEqual(
      Array.from({ length: bought.size }, () => 1),
    );

    // Both review: one by keyboard, the other several at once.
    await page.getByRole('link', { name: 'Review', exact: true }).click();
    await page.getByText('Picture 1 of 40').waitFor();
    for (let index = 0; index < SOME; index += 1) {
      await page.locator('.review-actions .button-primary[aria-disabled=false]').waitFor();
      await page.keyboard.press('a');
      await page.getByText(`of ${PHOTOS - 1 - index} `).waitFor();
    }
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await reload(page);
    await reaches(() => reviewed(propertyId, 'REJECTED'), 1);
    await reaches(() => reviewed(propertyId, 'APPROVED'), SOME);
    await reaches(() => count(NOT_COMPARED, propertyId), 0);
    await second.go(studioPath(propertyId, 'review?view=several'));
    // What has not been on the screen is not chosen.
    const pairs = second.page.locator('.review-several > li');
    await reaches(() => pairs.count(), PHOTOS - SOME - 1);
    for (const pair of await pairs.all()) await pair.scrollIntoViewIfNeeded();
    await second.page.locator('.review-several input:disabled').first().waitFor({ state: 'detached' });
    await second.page.getByRole('button', { name: 'Select all' }).click();
    await second.page.getByRole('button', { name: /^Approve 33 pictures$/ }).click();
    await second.page.getByText('All staged pictures are reviewed').waitFor();
    await page.getByText('All staged pictures are reviewed').waitFor();

    // What is missing, and the publication.
    await page.getByRole('link', { name: 'Next: publish' }).click();
    expect(await page.getByRole('button', { name: 'Publish', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'A description' }).click();
    await page.getByRole('button', { name: 'Write a description' }).click();
    await page.getByLabel('Draft description').waitFor();
    await reload(page);
    await page.getByLabel('Draft description').fill('A quiet house at the harbor.');
    // The agent opens the next page while the listing is still being read again, and stays there.
    const read = Promise.withResolvers<void>();
    await page.route('**/api/trpc/properties.getMine*', async (route) => {
      await read.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Use this text' }).click();
    await page.getByText('Saved').first().waitFor();
    await ada?.mutate('properties.update', { propertyId, latitude: 47.61, longitude: -122.34 });
    await page.getByRole('link', { name: 'Publish', exact: true }).click();
    await page.waitForURL(/\/publish$/);
    read.resolve();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('For sale').first().waitFor();

    await photosChecked(platform);
    // A buyer sees the approved pictures, each with its label, and nothing of the rejected one.
    const buyer = await openAs(undefined);
    await buyer.go(`/properties/${propertyId}`);
    const { data } = (await ada?.query('properties.getDetail', { propertyId })) ?? {};
    const staged = data.images.filter(({ isStyled }: { isStyled: boolean }) => isStyled);
    expect(staged.length).toBe(PHOTOS - 1);
    expect(await buyer.page.getByText('A quiet house at the harbor.').count()).toBe(1);
    expect(await buyer.page.locator('.gallery-item').count()).toBe(2 * PHOTOS - 1);
  });

  /** How a person works the pages. */
  interface Hands {
    press(target: Locator): Promise<void>;
    /** One of a group of radio buttons. */
    choose(group: Locator, name: string): Promise<void>;
    write(field: Locator, text: string): Promise<void>;
  }

  async function namedAgent(): Promise<Person> {
    const person = await signIn(platform);
    expect((await person.mutate('users.updateProfile', { name: 'Grace Hopper' })).status).toBe(200);
    return person;
  }

  /** From signing in to a published listing with staged pictures. */
  async function publish(
    { page }: SiteWindow,
    { press, choose, write }: Hands,
    {
      email,
      photos,
      review,
    }: { email: string; photos: number; review: (propertyId: string) => Promise<void> },
  ): Promise<string> {
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true });
    await page.goto('/studio');
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    await press(page.locator('main').getByRole('link', { name: 'Sign in' }));
    await write(page.getByLabel('Email address'), email);
    const since = Date.now();
    await press(button('Email me a code'));
    await page.locator('input[name=code]:focus').waitFor();
    const mail = await waitForMail(platform.mailDir, { to: email, since });
    await page.keyboard.insertText(/\b\d{6}\b/.exec(mail.email.text ?? '')?.[0] ?? '');
    await press(link('New listing'));
    await write(page.getByLabel('Street and number'), '9 Harbor Street');
    await write(page.getByLabel('City'), 'Seattle');
    await write(page.getByLabel('Price'), '640000');
    await press(button('Create draft'));
    await page.waitForURL(/\/studio\/[0-9a-f-]{36}$/);
    const propertyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await chooseFiles(page, await photoFiles(photos));
    await uploadsDone(page, 240_000);
    await press(button('Select all'));
    await choose(page.locator('.studio-staging .style-choice'), 'Scandinavian');
    await press(button(new RegExp(`^Stage ${photos} photos$`)));
    await reaches(() => succeeded(propertyId), photos);
    await press(page.locator('.studio-steps').getByRole('link', { name: /^Review/ }));
    await review(propertyId);
    await reaches(() => reviewed(propertyId, 'APPROVED'), photos);
    await press(link('Next: publish'));
    await press(link('A description'));
    await press(button('Write a description'));
    await page.getByLabel('Draft description').waitFor();
    await press(button('Use this text'));
    await press(link('Publish'));
    await press(link('A pin on the map'));
    await press(button('Set the location on a map'));
    await press(button('Set location here'));
    await reaches(() => count('from properties where id = $1 and latitude is not null', propertyId), 1);
    await press(link('Publish'));
    await press(button('Publish'));
    await reaches(
      () => count(`from properties where id = $1 and "standardStatus" = 'Active'`, propertyId),
      1,
    );
    return propertyId;
  }

  test(`on a phone, ${ON_A_PHONE} photos are staged, reviewed and published with at most ${MOST_TAPS} taps`, {
    timeout: 400_000,
  }, async () => {
    const { email } = await namedAgent();
    const window = await openAs(undefined, { width: 390 });
    const { page } = window;
    const taps: string[] = [];
    const outOfSight: string[] = [];
    const press = async (target: Locator): Promise<void> => {
      await target.waitFor();
      const name = (await target.innerText()) || ((await target.getAttribute('aria-label')) ?? '');
      const { y, height } = (await target.boundingBox()) ?? { y: -1, height: 0 };
      if (y < 0 || y + height > (page.viewportSize()?.height ?? 0))
        outOfSight.push(`${name} at ${Math.round(y)}`);
      taps.push(name);
      await target.tap();
    };
    const choose = (group: Locator, name: string) => press(group.locator('label', { hasText: name }));
    const write = (field: Locator, text: string) => field.fill(text);
    await publish(
      window,
      { press, choose, write },
      {
        email,
        photos: ON_A_PHONE,
        async review(propertyId) {
          await reaches(() => count(NOT_COMPARED, propertyId), 0);
          await choose(page.locator('.review-views'), 'Grid');
          const pairs = page.locator('.review-several > li');
          await reaches(() => pairs.count(), ON_A_PHONE);
          for (const pair of await pairs.all()) await pair.scrollIntoViewIfNeeded();
          await page.locator('.review-several input:disabled').first().waitFor({ state: 'detached' });
          await press(page.getByRole('button', { name: 'Select all' }));
          await press(page.getByRole('button', { name: `Approve ${ON_A_PHONE} pictures` }));
        },
      },
    );
    expect(taps.length, taps.join(', ')).toBeLessThanOrEqual(MOST_TAPS);
    expect(outOfSight).toEqual([]);
  });

  test('by keyboard alone, photos are staged, reviewed and published', { timeout: 300_000 }, async () => {
    const { email } = await namedAgent();
    const window = await openAs(undefined);
    const { page } = window;
    const focused = page.locator(':focus');
    /** No page has more places for the focus. */
    const MOST_TABS = 250;
    const reach = async (target: Locator): Promise<void> => {
      await target.first().waitFor();
      for (let tab = 0; tab < MOST_TABS; tab += 1) {
        if ((await target.and(focused).count()) > 0) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the keyboard does not reach ${target}`);
    };
    await publish(
      window,
      {
        async press(target) {
          await reach(target);
          await page.keyboard.press('Enter');
        },
        async choose(group, name) {
          const radios = group.getByRole('radio');
          await reach(radios);
          const wanted = group.getByRole('radio', { name });
          const all = await radios.count();
          for (let step = 0; step < all && !(await wanted.isChecked()); step += 1)
            await page.keyboard.press('ArrowRight');
          expect(await wanted.isChecked()).toBe(true);
        },
        async write(field, text) {
          await reach(field);
          await page.keyboard.type(text);
        },
      },
      {
        email,
        photos: 2,
        async review() {
          for (const place of ['Picture 1 of 2', 'Picture 1 of 1']) {
            await page.getByText(place).waitFor();
            await page.locator('.review-actions .button-primary[aria-disabled=false]').waitFor();
            await page.keyboard.press('a');
          }
        },
      },
    );
  });
});
