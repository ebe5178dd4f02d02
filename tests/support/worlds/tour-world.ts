import { randomUUID } from 'node:crypto';
import type { TourEvent, TourParty } from '../../../machines/tour.ts';
import type { TourSlot } from '../../../machines/tour-slots.ts';
import type { TourActor } from '../../../persistence/actors/rows/tour-row.ts';
import type { Delivery, TourMessage } from '../../../supervisors/actors/messages.ts';
import { seedProperty, seedUser } from '../database/seed.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { TOUR_PEOPLE, TOUR_SLOTS } from '../machines/event-catalogues.ts';
import { withPeople } from '../machines/tour-paths.ts';
import { MANUAL_EPOCH as AT } from '../manual-time.ts';
import type { TestRuntime } from './job-driver.ts';

/** A listing with its owner, a colleague assigned to it, and a customer. */
export interface TourScene {
  propertyId: string;
  people: { customer: string; agent: string; colleague: string };
}

export async function tourScene(
  { pool }: StoreDatabase,
  listing: Record<string, unknown> = {},
): Promise<TourScene> {
  const people = {
    customer: await seedUser(pool, { role: 'customer' }),
    agent: String(listing.ownerAgentId ?? (await seedUser(pool))),
    colleague: await seedUser(pool),
  };
  const propertyId = await seedProperty(pool, { ...listing, ownerAgentId: people.agent });
  await pool.query(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, people.colleague],
  );
  return { propertyId, people };
}

/** The catalogue's people as those of the scene. */
export const idsOf = ({ people }: TourScene): Record<string, string> => ({
  [TOUR_PEOPLE.customer]: people.customer,
  [TOUR_PEOPLE.agent]: people.agent,
  [TOUR_PEOPLE.colleague]: people.colleague,
});

/** One tour on a real store. */
export class TourDriver {
  readonly id = randomUUID();
  readonly runtime: TestRuntime;
  readonly scene: TourScene;

  constructor(runtime: TestRuntime, scene: TourScene) {
    this.runtime = runtime;
    this.scene = scene;
  }

  request(slots: readonly TourSlot[] = [TOUR_SLOTS.first, TOUR_SLOTS.second]): Promise<Delivery> {
    const { propertyId, people } = this.scene;
    const by = { at: AT, actor: 'customer', userId: people.customer, note: null } as const;
    return this.runtime.actorSystem.deliver(
      {
        to: 'newTour',
        id: this.id,
        details: { customerId: people.customer, propertyId, kind: 'IN_PERSON', note: null },
        event: { ...by, type: 'TOUR_REQUESTED', slots },
        limits: { toursDay: 0, toursOfListingDay: 0 },
      },
      { by: `user:${people.customer}` },
    );
  }

  /** Delivers an event of the catalogue as one of the scene; the first makes the tour. */
  tell(event: TourEvent, expectedVersion?: number): Promise<Delivery> {
    const mine = withPeople(event, idsOf(this.scene));
    if (mine.type === 'TOUR_REQUESTED') return this.request(mine.slots);
    return this.runtime.actorSystem.deliver(
      { to: 'tour', id: this.id, event: mine as TourMessage },
      { by: 'web', ...(expectedVersion === undefined ? {} : { seenVersion: expectedVersion }) },
    );
  }

  accept(slot: TourSlot, by: { userId?: string; expectedVersion?: number } = {}): Promise<Delivery> {
    const { userId = this.scene.people.agent, expectedVersion } = by;
    const event = { ...say('agent'), type: 'REQUEST_ACCEPTED', userId, slot } as const;
    return this.tell(event, expectedVersion);
  }

  async row(): Promise<TourActor> {
    const tour = await this.runtime.database.store.transaction((tx) => tx.lock('tour', this.id));
    if (tour === null) throw new Error(`no tour ${this.id}`);
    return tour;
  }
}

/** The common fields of an event by a person of the catalogue. */
export const say = (actor: TourParty, at = AT) => ({ at, actor, userId: TOUR_PEOPLE[actor], note: null });

/** An agent's calendar that holds the slot. */
export async function holdSlot(runtime: TestRuntime, agentId: string, slot: TourSlot): Promise<TourDriver> {
  const driver = new TourDriver(runtime, await tourScene(runtime.database, { ownerAgentId: agentId }));
  await driver.request([slot]);
  await driver.accept(slot);
  return driver;
}
