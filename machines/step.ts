import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type ContextFrom,
  type EventFromLogic,
  type StateValue,
  transition,
} from 'xstate';
import type { Order } from './orders.ts';

/** A machine's state as a row holds it: a dotted state name and the context. */
export interface ActorState<C> {
  state: string;
  context: C;
}

export type Step<C> =
  | { outcome: 'ignored' }
  | { outcome: 'applied'; next: ActorState<C>; orders: Order[]; final: boolean };

/**
 * One pure step: state and event in, next state and orders out. An event that the state does not handle
 * is `ignored`. Source: architecture.md sections 2 and 3.
 */
export function step<M extends AnyStateMachine>(
  machine: M,
  current: ActorState<ContextFrom<M>>,
  event: EventFromLogic<M>,
): Step<ContextFrom<M>> {
  const snapshot: AnyMachineSnapshot = machine.resolveState({
    value: toStateValue(current.state),
    context: current.context,
  });
  if (!snapshot.can(event)) return { outcome: 'ignored' };
  const [next, actions] = transition(machine, snapshot as never, event);
  const resolved: AnyMachineSnapshot = next;
  return {
    outcome: 'applied',
    next: { state: toStateName(resolved.value), context: resolved.context },
    orders: actions.map(asOrder),
    final: isFinalState(machine, toStateName(resolved.value)),
  };
}

/** The effect that a state asks for, or null when it waits for others. */
export function effectOf(machine: AnyStateMachine, state: string): string | null {
  const meta = nodeOf(machine, state).meta as { effect?: string } | undefined;
  return meta?.effect ?? null;
}

/** The sentence that tells a person what the state means. */
export function descriptionOf(machine: AnyStateMachine, state: string): string {
  return nodeOf(machine, state).description ?? '';
}

/** True when nothing can move the actor's status any more (XState's final states and those tagged so). */
export function isFinalState(machine: AnyStateMachine, state: string): boolean {
  const node = nodeOf(machine, state);
  return node.type === 'final' || node.tags.includes('final');
}

/** `{ PENDING: 'QUEUED' }` as `PENDING.QUEUED`. Parallel states do not occur here. */
export function toStateName(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [[parent, child] = ['', '']] = Object.entries(value);
  return `${parent}.${toStateName(child as StateValue)}`;
}

export function toStateValue(name: string): StateValue {
  const [head = '', ...rest] = name.split('.');
  return rest.length === 0 ? head : { [head]: toStateValue(rest.join('.')) };
}

function asOrder(action: { type: string; params?: unknown }): Order {
  return { type: action.type, params: action.params } as Order;
}

function nodeOf(machine: AnyStateMachine, state: string) {
  const node = machine.getStateNodeById([machine.id, ...state.split('.')].join('.'));
  return node;
}
