import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ApiHost, startApiHost } from '../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../support/http/person.ts';
import { noisy } from '../../../support/pictures/photo-fixtures.ts';
import { setClock, visit } from '../../../support/worlds/tour-visits.ts';

/** How much a person may add (docs/api.md#how-much-a-person-may-add). */

/** Half past eleven in the evening. */
const NOW = Date.UTC(2026, 10, 22, 23, 30);
const HOUR = 3_600_000;
const MIDNIGHT = '2026-11-23T00:00:00.000Z';
const LIMITS = {
  LISTINGS_PER_AGENT_DAY: '5',
  LISTINGS_FIRST_DAY: '3',
  PHOTOS_PER_LISTING: '4',
  PHOTOS_PER_AGENT_DAY: '6',
  PHOTO_MEGABYTES_PER_AGENT_DAY: '1',
  TOUR_REQUESTS_PER_DAY: '5',
  TOUR_REQUESTS_PER_LISTING_DAY: '3',
};

const clock = setClock();
let host: ApiHost;
beforeAll(async () => {
  host = await startApiHost({ settings: LIMITS, overrides: clock.overrides });
});
afterAll(() => host.stop());
beforeEach(() => {
  clock.at = NOW;
});

const create = (agent: Person) =>
  agent.mutate('properties.create', { listPrice: 1, address: '1 Way', city: 'Kent' });
const times = async (count: number, call: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));
const statuses = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const detailsOf = ({ body }: Answer) => (body.error.json?.data ?? body.error).details;
const someRefused = (answers: readonly Answer[]): Answer => answers.find(({ status }) => status === 429)!;

const tiny = await noisy(64, 64).jpeg().toBuffer();

test('twenty listings at once: as many as the day allows, and the rest leaves nothing behind', async () => {
  const agent = await host.signedIn();
  await host.rows(`update "user" set "createdAt" = $2 where id = $1`, [agent.id, new Date(NOW - 48 * HOUR)]);
  const answers = await times(20, () => create(agent));
  expect(statuses(answers)).toEqual({ 200: 5, 429: 15 });
  expect(await host.rows('select from properties where "ownerAgentId" = $1', [agent.id])).toHaveLength(5);
  const refused = someRefused(answers);
  expect(refused.errorCode).toBe('QUOTA_REACHED');
  expect(refused.body.error.json.data).toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    messageKey: 'quota.reached',
  });
  expect(detailsOf(refused)).toEqual({ limit: 5, used: 5, resetsAt: MIDNIGHT });
  expect(refused.headers.get('retry-after')).toBe('1800');

  clock.at = Date.parse(MIDNIGHT);
  expect((await create(agent)).status).toBe(200);
});

test('the first 24 hours as an agent have a limit of their own, which midnight does not lift', async () => {
  const person = await host.signedIn({ role: 'customer' });
  await person.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'x' });
  expect(statuses(await times(8, () => create(person)))).toEqual({ 200: 3, 429: 5 });
  clock.at = NOW + 23 * HOUR;
  expect(detailsOf(await create(person))).toEqual({
    limit: 3,
    used: 3,
    resetsAt: new Date(NOW + 24 * HOUR).toISOString(),
  });
  clock.at = NOW + 24 * HOUR;
  expect((await create(person)).status).toBe(200);
});

test('a call that is repeated with its key costs nothing, and is answered when the limit is reached', async () => {
  const agent = await host.signedIn({ role: 'customer' });
  await agent.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'x' });
  const headers = { 'idempotency-key': randomUUID() };
  const body = JSON.stringify({ json: { listPrice: 1, address: '1 Way', city: 'Kent' } });
  const send = () => agent.send('POST', '/api/trpc/properties.create', { body, headers });
  const first = await send();
  await times(2, () => create(agent));
  expect((await create(agent)).status).toBe(429);
  expect((await send()).text).toBe(first.text);
});

test('NEW_AGENT_DELAY_MINUTES: a new agent waits before the first listing', async () => {
  const late = await startApiHost({
    settings: { NEW_AGENT_DELAY_MINUTES: '30' },
    overrides: clock.overrides,
  });
  try {
    const person = await late.signedIn({ role: 'customer' });
    await person.mutate('users.becomeAgent', { licenseNumber: 'x', officeName: 'x' });
    expect(detailsOf(await create(person))).toEqual({ limit: 0, used: 0, resetsAt: MIDNIGHT });
    clock.at = Date.parse(MIDNIGHT);
    expect((await create(person)).status).toBe(200);
  } finally {
    await late.stop();
  }
});

test('photos at once: as many as the listing and the day of the agent hold, without objects of the others', async () => {
  const agent = await host.signedIn();
  const [one, two] = [await host.listing(agent), await host.listing(agent)];
  const before = await host.objectKeys();
  const first = await times(8, () => agent.upload(tiny, { propertyId: one.propertyId }));
  // The listing had a photo.
  expect(statuses(first)).toEqual({ 201: 3, 429: 5 });
  const full = someRefused(first);
  expect([full.body.error.code, full.body.error.messageKey]).toEqual(['QUOTA_REACHED', 'quota.full']);
  expect(detailsOf(full)).toEqual({ limit: 4, used: 4, resetsAt: null });
  expect(full.headers.get('retry-after')).toBeNull();

  expect(statuses(await times(3, () => agent.upload(tiny, { propertyId: two.propertyId })))).toEqual({
    201: 3,
  });
  const beyond = await agent.upload(tiny, { propertyId: (await host.listing(agent)).propertyId });
  expect([beyond.status, detailsOf(beyond)]).toEqual([429, { limit: 6, used: 6, resetsAt: MIDNIGHT }]);
  const rows = await host.rows<{ objectKey: string; providerInputKey: string }>(
    `select "objectKey", "providerInputKey" from property_images where "propertyId" in ($1, $2)
       and "createdAt" = $3`,
    [one.propertyId, two.propertyId, new Date(NOW)],
  );
  expect(rows).toHaveLength(6);
  const stored = (await host.objectKeys()).filter((key) => !before.includes(key));
  expect(stored.toSorted()).toEqual(rows.flatMap((row) => Object.values(row)).toSorted());
});

test('the bytes of a day are limited, and a file that does not fit is not even decoded', async () => {
  const agent = await host.signedIn();
  const { propertyId } = await host.listing(agent);
  const listing = { propertyId };
  const large = await noisy(700, 700).png({ compressionLevel: 0 }).toBuffer();
  expect(large.length).toBeGreaterThan(1_000_000);
  const refused = await agent.upload(large, listing);
  expect([refused.status, detailsOf(refused)]).toEqual([
    429,
    { limit: 1_000_000, used: 0, resetsAt: MIDNIGHT },
  ]);
  const broken = await agent.upload(Buffer.alloc(1_000_001), listing);
  expect(broken.status).toBe(429);
  expect((await agent.upload(tiny, listing)).status).toBe(201);
});

test('tours: a customer requests and cancels in a circle until the limit of the listing, then that of the day', async () => {
  const scene = await visit(host, { propertyTimeZoneName: 'UTC' });
  const others = [await visit(host), await visit(host)];
  const day = (index: number) => ({
    startsAt: new Date(NOW + 48 * HOUR + index * HOUR).toISOString(),
    endsAt: new Date(NOW + 49 * HOUR + index * HOUR).toISOString(),
  });
  const request = (propertyId: string, index = 0) =>
    scene.customer.mutate('tours.request', { propertyId, slots: [day(index)], note: 'https://evil.example' });
  const circle = async (propertyId: string): Promise<Answer> => {
    const made = await request(propertyId);
    if (made.status === 200)
      await scene.customer.mutate('tours.cancel', {
        tourId: made.data.tourId,
        expectedVersion: 1,
        reason: 'x',
      });
    return made;
  };
  const answers: Answer[] = [];
  for (let index = 0; index < 6; index += 1) answers.push(await circle(scene.propertyId));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429, 429, 429]);
  expect(detailsOf(answers[3]!)).toEqual({ limit: 3, used: 3, resetsAt: MIDNIGHT });
  const rest = await times(2, (index) => request(others[index]!.propertyId));
  expect(statuses(rest)).toEqual({ 200: 2 });
  expect(detailsOf(await request((await visit(host)).propertyId))).toMatchObject({ limit: 5, used: 5 });
  // Three requests and cancellations, two requests, a mail for each side.
  expect(await host.rows('select from tour_mails')).toHaveLength((3 * 2 + 2) * 2);
});

test('tour requests at once never exceed the limit of the day', async () => {
  const scenes = await Promise.all(Array.from({ length: 12 }, () => visit(host)));
  const customer = scenes[0]!.customer;
  const slots = [
    { startsAt: new Date(NOW + 48 * HOUR).toISOString(), endsAt: new Date(NOW + 49 * HOUR).toISOString() },
  ];
  const answers = await times(12, (index) =>
    customer.mutate('tours.request', { propertyId: scenes[index]!.propertyId, slots }),
  );
  expect(statuses(answers)).toEqual({ 200: 5, 429: 7 });
});

test('declining and undoing in a circle ends after one undo', async () => {
  const scene = await visit(host);
  const slots = [{ startsAt: NOW + 48 * HOUR, endsAt: NOW + 49 * HOUR }];
  const { tourId } = (await scene.request(slots)).data;
  const act = (action: string, expectedVersion: number, more: object = {}) =>
    scene.agent.mutate(`tours.${action}`, { tourId, expectedVersion, ...more });
  expect((await act('decline', 1, { reason: 'no' })).data.availableActions).toEqual(['undo']);
  expect((await act('undo', 2)).status).toBe(200);
  expect((await act('decline', 3, { reason: 'no' })).data.availableActions).toEqual([]);
  expect((await act('undo', 4)).errorCode).toBe('TOUR_WRONG_STATE');
});
