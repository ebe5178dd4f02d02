import type { MessageThread } from './messages/message-queries.ts';
import { awaitsAnswer, sideOf, type Tour } from './tour-list.ts';

/** A thread of the list: its latest tour, its messages, or both. */
export interface ThreadRow {
  readonly key: string;
  readonly tour: Tour | null;
  readonly messages: MessageThread | null;
  /** The last thing that happened. */
  readonly at: number;
}

const keyOf = ({ propertyId, customer }: Pick<Tour, 'propertyId' | 'customer'>): string =>
  `${propertyId} ${customer.userId}`;

/** One row for each home and customer, the latest first. */
export function threadRows(tours: readonly Tour[], threads: readonly MessageThread[]): ThreadRow[] {
  const rows = new Map<string, ThreadRow>();
  for (const tour of tours) {
    const key = keyOf(tour);
    const at = Date.parse(tour.history.at(-1)?.at ?? tour.createdAt);
    rows.set(key, { key, tour, messages: null, at });
  }
  for (const messages of threads) {
    const key = keyOf(messages);
    const { tour = null, at = 0 } = rows.get(key) ?? {};
    rows.set(key, { key, tour, messages, at: Math.max(at, Date.parse(messages.changedAt)) });
  }
  return [...rows.values()].toSorted((one, other) => other.at - one.at);
}

/** Whether the other side waits for this one, or has written something that was not read. */
export const isWaiting = ({ tour, messages }: ThreadRow, personId: string): boolean =>
  (tour !== null && awaitsAnswer(tour, sideOf(tour, personId))) || (messages?.unread ?? 0) > 0;
