import { step } from '../../machines/step.ts';
import { type TourEvent, tourMachine, unrequestedTour } from '../../machines/tour.ts';
import { StaleActorError, type TourActor, TourConflictError } from '../../persistence/actors/actor-store.ts';
import { advance, type Scope } from './advance-single.ts';
import { signatureOf } from './journal-signature.ts';
import type { Delivery, TourLetter, TourMessage, TourRequest } from './messages.ts';

/**
 * Makes and moves tours inside the caller's transaction. What only the database knows is read here and put on the
 * event: whether the listing is on the market (its row is held meanwhile, so that it cannot leave in between) and
 * which slot is free. Locks are taken in the order listing, tour, as the trigger of 0016 takes them.
 */
export async function openTour(scope: Scope, { id, details, event }: TourRequest): Promise<Delivery> {
  const { tx, after, origin } = scope;
  const listing = await tx.lockListing({ of: 'property', id: details.propertyId });
  if (listing === null) return { outcome: 'missing' };
  const { ownerAgentId: agentId, onMarket, autoConfirm } = listing;
  const freeSlot = autoConfirm ? await tx.firstFreeSlot({ agentId, slots: event.slots }) : null;
  const known: TourEvent = { ...event, onMarket, agentId, freeSlot };
  const decided = step(tourMachine, { state: 'REQUESTED', context: unrequestedTour }, known);
  after.transition('tour', event.type, decided.outcome);
  if (decided.outcome === 'ignored') return { outcome: 'ignored', state: 'REQUESTED', version: 0 };
  const { state } = decided.next;
  const tour: TourActor = {
    kind: 'tour',
    id,
    version: 1,
    ...decided.next,
    details: { ...details, createdAt: event.at },
  };
  const entry = { kind: 'tour', id, seq: 1, event: known, to: state, leaseEpoch: null } as const;
  await tx.insertTour(tour, { ...entry, ...signatureOf(origin) }).catch((error: unknown) => {
    // Somebody took the free slot since it was read; the next try sees that and takes another, or asks the agent.
    const tookSlot = error instanceof TourConflictError && error.reason === 'slot-taken';
    throw tookSlot ? new StaleActorError('tour', id) : error;
  });
  return { outcome: 'applied', state, version: 1 };
}

export async function advanceTour(
  scope: Scope,
  { id, event, expectedVersion }: TourLetter,
): Promise<Delivery> {
  const known = await complete(scope, id, event);
  const tour = await scope.tx.lockTour(id);
  if (tour === null) return { outcome: 'missing' };
  if (expectedVersion !== undefined && expectedVersion !== tour.version) {
    scope.after.transition('tour', event.type, 'stale');
    return { outcome: 'stale', state: tour.state, version: tour.version };
  }
  return advance(scope, tour, {
    event: known,
    decided: step(tourMachine, tour, known),
    fulfil: async ({ type }) => {
      throw new Error(`a tour does not order ${type}`);
    },
  });
}

async function complete({ tx }: Scope, id: string, event: TourMessage): Promise<TourEvent> {
  if (event.type !== 'DECISION_UNDONE') return event;
  const listing = await tx.lockListing({ of: 'tour', id });
  return { ...event, onMarket: listing?.onMarket ?? false };
}
