import { randomUUID } from 'node:crypto';
import type { TourEvent } from '../../../machines/tour.ts';
import { TOUR_ACTIONS } from '../../../machines/tour-actions.ts';
import type { TourSlot } from '../../../machines/tour-slots.ts';
import { createPostgresActorStore } from '../../../persistence/actors/postgres-actor-store.ts';
import type { WebOverrides } from '../../../src/web/parts.ts';
import { type ActorSystem, createActorSystem } from '../../../supervisors/actors/deliver.ts';
import { seedProperty } from '../database/seed.ts';
import type { ApiHost } from '../http/api-host.ts';
import type { Answer, Person } from '../http/person.ts';
import { TOUR_SLOTS } from '../machines/event-catalogues.ts';
import { MANUAL_EPOCH as AT, noWaiting } from '../manual-time.ts';
import { bothQueues, createRecordingQueue, createRecordingReporter } from './recording-ports.ts';

/** A clock that tests set as they like. */
export interface SetClock {
  at: number;
  overrides: WebOverrides;
}
export function setClock(): SetClock {
  const clock: SetClock = { at: AT, overrides: {} };
  clock.overrides.clock = { now: () => clock.at };
  return clock;
}

/** A listing with its two agents, a customer, and their HTTP calls. */
export interface Visit {
  propertyId: string;
  agent: Person;
  colleague: Person;
  customer: Person;
  request(slots?: readonly TourSlot[], more?: Record<string, unknown>): Promise<Answer>;
}

export const wire = ({ startsAt, endsAt }: TourSlot) => ({
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(endsAt).toISOString(),
});

export async function visit(
  host: ApiHost,
  listing: Record<string, unknown> = {},
  agent?: Person,
): Promise<Visit> {
  const owner = agent ?? (await host.signedIn());
  const colleague = await host.signedIn({ name: 'Cleo Colleague' });
  const customer = await host.signedIn({ role: 'customer', name: 'Carl Customer' });
  const propertyId = await seedProperty(host.pool, { ...listing, ownerAgentId: owner.id });
  await host.rows(
    'insert into property_agents ("propertyId", "agentId", "assignedAt") values ($1, $2, null)',
    [propertyId, colleague.id],
  );
  return {
    propertyId,
    agent: owner,
    colleague,
    customer,
    request: (slots = [TOUR_SLOTS.first, TOUR_SLOTS.second], more = {}) =>
      customer.mutate('tours.request', { propertyId, slots: slots.map(wire), ...more }),
  };
}

/** Delivers what no procedure does: the events of workers and operators. */
export const actorSystemOf = ({ pool }: ApiHost): ActorSystem =>
  createActorSystem({
    store: createPostgresActorStore(pool),
    queues: bothQueues(createRecordingQueue()),
    nudges: { publish: () => {} },
    reporter: createRecordingReporter(),
    timers: noWaiting,
    chance: { id: randomUUID, jitter: () => 0 },
  });

const ACTION_OF = Object.fromEntries(Object.entries(TOUR_ACTIONS).map(([action, type]) => [type, action]));

/** Calls the procedure for an event of the catalogue; the clock is set to its time. */
export function sayOverHttp(
  { agent, customer }: Visit,
  clock: SetClock,
  event: Exclude<TourEvent, { actor: 'system' } | { type: 'TOUR_REQUESTED' }>,
  seen: { tourId: string; expectedVersion: number },
): Promise<Answer> {
  clock.at = event.at;
  const person = event.actor === 'agent' ? agent : customer;
  const { note } = event;
  const words = ['REQUEST_DECLINED', 'TOUR_CALLED_OFF'].includes(event.type) ? { reason: note } : { note };
  if (event.type === 'NO_SHOW_CONTESTED')
    return person.mutate('tours.contestNoShow', { tourId: seen.tourId, note });
  return person.mutate(`tours.${ACTION_OF[event.type]}`, {
    ...seen,
    ...words,
    ...('slot' in event ? { startsAt: wire(event.slot).startsAt } : {}),
    ...('slots' in event ? { slots: event.slots.map(wire) } : {}),
  });
}
