import type { Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../ops/simulator/pictures/colors.ts';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { seedComparison, seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import type { SiteWindow } from '../site/site-window.ts';
import { describeSite, type SiteWorld } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** The review of staged pictures: keys, ways to compare, undo, several at once, two agents. */
describeSite('the review queue', (site) => {
  let photo: Buffer;
  let agent: Person;
  beforeAll(async () => {
    photo = await drawSampleRoom('BEDROOM', { width: 800, height: 600, seed: 3 });
    agent = await site().signedIn({ name: 'Rita Review' });
  });

  /** A listing of the agent with so many pictures that wait for a review. */
  async function listingWith(count: number): Promise<{ propertyId: string; pictures: string[] }> {
    const { host } = site();
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, city: 'Seattle' });
    const pictures: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
      await host.rows('update property_images set position = $2 where id = $1', [original.imageId, index]);
      pictures.push(
        await storedVariant(host, original, {
          reviewStatus: 'PENDING_REVIEW',
          bytes: photo,
          format: 'jpeg',
        }),
      );
    }
    return { propertyId, pictures };
  }

  async function openReview(propertyId: string, query = ''): Promise<SiteWindow> {
    const window = await site().open({ as: agent });
    await window.go(`${studioPath(propertyId, 'review')}${query}`);
    return window;
  }

  /** The decisions on pictures, in their order: `APPROVED`, `REJECTED`, or nothing yet. */
  async function decisions({ host }: SiteWorld, pictures: readonly string[]): Promise<(string | null)[]> {
    const events = await host.rows<{ imageId: string; kind: string }>(
      'select "imageId", kind from property_image_review_events where "imageId" = any($1::uuid[])',
      [pictures],
    );
    return pictures.map((id) => events.find(({ imageId }) => imageId === id)?.kind ?? null);
  }
  const decided = (pictures: readonly string[], wanted: readonly (string | null)[]) =>
    eventually(
      async () => {
        expect(await decisions(site(), pictures)).toEqual(wanted);
        return true;
      },
      { what: 'the decisions', intervalMs: 200 },
    );

  /** Waits until the pair is on the screen, which can be approved then: on a slow network after all that is loaded ahead. */
  const approvable = ({ page }: SiteWindow): Promise<void> =>
    page.locator('.review-actions .button-primary[aria-disabled=false]').waitFor({ timeout: 60_000 });

  test('twenty pictures are reviewed by keyboard alone', async () => {
    const { propertyId, pictures } = await listingWith(20);
    const window = await openReview(propertyId);
    const { page } = window;
    const position = (number: number, count: number) =>
      page.getByText(`Picture ${number} of ${count} `).waitFor();
    await position(1, 20);
    // On and back, and the other picture while one looks.
    await page.keyboard.press('j');
    await position(2, 20);
    await page.keyboard.press('k');
    await position(1, 20);
    await page.keyboard.press('Space');
    await page.getByRole('radio', { name: 'Blink' }).isChecked();
    expect(await page.getByText('Original photo').isVisible()).toBe(true);
    await page.keyboard.press('Space');
    expect(await page.getByText('AI · Virtually staged').isVisible()).toBe(true);
    // The first is rejected with a reason of its own, the second and the last by the first reason.
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Tab']) await page.keyboard.press(key);
    await page.keyboard.type('The sofa has five legs');
    await page.keyboard.press('Enter');
    await position(1, 19);
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    for (let left = 18; left > 1; left -= 1) {
      await position(1, left);
      await approvable(window);
      await page.keyboard.press('a');
    }
    await position(1, 1);
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('All staged pictures are reviewed').waitFor();
    await decided(pictures, [
      'REJECTED',
      'REJECTED',
      ...Array.from({ length: 17 }, () => 'APPROVED'),
      'REJECTED',
    ]);
    const reasons = await site().host.rows<{ reason: string }>(
      'select reason from property_image_review_events where "imageId" = any($1::uuid[]) and kind = $2 order by reason',
      [pictures, 'REJECTED'],
    );
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'Furniture looks wrong: The sofa has five legs',
      'The room itself changed',
      'The room itself changed',
    ]);
    // The next step has the keyboard's reach.
    await page.getByRole('link', { name: 'Next: publish' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('What buyers need').waitFor();
    await window.close();
  });

  test('on a slow network no keys approve a picture that was not on the screen with its photo', {
    timeout: 300_000,
  }, async () => {
    const { propertyId } = await listingWith(12);
    const window = await site().open({ as: agent });
    const { page, context } = window;
    await page.addInitScript(watchApprovals);
    // Each approval is taken back or fails, so that the queue stays as long as it is.
    await page.route(/\/api\/trpc\/ai\.approveStagedVariant/, (route) => route.abort());
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await window.go(studioPath(propertyId, 'review'));
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    });
    const random = seededRandom(41);
    const keys = ['a', 'a', 'j', 'k', ' ', '+', '0'];
    const seen: Approvals = { shown: 0, unseen: 0 };
    for (let load = 0; load < 5; load += 1) {
      await page.reload();
      await page.getByText(/Picture \d+ of 12 /).waitFor();
      for (let sequence = 0; sequence < 40; sequence += 1) {
        // The first sequences meet pictures on their way, the last ones those that are there.
        if (sequence > 20) await approvable(window);
        const pressed = Array.from({ length: 6 }, () => keys[Math.floor(random() * keys.length)]);
        const undone = pressed.filter((key) => key === 'a').map(() => 'z');
        await page.evaluate(`(${pressKeys})(${JSON.stringify([...pressed, ...undone])})`);
      }
      const found = await page.evaluate<Approvals>('window.approvals');
      seen.shown += found.shown;
      seen.unseen += found.unseen;
    }
    expect(seen.unseen).toBe(0);
    expect(seen.shown).toBeGreaterThan(20);
    await window.close();
  });

  test('a rejection is sent after five seconds, and not when it was taken back', async () => {
    const { propertyId, pictures } = await listingWith(2);
    const window = await openReview(propertyId);
    const { page, calls } = window;
    await page.getByText('Picture 1 of 2 ').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Picture 1 of 1 ').waitFor();
    expect(calls).not.toContain('ai.rejectStagedVariant');
    await page.keyboard.press('z');
    await page.getByText(/Picture \d of 2 /).waitFor();
    // The same picture is rejected again, and left alone.
    await page.keyboard.press('k');
    await page.getByText('Picture 1 of 2 ').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await decided(pictures, ['REJECTED', null]);
    expect(calls.filter((call) => call === 'ai.rejectStagedVariant')).toEqual(['ai.rejectStagedVariant']);
    await window.close();
  });

  test('an approval is sent after five seconds, and not when it was taken back', async () => {
    const { propertyId, pictures } = await listingWith(2);
    const window = await openReview(propertyId);
    const { page, calls } = window;
    await approvable(window);
    await page.keyboard.press('a');
    await page.getByText('1 picture approved.').waitFor();
    await page.getByText('Picture 1 of 1 ').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Picture 2 of 2 ').waitFor();
    await approvable(window);
    await page.keyboard.press('a');
    await decided(pictures, [null, 'APPROVED']);
    expect(calls.filter((call) => call === 'ai.approveStagedVariant')).toEqual(['ai.approveStagedVariant']);
    await window.close();
  });

  test('the picture has the window: 70 % of its height, 60 % with text twice as large', async () => {
    const { propertyId } = await listingWith(2);
    const window = await openReview(propertyId);
    const { page } = window;
    await page.setViewportSize({ width: 1280, height: 800 });
    await approvable(window);
    const sizes = () =>
      page.evaluate<{ picture: number; isInSight: boolean; isWide: boolean }>(`(() => {
        const picture = document.querySelector('.compare-box:not([hidden])').getBoundingClientRect();
        const actions = document.querySelector('.review-actions').getBoundingClientRect();
        return {
          picture: picture.height / innerHeight,
          isInSight: picture.top >= 0 && picture.bottom <= actions.top && actions.bottom <= innerHeight,
          isWide: document.documentElement.scrollWidth > innerWidth,
        };
      })()`);
    const usual = await sizes();
    expect(usual).toMatchObject({ isInSight: true, isWide: false });
    expect(usual.picture).toBeGreaterThanOrEqual(0.7);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    const large = await sizes();
    expect(large).toMatchObject({ isInSight: true, isWide: false });
    expect(large.picture).toBeGreaterThanOrEqual(0.6);
    // The way back, and the site around everything else, are one press away.
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.locator('.review-home').click();
    await page.getByRole('navigation', { name: 'Listing steps' }).waitFor();
    await window.close();
  });

  test('a rejection is not lost when the page is left before it was sent', async () => {
    const { propertyId, pictures } = await listingWith(1);
    const window = await openReview(propertyId);
    await window.page.getByText('Picture 1 of 1 ').waitFor();
    await window.page.keyboard.press('r');
    await window.page.getByRole('dialog').waitFor();
    await window.page.keyboard.press('Enter');
    await window.page.getByText('All staged pictures are reviewed').waitFor();
    await window.page.goto('/');
    await decided(pictures, ['REJECTED']);
    await window.close();
  });

  test('a rejection that a page could not send when it ended is sent by the next page, whatever it shows', async () => {
    const { propertyId, pictures } = await listingWith(1);
    const window = await site().open({ as: agent });
    const { page } = window;
    // Nothing of the page runs when it ends.
    await page.addInitScript("addEventListener('pagehide', (event) => event.stopImmediatePropagation())");
    await window.go(studioPath(propertyId, 'review'));
    await page.getByText('Picture 1 of 1 ').waitFor();
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('All staged pictures are reviewed').waitFor();
    await page.goto('/');
    await decided(pictures, ['REJECTED']);
    await window.close();
  });

  test('a rejection that waits goes with the session that has ended, and is sent for no one', async () => {
    const { pictures } = await listingWith(1);
    const window = await site().open({ as: agent });
    const { page, context, calls } = window;
    const [imageId] = pictures;
    const left = () => page.evaluate("localStorage.getItem('studio-decisions')");
    await window.go('/');
    await eventually(() => page.evaluate(`localStorage.getItem('signed-in') === '${agent.id}'`), {
      what: 'the page to know its person',
    });
    await page.evaluate(
      `localStorage.setItem('studio-decisions', '${JSON.stringify([{ kind: 'reject', imageIds: [imageId], reason: null, personId: agent.id }])}')`,
    );
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.clock.install();
    await window.go('/');
    await eventually(async () => (await left()) === null, { what: 'the rejection to be gone' });
    await context.addCookies(cookies);
    await window.go(studioPath(site().home.propertyId));
    await page.clock.runFor(10_000);
    await page.waitForLoadState('networkidle');
    expect(calls).not.toContain('ai.rejectStagedVariant');
    await window.close();
  });

  test('a rejection is not lost when the page is left while it is on its way', async () => {
    const { propertyId, pictures } = await listingWith(1);
    const window = await openReview(propertyId);
    const { page } = window;
    await page.getByText('Picture 1 of 1 ').waitFor();
    // The first request never arrives.
    const onItsWay = Promise.withResolvers<Route>();
    await page.route('**/api/trpc/ai.rejectStagedVariant*', onItsWay.resolve, { times: 1 });
    await page.keyboard.press('r');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await onItsWay.promise;
    await page.goto('/');
    await decided(pictures, ['REJECTED']);
    await window.close();
  });

  test('both pictures lie over each other, and zoom and move in step', async () => {
    const { propertyId } = await listingWith(1);
    const window = await openReview(propertyId, '?view=beside');
    const { page } = window;
    await page.getByText('Picture 1 of 1 ').waitFor();
    const ofPictures = (what: string): Promise<string[]> =>
      page.evaluate(`[...document.querySelectorAll('.compare-image')].map((image) => ${what})`);
    const transforms = () => ofPictures('image.style.transform');
    expect(await transforms()).toEqual(['scale(1) translate(0%, 0%)', 'scale(1) translate(0%, 0%)']);
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    const box = await page.locator('.compare-box').first().boundingBox();
    if (box === null) throw new Error('there is no picture');
    await page.mouse.move(box.x + 200, box.y + 150);
    await page.mouse.down();
    await page.mouse.move(box.x + 100, box.y + 120);
    await page.mouse.up();
    const [one, other] = await transforms();
    expect(one).toBe(other);
    expect(one).toMatch(/^scale\(2\.25\) translate\(-[\d.]+%, -[\d.]+%\)$/);
    await page.keyboard.press('ArrowRight');
    const [right] = await transforms();
    expect(right).not.toBe(one);
    await page.keyboard.press('0');
    expect(await transforms()).toEqual(['scale(1) translate(0%, 0%)', 'scale(1) translate(0%, 0%)']);
    // The slider's two pictures have the same place.
    await page.getByRole('radio', { name: 'Slider' }).check();
    const places = await ofPictures('JSON.stringify(image.getBoundingClientRect())');
    expect(new Set(places).size).toBe(1);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await window.close();
  });

  describe('two agents', () => {
    test('a reason is given for the picture that was looked at, though another agent decides meanwhile', async () => {
      const { propertyId, pictures } = await listingWith(2);
      const [first = ''] = pictures;
      const window = await openReview(propertyId, `?picture=${first}`);
      const { page } = window;
      await page.getByText('Picture 1 of 2 ').waitFor();
      await page.keyboard.press('r');
      await page.getByRole('dialog').waitFor();
      await agent.mutate('ai.approveStagedVariant', { imageId: first });
      // The page hears of it while the reason is chosen.
      await page.getByText('Picture 1 of 1 ').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Someone else already reviewed a picture').waitFor();
      await decided(pictures, ['APPROVED', null]);
      await window.close();
    });

    test('of two decisions on one picture one counts, and the other agent is told', async () => {
      const { propertyId, pictures } = await listingWith(2);
      const window = await openReview(propertyId);
      const { page } = window;
      await page.getByText('Picture 1 of 2 ').waitFor();
      const [first = ''] = pictures;
      // The page does not know yet what was decided elsewhere.
      await page.route('**/api/trpc/ai.listStagedVariants*', (route) => route.abort());
      await agent.mutate('ai.rejectStagedVariant', { imageId: first });
      await approvable(window);
      await page.keyboard.press('a');
      await page.getByText('Someone else already reviewed a picture').waitFor();
      await page.unroute('**/api/trpc/ai.listStagedVariants*');
      await page.getByText('Picture 1 of 1 ').waitFor();
      await decided(pictures, ['REJECTED', null]);
      await window.close();
    });

    test('several are approved at once, in a range chosen with shift', async () => {
      const { propertyId, pictures } = await listingWith(5);
      for (const picture of pictures) await seedComparison(site().host.pool, picture);
      const window = await openReview(propertyId, '?view=several');
      const { page } = window;
      const choices = page.locator('.review-several input');
      await page.getByRole('status').getByText('5 pictures to review').waitFor();
      expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
      await choices.nth(1).check();
      await choices.nth(3).click({ modifiers: ['Shift'] });
      const approve = page.getByRole('button', { name: 'Approve 3 pictures' });
      await approve.click();
      await page.getByText('3 pictures approved.').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      expect(await page.locator('.review-several li').count()).toBe(5);
      await approve.click();
      await decided(pictures, [null, 'APPROVED', 'APPROVED', 'APPROVED', null]);
      expect(await page.locator('.review-several li').count()).toBe(2);
      await window.close();
    });
  });
});

interface Approvals {
  /** Approved pictures that had been on the screen with their photos. */
  shown: number;
  unseen: number;
}

/** Runs in the page: presses keys, each a task of its own as a keyboard's are. */
const pressKeys = `async (keys) => {
  for (const key of keys) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(null);
    });
  }
}`;

/** Runs in the page: looks at each frame which pictures are in sight and whole, and counts what is approved of them. */
const watchApprovals = `
  window.approvals = { shown: 0, unseen: 0 };
  const whole = new Set();
  const look = () => {
    const covers = [...document.querySelectorAll('.compare-cover')].filter((cover) => cover.offsetParent !== null);
    const images = [...document.querySelectorAll('.compare-image')].filter(
      (image) => image.closest('[hidden]:not(.compare-over)') === null,
    );
    if (covers.length === 0 && images.length > 1 && images.every((one) => one.complete && one.naturalWidth > 0))
      for (const image of images) whole.add(image.src.split('/api/images/')[1].split('?')[0]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  // The page keeps what was decided before it sends it.
  const keep = Storage.prototype.setItem;
  let known = [];
  Storage.prototype.setItem = function (key, value) {
    if (key === 'studio-decisions') {
      const ids = JSON.parse(value).flatMap(({ imageIds }) => imageIds);
      for (const id of ids.filter((one) => !known.includes(one)))
        window.approvals[whole.has(id) ? 'shown' : 'unseen'] += 1;
      known = ids;
    }
    keep.call(this, key, value);
  };
  const forget = Storage.prototype.removeItem;
  Storage.prototype.removeItem = function (key) {
    if (key === 'studio-decisions') known = [];
    forget.call(this, key);
  };
`;
