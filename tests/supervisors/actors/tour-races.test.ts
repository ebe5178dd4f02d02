import { beforeEach, describe, expect, test } from 'vitest';
import { TourConflictError } from '../../../persistence/actors/rows/tour-row.ts';
import type { Delivery } from '../../../supervisors/actors/messages.ts';
import { seedUser } from '../../support/database/seed.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { openTestRuntime, type TestRuntime } from '../../support/worlds/job-driver.ts';
import { say, TourDriver, type TourScene, tourScene } from '../../support/worlds/tour-world.ts';

/** Two events at once, in many rounds: exactly one wins, and the rows are consistent. */
const database = useStoreDatabase();
let runtime: TestRuntime;
beforeEach(async () => {
  await database.clear();
  runtime = openTestRuntime(database);
});

const { first, second } = TOUR_SLOTS;
const ROUNDS = 8;
const rows = async (sql: string, values: unknown[] = []) => (await database.pool.query(sql, values)).rows;
const setStatus = (propertyId: string, status: string) =>
  rows('update properties set "standardStatus" = $2 where id = $1', [propertyId, status]);

/** An outcome, or the database's error. */
const outcomeOf = (delivery: Promise<Delivery>): Promise<string> =>
  delivery.then(
    ({ outcome }) => outcome,
    (error: unknown) => {
      if (error instanceof TourConflictError) return error.reason;
      throw error;
    },
  );
const requested = async (scene?: TourScene): Promise<TourDriver> => {
  const driver = new TourDriver(runtime, scene ?? (await tourScene(database)));
  await driver.request();
  return driver;
};
const times = async (work: () => Promise<void>) => {
  for (let round = 0; round < ROUNDS; round += 1) await work();
};

/** Each version equals the length of its gapless journal, and no calendar holds overlapping times. */
async function expectConsistent(): Promise<void> {
  expect(
    await rows(`
      select t.id from tours t left join actor_transitions j on j."actorKind" = 'tour' and j."actorId" = t.id
      group by t.id having count(j.*) <> t.version or max(j.seq) <> t.version
        or (array_agg(j."toState" order by j.seq desc))[1] <> t.status::text`),
  ).toEqual([]);
  expect(
    await rows(`
      select a.id from tours a join tours b on a.id < b.id and a."agentId" = b."agentId"
        and tstzrange(a."heldStartsAt", a."heldEndsAt") && tstzrange(b."heldStartsAt", b."heldEndsAt")
      where a.status in ('CONFIRMED', 'RESCHEDULE_PROPOSED') and b.status in ('CONFIRMED', 'RESCHEDULE_PROPOSED')`),
  ).toEqual([]);
}

describe('both sides act on one tour', () => {
  test('the agent accepts while the customer cancels', () =>
    times(async () => {
      const driver = await requested();
      const outcomes = await Promise.all([
        outcomeOf(driver.accept(first, { expectedVersion: 1 })),
        outcomeOf(driver.tell({ ...say('customer'), type: 'TOUR_CALLED_OFF' }, 1)),
      ]);
      expect(outcomes.toSorted()).toEqual(['applied', 'stale']);
      expect((await driver.row()).state).toBe(outcomes[0] === 'applied' ? 'CONFIRMED' : 'CANCELLED');
      expect((await driver.row()).version).toBe(2);
      await expectConsistent();
    }));

  test('two agents accept different slots', () =>
    times(async () => {
      const driver = await requested();
      const { agent, colleague } = driver.scene.people;
      const outcomes = await Promise.all([
        outcomeOf(driver.accept(first, { userId: agent, expectedVersion: 1 })),
        outcomeOf(driver.accept(second, { userId: colleague, expectedVersion: 1 })),
      ]);
      expect(outcomes.toSorted()).toEqual(['applied', 'stale']);
      const { context } = await driver.row();
      expect([context.agentId, context.heldSlot]).toEqual(
        outcomes[0] === 'applied' ? [agent, first] : [colleague, second],
      );
    }));

  test('one side accepts while the proposal expires', () =>
    times(async () => {
      const driver = await requested();
      const outcomes = await Promise.all([
        outcomeOf(driver.accept(second)),
        outcomeOf(driver.tell({ type: 'TIME_PASSED', at: second.startsAt, actor: 'system' })),
      ]);
      expect(outcomes.toSorted()).toEqual(['applied', 'ignored']);
      await expectConsistent();
    }));
});

describe('one calendar', () => {
  test('overlapping times of two tours are accepted at once', () =>
    times(async () => {
      const one = await requested();
      const other = await requested(await tourScene(database, { ownerAgentId: one.scene.people.agent }));
      const outcomes = await Promise.all([outcomeOf(one.accept(first)), outcomeOf(other.accept(first))]);
      expect(outcomes.toSorted()).toEqual(['applied', 'slot-taken']);
      const loser = outcomes[0] === 'applied' ? other : one;
      expect(await loser.row()).toMatchObject({ state: 'REQUESTED', version: 1 });
      await expectConsistent();
    }));

  test('several customers request a listing with automatic confirmation at once', () =>
    times(async () => {
      const scene = await tourScene(database, { autoConfirmTours: true });
      const drivers = await Promise.all(
        [1, 2, 3].map(async () => {
          const customer = await seedUser(database.pool, { role: 'customer' });
          return new TourDriver(runtime, { ...scene, people: { ...scene.people, customer } });
        }),
      );
      await Promise.all(drivers.map((driver) => driver.request()));
      const tours = await Promise.all(drivers.map((driver) => driver.row()));
      expect(tours.map(({ state }) => state).toSorted()).toEqual(['CONFIRMED', 'CONFIRMED', 'REQUESTED']);
      expect(tours.flatMap(({ context }) => context.heldSlot?.startsAt ?? []).toSorted()).toEqual([
        first.startsAt,
        second.startsAt,
      ]);
      await expectConsistent();
    }));

  test('a cancellation is undone while another tour takes its time', () =>
    times(async () => {
      const one = await requested();
      await one.accept(first);
      await one.tell({ ...say('agent'), type: 'TOUR_CALLED_OFF' });
      const other = await requested(await tourScene(database, { ownerAgentId: one.scene.people.agent }));
      const outcomes = await Promise.all([
        outcomeOf(one.tell({ ...say('agent'), type: 'DECISION_UNDONE', onMarket: true })),
        outcomeOf(other.accept(first)),
      ]);
      expect(outcomes.toSorted()).toEqual(['applied', 'slot-taken']);
      await expectConsistent();
    }));
});

test('a customer sends two requests at once', () =>
  times(async () => {
    const scene = await tourScene(database);
    const drivers = [
      new TourDriver(runtime, scene),
      new TourDriver(runtime, scene),
      new TourDriver(runtime, scene),
    ];
    const outcomes = await Promise.all(drivers.map((driver) => outcomeOf(driver.request())));
    expect(outcomes.toSorted()).toEqual(['already-open', 'already-open', 'applied']);
    expect(await rows('select id from tours where "propertyId" = $1', [scene.propertyId])).toHaveLength(1);
  }));

describe('a listing leaves the market', () => {
  const openTours = (propertyId: string) =>
    rows(`select id from tours where "propertyId" = $1 and status not in ('CANCELLED', 'DECLINED')`, [
      propertyId,
    ]);

  test('while a customer requests a tour', () =>
    times(async () => {
      const driver = new TourDriver(runtime, await tourScene(database));
      await Promise.all([driver.request(), setStatus(driver.scene.propertyId, 'Closed')]);
      expect(await openTours(driver.scene.propertyId)).toEqual([]);
      await expectConsistent();
    }));

  test('while an agent accepts', () =>
    times(async () => {
      const driver = await requested();
      await Promise.all([driver.accept(first), setStatus(driver.scene.propertyId, 'Withdrawn')]);
      expect(await driver.row()).toMatchObject({
        state: 'CANCELLED',
        context: { reason: 'LISTING_LEFT_MARKET' },
      });
      await expectConsistent();
    }));

  test('while a decision is undone', () =>
    times(async () => {
      const driver = await requested();
      await driver.tell({ ...say('agent', AT), type: 'REQUEST_DECLINED', note: 'no' });
      const undo = driver.tell({ ...say('agent', AT), type: 'DECISION_UNDONE', onMarket: true });
      await Promise.all([undo, setStatus(driver.scene.propertyId, 'Expired')]);
      expect(await openTours(driver.scene.propertyId)).toEqual([]);
      await expectConsistent();
    }));
});
