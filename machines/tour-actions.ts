import { MIN_TOUR_SLOT_MS } from './limits.ts';
import { type ActorState, step } from './step.ts';
import { type TourContext, type TourEvent, type TourParty, tourMachine } from './tour.ts';

/** The actions of people on a tour, by the name of the procedure, with the event of each. */
export const TOUR_ACTIONS = {
  confirm: 'REQUEST_ACCEPTED',
  decline: 'REQUEST_DECLINED',
  proposeReschedule: 'SLOTS_PROPOSED',
  acceptReschedule: 'PROPOSAL_ACCEPTED',
  refuseReschedule: 'PROPOSAL_REFUSED',
  cancel: 'TOUR_CALLED_OFF',
  complete: 'VISIT_COMPLETED',
  markNoShow: 'VISIT_MISSED',
  contestNoShow: 'NO_SHOW_CONTESTED',
  undo: 'DECISION_UNDONE',
} as const satisfies Record<string, TourEvent['type']>;
export type TourAction = keyof typeof TOUR_ACTIONS;
export const TOUR_ACTION_NAMES = Object.keys(TOUR_ACTIONS) as TourAction[];

/**
 * The actions that one side may take now, found by trying the machine with that side's events. Facts that only the
 * database has (a time taken meanwhile, a deleted listing) may still prevent an action.
 */
export function availableTourActions(
  tour: ActorState<TourContext>,
  { actor, at }: { actor: TourParty; at: number },
): TourAction[] {
  return TOUR_ACTION_NAMES.filter((action) =>
    probesOf(action, tour.context, { at, actor, userId: '', note: null }).some(
      (event) => step(tourMachine, tour, event).outcome === 'applied',
    ),
  );
}

/** Tries the best possible slots: the offered ones, or one that is certainly valid. */
function probesOf(
  action: TourAction,
  { slots }: TourContext,
  by: { at: number; actor: TourParty; userId: string; note: null },
): TourEvent[] {
  const type = TOUR_ACTIONS[action];
  if (type === 'REQUEST_ACCEPTED' || type === 'PROPOSAL_ACCEPTED')
    return slots.map((slot) => ({ ...by, type, slot }));
  if (type === 'SLOTS_PROPOSED')
    return [{ ...by, type, slots: [{ startsAt: by.at + 1, endsAt: by.at + 1 + MIN_TOUR_SLOT_MS }] }];
  if (type === 'DECISION_UNDONE') return [{ ...by, type, onMarket: true }];
  return [{ ...by, type }];
}
