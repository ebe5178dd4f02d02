import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { type TourContext, tourMachine, unrequestedTour } from '../../../machines/tour.ts';
import type { TourActor } from '../../../persistence/actors/rows/tour-row.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { entryFor } from '../../support/database/store-under-test.ts';
import { TOUR_EVENTS, TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { explore } from '../../support/machines/exploration.ts';
import { TOUR_PATHS, withPeople } from '../../support/machines/tour-paths.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { openTestRuntime } from '../../support/worlds/job-driver.ts';
import { idsOf, TourDriver, type TourScene, tourScene } from '../../support/worlds/tour-world.ts';

const database = useStoreDatabase();
let scene: TourScene;
beforeEach(async () => {
  await database.clear();
  scene = await tourScene(database);
});

const { first, second } = TOUR_SLOTS;
const OPEN = ['REQUESTED', 'RESCHEDULE_PROPOSED', 'CONFIRMED'];
const setStatus = (propertyId: string, status: string) =>
  database.pool.query('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);

test('every reachable tour state can be stored and read back unchanged', async () => {
  const driver = new TourDriver(openTestRuntime(database), scene);
  await driver.request();
  const { reached } = explore(tourMachine, TOUR_EVENTS);
  const born = reached.filter(({ context }) => context.agentId !== null);
  expect(born.length).toBeGreaterThan(100);
  for (const one of born) {
    const next = withPeople(one, idsOf(scene)) as unknown as { state: string; context: TourContext };
    const version = await database.store.transaction(async (tx) => {
      const tour = await tx.lock('tour', driver.id);
      if (!tour) throw new Error('no tour');
      return (await tx.save(tour, next, entryFor(tour, next.state, { type: 'WRITTEN' }))).version;
    });
    const { state, context, version: read } = await driver.row();
    expect({ state, context, version: read }).toEqual({ ...next, version });
  }
});

describe('a row that the machine cannot write is rejected', () => {
  const slots = (...all: { startsAt: number; endsAt: number }[]) => JSON.stringify(all);
  const asked = {
    status: 'REQUESTED',
    proposedSlots: slots(first),
    proposedBy: 'customer',
    proposalExpiresAt: new Date(first.startsAt),
  };
  const settled = { proposedSlots: '[]', proposedBy: null, proposedById: null, proposalExpiresAt: null };
  const held = { heldStartsAt: new Date(first.startsAt), heldEndsAt: new Date(first.endsAt) };
  const closed = { closedAt: new Date(AT), closedBy: 'agent', closedFrom: 'CONFIRMED' };
  const insert = async (columns: Record<string, unknown>) => {
    const row: Record<string, unknown> = {
      id: randomUUID(),
      customerId: scene.people.customer,
      propertyId: scene.propertyId,
      agentId: scene.people.agent,
      kind: 'VIRTUAL',
      proposedById: scene.people.customer,
      createdAt: new Date(AT),
      updatedAt: new Date(AT),
      ...columns,
    };
    const names = Object.keys(row);
    await database.pool.query(
      `insert into tours (${names.map((name) => `"${name}"`).join(', ')})
       values (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    );
  };
  test.each<[string, Record<string, unknown>, string]>([
    ['REQUESTED without a slot', { ...asked, ...settled }, 'tours_status_check'],
    ['REQUESTED with a held time', { ...asked, ...held }, 'tours_status_check'],
    ['REQUESTED by an agent', { ...asked, proposedBy: 'agent' }, 'tours_status_check'],
    ['four slots', { ...asked, proposedSlots: slots(first, first, first, first) }, 'tours_slots_check'],
    ['a proposal that never ends', { ...asked, proposalExpiresAt: null }, 'tours_proposal_check'],
    ['a proposal in no round', { ...asked, status: 'RESCHEDULE_PROPOSED' }, 'tours_status_check'],
    ['a sixth round', { ...asked, status: 'RESCHEDULE_PROPOSED', rounds: 6 }, 'tours_rounds_check'],
    ['CONFIRMED without a time', { ...settled, status: 'CONFIRMED' }, 'tours_status_check'],
    ['CONFIRMED with a proposal', { ...asked, ...held, status: 'CONFIRMED' }, 'tours_status_check'],
    ['half a time', { ...settled, status: 'CONFIRMED', heldStartsAt: new Date(AT) }, 'tours_held_slot_check'],
    ['an end without its instant', { ...settled, ...held, status: 'COMPLETED' }, 'tours_closed_check'],
    ['COMPLETED without a time', { ...settled, ...closed, status: 'COMPLETED' }, 'tours_status_check'],
    ['open and ended', { ...asked, ...closed }, 'tours_closed_check'],
    ['an unknown party', { ...asked, proposedBy: 'neighbor' }, 'tours_proposedBy_check'],
  ])('%s', async (_, columns, constraint) => {
    await expect(insert(columns)).rejects.toMatchObject({ constraint });
  });
  test('valid rows are accepted, one open tour per customer and listing', async () => {
    await insert(asked);
    await expect(insert(asked)).rejects.toMatchObject({ constraint: 'tours_one_open_uidx' });
    await insert({ ...settled, ...held, ...closed, status: 'COMPLETED' });
    await insert({ ...settled, ...held, ...closed, status: 'NO_SHOW' });
  });
});

describe('the trigger of 0016 makes the same change as the machine when a listing leaves the market', () => {
  const portrait = async ({ id, scene: own }: TourDriver) => {
    const names = Object.fromEntries(Object.entries(idsOf(own)).map(([name, person]) => [person, name]));
    const { rows } = await database.pool.query('select * from tours where id = $1', [id]);
    const {
      id: _,
      customerId,
      propertyId,
      agentId,
      proposedById,
      createdAt,
      updatedAt,
      closedAt,
      ...row
    } = rows[0];
    const { at, event, actedBy, ...last } = (await journalOf(database.pool, 'tour', id)).at(-1) ?? {};
    const instants = closedAt && [updatedAt.getTime(), at?.getTime(), event?.at];
    return {
      ...row,
      last,
      instants: instants?.every((one: number) => one === closedAt.getTime()),
      event: withPeople({ ...event, at: 0 }, names),
    };
  };
  const seen = new Set<string>();
  for (const { events, title, end } of TOUR_PATHS) {
    // One of each state, with and without a held time.
    const shape = `${end.state} ${end.context.heldSlot !== null} ${end.context.proposedBy}`;
    if (seen.has(shape)) continue;
    seen.add(shape);
    test(title, async () => {
      const runtime = openTestRuntime(database);
      const listing = {
        autoConfirmTours: events[0]?.type === 'TOUR_REQUESTED' && events[0].freeSlot !== null,
      };
      const drivers = [];
      for (const _ of ['by trigger', 'by machine']) {
        const driver = new TourDriver(runtime, await tourScene(database, listing));
        for (const event of events) await driver.tell(event);
        drivers.push(driver);
      }
      const [byTrigger, byMachine] = drivers as [TourDriver, TourDriver];
      const before = await portrait(byTrigger);
      await setStatus(byTrigger.scene.propertyId, 'Closed');
      const delivery = await byMachine.tell({ type: 'LISTING_LEFT_MARKET', at: AT, actor: 'system' });
      expect(delivery.outcome).toBe(OPEN.includes(before.status) ? 'applied' : 'ignored');
      if (delivery.outcome === 'applied')
        expect(await portrait(byTrigger)).toMatchObject({
          status: 'CANCELLED',
          reason: 'LISTING_LEFT_MARKET',
          instants: true,
          version: before.version + 1,
        });
      expect(await portrait(byTrigger)).toEqual(await portrait(byMachine));
    });
  }
  test('every state occurred', () => expect(seen.size).toBeGreaterThan(10));

  const request = async () => {
    const driver = new TourDriver(openTestRuntime(database), await tourScene(database));
    await driver.request();
    return driver;
  };
  test.each(['Closed', 'Withdrawn', 'Canceled', 'Expired', 'Delete'])('%s', async (status) => {
    const driver = await request();
    await setStatus(driver.scene.propertyId, status);
    expect((await driver.row()).state).toBe('CANCELLED');
  });
  test.each(['Active Under Contract', 'Pending', 'Hold', 'Coming Soon', 'Incomplete'])(
    '%s changes no tour, and neither does any other change',
    async (status) => {
      const driver = await request();
      await setStatus(driver.scene.propertyId, status);
      await database.pool.query('update properties set city = $2 where id = $1', [
        driver.scene.propertyId,
        'X',
      ]);
      expect(await driver.row()).toMatchObject({ state: 'REQUESTED', version: 1 });
    },
  );
});

describe('what is kept and what is deleted', () => {
  const born = async (): Promise<TourDriver> => {
    const driver = new TourDriver(openTestRuntime(database), scene);
    await driver.request();
    return driver;
  };
  test('a tour is deleted with the row of its listing', async () => {
    const { id } = await born();
    await database.pool.query('delete from properties where id = $1', [scene.propertyId]);
    expect(await database.store.transaction((tx) => tx.lock('tour', id))).toBeNull();
  });
  test('its history is kept as long as the tour', async () => {
    const { id } = await born();
    const prune = () => database.pool.query('delete from actor_transitions where "actorId" = $1', [id]);
    await expect(prune()).rejects.toMatchObject({ code: '23001' });
    await database.pool.query('delete from tours where id = $1', [id]);
    expect((await prune()).rowCount).toBe(1);
  });
  test('the first line of the history has no previous state', async () => {
    const { id } = await born();
    expect(await journalOf(database.pool, 'tour', id)).toMatchObject([
      { seq: 1, eventType: 'TOUR_REQUESTED', fromState: null, toState: 'REQUESTED' },
    ]);
  });
  test('a tour that was never requested cannot be stored', async () => {
    const tour: TourActor = {
      kind: 'tour',
      id: randomUUID(),
      version: 1,
      state: 'REQUESTED',
      context: unrequestedTour,
      details: {
        customerId: scene.people.customer,
        propertyId: scene.propertyId,
        kind: 'VIRTUAL',
        note: null,
        createdAt: AT,
      },
    };
    const entry = { ...entryFor(tour, 'REQUESTED', { type: 'BORN' }), from: null };
    await expect(database.store.transaction((tx) => tx.create({ actor: tour, entry }))).rejects.toThrow(
      'agentId',
    );
  });
  test('times that touch do not overlap', async () => {
    const driver = await born();
    await driver.accept(first);
    const next = new TourDriver(
      openTestRuntime(database),
      await tourScene(database, { ownerAgentId: scene.people.agent }),
    );
    const touching = { startsAt: first.endsAt, endsAt: first.endsAt + (second.endsAt - second.startsAt) };
    await next.request([touching, { startsAt: touching.startsAt - 1, endsAt: touching.endsAt }]);
    await expect(next.accept({ ...touching, startsAt: touching.startsAt - 1 })).rejects.toMatchObject({
      reason: 'slot-taken',
    });
    expect(await next.accept(touching)).toMatchObject({ outcome: 'applied', state: 'CONFIRMED' });
  });
});
