import { beforeEach, describe, expect, test } from 'vitest';
import { TOUR_OUTCOME_PATIENCE_MS, TOUR_UNDO_MS } from '../../../machines/limits.ts';
import type { TourEvent } from '../../../machines/tour.ts';
import { dueTours } from '../../../persistence/listings/tour-queries.ts';
import { createTourSweeper } from '../../../supervisors/sweepers/tour-sweeper.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { eventually } from '../../support/eventually.ts';
import { TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { TOUR_PATHS, withPeople } from '../../support/machines/tour-paths.ts';
import { MANUAL_EPOCH as AT, createManualTime } from '../../support/manual-time.ts';
import { openTestRuntime, type TestRuntime } from '../../support/worlds/job-driver.ts';
import { createRecordingReporter, everyTurn } from '../../support/worlds/recording-ports.ts';
import { holdSlot, idsOf, say, TourDriver, tourScene } from '../../support/worlds/tour-world.ts';

const database = useStoreDatabase();
let runtime: TestRuntime;
beforeEach(() => {
  runtime = openTestRuntime(database);
});
const { first, second } = TOUR_SLOTS;
const DAY = 86_400_000;
const setStatus = ({ scene }: TourDriver, status: string) =>
  database.pool.query('update properties set "standardStatus" = $2 where id = $1', [
    scene.propertyId,
    status,
  ]);
const withoutIds = (event: TourEvent | undefined) => ({ ...event, freeSlot: undefined, onMarket: undefined });

describe('every path through the machine, on the database', () => {
  test.each(TOUR_PATHS)('$title', async ({ events, states, end }) => {
    const [birth] = events;
    const isAuto = birth?.type === 'TOUR_REQUESTED' && birth.freeSlot !== null;
    const driver = new TourDriver(runtime, await tourScene(database, { autoConfirmTours: isAuto }));
    // The catalogue confirms the second slot automatically, so the first one must be taken.
    const other = isAuto ? await holdSlot(runtime, driver.scene.people.agent, first) : null;
    for (const [index, event] of events.entries())
      expect(await driver.tell(event, index === 0 ? undefined : index)).toEqual({
        outcome: 'applied',
        state: states[index],
        version: index + 1,
      });
    const { state, context } = await driver.row();
    const mine = withPeople(events, idsOf(driver.scene));
    expect({ state, context }).toEqual(withPeople(end, idsOf(driver.scene)));
    const journal = await journalOf(database.pool, 'tour', driver.id);
    expect(journal.map(({ seq, toState, fromState }) => [seq, fromState, toState])).toEqual(
      states.map((to, index) => [index + 1, states[index - 1] ?? null, to]),
    );
    expect(journal.map(({ event }) => withoutIds(event as never))).toEqual(mine.map(withoutIds));
    expect(other === null || (await other.row()).state).toBe(other === null ? true : 'CONFIRMED');
  });
  test('there are more than a hundred paths', () => expect(TOUR_PATHS.length).toBeGreaterThan(100));
});

describe('a request', () => {
  const scene = (listing: Record<string, unknown> = {}) => tourScene(database, listing);

  test.each(['Closed', 'Hold', 'Withdrawn', 'Canceled', 'Expired', 'Delete', 'Incomplete'])(
    'of a listing that is %s makes no tour',
    async (standardStatus) => {
      const driver = new TourDriver(runtime, await scene({ standardStatus }));
      expect(await driver.request()).toMatchObject({ outcome: 'ignored' });
      await expect(driver.row()).rejects.toThrow('no tour');
      expect(await journalOf(database.pool, 'tour', driver.id)).toEqual([]);
    },
  );
  test('of an unknown listing is answered as missing', async () => {
    const { people } = await scene();
    const driver = new TourDriver(runtime, { propertyId: people.customer, people });
    expect(await driver.request()).toEqual({ outcome: 'missing' });
  });
  test('of a listing with automatic confirmation waits for the agent when no slot is free', async () => {
    const driver = new TourDriver(runtime, await scene({ autoConfirmTours: true }));
    await holdSlot(runtime, driver.scene.people.agent, first);
    await holdSlot(runtime, driver.scene.people.agent, second);
    expect(await driver.request()).toMatchObject({ outcome: 'applied', state: 'REQUESTED' });
  });
  test('a second request is rejected while the first is open, and accepted afterwards', async () => {
    const driver = new TourDriver(runtime, await scene());
    await driver.request();
    const again = new TourDriver(runtime, driver.scene);
    await expect(again.request()).rejects.toMatchObject({
      name: 'TourConflictError',
      reason: 'already-open',
    });
    await driver.tell({ ...say('customer'), type: 'TOUR_CALLED_OFF' });
    expect(await again.request()).toMatchObject({ outcome: 'applied' });
  });
});

describe('what the database decides', () => {
  test('a time that is taken is rejected, and nothing is written', async () => {
    const driver = new TourDriver(runtime, await tourScene(database));
    await driver.request();
    await holdSlot(runtime, driver.scene.people.agent, {
      startsAt: first.endsAt - 1,
      endsAt: first.endsAt + 3_600_000,
    });
    await expect(driver.accept(first)).rejects.toMatchObject({ reason: 'slot-taken' });
    expect(await driver.row()).toMatchObject({ state: 'REQUESTED', version: 1 });
    expect(await journalOf(database.pool, 'tour', driver.id)).toHaveLength(1);
    // A colleague has a separate calendar.
    const { colleague } = driver.scene.people;
    expect(await driver.accept(first, { userId: colleague })).toMatchObject({ state: 'CONFIRMED' });
    expect((await driver.row()).context.agentId).toBe(colleague);
  });

  test('the agreed time stays reserved while another one is negotiated', async () => {
    const driver = new TourDriver(runtime, await tourScene(database));
    await driver.request();
    await driver.accept(first);
    await driver.tell({ ...say('customer'), type: 'SLOTS_PROPOSED', slots: [second] });
    await expect(holdSlot(runtime, driver.scene.people.agent, first)).rejects.toMatchObject({
      reason: 'slot-taken',
    });
    await driver.tell({ ...say('agent'), type: 'PROPOSAL_ACCEPTED', slot: second });
    await holdSlot(runtime, driver.scene.people.agent, first);
  });

  test('a decision cannot be undone when another tour has taken its time', async () => {
    const driver = new TourDriver(runtime, await tourScene(database));
    await driver.request();
    await driver.accept(first);
    await driver.tell({ ...say('agent'), type: 'TOUR_CALLED_OFF' });
    const other = await holdSlot(runtime, driver.scene.people.agent, first);
    const undo: TourEvent = { ...say('agent', AT + TOUR_UNDO_MS), type: 'DECISION_UNDONE', onMarket: true };
    await expect(driver.tell(undo)).rejects.toMatchObject({ reason: 'slot-taken' });
    await other.tell({ ...say('customer'), type: 'TOUR_CALLED_OFF' });
    expect(await driver.tell(undo)).toMatchObject({ outcome: 'applied', state: 'CONFIRMED' });
  });

  test('a decision cannot be undone after a new request of the customer, or off the market', async () => {
    const driver = new TourDriver(runtime, await tourScene(database));
    await driver.request();
    await driver.tell({ ...say('agent'), type: 'REQUEST_DECLINED', note: 'no' });
    const again = new TourDriver(runtime, driver.scene);
    await again.request();
    const undo: TourEvent = { ...say('agent'), type: 'DECISION_UNDONE', onMarket: true };
    await expect(driver.tell(undo)).rejects.toMatchObject({ reason: 'already-open' });
    await setStatus(driver, 'Closed');
    expect(await driver.tell(undo)).toMatchObject({ outcome: 'ignored' });
    await setStatus(driver, 'Active');
    expect(await driver.tell(undo)).toMatchObject({ outcome: 'applied', state: 'REQUESTED' });
  });

  test('a decision based on an old version is rejected', async () => {
    const driver = new TourDriver(runtime, await tourScene(database));
    await driver.request();
    await driver.tell({ ...say('agent'), type: 'SLOTS_PROPOSED', slots: [second] });
    expect(await driver.tell({ ...say('customer'), type: 'PROPOSAL_REFUSED' }, 1)).toEqual({
      outcome: 'stale',
      state: 'RESCHEDULE_PROPOSED',
      version: 2,
    });
    expect((await driver.row()).version).toBe(2);
  });
});

describe('the sweeper', () => {
  beforeEach(() => database.clear());
  const setUp = (options: { limit?: number; poison?: string } = {}) => {
    const time = createManualTime();
    const reporter = createRecordingReporter();
    const pages: number[] = [];
    const sweeper = createTourSweeper({
      inTurn: everyTurn,
      actorSystem: {
        deliver: async (message, origin) => {
          if (message.id === options.poison) throw new Error('poison');
          return runtime.actorSystem.deliver(message, origin);
        },
      },
      dueTours: async (page) => {
        const ids = await dueTours(database.pool, { ...page, limit: options.limit ?? page.limit });
        pages.push(ids.length);
        return ids;
      },
      clock: time,
      timers: time,
      reporter,
      intervalMs: 1,
      node: 'node-a',
    });
    const asleep = () => eventually(() => time.sleeping().length === 1, { what: 'a nap', intervalMs: 2 });
    const sweepAt = async (at: number) => {
      await asleep();
      time.advance(at - time.now());
      await asleep();
    };
    return { time, reporter, sweeper, pages, sweepAt, asleep };
  };

  test('ends tours without an answer, frees their reserved times, and ends tours without an outcome', async () => {
    const drivers: TourDriver[] = [];
    for (let index = 0; index < 5; index += 1) {
      const driver = new TourDriver(runtime, await tourScene(database));
      await driver.request([first]);
      drivers.push(driver);
    }
    const [waits, proposed, kept, agreed, later] = drivers as [
      ...[TourDriver, TourDriver, TourDriver, TourDriver, TourDriver],
    ];
    await proposed.tell({ ...say('agent'), type: 'SLOTS_PROPOSED', slots: [second] });
    await kept.accept(first);
    await kept.tell({ ...say('customer'), type: 'SLOTS_PROPOSED', slots: [second] });
    await agreed.accept(first);
    await later.accept(first);
    const { sweeper, pages, sweepAt, asleep } = setUp({ limit: 2 });
    await sweeper.start();
    await asleep();
    const states = async () => Promise.all(drivers.map(async (driver) => (await driver.row()).state));
    expect(await states()).toEqual([
      'REQUESTED',
      'RESCHEDULE_PROPOSED',
      'RESCHEDULE_PROPOSED',
      'CONFIRMED',
      'CONFIRMED',
    ]);
    await sweepAt(first.startsAt - 1);
    expect(pages.every((found) => found === 0)).toBe(true);
    await sweepAt(first.startsAt);
    expect(await states()).toEqual(['EXPIRED', 'RESCHEDULE_PROPOSED', 'CONFIRMED', 'CONFIRMED', 'CONFIRMED']);
    await sweepAt(AT + 2 * DAY);
    expect((await states())[1]).toBe('EXPIRED');
    await later.tell({ ...say('agent', first.endsAt), type: 'VISIT_COMPLETED' });
    await sweepAt(first.endsAt + TOUR_OUTCOME_PATIENCE_MS);
    expect(await states()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED', 'EXPIRED', 'COMPLETED']);
    expect(Math.max(...pages)).toBe(2);
    const journal = await journalOf(database.pool, 'tour', waits.id);
    expect(journal.at(-1)).toMatchObject({ eventType: 'TIME_PASSED', actedBy: 'worker:node-a' });
    await sweeper.stop(AbortSignal.timeout(0));
  });

  test('one row that fails does not stop the others', async () => {
    const drivers = await Promise.all(
      [1, 2, 3].map(async () => {
        const driver = new TourDriver(runtime, await tourScene(database));
        await driver.request([first]);
        return driver;
      }),
    );
    const poison = drivers.map(({ id }) => id).toSorted()[0] ?? '';
    const { sweeper, reporter, sweepAt } = setUp({ poison, limit: 1 });
    await sweeper.start();
    await sweepAt(first.startsAt);
    const states = await Promise.all(
      drivers.map(async (driver) => [driver.id === poison, (await driver.row()).state]),
    );
    expect(states.toSorted()).toEqual([
      [false, 'EXPIRED'],
      [false, 'EXPIRED'],
      [true, 'REQUESTED'],
    ]);
    expect(reporter.problems).toMatchObject([{ fields: { id: poison } }]);
    await sweeper.stop(AbortSignal.timeout(0));
  });
});
