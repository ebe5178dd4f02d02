import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startGeocoderSimulator } from '../../../../ops/simulator/geocoder/server.ts';
import type { ServiceSimulator } from '../../../../ops/simulator/outside/server.ts';
import { countChangedRegions } from '../../../../persistence/search/region-counting.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Person } from '../../../support/http/person.ts';

/** docs/contract.md#addresses */
let geocoder: ServiceSimulator;
let host: ApiHost;
let agent: Person;
beforeAll(async () => {
  geocoder = await startGeocoderSimulator();
  host = await startApiHost({ settings: { GEOCODER_URL: geocoder.url, GEOCODER_KIND: 'photon' } });
});
beforeEach(async () => {
  agent = await host.signedIn();
});
afterAll(async () => {
  await host.stop();
  await geocoder.close();
});

const TACOMA = { city: 'Tacoma', stateOrProvince: 'WA', country: 'US' };
const home = (columns: Record<string, unknown>) =>
  seedProperty(host.pool, { ...TACOMA, postalCode: '98402', ...columns });
const data = async (procedure: string, input: unknown) => (await agent.query(procedure, input)).data;

test('addresses of public listings without their units, then those of the geocoder', async () => {
  const position = { latitude: 47.6687, longitude: -122.386 };
  const seattle = { city: 'Seattle', postalCode: '98107', ...position };
  for (const unitNumber of ['1', '2'])
    await home({ ...seattle, address: '2214 Northwest Market Street', unitNumber });
  await home({ ...seattle, address: '2218 Northwest Market Street', standardStatus: 'Incomplete' });
  const { items } = await data('addresses.suggest', { text: 'northwest market', country: 'US' });
  expect(items.map(({ address }: { address: string }) => address)).toEqual([
    '2214 Northwest Market Street',
    '2210 Northwest Market Street',
    '2212 Northwest Market Street',
  ]);
  expect(items[0]).toEqual({
    address: '2214 Northwest Market Street',
    city: 'Seattle',
    stateOrProvince: 'WA',
    postalCode: '98107',
    country: 'US',
    ...position,
  });
  expect(await data('addresses.suggest', { text: 'northwest market', country: 'ES' })).toEqual({ items: [] });
  geocoder.setFault('error');
  const own = await data('addresses.suggest', { text: 'northwest market street', country: 'US' });
  geocoder.setFault(null);
  expect(own.items).toHaveLength(1);
});

test('a pin begins where the postal code is, else the city, else where the geocoder says', async () => {
  const propertyId = await home({ address: '1 Dock Street', latitude: 10, longitude: 10 });
  const positions = [-0.01, 0, 0.01].map((step) => ({ latitude: 47.25 + step, longitude: -122.44 + step }));
  for (const [index, position] of positions.entries())
    await home({ address: `${index + 2} Dock Street`, ...position });
  const asked = { ...TACOMA, propertyId, postalCode: '98402' };
  const { area, isFar } = await data('addresses.locate', {
    ...asked,
    position: { latitude: 47.27, longitude: -122.44 },
  });
  expect(area).toMatchObject({ latitude: 47.25, longitude: -122.44 });
  expect(isFar).toBe(false);
  const wrong = await data('addresses.locate', { ...asked, position: { latitude: 10, longitude: 10 } });
  expect(wrong).toEqual({ area, isFar: true });
  await countChangedRegions(host.pool, 1_000);
  // The city, which is too large to question a pin by; then a town that only the geocoder knows; then nothing.
  const city = await data('addresses.locate', { ...asked, postalCode: '98499', position: positions[0] });
  expect([city.area.bbox === null, city.isFar]).toEqual([false, false]);
  const spokane = { country: 'US', stateOrProvince: 'WA', city: 'Spokane' };
  expect(await data('addresses.locate', { ...spokane, postalCode: '99201' })).toEqual({
    area: { latitude: 47.6572, longitude: -117.4235, bbox: null },
    isFar: false,
  });
  expect(await data('addresses.locate', { country: 'US', city: 'Nowhere' })).toEqual({
    area: null,
    isFar: false,
  });
});

test('an imported place says where it is, and how far it reaches', async () => {
  await host.pool.query(
    `insert into places (id, kind, name, label, country, west, south, east, north, source, "sourceRank", "headText", "searchText")
     values ('postal_code:us:99901', 'postal_code', '99901', '99901', 'US', 179.9, 51.8, -179.9, 52, 'test', 1, ' 99901', ' 99901')`,
  );
  const asked = { country: 'US', city: 'Adak', postalCode: '99901' };
  const at = async (longitude: number) =>
    data('addresses.locate', { ...asked, position: { latitude: 51.9, longitude } });
  const { area, isFar } = await at(180);
  expect([Math.abs(area.longitude), isFar]).toEqual([180, false]);
  expect([(await at(-179.85)).isFar, (await at(-178)).isFar, (await at(178)).isFar]).toEqual([
    false,
    true,
    true,
  ]);
});

test('another listing of the home: one’s own, a public one, or one that nothing more is said of', async () => {
  const other = await host.signedIn();
  const asked = { ...TACOMA, address: '14 Pier Road', unitNumber: '#4b' };
  const same = (more: object = {}) => data('addresses.findSame', { ...asked, ...more });
  const columns = { address: '14 PIER ROAD', unitNumber: '4B' };
  expect(await same()).toEqual({ same: null });
  await home({ ...columns, ownerAgentId: other.id, standardStatus: 'Delete' });
  await home({ ...columns, unitNumber: '5', ownerAgentId: other.id });
  await home({ ...columns, city: 'Olympia', ownerAgentId: other.id });
  expect(await same()).toEqual({ same: null });
  const draft = await home({ ...columns, ownerAgentId: other.id, standardStatus: 'Incomplete' });
  expect(await same()).toEqual({ same: { whose: 'PRIVATE', propertyId: null } });
  // Another agent cannot leave a listing out, which would reveal its address.
  expect(await same({ propertyId: draft })).toEqual({ same: { whose: 'PRIVATE', propertyId: null } });
  const sold = await home({ ...columns, ownerAgentId: other.id, standardStatus: 'Withdrawn' });
  expect(await same()).toEqual({ same: { whose: 'PUBLIC', propertyId: sold } });
  const own = await home({ ...columns, ownerAgentId: agent.id, standardStatus: 'Incomplete' });
  expect(await same()).toEqual({ same: { whose: 'MINE', propertyId: own } });
  expect(await same({ propertyId: own })).toEqual({ same: { whose: 'PUBLIC', propertyId: sold } });
});

test.each([
  ['addresses.suggest', { text: 'ab', country: 'US' }],
  ['addresses.suggest', { text: 'x'.repeat(201), country: 'US' }],
  ['addresses.locate', { country: 'US', city: 'Tacoma', position: { latitude: 91, longitude: 0 } }],
  ['addresses.findSame', { address: '1 Dock Street', city: 'Tacoma' }],
])('%s refuses input %#', async (procedure, input) => {
  expect((await agent.query(procedure, input)).status).toBe(400);
});

test('sixty questions of a kind a minute, of each agent', async () => {
  const ask = (person: Person) =>
    person.query('addresses.findSame', { ...TACOMA, address: `${randomUUID()} Street` });
  const answers = await Promise.all(Array.from({ length: 61 }, () => ask(agent)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(60).fill(200), 429]);
  expect((await ask(await host.signedIn())).status).toBe(200);
  expect((await agent.query('addresses.locate', { country: 'US', city: 'Tacoma' })).status).toBe(200);
});
