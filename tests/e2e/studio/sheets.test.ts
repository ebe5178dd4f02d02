import { beforeAll, expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { seedProperty } from '../../support/database/seed.ts';
import type { Person } from '../../support/http/person.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { axeFindings, overflow, type SiteWindow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** What opens over or within the pages of the studio: axe finds nothing and nothing is wider than the window. */
describeSite('the open sheets of the studio', (site) => {
  let agent: Person;
  let propertyId: string;
  beforeAll(async () => {
    const { host, signedIn } = site();
    agent = await signedIn({ name: 'Ada Lovelace' });
    propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, address: '12 Lakeview Avenue' });
    const bytes = await drawSampleRoom('BEDROOM', { width: 800, height: 600, seed: 4 });
    for (let photo = 0; photo < 2; photo += 1) {
      const original = await storedOriginal(host, { propertyId, bytes, format: 'jpeg' });
      await host.rows(`update property_images set "roomType" = 'BEDROOM' where id = $1`, [original.imageId]);
      await storedVariant(host, original, { reviewStatus: 'PENDING_REVIEW', bytes, format: 'jpeg' });
    }
  });

  type Opening = (window: SiteWindow) => Promise<void>;
  const fromReview =
    (key: string): Opening =>
    async ({ page, go }) => {
      await go(studioPath(propertyId, 'review'));
      await page.getByText('Picture 1 of 2 ').waitFor();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
    };
  const fromPublish =
    (button: string): Opening =>
    async ({ page, go }) => {
      await go(studioPath(propertyId, 'publish'));
      await page.getByText('Change the status').click();
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.getByRole('dialog').waitFor();
    };
  const altered: Opening = async ({ page, go }) => {
    await go(studioPath(propertyId));
    await page.getByRole('checkbox', { name: '2. Bedroom' }).check();
    await page.getByRole('button', { name: 'Altered photo' }).click();
    await page.getByRole('dialog').waitFor();
  };
  const SHEETS: Readonly<Record<string, Opening>> = {
    'the reason of a rejection': fromReview('r'),
    'the keys of the review': fromReview('?'),
    'the question before a listing leaves the market': fromPublish('Take off the market'),
    'the sale': fromPublish('Record the sale'),
    'how a photo was altered': altered,
    'a photo as large as the window': async ({ page, go }) => {
      await go(studioPath(propertyId));
      await page.locator('.photo-tile-staged').first().click();
      await page.getByRole('dialog').waitFor();
    },
    'the furniture of a room': async ({ page, go }) => {
      await go(studioPath(propertyId));
      await page.getByRole('button', { name: 'Select all' }).click();
      await page.getByRole('radio', { name: 'Farmhouse' }).check();
      await page.getByRole('checkbox', { name: /^These photos show one room/ }).check();
      await page.getByText('Furniture for the room').click();
      await page.getByRole('checkbox', { name: 'Curtains' }).waitFor();
    },
  };
  const LOOKS = ([390, 1280] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((theme) => ({ width, theme })),
  );

  test.each(Object.keys(SHEETS))('%s', async (name) => {
    for (const look of LOOKS) {
      const window = await site().open({ ...look, as: agent });
      await SHEETS[name]?.(window);
      expect([look, await axeFindings(window.page)]).toEqual([look, []]);
      expect([look, await overflow(window.page)]).toEqual([look, 0]);
      await window.close();
    }
  });
});
