import type { AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate';
import { getShortestPaths } from 'xstate/graph';
import { type ActorState, step, toStateName } from '../../../machines/step.ts';

/** Shortest ways of a machine that stands for itself, without others that it talks to. */
export interface MachinePath<E> {
  title: string;
  events: E[];
}

export interface Choice<E> {
  machine: AnyStateMachine;
  events: readonly E[];
  /** What of a context makes a vertex worth a way of its own; everything when it is left out. */
  vertexOf?: (actor: ActorState<never>) => string;
  /** Ways that are none, because nothing begins like that. */
  isWay?: (events: readonly E[]) => boolean;
}

/**
 * A way to every vertex, and one through every event that leads to another state or changes the vertex there. Ways
 * that others begin with are left out.
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
      // Ignored ones are walked too: they must leave the rows alone.
      const to = decided.outcome === 'ignored' ? '-' : decided.next.state;
      choose(`${actor.state} ${event.type} ${to}`, [...way, event]);
    }
  return withoutBeginnings([...chosen.values()]).map((way) => ({
    events: way,
    title: way.map(({ type }) => type).join(' > ') || 'nothing',
  }));
}

/** A way that another one begins with is walked with it. */
export function withoutBeginnings<E>(ways: readonly E[][]): E[][] {
  const texts = ways.map((way) => ({ way, text: way.map((event) => `${JSON.stringify(event)}\n`).join('') }));
  const inOrder = texts.toSorted((one, other) => other.text.length - one.text.length);
  const kept: typeof texts = [];
  for (const one of inOrder) if (!kept.some(({ text }) => text.startsWith(one.text))) kept.push(one);
  return kept.toReversed().map(({ way }) => way);
}
