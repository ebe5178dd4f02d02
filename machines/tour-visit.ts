import type { ActorState } from './step.ts';
import type { TourContext } from './tour.ts';

/**
 * When the visit of a tour was over, in milliseconds since 1970; null when there was none, or it is not over yet. A time
 * that was agreed and has passed counts as a visit unless the agent says that the customer did not come; so a tour that
 * the agent or the platform ended after it had begun still counts. A customer who contests a no-show has the say of a
 * visitor from then on. Source: docs/contract.md#mismatch-reports.
 */
export function visitEndedAt({ state, context }: ActorState<TourContext>, at: number): number | null {
  const { heldSlot, closedAt, closedBy, contestedAt } = context;
  if (state === 'NO_SHOW') return contestedAt;
  if (state === 'COMPLETED') return closedAt;
  if (heldSlot === null || heldSlot.endsAt > at) return null;
  const calledOffByCustomer = closedAt !== null && closedBy === 'customer';
  const hadBegun = closedAt === null || closedAt >= heldSlot.startsAt;
  return hadBegun && !calledOffByCustomer ? heldSlot.endsAt : null;
}
