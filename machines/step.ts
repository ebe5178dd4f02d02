import {
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type ContextFrom,
  createActor,
  type EventFromLogic,
  type ExecutableActionObject,
  type StateValue,
} from 'xstate';
import type { Effect } from './effects.ts';

/** A machine's state as a row holds it: a dotted state name and the context. */
export interface ActorState<C> {
  state: string;
  context: C;
}

export type Step<C> =
  | { outcome: 'ignored' }
  | { outcome: 'applied'; next: ActorState<C>; effects: Effect[]; final: boolean };

/**
 * One pure step: state and event in, next state and effects out. An event that the state does not handle is `ignored`.
 * Source: ARCHITECTURE.md#the-life-of-an-event.
 */
export function step<M extends AnyStateMachine>(
  machine: M,
  current: ActorState<ContextFrom<M>>,
  event: EventFromLogic<M>,
): Step<ContextFrom<M>> {
  const { scope } = cacheOf(machine);
  const snapshot: AnyMachineSnapshot = {
    ...nodeOf(machine, current.state).snapshot,
    context: current.context,
  };
  const effects: Effect[] = [];
  const actionExecutor = (action: ExecutableActionObject) => void effects.push(asEffect(action));
  const next: AnyMachineSnapshot = machine.transition(snapshot, event, { ...scope, actionExecutor });
  // Asking `can` first would evaluate every guard twice. Each transition here acts or leads to another state.
  if (next === snapshot && effects.length === 0) return { outcome: 'ignored' };
  const state = toStateName(next.value);
  return {
    outcome: 'applied',
    next: { state, context: next.context },
    effects,
    final: isFinalState(machine, state),
  };
}

/** The cached values of a machine; no event changes them. */
interface MachineCache {
  scope: Omit<AnyActorScope, 'actionExecutor'>;
  /** States by their dotted names, filled on first use. */
  nodes: Map<string, StateNode>;
}
interface StateNode {
  node: AnyStateNode;
  /** The machine at rest in the state, without a context. */
  snapshot: AnyMachineSnapshot;
  final: boolean;
}
const caches = new WeakMap<AnyStateMachine, MachineCache>();

/**
 * XState's own `transition` makes a new actor for every event, which costs more than the step itself; replays of
 * long journals take many steps. Machines here have no children, so one actor that never starts serves them all.
 */
function cacheOf(machine: AnyStateMachine): MachineCache {
  const known = caches.get(machine);
  if (known) return known;
  const self = createActor(machine);
  const nothing = () => {};
  const scope = {
    self,
    system: self.system,
    id: '',
    sessionId: '',
    defer: nothing,
    emit: nothing,
    logger: nothing,
    stopChild: nothing,
  };
  const cache: MachineCache = { scope, nodes: new Map() };
  caches.set(machine, cache);
  return cache;
}

function nodeOf(machine: AnyStateMachine, state: string): StateNode {
  const { nodes } = cacheOf(machine);
  const known = nodes.get(state);
  if (known) return known;
  const node = machine.getStateNodeById([machine.id, ...state.split('.')].join('.'));
  const snapshot = machine.resolveState({ value: toStateValue(state), context: {} });
  const place = { node, snapshot, final: node.type === 'final' || node.tags.includes('final') };
  nodes.set(state, place);
  return place;
}

/** The activity of a state, or null when it waits for others. */
export function activityOf(machine: AnyStateMachine, state: string): string | null {
  const meta = nodeOf(machine, state).node.meta as { activity?: string } | undefined;
  return meta?.activity ?? null;
}

/** The sentence that explains the state to a person. */
export function descriptionOf(machine: AnyStateMachine, state: string): string {
  return nodeOf(machine, state).node.description ?? '';
}

/** True when nothing can move the actor's status any more (XState's final states and those tagged so). */
export function isFinalState(machine: AnyStateMachine, state: string): boolean {
  return nodeOf(machine, state).final;
}

/** The event of an actor's birth: its first journal row, without a previous state. It holds the machine's input. */
export interface Created {
  type: 'CREATED';
  at: number;
}

/** The state in which an actor begins. */
export function firstState<C = unknown>(machine: AnyStateMachine, input: object = {}): ActorState<C> {
  const { scope } = cacheOf(machine);
  const { value, context }: AnyMachineSnapshot = machine.getInitialSnapshot(
    { ...scope, actionExecutor: () => {} },
    input,
  );
  return { state: toStateName(value), context };
}

/** The names of the final states. */
export function finalStatesOf(machine: AnyStateMachine): string[] {
  const leaves = (node: AnyStateNode): AnyStateNode[] => {
    const inner = Object.values(node.states).flatMap(leaves);
    return inner.length === 0 ? [node] : inner;
  };
  return leaves(machine.root)
    .map(({ path }) => path.join('.'))
    .filter((state) => isFinalState(machine, state));
}

/** `{ PENDING: 'QUEUED' }` as `PENDING.QUEUED`. Parallel states do not occur here. */
export function toStateName(value: StateValue): string {
  if (typeof value === 'string') return value;
  const [[parent, child] = ['', '']] = Object.entries(value);
  return `${parent}.${toStateName(child as StateValue)}`;
}

function toStateValue(name: string): StateValue {
  const [head = '', ...rest] = name.split('.');
  return rest.length === 0 ? head : { [head]: toStateValue(rest.join('.')) };
}

function asEffect(action: { type: string; params?: unknown }): Effect {
  return { type: action.type, params: action.params } as Effect;
}
