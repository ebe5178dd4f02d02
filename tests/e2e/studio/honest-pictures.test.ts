import { beforeAll, expect, test } from 'vitest';
import { drawSampleRoom } from '../../../ops/simulator/pictures/room-drawings.ts';
import { seedComparison, seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { storedOriginal, storedVariant } from '../../support/pictures/stored-pictures.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** What an agent sees of the comparison with the photo, and how a picture is taken back from the public. */
describeSite('honest pictures in the studio', (site) => {
  let photo: Buffer;
  let agent: Person;
  beforeAll(async () => {
    photo = await drawSampleRoom('BEDROOM', { width: 800, height: 600, seed: 5 });
    agent = await site().signedIn({ name: 'Hana Honest' });
  });

  async function listingWith(...reviewStatuses: readonly ('PENDING_REVIEW' | 'APPROVED')[]) {
    const { host } = site();
    const propertyId = await seedProperty(host.pool, { ownerAgentId: agent.id, standardStatus: 'Active' });
    const pictures: string[] = [];
    for (const reviewStatus of reviewStatuses) {
      const original = await storedOriginal(host, { propertyId, bytes: photo, format: 'jpeg' });
      pictures.push(await storedVariant(host, original, { reviewStatus, bytes: photo, format: 'jpeg' }));
    }
    return { propertyId, pictures };
  }
  const statusOf = async (imageId: string | undefined) => {
    const [row] = await site().host.rows<{ reviewStatus: string; withdrawnBy: string | null }>(
      'select "reviewStatus", "withdrawnBy" from property_images where id = $1',
      [imageId],
    );
    return row;
  };
  test('a picture whose room moved is approved by itself, not with others', async () => {
    const { propertyId, pictures } = await listingWith('PENDING_REVIEW', 'PENDING_REVIEW');
    const [moved, still] = pictures;
    await seedComparison(site().host.pool, moved, ['GEOMETRY_MOVED']);
    const window = await site().open({ as: agent });
    const { page } = window;
    await window.go(`${studioPath(propertyId, 'review')}?view=several`);
    await page.getByText('Not compared with the photo yet').waitFor();
    const choices = (how: string) => page.locator(`.review-several input:${how}`).count();
    expect([await choices('enabled'), await choices('disabled')]).toEqual([0, 2]);
    // Two pairs are not spread over the window.
    expect((await page.locator('.review-several').boundingBox())?.y).toBeLessThan(300);
    await seedComparison(site().host.pool, still);
    await window.go(`${studioPath(propertyId, 'review')}?view=several`);
    await page.getByText('The room’s shape may have changed').waitFor();
    await eventually(async () => (await choices('enabled')) === 1, { what: 'the pair without a finding' });
    expect(await choices('disabled')).toBe(1);
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('button', { name: 'Approve 1 picture' }).click();
    await eventually(async () => (await statusOf(still))?.reviewStatus === 'APPROVED', {
      what: 'the approval of the other picture',
    });
    expect(await statusOf(moved)).toMatchObject({ reviewStatus: 'PENDING_REVIEW' });
    await page.getByRole('link', { name: 'Approve it by itself' }).click();
    await page.getByText('The comparison with the photo found:').waitFor();
    await page.locator('.review-actions .button-primary[aria-disabled=false]').waitFor();
    await page.keyboard.press('a');
    await eventually(async () => (await statusOf(moved))?.reviewStatus === 'APPROVED', {
      what: 'the approval',
    });
    await window.close();
  });

  test('a photo is labeled as altered by keyboard, with its original, and that is taken back', async () => {
    const { propertyId, pictures } = await listingWith('APPROVED', 'APPROVED');
    const altered = pictures[1];
    const wordOf = async () => {
      const [row] = await site().host.rows<{ alteration: string | null; isBesideOriginal: boolean }>(
        `select o.alteration, o."alteredFromId" is not null as "isBesideOriginal" from property_images o
         join property_images v on v."styledFromId" = o.id where v.id = $1`,
        [altered],
      );
      return row;
    };
    const window = await site().open({ as: agent });
    const { page } = window;
    await window.go(studioPath(propertyId));
    const open = async () => {
      await page.getByRole('button', { name: 'Altered photo' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
    };
    await page.getByRole('checkbox', { name: /^2\./ }).check();
    await open();
    await page.getByLabel('What was altered').focus();
    await page.keyboard.type('Day');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Altered', { exact: true }).waitFor();
    expect(await wordOf()).toEqual({ alteration: 'Twilight Conversion', isBesideOriginal: true });
    expect(await statusOf(altered)).toEqual({ reviewStatus: 'APPROVED', withdrawnBy: 'AGENT' });
    await page.getByText('Withdrawn', { exact: true }).waitFor();
    await open();
    await page.getByRole('button', { name: 'It was not altered' }).press('Enter');
    await page.getByText('Altered', { exact: true }).waitFor({ state: 'detached' });
    expect(await wordOf()).toEqual({ alteration: null, isBesideOriginal: false });
    await window.close();
  });

  test('an approved picture is withdrawn and shown again', async () => {
    const { propertyId, pictures } = await listingWith('APPROVED');
    const [picture] = pictures;
    const isShown = async () =>
      (await fetch(`${site().url}/properties/${propertyId}`))
        .text()
        .then((page) => page.includes(String(picture)));
    expect(await isShown()).toBe(true);
    const window = await site().open({ as: agent });
    const { page } = window;
    await window.go(studioPath(propertyId));
    expect(await page.getByRole('link', { name: 'Provenance' }).getAttribute('href')).toContain(
      `/provenance/${picture}`,
    );
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('Withdrawn', { exact: true }).waitFor();
    expect(await statusOf(picture)).toEqual({ reviewStatus: 'APPROVED', withdrawnBy: 'AGENT' });
    await eventually(async () => !(await isShown()), { what: 'a page without the picture', intervalMs: 500 });
    await page.getByRole('button', { name: 'Publish again' }).click();
    await page.getByText('Approved', { exact: true }).waitFor();
    expect(await statusOf(picture)).toEqual({ reviewStatus: 'APPROVED', withdrawnBy: null });
    await window.close();
  });
});
