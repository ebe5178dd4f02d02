import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { sharp } from '../../../src/images/decoding/sharp-settings.ts';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { expectFewScripts } from './page-scripts.ts';
import { axeFindings, overflow } from './site-window.ts';
import { describeSite } from './site-world.ts';

/** The page of a home with 50 photos and 17 staged rooms, as buyers with much to look at know it. */

const PHOTOS = 50;
const STAGED = 17;
/** Landscape, portrait, square, a panorama of 4 to 1, a picture of 360 degrees. */
const SHAPES = [
  [1200, 900],
  [600, 1200],
  [800, 800],
  [1600, 400],
  [1600, 800],
] as const;
const ROOMS = ['LIVING_ROOM', 'KITCHEN', 'BEDROOM', 'BATHROOM', null];
/** By photo, of those without a room. */
const SUBJECTS: Readonly<Record<number, string>> = { 4: 'Front of Structure', 24: 'Floor Plan', 29: 'Patio' };
const LINES = Array.from({ length: 24 }, (_, index) => `Line ${index + 1} of what the agent says.`);

describeSite('the page of a large home', (site) => {
  let propertyId = '';
  let bare = '';
  const path = (query = '') => `/properties/${propertyId}${query}`;
  const photosPath = () => `/properties/${propertyId}/photos`;

  beforeAll(async () => {
    const { host, agent } = site();
    const home = {
      ownerAgentId: agent.id,
      city: 'Seattle',
      stateOrProvince: 'WA',
      country: 'US',
      currency: 'USD',
      listPrice: '600000',
      propertyType: 'Residential',
      listedAt: new Date(),
    };
    bare = await seedProperty(host.pool, { ...home, address: '9 Bare Lane' });
    propertyId = await seedProperty(host.pool, {
      ...home,
      address: '50 Photo Road',
      latitude: 47.668,
      longitude: -122.384,
      unitNumber: '4B',
      bedroomsTotal: 4,
      bathroomsTotal: 3,
      livingArea: 1200,
      lotSizeArea: 5000,
      yearBuilt: 1990,
      stories: 2,
      roomsTotal: 9,
      garageSpaces: 2,
      parkingTotal: 3,
      associationFee: '300',
      associationFeeFrequency: 'Quarterly',
      taxAnnualAmount: '6000',
      countyOrParish: 'King',
      subdivisionName: 'Ballard',
      features: ['FIREPLACE', 'HARDWOOD_FLOORS', 'WATER_VIEW', 'GARAGE', 'GARDEN'],
      publicRemarks: LINES.join('\n'),
    });
    await host.rows('update properties set "listPrice" = 580000 where id = $1', [propertyId]);
    const bytes = await Promise.all(
      SHAPES.map(([width, height]) =>
        sharp({ create: { width, height, channels: 3, background: 'teal' } })
          .jpeg()
          .toBuffer(),
      ),
    );
    for (let index = 0; index < PHOTOS; index += 1) {
      // Each room has every shape.
      const shape = Math.floor(index / ROOMS.length) % SHAPES.length;
      const picture = { bytes: bytes[shape] as Buffer, format: 'jpeg' } as const;
      const photo = await storedOriginal(host, { ...picture, propertyId });
      const room = ROOMS[index % ROOMS.length];
      await host.rows('update property_images set "roomType" = $2 where id = $1', [photo.imageId, room]);
      if (SUBJECTS[index] !== undefined)
        await host.rows('update property_images set "imageOf" = $2 where id = $1', [
          photo.imageId,
          SUBJECTS[index],
        ]);
      if (index < STAGED) await storedVariant(host, photo, { ...picture, reviewStatus: 'APPROVED' });
    }
  });

  const heightOf = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollHeight');

  test.each([
    [1280, 3800],
    [390, 7500],
  ] as const)('at %i is at most %i pixels high, and saving is near', async (width, most) => {
    const window = await site().open({ width });
    const { page } = window;
    await window.go(path());
    expect(await heightOf(page)).toBeLessThanOrEqual(most);
    for (let stop = 1; stop <= 25; stop += 1) {
      await page.keyboard.press('Tab');
      const name = await page.evaluate('document.activeElement.getAttribute("aria-label") ?? ""');
      if (String(name).startsWith('Save ')) break;
      expect(stop).toBeLessThan(25);
    }
    expect(await overflow(page)).toBe(0);
    await window.close();
  });

  test.each([390, 1280] as const)(
    'at %i the large view shows pictures of every shape whole, and the next ones are loaded ahead',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await window.go(photosPath());
      const shown = await page
        .locator('.photos-item')
        .evaluateAll((items) => items.map((item) => item.getAttribute('id')?.replace('picture-', '') ?? ''));
      expect(shown).toHaveLength(PHOTOS + STAGED);
      const sizes = await site().host.rows<{ id: string; width: number; height: number }>(
        'select id, "outputWidth" as width, "outputHeight" as height from property_images where "propertyId" = $1',
        [propertyId],
      );
      await page.locator('.photos-link').first().click();
      const view = page.locator('.lightbox-view');
      for (const [index, id] of shown.slice(0, 12).entries()) {
        const picture = page.locator(`.lightbox-picture img[src*="${id}"]`);
        await picture.waitFor();
        await eventually(() => picture.evaluate((image) => Reflect.get(image, 'complete')), {
          what: 'the picture',
        });
        const [inner, outer] = [await picture.boundingBox(), await view.boundingBox()];
        if (inner === null || outer === null) throw new Error('nothing is shown');
        const size = sizes.find((one) => one.id === id);
        expect(inner.width / inner.height).toBeCloseTo((size?.width ?? 0) / (size?.height ?? 1), 1);
        expect(inner.x).toBeGreaterThanOrEqual(outer.x - 1);
        expect(inner.y).toBeGreaterThanOrEqual(outer.y - 1);
        expect(inner.x + inner.width).toBeLessThanOrEqual(outer.x + outer.width + 1);
        expect(inner.y + inner.height).toBeLessThanOrEqual(outer.y + outer.height + 1);
        // As large as the view allows.
        expect(Math.max(inner.width / outer.width, inner.height / outer.height)).toBeCloseTo(1, 1);
        expect(asked.some((url) => url.includes(`${shown[index + 1]}?w=2048`))).toBe(true);
        await page.keyboard.press('ArrowRight');
      }
      await window.close();
    },
  );

  test.each([390, 1280] as const)(
    'at %i the way back closes the large view, as Escape does, and the focus returns',
    async (width) => {
      const window = await site().open({ width });
      const { page } = window;
      await window.go(path());
      const opener = page.locator('.gallery-link').nth(1);
      const dialog = page.getByRole('dialog');
      for (const close of [() => page.goBack(), () => page.keyboard.press('Escape')]) {
        await opener.click();
        await dialog.waitFor();
        await close();
        await dialog.waitFor({ state: 'detached' });
        expect(new URL(page.url()).pathname).toBe(path());
        await eventually(() => opener.evaluate((one) => one.matches(':focus')), {
          what: 'the focus',
        });
      }
      await window.close();
    },
  );

  test('all photos have a page by room, and the way back leads to where one was', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    await window.go(path());
    await page.locator('.gallery-all').scrollIntoViewIfNeeded();
    await page.evaluate('scrollTo(0, 120)');
    await page.getByRole('link', { name: 'See all 67 photos' }).click();
    await page.waitForURL(`**${photosPath()}`);
    await page.getByRole('heading', { name: 'Living room' }).waitFor();
    expect(await page.title()).toContain('67 photos of 50 Photo Road #4B');
    expect(await page.locator('h2').allInnerTexts()).toEqual([
      'Front of the home',
      'Living room',
      'Kitchen',
      'Bedroom',
      'Bathroom',
      'Patio',
      'Other photos',
      'Floor plan',
    ]);
    // What was staged of a photo is with it.
    const first = page.locator('section', { has: page.getByRole('heading', { name: 'Front of the home' }) });
    expect(await first.locator('.photos-link').count()).toBe(2);
    expect(await page.locator('.photos-item .picture-label').count()).toBe(STAGED);
    await page.goBack();
    await eventually(async () => (await page.evaluate('scrollY')) === 120, { what: 'the place in the page' });
    await window.close();
  });

  test('without JavaScript pictures, rooms, payment and texts are there', async () => {
    const window = await site().open({ width: 1280, javaScript: false });
    const { page } = window;
    await window.go(path());
    const text = await page.locator('main').innerText();
    // (600,000 to 580,000) at 20 % down, 6.5 % over 30 years; a twelfth of 6,000 and of 2,320; 300 a quarter.
    for (const part of [
      'New today',
      '$580,000',
      'Est. $3,726 a month',
      '$483 / sq ft',
      '50 Photo Road #4B, Seattle, WA',
      'About $3,726 a month',
      'For $580,000 with 20% down, at 6.5% a year over 30 years.',
      '17 rooms',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('Change the assumptions');
    const [original, staged] = [
      await page.locator('.before-after-picture').first().boundingBox(),
      await page.locator('.before-after-staged').boundingBox(),
    ];
    // Next to each other, not over each other.
    expect(staged?.x).toBeGreaterThan((original?.x ?? 0) + (original?.width ?? 0) - 1);
    await page.locator('.menu > summary').click();
    await page.getByRole('link', { name: 'Only real photos' }).click();
    expect(new URL(page.url()).search).toBe('?pictures=realOnly');
    await page.getByRole('link', { name: 'See all 50 photos' }).click();
    expect(await page.locator('.photos-item').count()).toBe(PHOTOS);
    expect(await page.locator('.photos-link').first().getAttribute('href')).toMatch(/\?w=2048$/);
    await window.close();
  });

  test('one comparison shows each staged room; its seam is dragged on the picture and moved by keys', async () => {
    const window = await site().open({ width: 390 });
    const { page } = window;
    await window.go(path());
    const frame = page.locator('.before-after-pictures');
    const slider = page.getByRole('slider');
    expect(await page.locator('.before-after').count()).toBe(1);
    expect(await page.locator('.staged-thumb').count()).toBe(STAGED);
    await frame.scrollIntoViewIfNeeded();
    const box = await frame.boundingBox();
    if (box === null) throw new Error('the comparison has no place');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height / 2);
    expect(await frame.locator('.picture-label').allInnerTexts()).toEqual([
      'Original photo',
      'AI · Virtually staged',
    ]);
    await page.mouse.up();
    expect(await slider.inputValue()).toBe('80');
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.inputValue()).toBe('81');
    const before = await frame.locator('img').last().getAttribute('src');
    await page.locator('.staged-thumb').nth(3).click();
    await eventually(async () => (await frame.locator('img').last().getAttribute('src')) !== before, {
      what: 'another room',
    });
    expect(await page.locator('.before-after').getByRole('link').innerText()).toBe(
      'How this picture was made',
    );
    await window.close();
  });

  describe('the monthly payment', () => {
    test.each(['kept', 'blocked', 'full'] as const)(
      'is computed from what the person sets; storage %s',
      async (storage) => {
        const window = await site().open();
        const { page } = window;
        if (storage !== 'kept')
          await page.addInitScript(
            `Storage.prototype.${storage === 'full' ? 'setItem' : 'getItem'} = () => { throw new DOMException('no', 'QuotaExceededError') }`,
          );
        await window.go(path());
        const total = page.locator('.payment-total');
        expect(await total.innerText()).toBe('About $3,726 a month');
        await page.getByRole('button', { name: 'Change the assumptions' }).click();
        const field = (name: string) => page.getByRole('textbox', { name });
        expect(await field('Price').inputValue()).toBe('580,000');
        await field('Down payment').fill('50');
        await field('Interest rate').fill('0');
        await field('Term').fill('20');
        // 290,000 in 240 months, and 500, 193 and 100.
        expect(await total.innerText()).toBe('About $2,002 a month');
        expect(await page.locator('.listing-payment').innerText()).toBe('Est. $2,002 a month');
        await field('Term').fill('many');
        await page.getByText('Enter a number from 1 to 50.').waitFor();
        expect(await field('Term').getAttribute('aria-invalid')).toBe('true');
        expect(await total.innerText()).toBe('About $2,002 a month');
        expect(await axeFindings(page)).toEqual([]);
        await page.reload();
        await page.locator('html[data-ready]').waitFor({ state: 'attached' });
        await eventually(
          async () =>
            (await total.innerText()) === `About ${storage === 'kept' ? '$2,002' : '$3,726'} a month`,
          { what: 'what the browser has kept' },
        );
        await window.close();
      },
    );

    test('opens after its script has come, when it was pressed before', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      const held = Promise.withResolvers<void>();
      await page.route('**/payment-section-*.js', async (route) => {
        await held.promise;
        await route.continue();
      });
      await window.go(path());
      await page.getByRole('button', { name: 'Change the assumptions' }).click();
      held.resolve();
      await page.getByRole('textbox', { name: 'Down payment' }).waitFor();
      await window.close();
    });

    test('reads and writes numbers as Spanish does, and another home has its own price', async () => {
      const window = await site().open({ width: 390 });
      const { page } = window;
      await window.go(`/es${path()}`);
      await page.getByRole('button', { name: 'Cambiar los supuestos' }).click();
      await page.getByRole('textbox', { name: 'Tasa de interés' }).fill('0');
      await page.getByRole('textbox', { name: 'Precio' }).fill('240,000');
      await page.getByText('Alrededor de $1,327 al mes').waitFor();
      await window.go(`/es/properties/${bare}`);
      await page.getByText('Alrededor de $2,033 al mes').waitFor();
      await window.close();
    });
  });

  test('is printed as two pages with a code, pictures and their labels, in light colors', async () => {
    const window = await site().open({ theme: 'dark' });
    const { page } = window;
    await page.addInitScript('window.print = () => { window.printed = true }');
    await window.go(path());
    await page.getByRole('button', { name: 'Print' }).click();
    await eventually(() => page.evaluate('window.printed === true'), { what: 'the flyer' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.locator('.listing-code').evaluate((one) => Reflect.get(one, 'naturalWidth') > 0)).toBe(
      true,
    );
    const isPrinted = (selector: string) => page.locator(selector).first().isVisible();
    for (const part of ['.gallery-item', '.listing-code', '.agent-card', '.fold .listing-facts'])
      expect([part, await isPrinted(part)]).toEqual([part, true]);
    for (const part of ['.before-after', '.payment', '.price-chart', '.listing-similar', '.shell-tabs'])
      expect([part, await isPrinted(part)]).toEqual([part, false]);
    const items = page.locator('.gallery-item:visible');
    expect(await items.count()).toBe(5);
    const labels = await items.locator('.picture-label').allInnerTexts();
    expect(labels[0]).toMatch(/^AI · Virtually staged/);
    const pdf = (await page.pdf({ format: 'Letter' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(2);
    expect(await page.evaluate(`getComputedStyle(document.querySelector('h1')).color`)).toBe(
      'rgb(27, 28, 32)',
    );
    await window.close();
  });

  test('the picture that is preloaded is the one that is shown first; scripts stay few', async () => {
    for (const width of [390, 1280] as const) {
      const window = await site().open({ width });
      const { page } = window;
      await expectFewScripts(window, path());
      const first = page.locator('.gallery img').first();
      const shown = [await first.getAttribute('srcset'), await first.getAttribute('sizes')];
      const named = await page
        .locator('link[rel=preload][as=image]')
        .evaluateAll((links) =>
          links.map((link) => [link.getAttribute('imagesrcset'), link.getAttribute('imagesizes')]),
        );
      expect(named).toContainEqual(shown);
      expect(named.filter((one) => JSON.stringify(one) !== JSON.stringify(shown))).toEqual([]);
      await window.close();
    }
  });

  test('a home without photos has a drawn house, and no figures that rest on nothing', async () => {
    const window = await site().open();
    await window.go(`/properties/${bare}`);
    expect(await window.page.locator('.facade').first().isVisible()).toBe(true);
    expect(await window.page.locator('.gallery').count()).toBe(0);
    expect(await axeFindings(window.page)).toEqual([]);
    await window.close();
  });

  test.each(
    ([390, 1280] as const).flatMap((width) =>
      (['light', 'dark'] as const).map((theme) => ({ width, theme })),
    ),
  )('looks right at $width $theme, in both languages, open and closed', async ({ width, theme }) => {
    const window = await site().open({ width, theme });
    const { page } = window;
    for (const prefix of ['', '/es'])
      for (const one of [path(), photosPath()]) {
        await window.go(prefix + one);
        await page.evaluate(`for (const one of document.querySelectorAll('main details')) one.open = true`);
        expect([one, await axeFindings(page)]).toEqual([one, []]);
        expect([one, await overflow(page)]).toEqual([one, 0]);
      }
    await page.locator('.photos-link').first().click();
    await page.getByRole('dialog').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await window.go(path());
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect([await overflow(page), await axeFindings(page)]).toEqual([0, []]);
    await window.close();
  });
});
