import type { Inputs } from '../../../../typescript/procedures.ts';
import { UNSENT_ORDER } from '../../../app/studio-memory.ts';

type Submission = Inputs['ai']['submitRoomStaging'];

/** What of an order has not been taken yet: a page that is left in between goes on with it the next time. */
export interface UnsentOrder extends Submission {
  readonly personId: string;
  readonly propertyId: string;
}

/** Keeps what is left; nothing left is forgotten. */
export function keepUnsent(storage: Storage, order: UnsentOrder): void {
  if (order.assignments.length === 0) storage.removeItem(UNSENT_ORDER);
  else storage.setItem(UNSENT_ORDER, JSON.stringify(order));
}

/** What a page before has left of this person's order for a listing; null for nothing. */
export function unsentOrder(
  storage: Storage,
  { personId, propertyId }: Pick<UnsentOrder, 'personId' | 'propertyId'>,
): UnsentOrder | null {
  const kept = storage.getItem(UNSENT_ORDER);
  if (kept === null) return null;
  const order = JSON.parse(kept) as UnsentOrder;
  return order.personId === personId && order.propertyId === propertyId ? order : null;
}
