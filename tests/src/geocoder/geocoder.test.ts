import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { startGeocoderSimulator } from '../../../ops/simulator/geocoder/server.ts';
import { SERVICE_FAULTS, type ServiceSimulator } from '../../../ops/simulator/outside/server.ts';
import type { GeocoderKind } from '../../../src/config/outside-settings.ts';
import { createGeocoder } from '../../../src/geocoder/geocoder.ts';
import { createRejectionLog } from '../../../src/limits/rejection-log.ts';
import { createManualTime } from '../../support/manual-time.ts';

/** docs/contract.md#addresses, with a geocoder behind real HTTP. */
let simulator: ServiceSimulator;
beforeAll(async () => {
  simulator = await startGeocoderSimulator();
});
afterEach(() => simulator.setFault(null));
afterAll(() => simulator.close());

const time = createManualTime();
const caller = () => ({ client: 'one', signal: new AbortController().signal });
const HOUSE = {
  address: '2210 Northwest Market Street',
  city: 'Seattle',
  stateOrProvince: 'WA',
  postalCode: '98107',
  country: 'US',
  latitude: 47.6687,
  longitude: -122.3859,
};

function geocoderOf(kind: GeocoderKind) {
  const lines: object[] = [];
  const logger = { warn: (fields: object) => void lines.push(fields) };
  const problems = createRejectionLog(logger, time.now, 'no addresses');
  const geocoder = createGeocoder({ geocoder: { kind, url: simulator.url }, clock: time, problems });
  const find = (text: string, country = 'US') => geocoder.find(caller(), { text, country });
  return { geocoder, find, lines };
}

test.each(['photon', 'nominatim'] as const)('%s: an address in the parts of a listing', async (kind) => {
  const { find, lines } = geocoderOf(kind);
  expect(await find('2210 northwest market')).toEqual([HOUSE]);
  // A street without a number is no address, and a town no street.
  expect((await find('market')).map(({ address }) => address)).toEqual([
    '2210 Northwest Market Street',
    '2212 Northwest Market Street',
    '2214 Northwest Market Street',
    null,
  ]);
  expect(await find('99201')).toMatchObject([{ address: null, city: 'Spokane', stateOrProvince: 'WA' }]);
  // The country decides the order of street and number, and what is no answer.
  expect(await find('mayor 12', 'ES')).toMatchObject([
    { address: 'Calle Mayor 12', city: 'Madrid', stateOrProvince: 'Comunidad de Madrid' },
  ]);
  expect(await find('mayor 12')).toEqual([]);
  expect(lines).toEqual([]);
});

test('answers are kept for ten minutes, whatever the case and the space', async () => {
  const { find } = geocoderOf('photon');
  const before = simulator.asked.length;
  await find('2210 Northwest Market');
  expect(await find(' 2210  northwest market ')).toEqual([HOUSE]);
  expect(simulator.asked.length - before).toBe(1);
  await find('2210 northwest market', 'ES');
  time.advance(10 * 60_000);
  await find('2210 northwest market');
  expect(simulator.asked.length - before).toBe(3);
});

test.each(SERVICE_FAULTS)(
  'a geocoder that is %s gives nothing and one line without what was typed, and its answers are not kept',
  async (fault) => {
    simulator.setFault(fault);
    const { find, lines } = geocoderOf('nominatim');
    const before = simulator.asked.length;
    expect(await find('2210 northwest market')).toEqual([]);
    // A redirect is not followed.
    expect(simulator.asked.length - before).toBe(1);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/2210|market|127\.0\.0\.1/i);
    simulator.setFault(null);
    expect(await find('2210 northwest market')).toEqual([HOUSE]);
  },
);

test('without a geocoder nothing is found', async () => {
  const problems = createRejectionLog({ warn: () => {} }, time.now, '');
  const geocoder = createGeocoder({ geocoder: null, clock: time, problems });
  expect(await geocoder.find(caller(), { text: 'market', country: 'US' })).toEqual([]);
});
