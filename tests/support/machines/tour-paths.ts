import type { AnyMachineSnapshot } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { type TourContext, type TourEvent, tourMachine } from '../../../machines/tour.ts';
import { TOUR_EVENTS } from './event-catalogues.ts';

/** A shortest way to one state and context, from the request on. */
export interface TourPath {
  title: string;
  events: TourEvent[];
  /** The states on the way, one for each event. */
  states: string[];
  end: { state: string; context: TourContext };
}

/** One path for each state and context that a tour can reach by the catalogue's events. */
export const TOUR_PATHS: TourPath[] = getShortestPaths(tourMachine, { events: TOUR_EVENTS }).flatMap(
  ({ steps, state }) => {
    const taken = steps.filter(({ event }) => (event as { type: string }).type !== 'xstate.init');
    const events = taken.map(({ event }) => event as TourEvent);
    // A tour that was never requested is left out: there is no such row.
    if (events[0]?.type !== 'TOUR_REQUESTED') return [];
    const states = taken.map(({ state: reached }) => String((reached as AnyMachineSnapshot).value));
    const { value, context } = state as AnyMachineSnapshot;
    const end = { state: String(value), context };
    return [{ title: [...events.map(({ type }) => type), end.state].join(' > '), events, states, end }];
  },
);

/** The same path for other people: all ids are replaced. */
export function withPeople<T>(value: T, ids: Readonly<Record<string, string>>): T {
  const text = Object.entries(ids).reduce(
    (all, [id, other]) => all.replaceAll(id, other),
    JSON.stringify(value),
  );
  return JSON.parse(text);
}
