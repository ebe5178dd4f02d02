import { answersFor } from '../listings/agent-access.ts';

/** The two sides of a thread: its customer, and the agents of its listing. */
export const MESSAGE_SIDES = ['customer', 'agent'] as const;
export type MessageSide = (typeof MESSAGE_SIDES)[number];

/** SQL: the side of a person in the thread `t` of the listing `p`; only where `hasSide` holds. */
export const sideOf = (user: string): string =>
  `CASE WHEN t."customerId" = ${user}::uuid THEN 'customer' ELSE 'agent' END`;

/** SQL condition: the person is the customer of the thread `t`, or acts for its listing `p` now. */
export const hasSide = (user: string): string =>
  `(t."customerId" = ${user}::uuid OR ${answersFor('p', user)})`;

/** SQL condition: a side sees the message `m`. A blocked side sees what it wrote. */
export const isShownTo = (side: string): string => `(NOT m."isHeld" OR m.side = ${side})`;
