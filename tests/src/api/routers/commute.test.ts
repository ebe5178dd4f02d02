import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceSimulator } from '../../../../ops/simulator/outside/server.ts';
import { startRouterSimulator } from '../../../../ops/simulator/router/server.ts';
import { seedProperty } from '../../../support/database/seed.ts';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';

/** docs/contract.md#travel-times */
let router: ServiceSimulator;
let host: ApiHost;
beforeAll(async () => {
  router = await startRouterSimulator();
  host = await startApiHost({ settings: { ROUTER_URL: router.url, ROUTER_KIND: 'valhalla' } });
});
afterAll(async () => {
  await host.stop();
  await router.close();
});

const to = { latitude: 47.6, longitude: -122.33 };
const position = { latitude: 47.7, longitude: -122.33 };

test('a home has a time only where its page and its position are public', async () => {
  const shown = await seedProperty(host.pool, position);
  const hidden = [
    await seedProperty(host.pool),
    await seedProperty(host.pool, { ...position, standardStatus: 'Incomplete' }),
    await seedProperty(host.pool, { ...position, standardStatus: 'Delete' }),
    randomUUID(),
  ];
  const propertyIds = [...hidden, shown];
  const { status, data } = await host.anonymous().query('commute.times', { propertyIds, to, mode: 'CAR' });
  expect([status, data]).toEqual([
    200,
    { modes: ['CAR', 'BIKE', 'FOOT'], minutes: [null, null, null, null, 19] },
  ]);
  // The router hears of no home that is not public.
  expect(router.asked.at(-1)?.body).toMatchObject({ sources: [{ lat: 47.7, lon: -122.33 }] });
});

test('a search takes the area as its polygon', async () => {
  const anyone = host.anonymous();
  const { data } = await anyone.query('commute.area', { to, mode: 'CAR', minutes: 30 });
  expect(data.polygon.length).toBeLessThanOrEqual(100);
  const filters = { location: { polygon: data.polygon } };
  expect((await anyone.query('search.list', { filters })).status).toBe(200);
});

test.each([
  { propertyIds: [], to, mode: 'CAR' },
  { propertyIds: Array.from({ length: 51 }, () => randomUUID()), to, mode: 'CAR' },
  { propertyIds: [randomUUID()], to: { latitude: 91, longitude: 0 }, mode: 'CAR' },
  { propertyIds: [randomUUID()], to, mode: 'HORSE' },
])('input %# is refused', async (input) => {
  expect((await host.anonymous().query('commute.times', input)).status).toBe(400);
});

test('sixty questions a minute, of each person', async () => {
  const [one, other] = [await host.signedIn(), await host.signedIn()];
  const ask = (person: typeof one) =>
    person.query('commute.times', { propertyIds: [randomUUID()], to, mode: 'CAR' });
  const answers = await Promise.all(Array.from({ length: 61 }, () => ask(one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(60).fill(200), 429]);
  expect((await ask(other)).status).toBe(200);
});

test('without a router there are no ways of travel', async () => {
  const without = await startApiHost();
  const anyone = without.anonymous();
  const propertyId = await seedProperty(without.pool, position);
  const times = await anyone.query('commute.times', { propertyIds: [propertyId], to, mode: 'CAR' });
  const area = await anyone.query('commute.area', { to, mode: 'CAR', minutes: 30 });
  expect([times.data, area.data]).toEqual([{ modes: [], minutes: [null] }, { polygon: null }]);
  await without.stop();
});
