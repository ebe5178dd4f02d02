import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium } from '../../../ops/dev/chromium.ts';
import { eventually } from '../../support/eventually.ts';
import { OPERATOR } from '../../support/http/console-host.ts';
import { jobHeldIn } from '../../support/platform/held-states.ts';
import { jobReaches } from '../../support/platform/listing.ts';
import { journalOf } from '../../support/platform/staging-world.ts';
import { litState, pressUntil, reasonOn, signIn } from './console-pages.ts';
import { type ConsoleWorld, openConsoleWorld } from './console-world.ts';
import { openWindow, type Window } from './window.ts';

/** Operators' tasks, in a real browser on a real platform. */
const found = findChromium();
const why = 'missing' in found ? ` (skipped: ${found.missing})` : '';

describe.skipIf('missing' in found)(`the console in a browser${why}`, () => {
  let browser: Browser;
  let console: ConsoleWorld;
  let window: Window;
  let page: Page;

  beforeAll(async () => {
    browser = await launchChromium('path' in found ? found.path : '');
    console = await openConsoleWorld();
  });
  afterAll(async () => {
    await browser?.close();
    await console?.close();
  });
  beforeEach(async () => {
    window = await openWindow(browser);
    page = window.page;
    return async () => {
      await window.close();
      await console.world.calm();
      expect(window.complaints).toEqual([]);
    };
  });

  test('finds a stuck job, shows the reason, steps through its history and cancels it', async () => {
    const held = await jobHeldIn(console.world, 'RUNNING');
    await signIn(page, console.url);
    await page.getByRole('link', { name: /^PROCESSING\.ATTEMPT/ }).click();
    await page.getByRole('link', { name: held.aiJobId.slice(0, 8) }).click();
    expect(await reasonOn(page)).toMatch(
      /^The provider has been working on it for .*; polled every 250 ms\. Held by worker \w{8} until/,
    );
    expect(await litState(page)).toBe('PROCESSING.ATTEMPT');

    await page.getByRole('link', { name: 'First' }).click();
    await page.getByText('Born as PENDING.QUEUED').waitFor();
    expect(await litState(page)).toBe('PENDING.QUEUED');
    await page.getByRole('link', { name: 'Forward' }).click();
    await page.getByText('nowhere → PENDING.QUEUED').waitFor();
    await page.getByRole('link', { name: 'Forward' }).click();
    await page.getByRole('list', { name: 'What it changed' }).waitFor();
    expect(await litState(page)).toBe('PROCESSING.ATTEMPT');

    await page.getByRole('link', { name: 'Cancel a job' }).click();
    await page.getByText('The provider is asked to stop').waitFor();
    await page.getByLabel(/^Reason/).fill('the provider hangs, ticket 17');
    await page.getByRole('button', { name: 'Cancel a job' }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('link', { name: /^Staging job/ }).click();
    // No reload: the page updates by itself.
    await page.getByText('It is over: nothing is waited for.').waitFor();
    expect(await litState(page)).toBe('CANCELED');
    await page.getByText('the provider hangs, ticket 17').first().waitFor();
    const asked = (await journalOf(console.world, held.aiJobId)).find(
      ({ eventType }) => eventType === 'CANCEL_ASKED',
    );
    expect(asked?.actedBy).toBe(`operator:${OPERATOR.user}`);
  });

  test('finds a failed deletion and retries it', async () => {
    const id = await console.failDeletion();
    await signIn(page, console.url);
    await page.getByRole('link', { name: /deletions? failed for good/ }).click();
    await page.getByRole('link', { name: id.slice(0, 8) }).click();
    expect(await reasonOn(page)).toBe(
      'Waits for a person: the object store answered AccessDenied: the key may not delete objects.',
    );
    await page.getByRole('link', { name: 'Retry a failed deletion' }).click();
    await page.getByText('fix the cause first').waitFor();
    await page.getByRole('link', { name: 'Show what force would do' }).click();
    await page.getByLabel(/^Reason/).fill('the key has its right again');
    await page.getByRole('button', { name: 'Retry a failed deletion' }).click();
    await page.getByText('Done.').waitFor();
    await page.goto(`${console.url}/console/actors/deletionItem/${id}`);
    await page.getByText('It is over: nothing is waited for.').waitFor();
    expect(await litState(page)).toBe('DELETED');
  });

  test('can be used by keyboard alone, from sign-in to cancellation', async () => {
    const held = await jobHeldIn(console.world, 'RUNNING');
    await page.goto(`${console.url}/sign-in`);
    await page.locator('#user:focus').waitFor();
    await page.keyboard.type(OPERATOR.user);
    await page.keyboard.press('Tab');
    await page.keyboard.type(OPERATOR.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await pressUntil(page, 'Tab', { focused: '.skip' });
    await page.keyboard.press('Enter');
    // The browser follows a link inside the page a moment later.
    await page.locator('#content:focus').waitFor();
    await pressUntil(page, 'Tab', { focused: '#q' });
    await page.keyboard.type(held.aiJobId);
    await page.keyboard.press('Enter');
    await page.locator('#wait').waitFor();
    await pressUntil(page, 'Tab', { focused: '#step' });
    await page.keyboard.press('Home');
    await page.getByText('Born as PENDING.QUEUED').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Step 1 of 2').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByText('Step 2 of 2').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('step');
    await pressUntil(page, 'Shift+Tab', { focused: '.actions a' });
    await page.keyboard.press('Enter');
    await page.getByLabel(/^Reason/).waitFor();
    await pressUntil(page, 'Tab', { focused: '#reason' });
    await page.keyboard.type('asked by the agent on the phone');
    await pressUntil(page, 'Tab', { focused: 'button.danger' });
    await page.keyboard.press('Enter');
    await page.getByText('Done.').waitFor();
    await jobReaches(console.world.platform, held.aiJobId, 'CANCELED');
  });

  test('a chosen step stays when a refresh from before answers late', async () => {
    const held = await jobHeldIn(console.world, 'RUNNING');
    await signIn(page, console.url);
    const address = `${console.url}/console/actors/stagingJob/${held.aiJobId}`;
    await page.goto(address);
    const refresh = await holdNext(page, address);
    await page.locator('#step').focus();
    await page.keyboard.press('Home');
    await page.getByText('Born as PENDING.QUEUED').waitFor();
    await refresh.letGo();
    // Refreshes of the chosen step go on after it.
    await page.waitForResponse(`${address}?step=0`);
    expect(await page.locator('#step').inputValue()).toBe('0');
    await page.getByText('Born as PENDING.QUEUED').waitFor();
  });

  test('a step that was chosen before the scripts arrived is shown', async () => {
    const held = await jobHeldIn(console.world, 'RUNNING');
    await signIn(page, console.url);
    const scripts = holdNext(page, `${console.url}/console/assets/htmx.js`);
    await page.goto(`${console.url}/console/actors/stagingJob/${held.aiJobId}`, { waitUntil: 'commit' });
    const { letGo } = await scripts;
    await page.locator('#step').focus();
    await page.keyboard.press('Home');
    await letGo();
    await page.getByText('Born as PENDING.QUEUED').waitFor();
  });

  test('keeps focus, scroll position, opened parts and the step during updates', async () => {
    const held = await jobHeldIn(console.world, 'RUNNING');
    await signIn(page, console.url);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.goto(`${console.url}/console/actors/stagingJob/${held.aiJobId}`);
    await page.getByText('All that it remembered then').click();
    await page.locator('#step').focus();
    await page.keyboard.press('Home');
    await page.getByText('Born as PENDING.QUEUED').waitFor();
    await page.evaluate(
      `document.querySelector('.chart').scrollLeft = 120; window.scrollTo(0, 300); window.same = 1`,
    );
    // The content above may grow or shrink; the visible part keeps its place on the screen.
    const whereItIs = `Math.round(document.querySelector('#step').getBoundingClientRect().top)`;
    const top = await page.evaluate(whereItIs);
    await console.world.calm();
    await jobReaches(console.world.platform, held.aiJobId, 'SUCCESS');
    await page.getByText('Step 0 of 2').waitFor();
    // Updates may also show the states on the way.
    await eventually(async () => (await reasonOn(page)) === "Waits for the agent's review.", {
      what: 'the page to bring itself up to date',
    });
    expect(
      await page.evaluate(`[document.activeElement.id, document.querySelector('#step').value, document.querySelector('.chart').scrollLeft,
        ${whereItIs}, document.querySelector('#remembered').open, window.same]`),
    ).toEqual(['step', '0', 120, top, true, 1]);
    expect(await litState(page)).toBe('PENDING.QUEUED');
  });

  test('does not poll while it is hidden, and shows a lost connection', async () => {
    await signIn(page, console.url);
    let asked = 0;
    page.on('request', () => {
      asked += 1;
    });
    const stamp = () => page.getByText(/^As of/).innerText();
    const before = await stamp();
    await eventually(async () => (await stamp()) !== before, {
      what: 'the overview to bring itself up to date',
    });
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: true, configurable: true });
      window.skipped = 0; document.addEventListener('htmx:before:request', (event) => { window.skipped += event.defaultPrevented ? 1 : 0; });`);
    const sofar = asked;
    await eventually(async () => ((await page.evaluate('window.skipped')) as number) >= 2, {
      what: 'two looks that were not taken',
    });
    expect(asked - sofar).toBeLessThanOrEqual(1);
    await page.evaluate(`Object.defineProperty(document, 'hidden', { value: false, configurable: true })`);
    await page.context().clearCookies();
    await page.getByText('No contact').waitFor();
    expect(await page.getByRole('heading', { name: 'What there is' }).isVisible()).toBe(true);
  });

  test('works without scripts', async () => {
    const plain = await openWindow(browser, { javaScriptEnabled: false });
    const held = await jobHeldIn(console.world, 'RUNNING');
    await signIn(plain.page, console.url);
    await plain.page.getByLabel('Find by id').fill(held.predictionId ?? '');
    await plain.page.getByRole('button', { name: 'Find' }).click();
    await plain.page.getByRole('link', { name: 'First' }).click();
    await plain.page.getByText('Born as RESERVED').waitFor();
    await plain.page.getByRole('button', { name: 'Show' }).click();
    await plain.page.getByRole('button', { name: 'Sign out' }).click();
    await plain.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await plain.close();
  });
});

/** Waits for the next request for this address, and holds it until it is let go. */
async function holdNext(page: Page, address: string): Promise<{ letGo(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route(address, resolve, { times: 1 });
  const held = await promise;
  return { letGo: () => held.continue() };
}
