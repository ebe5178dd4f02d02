import type { Inputs } from '../../../../typescript/procedures.ts';
import { type KeptEntry, keepList, keptList, UNSENT_ORDER } from '../../../session/kept-of-person.ts';
import type { Keeper } from '../../../site/keeper.ts';

type Submission = Inputs['ai']['submitRoomStaging'];

/** The part of an order that was not accepted yet: after a page was left, the next one continues it. */
export interface UnsentOrder extends Submission {
  readonly personId: string;
  readonly propertyId: string;
  /** Milliseconds since 1970. */
  readonly orderedAt: number;
}

type Whose = Pick<UnsentOrder, 'personId' | 'propertyId'>;

/** Later the agent does not expect any more that pictures are bought. */
const KEPT_MS = 24 * 3_600_000;

const isOf =
  ({ personId, propertyId }: Whose) =>
  (order: UnsentOrder): boolean =>
    order.personId === personId && order.propertyId === propertyId;

/** Keeps what is left of the order for a listing; nothing left is forgotten. */
export function keepUnsent(keeper: Keeper, order: UnsentOrder): void {
  const isThis = isOf(order);
  const others = allUnsent(keeper).filter((one) => !isThis(one));
  keepList(keeper, UNSENT_ORDER, order.assignments.length === 0 ? others : [...others, order]);
}

/** What a page before has left of this person's order for a listing; null for nothing. */
export function unsentOrder(keeper: Keeper, whose: Whose, now: number): UnsentOrder | null {
  const order = allUnsent(keeper).find(isOf(whose));
  return order === undefined || order.orderedAt <= now - KEPT_MS ? null : order;
}

/** One for a listing. Nothing where the browser holds what another release, or no one, has written. */
const allUnsent = (keeper: Keeper): readonly UnsentOrder[] =>
  keptList(keeper, UNSENT_ORDER).filter((one): one is KeptEntry & UnsentOrder => isOrder(one));

const isOrder = ({ orderedAt, assignments }: KeptEntry): boolean =>
  typeof orderedAt === 'number' && Array.isArray(assignments);
