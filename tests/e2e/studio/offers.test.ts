import { expect, test } from 'vitest';
import { seedOriginal, seedProperty } from '../../support/database/seed.ts';
import type { Person } from '../../support/http/person.ts';
import { handOver, offerOf } from '../../support/worlds/listing-offers.ts';
import { axeFindings } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

/** Offers of listings in the studio: made, taken back, accepted, declined; and leaving a listing. */
describeSite('offers of listings in the studio', (site) => {
  const people = async () => {
    const [owner, colleague] = [
      await site().signedIn({ name: 'Ada Lovelace' }),
      await site().signedIn({ name: 'Grace Hopper', officeName: 'Harbor Homes' }),
    ];
    const listing = { ownerAgentId: owner.id, address: '3 Pine Street', city: 'Seattle' };
    const propertyId = await seedProperty(site().host.pool, listing);
    await seedOriginal(site().host.pool, { propertyId });
    return { owner, colleague, propertyId };
  };
  const addressOf = async ({ id }: Person): Promise<string> => {
    const [user] = await site().host.rows<{ email: string }>('select email from "user" where id = $1', [id]);
    return user?.email ?? '';
  };
  const ownerOf = async (propertyId: string): Promise<string | undefined> => {
    const [row] = await site().host.rows<{ owner: string }>(
      'select "ownerAgentId" as owner from properties where id = $1',
      [propertyId],
    );
    return row?.owner;
  };

  test('the ownership passes from one agent to another, who keeps the former owner', async () => {
    const { owner, colleague, propertyId } = await people();
    const [first, second] = [
      await site().open({ as: owner }),
      await site().open({ as: colleague, width: 390 }),
    ];
    await first.go(studioPath(propertyId, 'publish'));
    await first.page.getByLabel('Another agent’s email address').fill(await addressOf(colleague));
    await first.page.getByRole('button', { name: 'Offer ownership' }).click();
    const sheet = first.page.getByRole('dialog', { name: 'Offer this listing to Grace Hopper?' });
    await sheet.getByRole('button', { name: 'Offer ownership' }).click();
    await first.page.getByText(/^Ownership offered, open until/).waitFor();
    expect(await ownerOf(propertyId)).toBe(owner.id);

    await second.go('/studio');
    await second.page.getByRole('heading', { name: '1 offer to answer' }).waitFor();
    await second.page.getByRole('heading', { name: 'Ada Lovelace offers you this listing' }).waitFor();
    await second.page.getByText('It has 1 photo and 0 open tours.').waitFor();
    // By keyboard only.
    await second.page.getByRole('button', { name: 'Accept' }).focus();
    await second.page.keyboard.press('Enter');
    const asked = second.page.getByRole('dialog', { name: 'Become the owner of this listing?' });
    await asked.waitFor();
    expect(await axeFindings(second.page)).toEqual([]);
    await asked
      .getByRole('checkbox', { name: 'Keep Ada Lovelace as an agent of this listing' })
      .press('Space');
    await asked.getByRole('button', { name: 'Accept' }).press('Enter');
    await second.page.getByText('You accepted. The listing is among yours now.').waitFor();
    await second.page.getByRole('link', { name: /^3 Pine Street/ }).waitFor();
    expect(await ownerOf(propertyId)).toBe(colleague.id);

    await first.page.reload();
    await first.page.getByRole('button', { name: 'Leave listing' }).click();
    const leaving = first.page.getByRole('dialog', { name: 'Leave this listing?' });
    await leaving.getByRole('button', { name: 'Leave listing' }).click();
    await first.page.waitForURL(/\/studio$/);
    expect((await owner.query('properties.getMine', { propertyId })).status).toBe(404);
    await first.page.getByRole('link', { name: /^3 Pine Street/ }).waitFor({ state: 'detached' });
    await Promise.all([first.close(), second.close()]);
  });

  test('an offer is declined, another one taken back; one that has ended meanwhile goes with a word', async () => {
    const { owner, colleague, propertyId } = await people();
    await offerOf(owner, { kind: 'Assignment', propertyId, to: colleague });
    const [first, second] = [await site().open({ as: owner }), await site().open({ as: colleague })];
    await second.go('/studio');
    await second.page
      .getByRole('heading', { name: 'Ada Lovelace asks you to work on this listing' })
      .waitFor();
    await second.page.getByRole('button', { name: 'Decline' }).click();
    await second.page.getByText('You declined the offer.').waitFor();
    await second.page.getByText('to answer').waitFor({ state: 'detached' });

    await offerOf(owner, { kind: 'Ownership', propertyId, to: colleague });
    await second.page.reload();
    await second.page.getByRole('heading', { name: 'Ada Lovelace offers you this listing' }).waitFor();
    await first.go(studioPath(propertyId, 'publish'));
    await first.page.getByRole('button', { name: 'Withdraw the offer to Grace Hopper' }).click();
    await first.page.getByText('The offer was withdrawn.').waitFor();
    await first.page.getByText('Open offers').waitFor({ state: 'detached' });
    await second.page.getByRole('button', { name: 'Decline' }).click();
    await second.page.getByText('This offer has ended').waitFor();
    await second.page.getByText('to answer').waitFor({ state: 'detached' });
    await Promise.all([first.close(), second.close()]);
  });

  test('an assigned agent offers nothing, and the owner cannot leave', async () => {
    const { owner, colleague, propertyId } = await people();
    await handOver(owner, { kind: 'Assignment', propertyId, to: colleague });
    const [first, second] = [await site().open({ as: owner }), await site().open({ as: colleague })];
    await second.go(studioPath(propertyId, 'publish'));
    await second.page.getByRole('button', { name: 'Leave listing' }).waitFor();
    for (const name of ['Offer ownership', 'Invite agent'])
      expect(await second.page.getByRole('button', { name }).count()).toBe(0);
    await first.go(studioPath(propertyId, 'publish'));
    await first.page.getByRole('button', { name: 'Invite agent' }).waitFor();
    expect(await first.page.getByRole('button', { name: 'Leave listing' }).count()).toBe(0);
    await Promise.all([first.close(), second.close()]);
  });
});
