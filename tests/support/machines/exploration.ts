import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine, AnyTransitionDefinition } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { type ActorState, toStateName } from '../../../machines/step.ts';

/** Everything a machine does under a finite set of events. */
export interface Exploration {
  /** Every distinct state with its context. */
  reached: ActorState<Record<string, unknown>>[];
  /** Names of the reached states. */
  names: Set<string>;
  /** The transitions that were taken, by identity. */
  taken: Set<AnyTransitionDefinition>;
}

export function explore(machine: AnyStateMachine, events: readonly AnyEventObject[]): Exploration {
  const paths = getShortestPaths(machine, { events: [...events], limit: 1_000_000 });
  const taken = new Set<AnyTransitionDefinition>();
  const reached = paths.map(({ state }) => {
    const snapshot = state as AnyMachineSnapshot;
    for (const event of events)
      for (const definition of machine.getTransitionData(snapshot, event) ?? []) taken.add(definition);
    return { state: toStateName(snapshot.value), context: snapshot.context };
  });
  return { reached, taken, names: new Set(reached.map(({ state }) => state)) };
}
