import { afterAll, expect, test } from 'vitest';
import { startGeocoderSimulator } from '../../../ops/simulator/geocoder/server.ts';
import { seedOriginal, seedProperty } from '../../support/database/seed.ts';
import { eventually } from '../../support/eventually.ts';
import type { Person } from '../../support/http/person.ts';
import { axeFindings, overflow } from '../site/site-window.ts';
import { describeSite } from '../site/site-world.ts';
import { studioPath } from './studio-window.ts';

const geocoder = await startGeocoderSimulator();
afterAll(() => geocoder.close());
const settings = { GEOCODER_URL: geocoder.url, GEOCODER_KIND: 'photon' };

/** Listings in the studio: fields, place, features, status, agents. */
describeSite(
  'listings in the studio',
  (site) => {
    const rowOf = async (propertyId: string): Promise<Record<string, unknown>> =>
      (
        await site().host.rows<Record<string, unknown>>('select * from properties where id = $1', [
          propertyId,
        ])
      )[0] ?? {};
    const becomes = (propertyId: string, wanted: Record<string, unknown>) =>
      eventually(
        async () => {
          expect(await rowOf(propertyId)).toMatchObject(wanted);
          return true;
        },
        { what: JSON.stringify(wanted), intervalMs: 100 },
      );
    const listingOf = (agent: Person, columns: Record<string, unknown> = {}): Promise<string> =>
      seedProperty(site().host.pool, { ownerAgentId: agent.id, address: '3 Pine Street', ...columns });

    test('a city that is suggested gives the state and the pin', async () => {
      const window = await site().open({ as: await site().signedIn() });
      const { page } = window;
      await window.go('/studio/new');
      await page.getByLabel('Street and number').fill('9 Bay Road');
      await page.getByLabel('City').fill('Seat');
      await page.locator('datalist option[value="Seattle, WA"]').waitFor({ state: 'attached' });
      await page.getByLabel('City').fill('Seattle, WA');
      await page.getByLabel('Price').fill('640000');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.waitForURL(/\/studio\/[0-9a-f-]{36}$/);
      const row = await rowOf(new URL(page.url()).pathname.split('/').at(-1) ?? '');
      expect(row).toMatchObject({
        address: '9 Bay Road',
        city: 'Seattle',
        stateOrProvince: 'WA',
        listPrice: '640000.00',
        standardStatus: 'Incomplete',
        propertyTimeZoneName: 'America/Los_Angeles',
      });
      expect(Number(row.latitude)).toBeCloseTo(47.6, 0);
      await window.close();
    });

    test('words that did not load leave no gray fields: they are asked for again', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent);
      const window = await site().open({ as: agent });
      const { page } = window;
      let isAway = true;
      await page.route('**/assets/en-*.js', async (route) => {
        const answer = await route.fetch();
        const hasFeatures = (await answer.text()).includes('featureGroup.');
        await (isAway && hasFeatures ? route.abort() : route.fulfill({ response: answer }));
      });
      await window.go(studioPath(propertyId, 'details'));
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      isAway = false;
      await again.click();
      await page.getByLabel('Home type').waitFor();
      await window.close();
    });

    test('an address that is suggested fills in its parts; a home that has a listing already says so', async () => {
      const agent = await site().signedIn();
      const window = await site().open({ as: agent, width: 390 });
      const { page } = window;
      await window.go('/studio/new');
      const field = page.getByLabel('Street and number');
      await field.fill('2210 market');
      const suggested = page.getByRole('button', { name: '2210 Northwest Market Street, Seattle, WA 98107' });
      await suggested.waitFor();
      expect([await axeFindings(page), await overflow(page)]).toEqual([[], 0]);
      await page.keyboard.press('Escape');
      await suggested.waitFor({ state: 'detached' });
      await field.fill('2210 northwest market');
      await suggested.waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await suggested.waitFor({ state: 'detached' });
      expect(await page.locator('input[name=address]:focus').count()).toBe(1);
      expect(await page.getByLabel('City').inputValue()).toBe('Seattle');
      await page.getByLabel('Unit').fill('4B');
      await page.getByLabel('Price').fill('640000');
      await page.getByRole('button', { name: 'Create draft' }).click();
      await page.waitForURL(/\/studio\/[0-9a-f-]{36}$/);
      const propertyId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      expect(await rowOf(propertyId)).toMatchObject({
        address: '2210 Northwest Market Street',
        unitNumber: '4B',
        city: 'Seattle',
        stateOrProvince: 'WA',
        postalCode: '98107',
        country: 'US',
        latitude: 47.6687,
        longitude: -122.3859,
      });
      await window.go('/studio/new');
      await field.fill('2210 northwest market street');
      await page.getByLabel('City').fill('Seattle');
      await page.getByLabel('Unit').fill('#4b');
      await page.getByLabel('Price').focus();
      await page.getByText('You already have a listing with this address and unit.').waitFor();
      await page.getByRole('link', { name: 'Open that listing' }).click();
      await page.waitForURL(new RegExp(`${propertyId}/details$`));
      // In the details too a suggestion fills in the rest, and what was typed before is not stored in its place.
      await field.fill('2214 nw');
      await field.fill('2214 northw');
      await page.getByRole('button', { name: '2214 Northwest Market Street, Seattle, WA 98107' }).click();
      await becomes(propertyId, { address: '2214 Northwest Market Street', longitude: -122.3861 });
      await page.getByText('You already have a listing').waitFor({ state: 'detached' });
      await window.close();
    });

    test('home types are offered from the first day; the pin begins at the postal code, and is questioned far from it', async () => {
      const spokane = { city: 'Spokane', stateOrProvince: 'WA', postalCode: '99202', country: 'US' };
      for (const step of [0, 0.01, 0.02]) {
        const position = { latitude: 47.65 + step, longitude: -117.38 + step };
        await seedProperty(site().host.pool, { ...spokane, ...position });
      }
      const agent = await site().signedIn();
      const none = { latitude: null, longitude: null };
      const propertyId = await listingOf(agent, { ...spokane, ...none, propertyType: null });
      const window = await site().open({ as: agent, width: 1280 });
      const { page } = window;
      await window.go(studioPath(propertyId, 'details'));
      await page.getByLabel('Home type').selectOption({ label: 'Condo' });
      await becomes(propertyId, { propertySubType: 'Condominium', propertyType: 'Residential' });
      const left = async (name: string) => (await page.getByRole('heading', { name }).boundingBox())?.x ?? 0;
      expect((await left('Home and size')) - (await left('Address'))).toBeGreaterThan(300);

      await page.getByRole('button', { name: 'Set the location on a map' }).click();
      const take = page.getByRole('button', { name: 'Set location here' });
      await take.waitFor();
      await eventually(() => take.isEnabled(), { what: 'the map' });
      await take.click();
      const coordinates = page.getByLabel('Latitude and longitude');
      await eventually(async () => (await coordinates.inputValue()) !== '', { what: 'the pin' });
      // The field has what is on its way to the server.
      await eventually(async () => (await rowOf(propertyId)).latitude !== null, { what: 'the position' });
      const { latitude, longitude } = await rowOf(propertyId);
      expect([Number(latitude), Number(longitude)]).toEqual([
        expect.closeTo(47.66, 2),
        expect.closeTo(-117.37, 2),
      ]);
      await coordinates.fill('-47.66, -117.37');
      await page.getByText('The pin is far from ZIP code 99202.').waitFor();
      await becomes(propertyId, { latitude: -47.66, longitude: -117.37 });
      await coordinates.fill('over there');
      await page.getByLabel('ZIP code').focus();
      await page.getByText('Type both numbers, such as 47.6062, -122.3321.').waitFor();
      await coordinates.fill('47.661 -117.371');
      await becomes(propertyId, { latitude: 47.661, longitude: -117.371 });
      await page.getByText('The pin is far from').waitFor({ state: 'detached' });
      await window.close();
    });

    test('a listing that is hidden says why, and leads to no public page', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, {});
      const { pool } = site().host;
      await pool.query(
        `update properties set "standardStatus" = 'Active', "hiddenFor" = '{TAKEN_DOWN}' where id = $1`,
        [propertyId],
      );
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go('/studio');
      await page.getByText('Hidden', { exact: true }).waitFor();
      await window.go(studioPath(propertyId, 'publish'));
      await page.getByText('an operator took it down').waitFor();
      expect(await page.getByRole('link', { name: 'View public page' }).count()).toBe(0);
      await window.close();
    });

    test('every field is stored by itself; what another agent has changed stays', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, { bedroomsTotal: 2, yearBuilt: 1950 });
      const window = await site().open({ as: agent });
      const { page } = window;
      // A request that is held outside of the page would be lost with all others when the page is left.
      await page.addInitScript(`{
        const ask = window.fetch;
        window.fetch = (input, init) =>
          window.isHeld && String(input).includes('properties.getMine') ? new Promise(() => {}) : ask(input, init);
      }`);
      await window.go(studioPath(propertyId, 'details'));
      await page.getByLabel('Bedrooms').waitFor();
      await agent.mutate('properties.update', { propertyId, yearBuilt: 1961 });
      await page.getByLabel('Bedrooms').fill('4');
      await page.getByLabel('Bathrooms').focus();
      await becomes(propertyId, { bedroomsTotal: 4, yearBuilt: 1961 });
      // What cannot be right is shown at its field, and not sent.
      await page.getByLabel('Bathrooms').fill('-1');
      await page.getByLabel('Bedrooms').focus();
      await page.getByRole('alert').first().waitFor();
      // Buyers see another price at once: a button, and a question where a digit may be missing.
      await page.getByRole('button', { name: 'Change the price' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Price').fill('26000');
      await sheet.getByRole('button', { name: 'Change the price' }).click();
      await sheet.getByText('Is the price right?').waitFor();
      await sheet.getByLabel('Price').fill('260000.5');
      await sheet.getByText(/^Buyers will see \$260,000\.50 instead of /).waitFor();
      await sheet.getByRole('button', { name: /change the price/i }).click();
      await sheet.waitFor({ state: 'detached' });
      await becomes(propertyId, { listPrice: '260000.50' });
      await page.getByText('Interior ·').click();
      await page.getByRole('checkbox', { name: 'Fireplace' }).check();
      await becomes(propertyId, { features: ['FIREPLACE'], listPrice: '260000.50' });
      // A pause is enough, and so is leaving the page.
      // The page still waits for the answer about the first text when the second one is typed and the page is left.
      await page.evaluate('window.isHeld = true');
      await page.getByLabel('Description', { exact: true }).fill('Two floors.');
      await becomes(propertyId, { publicRemarks: 'Two floors.' });
      await page.getByLabel('Description', { exact: true }).fill('Two floors, one cat.');
      await page.reload();
      await becomes(propertyId, { publicRemarks: 'Two floors, one cat.' });
      await eventually(async () => (await page.getByLabel('Bedrooms').inputValue()) === '4', {
        what: 'the rooms',
      });
      await window.close();
    });

    test('what is being typed stays when another agent changes the same field', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, { publicRemarks: 'As it was.' });
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go(studioPath(propertyId, 'details'));
      const field = page.getByLabel('Description', { exact: true });
      // What was typed is on its way after a pause.
      const held = Promise.withResolvers<void>();
      await page.route('**/api/trpc/properties.update*', async (route) => {
        await held.promise;
        await route.continue();
      });
      await field.fill('Mine, not finished');
      const asked = page.waitForResponse(/properties\.getMine/);
      await agent.mutate('properties.update', { propertyId, publicRemarks: 'Theirs.' });
      await asked;
      expect(await field.inputValue()).toBe('Mine, not finished');
      await page.keyboard.type(' yet');
      held.resolve();
      await becomes(propertyId, { publicRemarks: 'Mine, not finished yet' });
      await window.close();
    });

    test('the pin is placed by keyboard', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, { latitude: 47.6, longitude: -122.3 });
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go(studioPath(propertyId, 'details'));
      await page.getByRole('button', { name: 'Set the location on a map' }).click();
      const take = page.getByRole('button', { name: 'Set location here' });
      await take.waitFor();
      await eventually(() => take.isEnabled(), { what: 'the map' });
      await page.locator('.pin-map canvas').focus();
      await page.keyboard.press('ArrowRight');
      await page.waitForTimeout(0);
      await eventually(
        async () => {
          if (await take.isVisible()) await take.click();
          return Number((await rowOf(propertyId)).longitude) > -122.3;
        },
        { what: 'the pin further east', intervalMs: 500 },
      );
      await window.close();
    });

    test('a draft is published once nothing is missing; a listing is sold with its price', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, { standardStatus: 'Incomplete', publicRemarks: null });
      const window = await site().open({ as: agent });
      const { page } = window;
      await window.go(studioPath(propertyId, 'publish'));
      const publish = page.getByRole('button', { name: 'Publish', exact: true });
      await publish.waitFor();
      expect(await publish.isDisabled()).toBe(true);
      expect(await page.getByText('Missing', { exact: true }).count()).toBeGreaterThan(0);
      await seedOriginal(site().host.pool, { propertyId });
      const [latitude, longitude] = [47.6, -122.3];
      await agent.mutate('properties.update', { propertyId, latitude, longitude, publicRemarks: 'Sunny.' });
      await page.reload();
      await publish.click();
      await becomes(propertyId, { standardStatus: 'Active' });
      await page.getByRole('link', { name: 'View public page' }).waitFor();
      await window.close();
      const shown = await listingOf(agent);
      const other = await site().open({ as: agent });
      await other.go(studioPath(shown, 'publish'));
      await other.page.getByRole('button', { name: 'Mark as under contract' }).first().click();
      await becomes(shown, { standardStatus: 'Active Under Contract' });
      await other.page.getByText('Change the status').click();
      await other.page.getByRole('button', { name: 'Record the sale' }).click();
      await other.page.getByLabel(/^Sale price in/).fill('700000');
      await other.page.getByLabel('Sale date').fill(new Date().toISOString().slice(0, 10));
      await other.page.getByRole('button', { name: 'Save' }).click();
      await becomes(shown, { standardStatus: 'Closed', closePrice: '700000.00' });
      await other.close();
    });

    test('a draft is seen as buyers will see it, and duplicated for the next home of the building', async () => {
      const agent = await site().signedIn();
      const propertyId = await listingOf(agent, {
        standardStatus: 'Incomplete',
        unitNumber: '4B',
        publicRemarks: 'Two rooms over the harbor.',
        listPrice: 640_000,
        bedroomsTotal: 2,
        latitude: 47.6,
        longitude: -122.33,
      });
      const window = await site().open({ as: agent, width: 390 });
      const { page } = window;
      await window.go(studioPath(propertyId, 'publish'));
      await page.getByRole('link', { name: 'Preview' }).click();
      await page.getByText('Preview: buyers don’t see this page yet.').waitFor();
      for (const text of ['Two rooms over the harbor.', '$640,000', '2 beds'])
        expect([text, await page.getByText(text).count()]).not.toEqual([text, 0]);
      await page.getByRole('link', { name: 'Back to publishing' }).click();
      await page.getByRole('button', { name: 'Duplicate listing' }).click();
      await page.waitForURL(
        ({ pathname }) => pathname.endsWith('/details') && !pathname.includes(propertyId),
      );
      const next = new URL(page.url()).pathname.split('/').at(-2) ?? '';
      expect(await rowOf(next)).toMatchObject({
        address: '3 Pine Street',
        unitNumber: null,
        publicRemarks: 'Two rooms over the harbor.',
        listPrice: '640000.00',
        bedroomsTotal: 2,
        latitude: 47.6,
        standardStatus: 'Incomplete',
        ownerAgentId: agent.id,
      });
      await window.close();
    });

    test('the owner invites and removes agents; an unknown address is named', async () => {
      const [owner, colleague] = [await site().signedIn(), await site().signedIn({ name: 'Grace Hopper' })];
      const propertyId = await listingOf(owner);
      const [user] = await site().host.rows<{ email: string }>('select email from "user" where id = $1', [
        colleague.id,
      ]);
      const window = await site().open({ as: owner });
      const { page } = window;
      await window.go(studioPath(propertyId, 'publish'));
      await page.getByLabel('Another agent’s email address').fill('nobody@example.org');
      await page.getByRole('button', { name: 'Invite agent' }).click();
      await page.getByText('No agent has this email address.').waitFor();
      await page.getByLabel('Another agent’s email address').fill(user?.email ?? '');
      await page.getByRole('button', { name: 'Invite agent' }).click();
      await page.getByText('Grace Hopper').waitFor();
      expect((await colleague.query('properties.getMine', { propertyId })).status).toBe(404);
      const { data } = await colleague.query('users.listOffers', { status: 'OPEN' });
      await colleague.mutate('properties.answerOffer', { offerId: data.items[0].offerId, accept: true });
      await page.reload();
      await page.getByText('Grace Hopper').waitFor();
      expect((await colleague.query('properties.getMine', { propertyId })).status).toBe(200);
      await page.getByRole('button', { name: 'Remove' }).click();
      await page.getByText('Grace Hopper').waitFor({ state: 'detached' });
      expect((await colleague.query('properties.getMine', { propertyId })).status).toBe(404);
      await window.close();
    });
  },
  settings,
);
