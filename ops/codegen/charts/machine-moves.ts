import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Move } from '../../../src/console/chart/drawing.ts';

/** The transitions of each state, its own before those of the states around it. */
export function movesOf(machine: AnyStateMachine): Move[] {
  return leavesOf(machine.root).flatMap((leaf) => {
    const moves: Move[] = [];
    for (let node: AnyStateNode | undefined = leaf; node; node = node.parent)
      for (const candidates of node.transitions.values())
        moves.push(...candidates.map((one, at) => move(leaf, one, at)));
    return moves;
  });
}

function move(
  leaf: AnyStateNode,
  { eventType, guard, target, actions }: AnyTransitionDefinition,
  at: number,
): Move {
  const condition = nameOfPart(guard);
  const [to] = target ?? [];
  return {
    from: nameOf(leaf),
    event: eventType,
    guard: condition ?? (at === 0 ? '' : OTHERWISE),
    to: to ? nameOf(initialLeaf(to)) : nameOf(leaf),
    effects: actions.map(nameOfPart).filter((name) => name !== null && isEffect(name)) as string[],
  };
}

export const OTHERWISE = 'otherwise';

/**
 * Actions named `note…`, `forget…` or `owe…`, and XState's own, change only the context. Every other action is an
 * effect.
 */
function isEffect(action: string): boolean {
  return !/^(?:note|forget|owe)|^xstate\./.test(action);
}

function nameOfPart(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (part !== null && (typeof part === 'object' || typeof part === 'function') && 'type' in part)
    return String(part.type);
  return null;
}

/** The events that lead from one state to another, each with its condition when it can also lead elsewhere. */
export function eventsBetween(
  moves: readonly Move[],
  from: string,
  to: string,
): { event: string; guard: string }[] {
  const seen = new Map<string, { event: string; guard: string }>();
  for (const { event, guard } of moves.filter((one) => one.from === from && one.to === to)) {
    const branches = moves.filter((one) => one.from === from && one.event === event);
    // When every branch leads to the same state, the condition only decides about effects.
    const isCertain =
      branches.every((one) => one.to === to) &&
      branches.some((one) => one.guard === '' || one.guard === OTHERWISE);
    const shown = { event, guard: isCertain ? '' : guard };
    seen.set(`${shown.event} ${shown.guard}`, shown);
  }
  return [...seen.values()];
}

export function leavesOf(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states) as AnyStateNode[];
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
}

export function initialLeaf(node: AnyStateNode): AnyStateNode {
  const [first] = node.initial?.target ?? [];
  return first ? initialLeaf(first) : node;
}

/** `PENDING.QUEUED`: the name that rows and journal use. */
export const nameOf = (node: AnyStateNode): string => node.path.join('.');
