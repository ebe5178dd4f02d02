import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { type ActorState, step, toStateName } from '../../../machines/step.ts';

/** Shortest paths of a single machine, without messages to other machines. */
export interface MachinePath<E> {
  title: string;
  events: E[];
}

export interface Choice<E> {
  machine: AnyStateMachine;
  events: readonly E[];
  /** The context fields that distinguish vertices; all of them by default. */
  vertexOf?: (actor: ActorState<never>) => string;
  /** Filters out paths that cannot begin in practice. */
  isWay?: (events: readonly E[]) => boolean;
}

/**
 * A path to every vertex, and one through every event that changes the state or the vertex. Paths that are
 * the beginning of another one are left out.
 */
export function machinePaths<E extends AnyEventObject>({
  machine,
  events,
  vertexOf = (actor) => JSON.stringify(actor),
  isWay = () => true,
}: Choice<E>): MachinePath<E>[] {
  const actorOf = ({ value, context }: AnyMachineSnapshot): ActorState<never> => ({
    state: toStateName(value),
    context: context as never,
  });
  const ways = getShortestPaths(machine, {
    events: [...events],
    serializeState: (snapshot) => vertexOf(actorOf(snapshot as AnyMachineSnapshot)),
    limit: 200_000,
  })
    .map(({ state, steps }) => ({
      actor: actorOf(state as AnyMachineSnapshot),
      events: steps.flatMap(({ event }) => (event.type === 'xstate.init' ? [] : [event as E])),
    }))
    .sort((one, other) => one.events.length - other.events.length);
  const chosen = new Map<string, E[]>();
  const choose = (label: string, way: E[]) =>
    void (chosen.has(label) || !isWay(way) || chosen.set(label, way));
  for (const { actor, events: way } of ways) choose(vertexOf(actor), way);
  for (const { actor, events: way } of ways)
    for (const event of events) {
      const decided = step(machine, actor as never, event as never);
      // Ignored events are sent too: they must not change the rows.
      const to = decided.outcome === 'ignored' ? '-' : decided.next.state;
      choose(`${actor.state} ${event.type} ${to}`, [...way, event]);
    }
  return withoutBeginnings([...chosen.values()]).map((way) => ({
    events: way,
    title: way.map(({ type }) => type).join(' > ') || 'nothing',
  }));
}

/** A path that is the beginning of another one is walked with it. */
export function withoutBeginnings<E>(ways: readonly E[][]): E[][] {
  const texts = ways.map((way) => ({ way, text: way.map((event) => `${JSON.stringify(event)}\n`).join('') }));
  const inOrder = texts.toSorted((one, other) => other.text.length - one.text.length);
  const kept: typeof texts = [];
  for (const one of inOrder) if (!kept.some(({ text }) => text.startsWith(one.text))) kept.push(one);
  return kept.toReversed().map(({ way }) => way);
}
