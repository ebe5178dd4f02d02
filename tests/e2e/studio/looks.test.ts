import { beforeAll, expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { stagePhoto } from '../../../ops/simulator/pictures/staging.ts';
import { seedProperty } from '../../support/database/seed.ts';
import type { Person } from '../../support/http/person.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { offerOf } from '../../support/worlds/listing-offers.ts';
import { expectFewScripts } from '../site/page-scripts.ts';
import { axeFindings, keepScreen, LOOKS, overflow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';

/**
 * The looks of the studio: axe finds nothing and nothing is wider than the window, on phones and desktops, light and
 * dark, English and Spanish. KEEP_SCREENS=yes takes the pictures of docs/pictures/studio.
 */
const PHOTO = { width: 1200, height: 800 };
const ROOMS = ['LIVING_ROOM', 'BEDROOM', 'KITCHEN', 'BATHROOM', 'OFFICE'] as const;

const PAGES = [
  '',
  'new',
  'tours',
  'photos',
  'details',
  'review',
  'several',
  'publish',
  'preview',
  'figures',
] as const;
type StudioPage = (typeof PAGES)[number];

/** The looks that the documentation shows. */
const PICTURED: readonly string[] = [
  'photos 1280 light en',
  'review 1280 light en',
  'several 1280 dark en',
  'publish 390 light es',
  'photos 390 dark en',
  'review 390 light en',
  'tours 1280 light en',
  ' 1280 light en',
];

describeSite('the looks of the studio', (site) => {
  let agent: Person;
  let propertyId: string;
  let published: string;
  beforeAll(async () => {
    const { host, signedIn } = site();
    agent = await signedIn({ name: 'Ada Lovelace' });
    propertyId = await seedProperty(host.pool, {
      ownerAgentId: agent.id,
      address: '12 Lakeview Avenue',
      city: 'Seattle',
      standardStatus: 'Incomplete',
      latitude: null,
      longitude: null,
      propertyTimeZoneName: 'America/Los_Angeles',
    });
    for (const [index, roomType] of ROOMS.entries()) {
      const bytes = await drawSampleRoom(roomType, { ...PHOTO, seed: index + 1 });
      const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      await host.rows(
        'update property_images set position = $2, "roomType" = $3, "isMain" = $4 where id = $1',
        [original.imageId, index, roomType, index === 0],
      );
      if (index > 2) continue;
      const staged = await stagePhoto({ ...PHOTO, photo: bytes, prompt: `a ${roomType}` });
      await storedVariant(host, original, {
        reviewStatus: index === 2 ? 'APPROVED' : 'PENDING_REVIEW',
        bytes: await staged.jpeg().toBuffer(),
        format: 'jpeg',
      });
      await agent.mutate('ai.submitRoomStaging', {
        assignments: [{ originalImageId: original.imageId, roomType, style: 'LUXURY' }],
      });
    }
    published = await seedProperty(host.pool, { ownerAgentId: agent.id, address: '14 Lakeview Avenue' });
    await host.rows(
      `insert into listing_views ("propertyId", day, views)
       select $1, now()::date - n, 5 + n * 7 % 13 from generate_series(0, 29) n`,
      [published],
    );
    const colleague = await signedIn({ name: 'Grace Hopper', officeName: 'Harbor Homes' });
    await offerOf(agent, { kind: 'Ownership', propertyId, to: colleague });
    for (const kind of ['Ownership', 'Assignment'] as const) {
      const offered = { ownerAgentId: colleague.id, address: '8 Harbor Street', city: 'Tacoma' };
      await offerOf(colleague, { kind, propertyId: await seedProperty(host.pool, offered), to: agent });
    }
    const customer = await signedIn({ role: 'customer', name: 'Carl Customer' });
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
    await customer.mutate('tours.request', {
      propertyId: published,
      slots: [{ startsAt: `${day}T18:00:00.000Z`, endsAt: `${day}T19:00:00.000Z` }],
    });
  });

  const pathOf = (page: StudioPage, locale: 'en' | 'es'): string => {
    const paths: Partial<Record<StudioPage, string>> = {
      '': '',
      photos: `/${propertyId}`,
      details: `/${propertyId}/details`,
      review: `/${propertyId}/review`,
      several: `/${propertyId}/review?view=several`,
      publish: `/${propertyId}/publish`,
      preview: `/${propertyId}/preview`,
      figures: `/${published}/figures`,
    };
    return `${locale === 'es' ? '/es' : ''}/studio${paths[page] ?? `/${page}`}`;
  };

  test.each(LOOKS)('$name', async ({ width, theme, locale, name }) => {
    const window = await site().open({ width, theme, as: agent });
    for (const page of PAGES) {
      expect([page, await window.go(pathOf(page, locale))]).toEqual([page, 200]);
      await window.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await window.page.waitForLoadState('networkidle');
      expect([page, await window.page.locator('html').getAttribute('lang')]).toEqual([page, locale]);
      expect([page, await axeFindings(window.page)]).toEqual([page, []]);
      expect([page, await overflow(window.page)]).toEqual([page, 0]);
      expect([page, await window.page.locator('h1').count()]).toEqual([page, 1]);
      // A key without words would be shown as it is.
      const text = await window.page.locator('body').innerText();
      expect([page, text.match(/\b(?:studio|job|review|staging|furniture|listing)\.\w+/g)]).toEqual([
        page,
        null,
      ]);
      const look = `${page} ${name}`;
      if (PICTURED.includes(look))
        await keepScreen(
          window.page,
          `studio/${look.trim().replace(/ /g, '-').replace(/^1280/, 'listings-1280')}`,
        );
    }
    await window.close();
  });

  test.each(['', 'photos', 'details', 'review'] as const)(
    '%s works with text of twice the size',
    async (page) => {
      const window = await site().open({ width: 390, as: agent });
      await window.go(pathOf(page, 'en'));
      await window.page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await window.page.evaluate(`document.documentElement.style.fontSize = '200%'`);
      expect(await overflow(window.page)).toBe(0);
      await window.close();
    },
  );

  test('no page loads more than 150 kB of scripts before it is used', async () => {
    for (const path of PAGES) {
      const window = await site().open({ width: 390, as: agent });
      await expectFewScripts(window, pathOf(path, 'en'));
      await window.close();
    }
  });

  test('others than agents are told what the studio is', async () => {
    const nobody = await site().open();
    await nobody.go('/studio');
    await nobody.page.getByRole('link', { name: 'Sign in' }).click();
    expect(nobody.page.url()).toContain('return=%2Fstudio');
    await nobody.close();
    const window = await site().open({ as: await site().signedIn({ role: 'customer' }) });
    await window.go('/studio');
    await window.page.getByRole('link', { name: 'Become an agent' }).waitFor();
    expect(await axeFindings(window.page)).toEqual([]);
    await window.close();
  });
});
