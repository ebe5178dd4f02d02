import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { SERVICE_FAULTS, type ServiceSimulator } from '../../../ops/simulator/outside/server.ts';
import { startRouterSimulator } from '../../../ops/simulator/router/server.ts';
import { createCommute } from '../../../src/commute/commute.ts';
import type { RouterKind } from '../../../src/config/outside-settings.ts';
import { createRejectionLog } from '../../../src/limits/rejection-log.ts';
import { createManualTime } from '../../support/manual-time.ts';

/** docs/contract.md#travel-times, with a router behind real HTTP. */
let router: ServiceSimulator;
beforeAll(async () => {
  router = await startRouterSimulator();
});
afterEach(() => router.setFault(null));
afterAll(() => router.close());

const time = createManualTime();
const WORK = { latitude: 47.6, longitude: -122.33 };
/** About 11 km north of it. */
const NORTH = { latitude: 47.7, longitude: -122.33 };
const caller = (client = 'one') => ({ client, signal: new AbortController().signal });

function commuteOf(kind: RouterKind, url = router.url) {
  const lines: object[] = [];
  const logger = { warn: (fields: object) => void lines.push(fields) };
  const problems = createRejectionLog(logger, time.now, 'no times');
  return { commute: createCommute({ router: { kind, url }, clock: time, problems }), lines };
}

test.each(['osrm', 'valhalla'] as const)('%s: minutes of each home, in order', async (kind) => {
  const { commute, lines } = commuteOf(kind);
  const before = router.asked.length;
  const from = [NORTH, null, WORK, { latitude: -70, longitude: 0 }, { latitude: 48.99, longitude: -122.33 }];
  const minutes = await commute.times(caller(), { from, to: WORK, mode: 'CAR' });
  // 11 km at 10 m/s; at the place itself; no position; too far to ask; 154 km.
  expect(minutes).toEqual([19, null, 1, null, null]);
  expect([router.asked.length - before, lines]).toEqual([1, []]);
  expect(await commuteOf(kind).commute.times(caller(), { from: [], to: WORK, mode: 'CAR' })).toEqual([]);
});

test('no way leads there', async () => {
  const to = { latitude: -70, longitude: 0 };
  const { commute, lines } = commuteOf('osrm');
  expect(
    await commute.times(caller(), { from: [{ latitude: -70.1, longitude: 0 }], to, mode: 'CAR' }),
  ).toEqual([null]);
  expect(lines).toEqual([]);
});

test('ways of travel: OSRM has those of its address, Valhalla all', async () => {
  expect(commuteOf('osrm').commute.modes).toEqual(['CAR']);
  expect(commuteOf('osrm', 'http://osrm-{mode}:5000').commute.modes).toEqual(['CAR', 'BIKE', 'FOOT']);
  const { commute } = commuteOf('valhalla');
  const asked = { from: [NORTH], to: WORK };
  const times = await Promise.all(commute.modes.map((mode) => commute.times(caller(), { ...asked, mode })));
  expect(times).toEqual([[19], [46], [148]]);
  const before = router.asked.length;
  expect(await commuteOf('osrm').commute.times(caller(), { ...asked, mode: 'FOOT' })).toEqual([null]);
  expect(router.asked.length).toBe(before);
});

test('answers are kept for ten minutes, and only what is missing is asked', async () => {
  const { commute } = commuteOf('osrm');
  const times = (...from: (typeof WORK)[]) => commute.times(caller(), { from, to: WORK, mode: 'CAR' });
  await times(NORTH);
  const before = router.asked.length;
  expect(await times(NORTH, { ...NORTH, latitude: 47.65 })).toEqual([19, 9]);
  expect(router.asked.at(-1)?.path).toContain(
    '/table/v1/car/-122.33,47.65;-122.33,47.6?sources=0&destinations=1',
  );
  await times({ latitude: 47.700_01, longitude: -122.330_01 });
  expect(router.asked.length - before).toBe(1);
  time.advance(10 * 60_000);
  await times(NORTH);
  expect(router.asked.length - before).toBe(2);
});

test.each(SERVICE_FAULTS)(
  'a router that is %s gives nothing, one line, and its answers are not kept',
  async (fault) => {
    router.setFault(fault);
    const { commute, lines } = commuteOf('valhalla');
    const ask = () => commute.times(caller(), { from: [NORTH], to: WORK, mode: 'CAR' });
    const before = router.asked.length;
    expect(await ask()).toEqual([null]);
    // A redirect is not followed.
    expect(router.asked.length - before).toBe(1);
    expect(await commute.area(caller(), { to: WORK, mode: 'CAR', minutes: 30 })).toBeNull();
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/47\.|122\./);
    router.setFault(null);
    expect(await ask()).toEqual([19]);
  },
);

test('a caller who has left is no problem of the router', async () => {
  router.setFault('silent');
  const { commute, lines } = commuteOf('osrm');
  const leaving = new AbortController();
  const asked = commute.times(
    { client: 'one', signal: leaving.signal },
    { from: [NORTH], to: WORK, mode: 'CAR' },
  );
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  expect(lines).toEqual([]);
});

test('an outline that no search takes is none', async () => {
  const bowTie = [
    [-122.4, 47.5],
    [-122.2, 47.7],
    [-122.2, 47.5],
    [-122.4, 47.7],
    [-122.4, 47.5],
  ];
  const geometry = { type: 'Polygon', coordinates: [bowTie] };
  const crossing = createServer((_, response) => {
    response.end(JSON.stringify({ features: [{ geometry }] }));
  });
  await new Promise<void>((resolve) => crossing.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = crossing.address() as AddressInfo;
    const { commute, lines } = commuteOf('valhalla', `http://127.0.0.1:${port}`);
    expect(await commute.area(caller(), { to: WORK, mode: 'CAR', minutes: 30 })).toBeNull();
    expect(lines).toEqual([]);
  } finally {
    crossing.close();
  }
});

test('the area from where one is there in time has at most 100 corners; OSRM has none', async () => {
  const { commute } = commuteOf('valhalla');
  const area = await commute.area(caller(), { to: WORK, mode: 'CAR', minutes: 30 });
  expect(area?.length).toBe(100);
  const north = Math.max(...(area ?? []).map(({ latitude }) => latitude));
  expect(north).toBeCloseTo(WORK.latitude + (30 * 60 * 10) / 111_200, 2);
  expect(router.asked.at(-1)?.body).toMatchObject({
    contours: [{ time: 30 }],
    reverse: true,
    polygons: true,
  });
  const before = router.asked.length;
  expect(await commute.area(caller(), { to: WORK, mode: 'CAR', minutes: 30 })).toEqual(area);
  const { commute: without } = commuteOf('osrm');
  expect([without.hasAreas, await without.area(caller(), { to: WORK, mode: 'CAR', minutes: 30 })]).toEqual([
    false,
    null,
  ]);
  expect(router.asked.length).toBe(before);
});
