import elkModule, { type ElkExtendedEdge, type ElkNode } from 'elkjs/lib/elk.bundled.js';
import type { AnyStateNode } from 'xstate';
import { activityOf, descriptionOf, isFinalState } from '../../../machines/step.ts';
import type { Drawing, DrawnEdge, DrawnState, Point } from '../../../src/console/chart/drawing.ts';
import { CHARTS, type Chart } from './chart-list.ts';
import { eventsBetween, initialLeaf, leavesOf, movesOf, nameOf } from './machine-moves.ts';

/**
 * The layout of every machine for the console, by the name of its file. The layout engine uses the order in which a
 * machine declares its states, so the same machines give the same pictures everywhere.
 */
export async function layOutDrawings(charts: readonly Chart[] = CHARTS): Promise<Map<string, string>> {
  const drawings = new Map<string, string>();
  for (const chart of charts) {
    const drawing = await layOut(chart);
    drawings.set(`${chart.name}.json`, `${JSON.stringify(drawing, rounded, 1)}\n`);
  }
  return drawings;
}

/** Width of monospaced letters at the sizes of the style sheet: 13 px in boxes, 11 px along lines. */
const STATE_LETTER = 7.9;
const LABEL_LETTER = 6.7;
const LABEL_LINE = 14;
const STATE_HEIGHT = 46;
/** Space beside the name for a count and for the marks of a path. */
const STATE_ROOM = 56;
const MIN_STATE_WIDTH = 128;
const BEGIN = '(begin)';

const LAYOUT = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.padding': '[top=16,left=16,bottom=16,right=16]',
  'elk.spacing.nodeNode': '36',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.labelNode': '6',
  'elk.layered.spacing.nodeNodeBetweenLayers': '44',
  'elk.layered.spacing.edgeNodeBetweenLayers': '18',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  // A machine declares its states in the order of a life cycle: lines in that order go down, others go up.
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.considerModelOrder.strategy': 'PREFER_NODES',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.thoroughness': '40',
  'elk.randomSeed': '1',
};
const FIRST = { 'elk.layered.layering.layerConstraint': 'FIRST' };
const GROUP = { 'elk.padding': '[top=34,left=16,bottom=16,right=16]' };

async function layOut({ machine, title, source, row }: Chart): Promise<Drawing> {
  const moves = movesOf(machine);
  const leaves = leavesOf(machine.root);
  const names = leaves.map(nameOf);
  const pairs = names.flatMap((from) =>
    names
      .filter((to) => to !== from && moves.some((move) => move.from === from && move.to === to))
      .map((to) => ({ from, to, lines: linesOf(eventsBetween(moves, from, to)) })),
  );
  const first = nameOf(initialLeaf(machine.root));
  const asked: ElkNode = {
    id: '(chart)',
    layoutOptions: LAYOUT,
    children: [{ id: BEGIN, width: 12, height: 12, layoutOptions: FIRST }, ...machineNodes(machine.root)],
    edges: [
      { id: BEGIN, sources: [BEGIN], targets: [first] },
      ...pairs.map(({ from, to, lines }) => ({
        id: edgeId(from, to),
        sources: [from],
        targets: [to],
        labels: [{ text: lines.join('\n'), ...sizeOf(lines) }],
      })),
    ],
  };
  const graph: ElkNode = await new elkModule.default().layout(asked);
  const nodes = new Map(allNodes(graph).map((node) => [node.id, node]));
  const edges = new Map((graph.edges ?? []).map((edge) => [edge.id, edge]));
  const begin = boxOf(nodes, BEGIN);
  return {
    kind: machine.id,
    title,
    source,
    row: row.replaceAll('`', ''),
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    states: leaves.map((leaf): DrawnState => {
      const name = nameOf(leaf);
      return {
        name,
        label: labelOf(leaf),
        sentence: descriptionOf(machine, name),
        activity: activityOf(machine, name),
        final: isFinalState(machine, name),
        ...boxOf(nodes, name),
      };
    }),
    groups: groupsOf(machine.root).map((group) => ({ name: nameOf(group), ...boxOf(nodes, nameOf(group)) })),
    begin: { x: begin.x + 6, y: begin.y + 6, points: pointsOf(edges.get(BEGIN)) },
    edges: pairs.map(({ from, to, lines }): DrawnEdge => {
      const edge = edges.get(edgeId(from, to));
      const [label] = edge?.labels ?? [];
      const at = { x: label?.x ?? 0, y: label?.y ?? 0, ...sizeOf(lines) };
      return { from, to, points: pointsOf(edge), label: { ...at, lines } };
    }),
    moves,
  };
}

const edgeId = (from: string, to: string): string => `${from} -> ${to}`;

function linesOf(events: readonly { event: string; guard: string }[]): string[] {
  return [...new Set(events.map(({ event }) => event))];
}

function sizeOf(lines: readonly string[]): { width: number; height: number } {
  const longest = Math.max(...lines.map(({ length }) => length));
  return { width: longest * LABEL_LETTER + 6, height: lines.length * LABEL_LINE + 2 };
}

/** A state with one state inside is drawn as that one. */
const isGroup = (node: AnyStateNode): boolean => Object.keys(node.states).length > 1;

function machineNodes(node: AnyStateNode): ElkNode[] {
  return (Object.values(node.states) as AnyStateNode[]).flatMap((child): ElkNode[] => {
    if (isGroup(child)) return [{ id: nameOf(child), layoutOptions: GROUP, children: machineNodes(child) }];
    return leavesOf(child).map((leaf) => {
      const room = Math.max(labelOf(leaf).length, effectLength(leaf)) * STATE_LETTER + STATE_ROOM;
      return { id: nameOf(leaf), width: Math.max(MIN_STATE_WIDTH, room), height: STATE_HEIGHT };
    });
  });
}

/** Effects are written smaller than names. */
function effectLength(leaf: AnyStateNode): number {
  const activity = (leaf.meta as { activity?: string } | undefined)?.activity ?? '';
  return Math.ceil(activity.length * (LABEL_LETTER / STATE_LETTER));
}

function labelOf(leaf: AnyStateNode): string {
  return leaf.parent && isGroup(leaf.parent) && leaf.parent.parent ? leaf.key : nameOf(leaf);
}

function groupsOf(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states) as AnyStateNode[];
  return children.flatMap((child) => [...(isGroup(child) ? [child] : []), ...groupsOf(child)]);
}

function allNodes(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(allNodes)];
}

function boxOf(nodes: ReadonlyMap<string, ElkNode>, id: string) {
  const { x = 0, y = 0, width = 0, height = 0 } = nodes.get(id) ?? {};
  return { x, y, width, height };
}

function pointsOf(edge: ElkExtendedEdge | undefined): Point[] {
  return (edge?.sections ?? []).flatMap(({ startPoint, bendPoints = [], endPoint }) =>
    [startPoint, ...bendPoints, endPoint].map(({ x, y }) => ({ x, y })),
  );
}

/** Half a pixel is the finest that a screen shows. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 2) / 2 : value;
