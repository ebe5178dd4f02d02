import type { Inputs } from '../../../../typescript/procedures.ts';
import { UNSENT_ORDER } from '../../../session/studio-memory.ts';

type Submission = Inputs['ai']['submitRoomStaging'];

/** The part of an order that was not accepted yet: after a page was left, the next one continues it. */
export interface UnsentOrder extends Submission {
  readonly personId: string;
  readonly propertyId: string;
  /** Milliseconds since 1970. */
  readonly orderedAt: number;
}

type OrderStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
type Whose = Pick<UnsentOrder, 'personId' | 'propertyId'>;

/** Later the agent does not expect any more that pictures are bought. */
const KEPT_MS = 24 * 3_600_000;

const isOf =
  ({ personId, propertyId }: Whose) =>
  (order: UnsentOrder): boolean =>
    order.personId === personId && order.propertyId === propertyId;

/** Keeps what is left of the order for a listing; nothing left is forgotten. */
export function keepUnsent(storage: OrderStorage, order: UnsentOrder): void {
  const isThis = isOf(order);
  const others = allUnsent(storage).filter((one) => !isThis(one));
  const all = order.assignments.length === 0 ? others : [...others, order];
  try {
    if (all.length === 0) storage.removeItem(UNSENT_ORDER);
    else storage.setItem(UNSENT_ORDER, JSON.stringify(all));
  } catch {
    // The storage is full or forbidden. The order is sent all the same; only a later page cannot continue it.
  }
}

/** What a page before has left of this person's order for a listing; null for nothing. */
export function unsentOrder(storage: OrderStorage, whose: Whose, now: number): UnsentOrder | null {
  const order = allUnsent(storage).find(isOf(whose));
  return order === undefined || order.orderedAt <= now - KEPT_MS ? null : order;
}

/** One for a listing. Nothing where the storage holds what another release, or no one, has written. */
function allUnsent(storage: OrderStorage): readonly UnsentOrder[] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(UNSENT_ORDER) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isOrder) : [];
  } catch {
    return [];
  }
}

const isOrder = (value: Partial<UnsentOrder> | null): value is UnsentOrder =>
  typeof value?.orderedAt === 'number' && Array.isArray(value.assignments);
