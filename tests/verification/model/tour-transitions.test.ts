import { describe, expect, test } from 'vitest';
import { type ActorState, step } from '../../../machines/step.ts';
import { type TourContext, type TourEvent, tourMachine, unrequestedTour } from '../../../machines/tour.ts';
import { useStoreDatabase } from '../../support/database/store-database.ts';
import { TOUR_EVENTS, TOUR_SLOTS } from '../../support/machines/event-catalogues.ts';
import { withPeople } from '../../support/machines/tour-paths.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { openTestRuntime } from '../../support/worlds/job-driver.ts';
import { holdSlot, idsOf, TourDriver, tourScene } from '../../support/worlds/tour-world.ts';
import { expectJournalCovers } from './journal-coverage.ts';
import { machinePaths } from './machine-paths.ts';
import { expectInvariants } from './staging-rows.ts';

/**
 * A shortest path through every transition of a tour, on the database. tests/supervisors/actors/tours.test.ts
 * and, over HTTP, tests/src/api/routers/tour-paths.test.ts walk to every state and context, but need not take
 * every transition.
 */
const PATHS = machinePaths<TourEvent>({
  machine: tourMachine,
  events: TOUR_EVENTS,
  vertexOf: ({ state, context }: ActorState<TourContext>) =>
    [
      state,
      context.slots.length,
      context.heldSlot !== null,
      context.closedFrom,
      context.closedBy,
      context.proposedBy,
      context.contestedAt !== null,
    ].join(),
  isWay: ([first]) => first?.type === 'TOUR_REQUESTED',
});

const database = useStoreDatabase();

describe('a path through every transition of a tour, on the database', () => {
  test.each(PATHS)('$title', async ({ events }) => {
    const runtime = openTestRuntime(database);
    const [birth] = events;
    const isAuto = birth?.type === 'TOUR_REQUESTED' && birth.freeSlot !== null;
    const driver = new TourDriver(runtime, await tourScene(database, { autoConfirmTours: isAuto }));
    // The catalogue confirms the second slot automatically, so the first one must be taken.
    if (isAuto) await holdSlot(runtime, driver.scene.people.agent, TOUR_SLOTS.first);
    let model: ActorState<TourContext> = { state: 'REQUESTED', context: unrequestedTour };
    let version = 0;
    for (const event of events) {
      const isRepeated = event.type === 'TOUR_REQUESTED' && version > 0;
      // A second request is another tour, which the database rejects without this tour's machine.
      if (isRepeated) break;
      const decided = step(tourMachine, model, event);
      if (decided.outcome === 'applied') {
        model = decided.next;
        version += 1;
      }
      expect(await driver.tell(event)).toEqual({ outcome: decided.outcome, state: model.state, version });
      const { state, context } = await driver.row();
      expect({ state, context }).toEqual(withPeople(model, idsOf(driver.scene)));
    }
  });

  test('the paths took every transition of the table', () => expectJournalCovers(database.pool, 'tour'));

  test('no invariant is broken', () => expectInvariants(database.pool, AT));
});
