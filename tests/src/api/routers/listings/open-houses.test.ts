import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { seedOpenHouse, seedProperty } from '../../../../support/database/seed.ts';
import { useApiHost } from '../../../../support/http/api-host.ts';
import type { Person } from '../../../../support/http/person.ts';
import { setClock } from '../../../../support/worlds/tour-visits.ts';

/** docs/contract.md#open-houses */
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clock = setClock();
const START = clock.at;
const host = useApiHost({ overrides: clock.overrides });
let agent: Person;
let propertyId: string;
beforeAll(async () => {
  agent = await host.signedIn();
});
beforeEach(async () => {
  clock.at = START;
  propertyId = await home();
});

const home = (columns: Record<string, unknown> = {}) =>
  seedProperty(host.pool, { ownerAgentId: agent.id, ...columns });
const iso = (at: number) => new Date(at).toISOString();
const time = (from: number, hours = 2) => ({ startsAt: iso(from), endsAt: iso(from + hours * HOUR) });
const create = (from: number, more: object = {}, person = agent) =>
  person.mutate('openHouses.create', { propertyId, ...time(from), ...more });
const shown = async (): Promise<{ startsAt: string; remarks: string | null }[]> =>
  (await host.anonymous().query('properties.getDetail', { propertyId })).data.openHouses;
const cardOf = async () =>
  (await host.anonymous().query('homes.listCards', { propertyIds: [propertyId] })).data.items[0].openHouse;
const statuses = async (): Promise<string[]> =>
  (await agent.query('openHouses.list', { propertyId })).data.items.map(
    ({ status }: { status: string }) => status,
  );

describe('an open house', () => {
  test('is shown on the page and the card until it is over, the next one first', async () => {
    await create(START + 3 * DAY, { remarks: 'Parking behind the house.' });
    await create(START + DAY);
    expect(await shown()).toMatchObject([
      { ...time(START + DAY), remarks: null },
      { ...time(START + 3 * DAY), remarks: 'Parking behind the house.' },
    ]);
    expect(await cardOf()).toMatchObject(time(START + DAY));
    clock.at = START + DAY + HOUR;
    expect(await cardOf()).toMatchObject(time(START + DAY));
    clock.at = START + DAY + 2 * HOUR;
    expect(await cardOf()).toMatchObject(time(START + 3 * DAY));
    expect((await shown()).length).toBe(1);
    expect(await statuses()).toEqual(['Active', 'Ended']);
  });

  test('is changed and canceled; a calendar replaces its entry', async () => {
    const { openHouseId } = (await create(START + DAY)).data;
    const calendar = async () => (await host.anonymous().query('openHouses.get', { openHouseId })).data;
    const before = await calendar();
    expect(before.ics).toContain('METHOD:PUBLISH');
    const moved = await agent.mutate('openHouses.update', {
      openHouseId,
      ...time(START + 2 * DAY),
      remarks: 'Ring.',
    });
    expect(moved.status).toBe(200);
    expect(await calendar()).toMatchObject({ ...time(START + 2 * DAY), remarks: 'Ring.', status: 'Active' });
    const lineOf = (ics: string, name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(ics)?.[1];
    const after = (await calendar()).ics;
    expect(lineOf(after, 'UID')).toBe(lineOf(before.ics, 'UID'));
    expect(Number(lineOf(after, 'SEQUENCE'))).toBeGreaterThan(Number(lineOf(before.ics, 'SEQUENCE')));
    for (let time = 0; time < 2; time += 1)
      expect((await agent.mutate('openHouses.cancel', { openHouseId })).status).toBe(200);
    expect(await shown()).toEqual([]);
    expect(await cardOf()).toBeNull();
    expect((await calendar()).ics).toContain('METHOD:CANCEL');
    expect((await agent.mutate('openHouses.update', { openHouseId, remarks: null })).status).toBe(404);
  });

  test.each([
    ['of ten minutes', { endsAt: iso(START + DAY + HOUR / 6) }],
    ['of nine hours', { endsAt: iso(START + DAY + 9 * HOUR) }],
    ['that ends before it begins', { endsAt: iso(START) }],
    ['that is over', time(START - DAY)],
    ['with an empty remark', { remarks: ' ' }],
  ])('%s is refused', async (_, given) => {
    const { status, errorCode } = await create(START + DAY, given);
    expect([status, errorCode]).toEqual([400, 'INVALID_INPUT']);
    expect(await statuses()).toEqual([]);
  });

  test('does not overlap another one of the listing, and is one of at most twenty', async () => {
    await create(START + DAY);
    expect((await create(START + DAY + HOUR)).errorCode).toBe('OPEN_HOUSE_OVERLAPS');
    expect((await create(START + DAY + 2 * HOUR)).status).toBe(200);
    for (let day = 2; day < 20; day += 1) expect((await create(START + day * DAY)).status).toBe(200);
    expect((await create(START + 40 * DAY)).errorCode).toBe('TOO_MANY_OPEN_HOUSES');
    clock.at = START + DAY + 3 * HOUR;
    expect((await create(START + 40 * DAY)).status).toBe(200);
  });

  test('is removed when fifty later ones are over or canceled', async () => {
    const first = (await create(START + DAY)).data.openHouseId;
    clock.at = START + 2 * DAY;
    for (let index = 0; index < 49; index += 1)
      await seedOpenHouse(host.pool, { propertyId, canceledAt: new Date(START + 2 * DAY) });
    const ids = async (): Promise<string[]> =>
      (
        await host.rows<{ id: string }>(`select id from open_houses where "propertyId" = $1`, [propertyId])
      ).map(({ id }) => id);
    const last = (await create(START + 3 * DAY)).data.openHouseId;
    expect(await ids()).toContain(first);
    await agent.mutate('openHouses.cancel', { openHouseId: last });
    const next = (await create(START + 3 * DAY)).data.openHouseId;
    expect((await ids()).length).toBe(51);
    expect(await ids()).not.toContain(first);
    expect(await ids()).toEqual(expect.arrayContaining([last, next]));
  });

  test('two that are added at once for one time are one', async () => {
    const answers = await Promise.all([create(START + DAY), create(START + DAY)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test.each(['Incomplete', 'Closed', 'Hold'])(
    'of a listing that is %s is not shown',
    async (standardStatus) => {
      const openHouseId = await seedOpenHouse(host.pool, { propertyId });
      const sold = standardStatus === 'Closed' ? `, "closeDate" = '2020-01-01'` : '';
      await host.rows(`update properties set "standardStatus" = $2${sold} where id = $1`, [
        propertyId,
        standardStatus,
      ]);
      expect((await host.anonymous().query('openHouses.get', { openHouseId })).status).toBe(404);
      if (standardStatus !== 'Incomplete') expect(await shown()).toEqual([]);
    },
  );

  test('of an unknown listing, or of another agent’s, is answered the same', async () => {
    const other = await host.signedIn();
    const answers = await Promise.all([
      create(START + DAY, {}, other),
      create(START + DAY, { propertyId: randomUUID() }, other),
    ]);
    for (const { status, errorCode } of answers) expect([status, errorCode]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('search', () => {
  const found = async (from: number, to: number): Promise<string[]> =>
    (
      await host.anonymous().query('search.list', {
        filters: { openHouse: { from: iso(from), to: iso(to) } },
      })
    ).data.items.map((card: { propertyId: string }) => card.propertyId);

  test('finds homes that are open for a part of the period', async () => {
    await create(START + DAY);
    const canceled = (await create(START + 5 * DAY)).data;
    await agent.mutate('openHouses.cancel', canceled);
    expect(await found(START, START + 2 * DAY)).toContain(propertyId);
    expect(await found(START + DAY + HOUR, START + DAY + 1.5 * HOUR)).toContain(propertyId);
    expect(await found(START, START + DAY)).not.toContain(propertyId);
    expect(await found(START + DAY + 2 * HOUR, START + 9 * DAY)).not.toContain(propertyId);
  });

  test('refuses a period of more than 31 days, or of none', async () => {
    const ask = (from: number, to: number) =>
      host.anonymous().query('search.list', { filters: { openHouse: { from: iso(from), to: iso(to) } } });
    expect((await ask(START, START + 32 * DAY)).status).toBe(400);
    expect((await ask(START, START)).status).toBe(400);
  });
});
