import { describe, expect, test } from 'vitest';
import {
  type DeletionItemEvent,
  deletionItemMachine,
  initialDeletionItem,
} from '../../../machines/deletion-item.ts';
import { type ActorState, step } from '../../../machines/step.ts';
import { failedDeletions } from '../../../persistence/actors/deletion-queries.ts';
import { seedDeletion } from '../../support/database/seed.ts';
import { journalOf, useStoreDatabase } from '../../support/database/store-database.ts';
import { DELETION_ITEM_EVENTS } from '../../support/machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT } from '../../support/manual-time.ts';
import { expectJournalCovers } from './journal-coverage.ts';
import { machinePaths } from './machine-paths.ts';
import { expectInvariants } from './staging-rows.ts';
import { quietActorSystem } from './staging-scene.ts';

/**
 * Every shortest path of a deletion item on the database. No procedure shows one; people see it only in the
 * operators' list, which is compared at each step.
 */
const PATHS = machinePaths<DeletionItemEvent>({
  machine: deletionItemMachine,
  events: DELETION_ITEM_EVENTS.map((event) =>
    // A claim that is long due for every back-off.
    event.type === 'CLAIMED' && event.at > AT ? { ...event, at: event.at + 86_400_000 } : event,
  ),
});
const database = useStoreDatabase();

describe('every path of a deletion item, on the database', () => {
  test.each(PATHS)('$title', async ({ events }) => {
    const { pool, store } = database;
    const id = await seedDeletion(pool);
    const actorSystem = quietActorSystem(pool);
    let model: ActorState<typeof initialDeletionItem> & { version: number } = {
      state: 'PENDING',
      version: 0,
      context: { ...initialDeletionItem, nextAttemptAt: AT },
    };
    const states: string[] = [];
    for (const event of events) {
      const decided = step(deletionItemMachine, model, event);
      if (decided.outcome === 'applied') {
        model = { ...decided.next, version: model.version + 1 };
        states.push(model.state);
      }
      const delivery = await actorSystem.deliver({ to: 'deletionItem', id, event }, { by: 'worker:node-a' });
      expect(delivery).toEqual({ outcome: decided.outcome, state: model.state, version: model.version });
      expect(await store.transaction((tx) => tx.lock('deletionItem', id))).toMatchObject(model);
      const listed = (await failedDeletions(pool, 10_000)).some((item) => item.id === id);
      expect(listed).toBe(model.state === 'FAILED');
    }
    const journal = await journalOf(pool, 'deletionItem', id);
    expect(journal.map(({ seq, toState }) => [seq, toState])).toEqual(
      states.map((state, index) => [index + 1, state]),
    );
  });

  test('the paths took every transition of the table', () =>
    expectJournalCovers(database.pool, 'deletionItem'));

  test('no invariant is broken', () => expectInvariants(database.pool, AT));
});
