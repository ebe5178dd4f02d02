import { firstState, step } from '../../machines/step.ts';
import { type TourContext, type TourEvent, tourMachine } from '../../machines/tour.ts';
import { StaleActorError } from '../../persistence/actors/actor-store.ts';
import { type TourActor, TourConflictError } from '../../persistence/actors/rows/tour-row.ts';
import type { Scope } from './advance-single.ts';
import { signatureOf } from './journal-signature.ts';
import type { Delivery, TourRequest } from './messages.ts';

/**
 * Makes tours inside the caller's transaction. Values that only the database has are read here and put on the event:
 * whether the listing is on the market (its row is locked meanwhile) and which slot is free. Locks are taken in the
 * order listing, tour, as in the trigger of 0016.
 */
export async function openTour(scope: Scope, { id, details, event, limits }: TourRequest): Promise<Delivery> {
  const { tx, after, origin } = scope;
  const listing = await tx.lockListing({ of: 'property', id: details.propertyId });
  if (listing === null) return { outcome: 'missing' };
  const { ownerAgentId: agentId, onMarket, autoConfirm } = listing;
  const freeSlot = autoConfirm ? await tx.firstFreeSlot({ agentId, slots: event.slots }) : null;
  const known: TourEvent = { ...event, onMarket, agentId, freeSlot };
  const unborn = firstState<TourContext>(tourMachine);
  const decided = step(tourMachine, unborn, known);
  after.transition('tour', event.type, decided.outcome);
  if (decided.outcome === 'ignored') return { outcome: 'ignored', state: unborn.state, version: 0 };
  await tx.countTour({ ...details, at: event.at, limits });
  const { state } = decided.next;
  const tour: TourActor = {
    kind: 'tour',
    id,
    version: 1,
    ...decided.next,
    details: { ...details, createdAt: event.at },
  };
  const entry = {
    kind: 'tour',
    id,
    seq: 1,
    event: known,
    from: null,
    to: state,
    leaseEpoch: null,
    ...signatureOf(origin),
  } as const;
  await tx.create({ actor: tour, entry }).catch((error: unknown) => {
    // The free slot was taken after it was read. The next try takes another slot, or leaves the request to the agent.
    const tookSlot = error instanceof TourConflictError && error.reason === 'slot-taken';
    throw tookSlot ? new StaleActorError('tour', id) : error;
  });
  return { outcome: 'applied', state, version: 1 };
}
