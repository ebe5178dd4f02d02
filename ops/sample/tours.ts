import { randomUUID } from 'node:crypto';
import { NO_GROWTH_LIMITS } from '../../persistence/growth/growth-counts.ts';
import type { Message } from '../../supervisors/actors/messages.ts';
import { DAY, deliver, HOUR, type Town } from './loading.ts';
import type { PlannedTour } from './town.ts';

/** Ten in the morning in Seattle in winter, and of no weight in summer. */
export const atTen = (day: number): number => Math.floor(day / DAY) * DAY + 18 * HOUR;

export async function addTour(
  town: Town,
  {
    propertyId,
    agentId,
    tour,
    place,
  }: { propertyId: string; agentId: string; tour: Exclude<PlannedTour, null>; place: number },
): Promise<void> {
  const { actors, startedAt } = town;
  const id = randomUUID();
  const customerId = town.customerIds[place % town.customerIds.length];
  if (customerId === undefined) throw new Error('no customer');
  const isOver = tour === 'COMPLETED';
  const at = isOver ? startedAt - 12 * DAY : startedAt - 5 * HOUR;
  // Each tour on another day, so that no two times of an agent overlap.
  const days = Math.floor(place / 9);
  const day = isOver ? startedAt - (3 + days / 5) * DAY : startedAt + (2 + days) * DAY;
  const slot = (hours: number) => ({
    startsAt: atTen(day) + hours * HOUR,
    endsAt: atTen(day) + (hours + 1) * HOUR,
  });
  const hour = place % 5;
  const slots = [slot(hour), slot(hour + 2)];
  const asCustomer = { actor: 'customer', userId: customerId, note: null } as const;
  const asAgent = { actor: 'agent', userId: agentId, note: null } as const;
  await deliver(
    actors,
    {
      to: 'newTour',
      id,
      details: {
        customerId,
        propertyId,
        kind: place % 4 === 0 ? 'VIRTUAL' : 'IN_PERSON',
        note: 'Is there a place for two bicycles?',
      },
      event: { ...asCustomer, type: 'TOUR_REQUESTED', at, slots },
      limits: NO_GROWTH_LIMITS,
    },
    `user:${customerId}`,
  );
  const tell = (event: Extract<Message, { to: 'tour' }>['event']) =>
    deliver(actors, { to: 'tour', id, event }, `user:${agentId}`);
  if (tour === 'REQUESTED') return;
  if (tour === 'DECLINED')
    return tell({
      ...asAgent,
      type: 'REQUEST_DECLINED',
      at: at + HOUR,
      note: 'The owners are away this week.',
    });
  if (tour === 'RESCHEDULE_PROPOSED')
    return tell({ ...asAgent, type: 'SLOTS_PROPOSED', at: at + HOUR, slots: [slot(hour + 4)] });
  await tell({ ...asAgent, type: 'REQUEST_ACCEPTED', at: at + HOUR, slot: slots[0] ?? slot(hour) });
  if (isOver) await tell({ ...asAgent, type: 'VISIT_COMPLETED', at: slot(hour).endsAt + HOUR });
}
