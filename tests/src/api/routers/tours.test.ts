import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { TOUR_UNDO_MS } from '../../../../machines/limits.ts';
import type { TourSlot } from '../../../../machines/tour-slots.ts';
import { useApiHost } from '../../../support/http/api-host.ts';
import type { Answer, Person } from '../../../support/http/person.ts';
import { TOUR_SLOTS } from '../../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../../support/manual-time.ts';
import { setClock, type Visit, visit, wire } from '../../../support/worlds/tour-visits.ts';

const clock = setClock();
const host = useApiHost({ overrides: clock.overrides });
beforeEach(() => {
  clock.at = AT;
});

const { first, second } = TOUR_SLOTS;
const HOUR = 3_600_000;
const slotAt = (startsAt: string, minutes = 60): TourSlot => ({
  startsAt: Date.parse(startsAt),
  endsAt: Date.parse(startsAt) + minutes * 60_000,
});
const errorOf = ({ status, errorCode }: Answer) => [status, errorCode];
const fieldsOf = (answer: Answer) => Object.keys(answer.body.error.json.data.fields ?? {});
const requested = async (scene: Visit): Promise<string> => (await scene.request()).data.tourId;
const confirmed = async (scene: Visit): Promise<string> => {
  const tourId = await requested(scene);
  const seen = { tourId, expectedVersion: 1, startsAt: wire(first).startsAt };
  expect((await scene.agent.mutate('tours.confirm', seen)).status).toBe(200);
  return tourId;
};

test('a tour as both sides see it, from the request to the visit', async () => {
  const scene = await visit(host, { propertyTimeZoneName: 'America/Los_Angeles', city: 'Seattle' });
  const asked = await scene.request([first, second], { note: 'With two dogs.', kind: 'VIRTUAL' });
  const tourId = asked.data.tourId;
  expect(asked.data).toEqual({
    tourId,
    propertyId: scene.propertyId,
    address: '1 Test Lane',
    unitNumber: null,
    city: 'Seattle',
    timeZone: 'America/Los_Angeles',
    customer: { userId: scene.customer.id, name: 'Carl Customer' },
    agent: { userId: scene.agent.id, name: 'Ada Agent' },
    kind: 'VIRTUAL',
    note: 'With two dogs.',
    status: 'REQUESTED',
    slots: [wire(first), wire(second)],
    heldSlot: null,
    proposedBy: 'customer',
    rounds: 0,
    proposalExpiresAt: wire(second).startsAt,
    reason: null,
    closedAt: null,
    closedBy: null,
    contestedAt: null,
    reportUntil: null,
    version: 1,
    availableActions: ['cancel'],
    mismatchReports: [],
    history: [
      {
        seq: 1,
        actor: 'customer',
        from: null,
        to: 'REQUESTED',
        slots: [wire(first), wire(second)],
        note: 'With two dogs.',
        at: new Date(AT).toISOString(),
        by: { userId: scene.customer.id, name: 'Carl Customer' },
      },
    ],
    unread: false,
    photoId: null,
    createdAt: new Date(AT).toISOString(),
  });
  const seen = await scene.agent.query('tours.get', { tourId });
  expect(seen.data.availableActions).toEqual(['confirm', 'decline', 'proposeReschedule']);

  const proposal = { tourId, expectedVersion: 1, slots: [wire(second)], note: 'Later?' };
  const countered = await scene.colleague.mutate('tours.proposeReschedule', proposal);
  expect(countered.data).toMatchObject({ status: 'RESCHEDULE_PROPOSED', proposedBy: 'agent', rounds: 1 });
  // A single proposed slot does not have to be named.
  const agreed = await scene.customer.mutate('tours.acceptReschedule', { tourId, expectedVersion: 2 });
  expect(agreed.data).toMatchObject({
    status: 'CONFIRMED',
    slots: [],
    heldSlot: wire(second),
    proposedBy: null,
    agent: { userId: scene.colleague.id, name: 'Cleo Colleague' },
  });
  clock.at = second.startsAt;
  const done = await scene.agent.mutate('tours.complete', { tourId, expectedVersion: 3, note: 'Keen.' });
  expect(done.data).toMatchObject({ status: 'COMPLETED', reason: 'Keen.', closedBy: 'agent', version: 4 });
  expect(done.data.availableActions).toEqual(['undo']);
  expect(done.data.history.map(({ note }: { note: string | null }) => note)).toEqual([
    'With two dogs.',
    'Later?',
    null,
    'Keen.',
  ]);
  clock.at += TOUR_UNDO_MS;
  const undone = await scene.colleague.mutate('tours.undo', { tourId, expectedVersion: 4 });
  expect(undone.data).toMatchObject({ status: 'CONFIRMED', closedAt: null, reason: null, version: 5 });
  expect(undone.data.history.at(-1)).toMatchObject({ from: 'COMPLETED', to: 'CONFIRMED', actor: 'agent' });
  const lines = host.lines.filter((line) => line.tourId === tourId).map(({ event }) => event);
  expect(lines).toEqual([
    'tours.request',
    'tours.proposeReschedule',
    'tours.acceptReschedule',
    'tours.complete',
    'tours.undo',
  ]);
  expect(JSON.stringify(host.lines)).not.toContain('two dogs');
});

describe('all other callers get no information', () => {
  const decisions = [
    'confirm',
    'acceptReschedule',
    'refuseReschedule',
    'cancel',
    'complete',
    'markNoShow',
    'undo',
  ];
  const calls: [string, (person: Person, tourId: string) => Promise<Answer>][] = [
    ['get', (person, tourId) => person.query('tours.get', { tourId })],
    ...decisions.map((name): [string, (person: Person, tourId: string) => Promise<Answer>] => [
      name,
      (person, tourId) => person.mutate(`tours.${name}`, { tourId, expectedVersion: 1 }),
    ]),
    [
      'decline',
      (person, tourId) => person.mutate('tours.decline', { tourId, expectedVersion: 1, reason: 'no' }),
    ],
    [
      'proposeReschedule',
      (person, tourId) =>
        person.mutate('tours.proposeReschedule', { tourId, expectedVersion: 1, slots: [wire(first)] }),
    ],
  ];
  const seen = ({ status, text, headers }: Answer) => ({
    status,
    text,
    headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  });
  test.each(calls)('tours.%s', async (_, call) => {
    const tourId = await requested(await visit(host));
    for (const person of [await host.signedIn(), await host.signedIn({ role: 'customer' })]) {
      const theirs = await call(person, tourId);
      expect(errorOf(theirs)).toEqual([404, 'NOT_FOUND']);
      expect(seen(theirs)).toEqual(seen(await call(person, randomUUID())));
    }
    expect(errorOf(await call(host.anonymous(), tourId))).toEqual([401, 'UNAUTHORIZED']);
    expect(await host.rows('select version from tours where id = $1', [tourId])).toEqual([{ version: 1 }]);
  });

  test('a listing that is not public counts as unknown', async () => {
    const otherUser = await host.signedIn({ role: 'customer' });
    const ask = (propertyId: string) =>
      otherUser.mutate('tours.request', { propertyId, slots: [wire(first)] });
    const missing = await ask(randomUUID());
    expect(errorOf(missing)).toEqual([404, 'NOT_FOUND']);
    for (const standardStatus of ['Incomplete', 'Delete']) {
      const hidden = await visit(host, { standardStatus });
      expect(seen(await ask(hidden.propertyId))).toEqual(seen(missing));
      expect(errorOf(await hidden.request())).toEqual([404, 'NOT_FOUND']);
    }
  });
});

describe('the side that a person acts for', () => {
  test('an agent cannot request a tour of a listing of their own', async () => {
    const scene = await visit(host);
    for (const agent of [scene.agent, scene.colleague]) {
      const answer = await agent.mutate('tours.request', {
        propertyId: scene.propertyId,
        slots: [wire(first)],
      });
      expect(errorOf(answer)).toEqual([403, 'FORBIDDEN']);
    }
    const other = await host.signedIn();
    const answer = await other.mutate('tours.request', {
      propertyId: scene.propertyId,
      slots: [wire(first)],
    });
    expect(answer.status).toBe(200);
  });

  test('a customer who becomes an agent of the listing stays the customer of the tour', async () => {
    const scene = await visit(host);
    const tourId = await requested(scene);
    await host.rows(
      'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
      [scene.propertyId, scene.customer.id],
    );
    const answer = await scene.customer.mutate('tours.confirm', {
      tourId,
      expectedVersion: 1,
      startsAt: wire(first).startsAt,
    });
    expect(errorOf(answer)).toEqual([409, 'TOUR_WRONG_STATE']);
    expect((await scene.customer.query('tours.listForAgent', {})).data.items).toEqual([]);
    expect((await scene.customer.query('tours.listMine', {})).data.items).toHaveLength(1);
  });

  test('an action that the side or the state does not allow is rejected and changes nothing', async () => {
    const scene = await visit(host);
    const tourId = await requested(scene);
    const seen = { tourId, expectedVersion: 1 };
    const wrong: [Person, string, object][] = [
      [scene.customer, 'confirm', { startsAt: wire(first).startsAt }],
      [scene.customer, 'decline', { reason: 'no' }],
      [scene.customer, 'proposeReschedule', { slots: [wire(first)] }],
      [scene.agent, 'cancel', {}],
      [scene.agent, 'acceptReschedule', { startsAt: wire(first).startsAt }],
      [scene.customer, 'refuseReschedule', {}],
      [scene.agent, 'complete', {}],
      [scene.agent, 'markNoShow', {}],
      [scene.agent, 'undo', {}],
    ];
    for (const [person, action, more] of wrong) {
      const answer = await person.mutate(`tours.${action}`, { ...seen, ...more });
      expect([action, ...errorOf(answer)]).toEqual([action, 409, 'TOUR_WRONG_STATE']);
    }
    const { data } = await scene.customer.query('tours.get', { tourId });
    expect([data.version, data.history.length]).toEqual([1, 1]);
  });

  test('a decision on an older version is rejected as stale', async () => {
    const scene = await visit(host);
    const tourId = await confirmed(scene);
    for (const expectedVersion of [1, 3]) {
      const answer = await scene.customer.mutate('tours.cancel', { tourId, expectedVersion });
      expect(errorOf(answer)).toEqual([409, 'CONFLICT']);
    }
  });

  test('the input texts are validated', async () => {
    const scene = await visit(host);
    const tourId = await requested(scene);
    const cases: [string, object, string][] = [
      ['confirm', { tourId, expectedVersion: 1 }, 'startsAt'],
      ['confirm', { tourId, expectedVersion: 1, startsAt: '2027-01-01T00:00:00.000Z' }, 'startsAt'],
      ['confirm', { tourId, startsAt: wire(first).startsAt }, 'expectedVersion'],
      ['decline', { tourId, expectedVersion: 1 }, 'reason'],
      ['decline', { tourId, expectedVersion: 1, reason: '  ' }, 'reason'],
      ['proposeReschedule', { tourId, expectedVersion: 1, slots: [] }, 'slots'],
      ['cancel', { tourId: 'x', expectedVersion: 1 }, 'tourId'],
    ];
    for (const [action, input, field] of cases) {
      const answer = await scene.agent.mutate(`tours.${action}`, input);
      expect([action, ...errorOf(answer), fieldsOf(answer)]).toEqual([action, 400, 'INVALID_INPUT', [field]]);
    }
  });
});

describe('slots', () => {
  const seattle = {
    propertyTimeZoneName: 'America/Los_Angeles',
    showingAdvanceNotice: 24,
    showingStartTime: '09:00',
    showingEndTime: '18:00',
    showingDays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
  };
  test.each<[string, TourSlot, string | null]>([
    ['begins now', slotAt('2026-01-15T12:00:00Z'), 'passed'],
    ['is too short', slotAt('2026-01-20T18:00:00Z', 14), '15 minutes'],
    ['is too long', slotAt('2026-01-20T18:00:00Z', 241), '4 hours'],
    ['ends before it begins', slotAt('2026-01-20T18:00:00Z', -30), '15 minutes'],
    ['is within the notice', slotAt('2026-01-16T11:59:00Z'), 'too soon'],
    ['is before opening', slotAt('2026-01-20T16:59:00Z'), 'hour'],
    ['is after closing', slotAt('2026-01-21T01:01:00Z'), 'hour'],
    ['is on a Sunday there', slotAt('2026-01-18T20:00:00Z'), 'day'],
    ['is on Saturday there', slotAt('2026-01-17T20:00:00Z'), null],
    ['is at the same hour before the clock goes forward', slotAt('2026-03-06T16:00:00Z'), 'hour'],
    ['and on the Monday after it has', slotAt('2026-03-09T16:00:00Z'), null],
    ['is at the last hour before the clock goes back', slotAt('2026-10-31T00:00:00Z'), null],
    ['and at the last hour after it has', slotAt('2026-11-03T01:00:00Z'), null],
    ['and an hour later than that', slotAt('2026-11-03T02:00:00Z'), 'hour'],
  ])('one that %s', async (_, slot, fault) => {
    const scene = await visit(host, seattle);
    const answer = await scene.request([slotAt('2026-01-20T19:00:00Z'), slot]);
    if (fault === null) expect(answer.status).toBe(200);
    else {
      expect(errorOf(answer)).toEqual([400, 'INVALID_INPUT']);
      expect(answer.body.error.json.data.fields).toEqual({ 'slots.1': [expect.stringContaining(fault)] });
    }
    expect(await host.rows('select 1 from tours where "propertyId" = $1', [scene.propertyId])).toHaveLength(
      fault === null ? 1 : 0,
    );
  });

  test('of proposals follow the same rules', async () => {
    const scene = await visit(host, seattle);
    const asked = await scene.request([slotAt('2026-01-20T19:00:00Z')]);
    const { tourId } = asked.data;
    const propose = (slot: TourSlot) =>
      scene.agent.mutate('tours.proposeReschedule', { tourId, expectedVersion: 1, slots: [wire(slot)] });
    expect(fieldsOf(await propose(slotAt('2026-01-18T20:00:00Z')))).toEqual(['slots.0']);
    expect((await propose(slotAt('2026-01-19T20:00:00Z'))).status).toBe(200);
  });

  test.each<[string, TourSlot[], string]>([
    ['none', [], 'slots'],
    ['four', [0, 1, 2, 3].map((days) => slotAt(`2026-02-0${days + 1}T12:00:00Z`)), 'slots'],
    ['the same twice', [first, first], 'slots.1'],
  ])('%s', async (_, slots, field) => {
    const scene = await visit(host);
    const answer = await scene.request(slots);
    expect([...errorOf(answer), fieldsOf(answer)]).toEqual([400, 'INVALID_INPUT', [field]]);
  });
});

describe('conflicts', () => {
  test('a taken time, another open tour, and a listing off the market are rejected', async () => {
    const one = await visit(host);
    await confirmed(one);
    const other = await visit(host, {}, one.agent);
    const tourId = await requested(other);
    const accept = (slot: TourSlot) =>
      one.agent.mutate('tours.confirm', { tourId, expectedVersion: 1, startsAt: wire(slot).startsAt });
    expect(errorOf(await accept(first))).toEqual([409, 'TOUR_SLOT_TAKEN']);
    expect((await accept(second)).status).toBe(200);
    expect(errorOf(await other.request())).toEqual([409, 'TOUR_ALREADY_OPEN']);
    for (const standardStatus of ['Closed', 'Hold', 'Withdrawn']) {
      const gone = await visit(host, { standardStatus });
      expect(errorOf(await gone.request())).toEqual([409, 'TOUR_NOT_OFFERED']);
    }
  });

  test('of two simultaneous actions exactly one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const scene = await visit(host);
      const doubled = await Promise.all([scene.request(), scene.request()]);
      expect(doubled.map(errorOf).toSorted()).toEqual([
        [200, undefined],
        [409, 'TOUR_ALREADY_OPEN'],
      ]);
      const tourId = doubled.find(({ status }) => status === 200)?.data.tourId;
      const seen = { tourId, expectedVersion: 1 };
      const answers = await Promise.all([
        scene.agent.mutate('tours.confirm', { ...seen, startsAt: wire(first).startsAt }),
        scene.customer.mutate('tours.cancel', seen),
        scene.colleague.mutate('tours.confirm', { ...seen, startsAt: wire(second).startsAt }),
      ]);
      expect(answers.map(errorOf).toSorted()).toEqual([
        [200, undefined],
        [409, 'CONFLICT'],
        [409, 'CONFLICT'],
      ]);
    }
  });
});

describe('lists', () => {
  test('page from the newest, by status and listing, and each side has its own list', async () => {
    const agent = await host.signedIn();
    const customer = await host.signedIn({ role: 'customer' });
    const listings = [];
    for (let index = 0; index < 5; index += 1) {
      clock.at = AT + Math.floor(index / 2);
      const { propertyId } = await visit(host, {}, agent);
      const answer = await customer.mutate('tours.request', {
        propertyId,
        slots: [wire({ startsAt: first.startsAt + index * HOUR, endsAt: first.endsAt + index * HOUR })],
      });
      listings.push({ propertyId, tourId: answer.data.tourId, at: clock.at });
    }
    const newest = listings
      .toSorted((a, b) => b.at - a.at || (a.tourId < b.tourId ? 1 : -1))
      .map(({ tourId }) => tourId);
    for (const [person, procedure] of [
      [customer, 'listMine'],
      [agent, 'listForAgent'],
    ] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const { data }: Answer = await person.query(`tours.${procedure}`, { limit: 2, cursor });
        seen.push(...data.items.map(({ tourId }: { tourId: string }) => tourId));
        cursor = data.nextCursor;
      } while (cursor !== null);
      expect(seen).toEqual(newest);
    }
    const [one] = listings;
    const accepted = await agent.mutate('tours.confirm', { tourId: one?.tourId, expectedVersion: 1 });
    expect(accepted.data.status).toBe('CONFIRMED');
    const held = await customer.query('tours.listMine', { statuses: ['CONFIRMED'] });
    expect(held.data.items).toMatchObject([
      { tourId: one?.tourId, availableActions: ['proposeReschedule', 'cancel'] },
    ]);
    const ofOne = await agent.query('tours.listForAgent', { propertyId: one?.propertyId });
    expect(ofOne.data.items).toHaveLength(1);
    for (const [person, procedure] of [
      [agent, 'listMine'],
      [customer, 'listForAgent'],
    ] as const)
      expect((await person.query(`tours.${procedure}`, {})).data).toEqual({ items: [], nextCursor: null });
    const wrong = await customer.query('tours.listMine', { cursor: 'next' });
    expect([...errorOf(wrong), fieldsOf(wrong)]).toEqual([400, 'INVALID_INPUT', ['cursor']]);
  });
});

describe('the inbox', () => {
  const unread = async (person: Person): Promise<number> =>
    (await person.query('tours.countUnread')).data.count;
  const threads = async (person: Person, input: object = {}) =>
    (await person.query('tours.listThreads', input)).data;

  test('counts what the other side did until it is read, for each person, and for 30 days', async () => {
    const scene = await visit(host);
    const { agent, colleague, customer } = scene;
    const tourId = await requested(scene);
    expect([await unread(agent), await unread(colleague), await unread(customer)]).toEqual([1, 1, 0]);
    const read = (person: Person, version: number) => person.mutate('tours.markRead', { tourId, version });
    expect((await read(agent, 99)).data).toMatchObject({ tourId, unread: false });
    expect([await unread(agent), await unread(colleague)]).toEqual([0, 1]);
    // Who answers has read; the mark of a later version is that of the tour's own.
    await colleague.mutate('tours.decline', { tourId, expectedVersion: 1, reason: 'No' });
    expect([await unread(agent), await unread(colleague), await unread(customer)]).toEqual([0, 0, 1]);
    await read(customer, 1);
    expect((await threads(customer)).items).toMatchObject([{ tourId, unread: true }]);
    await read(customer, 2);
    await read(customer, 1);
    expect([await unread(customer), (await threads(customer)).items[0].unread]).toEqual([0, false]);
    expect(errorOf(await read(await host.signedIn(), 2))).toEqual([404, 'NOT_FOUND']);
    await host.rows('delete from tour_reads where "userId" = $1', [customer.id]);
    clock.at = AT + 30 * 24 * HOUR;
    expect([await unread(customer), (await threads(customer)).items[0].unread]).toEqual([0, false]);
  });

  test('has a thread for each home and customer, the latest change first, as either side', async () => {
    const scene = await visit(host);
    const [other, own] = [await visit(host, {}, scene.agent), await visit(host)];
    const old = await requested(scene);
    clock.at = AT + 1;
    await scene.agent.mutate('tours.decline', { tourId: old, expectedVersion: 1, reason: 'No' });
    clock.at = AT + 2;
    const asked = await requested(other);
    clock.at = AT + 3;
    const again = await requested(scene);
    clock.at = AT + 4;
    const visiting = (
      await scene.agent.mutate('tours.request', { propertyId: own.propertyId, slots: [wire(first)] })
    ).data.tourId;
    const all = await threads(scene.agent);
    expect(all.items.map((tour: { tourId: string }) => tour.tourId)).toEqual([visiting, again, asked]);
    const page = await threads(scene.agent, { limit: 2 });
    const rest = await threads(scene.agent, { limit: 2, cursor: page.nextCursor });
    expect(rest.items.map((tour: { tourId: string }) => tour.tourId)).toEqual([asked]);
    expect(rest.nextCursor).toBeNull();
    const { data } = await scene.agent.query('tours.listForAgent', {
      propertyId: scene.propertyId,
      customerId: scene.customer.id,
    });
    expect(data.items.map((tour: { tourId: string }) => tour.tourId)).toEqual([again, old]);
    expect(data.items[1].history).toMatchObject([
      { by: { name: 'Carl Customer' } },
      { by: { name: 'Ada Agent' }, note: 'No' },
    ]);
  });
});

test('a person without a name requests no tour', async () => {
  const scene = await visit(host);
  await host.rows(`update "user" set name = '' where id = $1`, [scene.customer.id]);
  expect(errorOf(await scene.request())).toEqual([403, 'NAME_REQUIRED']);
  await scene.customer.mutate('users.updateProfile', { name: 'Carl' });
  expect((await scene.request()).status).toBe(200);
});

test('the calendar entry of an agreed time, and of a canceled one', async () => {
  const scene = await visit(host, {
    address: '12 Harbour Lane; house 3, door "B"\\left — ñandú casa á la orilla del mar',
    unitNumber: '#4B',
    city: 'Seattle',
    stateOrProvince: 'WA',
    postalCode: '98101',
  });
  const tourId = await requested(scene);
  const icsFor = async (person: Person) => (await person.query('tours.get', { tourId })).data.ics;
  expect(await icsFor(scene.customer)).toBeNull();
  clock.at = AT + 1_500;
  await scene.agent.mutate('tours.confirm', { tourId, expectedVersion: 1, startsAt: wire(first).startsAt });
  const ics: string = await icsFor(scene.customer);
  const lines = ics.split('\r\n');
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(lines.some((line) => line.startsWith(' '))).toBe(true);
  expect(ics.endsWith('END:VCALENDAR\r\n')).toBe(true);
  const unfolded = ics.replaceAll('\r\n ', '').split('\r\n');
  const place =
    '12 Harbour Lane\\; house 3\\, door "B"\\\\left — ñandú casa á la orilla del mar #4B\\, Seattle';
  expect(unfolded).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Proscenium//Tours//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${tourId}@api.example.com`,
    'DTSTAMP:20260115T120001Z',
    'SEQUENCE:2',
    'STATUS:CONFIRMED',
    'DTSTART:20260116T120000Z',
    'DTEND:20260116T130000Z',
    `SUMMARY:Home tour: ${place}`,
    `LOCATION:${place}\\, WA 98101`,
    `URL:https://api.example.com/inbox/${scene.propertyId}/${scene.customer.id}`,
    'ORGANIZER:mailto:no-reply@api.example.com',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
  await scene.customer.mutate('tours.cancel', { tourId, expectedVersion: 2, reason: 'Found a flat.' });
  const canceled: string = await icsFor(scene.agent);
  const { email } = (await scene.agent.query('users.getMe')).data;
  const expected = ['METHOD:CANCEL', 'STATUS:CANCELLED', 'SEQUENCE:3', `UID:${tourId}@api.example.com`];
  for (const line of [...expected, `ATTENDEE:mailto:${email}`])
    expect(canceled.replaceAll('\r\n ', '').split('\r\n')).toContain(line);
});
