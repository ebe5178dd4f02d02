import { expect, test } from 'vitest';
import { seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { describeSite } from '../site/site-world.ts';

const ZONE = 'America/Los_Angeles';
const HOUR_MS = 3_600_000;

/** The tours that an agent gives: the answers to requests, the calendar, and what became of a visit. */
describeSite('tours in the studio', (site) => {
  const listingOf = (agent: Person, address: string): Promise<string> =>
    seedProperty(site().host.pool, { ownerAgentId: agent.id, address, propertyTimeZoneName: ZONE });

  test('an agent sees tours on their day, and confirms one, proposes another time for one, declines one', async () => {
    const agent = await site().signedIn();
    const customer = await site().signedIn({ role: 'customer', name: 'Carl Customer' });
    const day = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const tours: { tourId: string; address: string }[] = [];
    for (const [index, address] of ['1 Oak Lane', '2 Oak Lane', '3 Oak Lane'].entries()) {
      const propertyId = await listingOf(agent, address);
      const { data } = await customer.mutate('tours.request', {
        propertyId,
        slots: [{ startsAt: `${day}T${18 + index}:00:00.000Z`, endsAt: `${day}T${19 + index}:00:00.000Z` }],
      });
      tours.push({ tourId: data.tourId, address });
    }
    const window = await site().open({ as: agent });
    const { page } = window;
    await window.go('/studio/tours');
    await page.getByRole('heading', { name: 'Awaiting your reply' }).waitFor();
    const tour = (index: number) =>
      page
        .getByRole('article')
        .filter({ hasText: tours[index]?.address ?? '' })
        .first();
    const statusIs = (index: number, status: string) =>
      eventually(
        async () => (await agent.query('tours.get', { tourId: tours[index]?.tourId })).data.status === status,
        { what: status, intervalMs: 100 },
      );
    await tour(0).getByRole('button', { name: 'Confirm' }).click();
    await statusIs(0, 'CONFIRMED');
    await tour(1).getByRole('button', { name: 'Propose another time' }).click();
    await page.getByRole('dialog').getByRole('checkbox').first().check();
    await page.getByRole('dialog').getByRole('button', { name: /^Send/ }).click();
    await statusIs(1, 'RESCHEDULE_PROPOSED');
    await tour(2).getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('dialog').getByRole('textbox').fill('The house is being painted.');
    await page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click();
    await statusIs(2, 'DECLINED');
    await page.goto(`/studio/tours?day=${day}`);
    await page
      .getByRole('button', { name: /: \d tours?$/ })
      .first()
      .waitFor();
    await tour(0).getByRole('button', { name: 'Cancel tour' }).waitFor();
    await page.getByRole('button', { name: 'Next month' }).click();
    await page.waitForURL(/month=/);
    await window.close();
  });

  test('after the start of a tour an agent says whether it took place, and takes it back', async () => {
    const agent = await site().signedIn();
    const customer = await site().signedIn({ role: 'customer', name: 'Carl Customer' });
    const window = await site().open({ as: agent });
    const { page } = window;
    for (const [index, { action, words, status }] of [
      { action: 'Mark as completed', words: 'Completed', status: 'COMPLETED' },
      { action: 'Mark as no-show', words: 'Missed', status: 'NO_SHOW' },
    ].entries()) {
      const propertyId = await listingOf(agent, `${index + 1} Elm Lane`);
      const slot = slotAt(Date.now() + (48 + index) * HOUR_MS);
      const { data: requested } = await customer.mutate('tours.request', { propertyId, slots: [slot] });
      const { tourId, version: expectedVersion } = requested;
      await agent.mutate('tours.confirm', { tourId, expectedVersion, startsAt: slot.startsAt, note: null });
      const tour = page.getByRole('article').filter({ hasText: `${index + 1} Elm Lane` });
      const button = (name: string) => tour.getByRole('button', { name });
      const becomes = (wanted: string) =>
        eventually(async () => (await customer.query('tours.get', { tourId })).data.status === wanted, {
          what: wanted,
          intervalMs: 100,
        });
      await window.go(`/studio/tours?day=${dayOf(slot.startsAt)}`);
      await button('Cancel tour').waitFor();
      expect(await button(action).count()).toBe(0);

      const past = slotAt(Date.now() - (index + 1) * HOUR_MS);
      await site().host.rows('update tours set "heldStartsAt" = $2, "heldEndsAt" = $3 where id = $1', [
        tourId,
        past.startsAt,
        past.endsAt,
      ]);
      await window.go(`/studio/tours?day=${dayOf(past.startsAt)}`);
      await button(action).click();
      await becomes(status);
      await tour.getByText(words, { exact: true }).first().waitFor();
      expect(await button(action).count()).toBe(0);
      await button('Undo').click();
      await becomes('CONFIRMED');
      await button(action).click();
      await becomes(status);
    }
    await window.close();
  });
});

/** Half an hour. */
const slotAt = (startsAt: number) => ({
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(startsAt + HOUR_MS / 2).toISOString(),
});

/** The day of an instant at the homes, such as `2026-11-23`. */
const dayOf = (at: string): string => new Date(at).toLocaleDateString('sv', { timeZone: ZONE });
