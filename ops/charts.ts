import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { deletionItemMachine } from '../machines/deletion-item.ts';
import { descriptionJobMachine } from '../machines/description-job.ts';
import { imageReviewMachine } from '../machines/image-review.ts';
import { providerAttemptMachine } from '../machines/provider-attempt.ts';
import { stagingJobMachine } from '../machines/staging-job.ts';
import { descriptionOf, effectOf, isFinalState } from '../machines/step.ts';
import { tourMachine } from '../machines/tour.ts';

/**
 * Draws every machine: a page with the picture, its states and its transitions, and an index, in `ops/charts/`.
 * `--check` compares instead and ends with 1 when a page is stale. The pages are read from the machines alone, so
 * the same machines give the same pages everywhere.
 */
export interface Chart {
  machine: AnyStateMachine;
  title: string;
  /** The machine's file. */
  source: string;
  /** Where its state is kept. */
  row: string;
}

export const CHARTS: readonly Chart[] = [
  {
    machine: stagingJobMachine,
    title: 'Staging job',
    source: 'machines/staging-job.ts',
    row: '`ai_jobs.status` and `.phase`',
  },
  {
    machine: providerAttemptMachine,
    title: 'Provider attempt',
    source: 'machines/provider-attempt.ts',
    row: '`ai_provider_attempts.status`',
  },
  {
    machine: imageReviewMachine,
    title: 'Image review',
    source: 'machines/image-review.ts',
    row: '`property_images."reviewStatus"`',
  },
  {
    machine: deletionItemMachine,
    title: 'Deletion item',
    source: 'machines/deletion-item.ts',
    row: '`storage_deletion_outbox.status`',
  },
  {
    machine: tourMachine,
    title: 'Tour',
    source: 'machines/tour.ts',
    row: '`tours.status`',
  },
  {
    machine: descriptionJobMachine,
    title: 'Description job',
    source: 'machines/description-job.ts',
    row: '`ai_jobs.status`, `.phase` and `ai_description_jobs."sendState"`',
  },
];

interface Move {
  from: string;
  event: string;
  guard: string;
  /** The same as `from` when the event only changes what is remembered. */
  to: string;
  orders: string[];
}

/** Every page by its file name. */
export function drawPages(charts: readonly Chart[] = CHARTS): Map<string, string> {
  const pages = new Map(charts.map((chart) => [fileName(chart), drawPage(chart)]));
  return pages.set('README.md', drawIndex(charts));
}

function drawIndex(charts: readonly Chart[]): string {
  const rows = charts.map((chart) => [
    `[${chart.title}](${fileName(chart)})`,
    chart.row,
    String(leavesOf(chart.machine.root).length),
    String(movesOf(chart.machine).length),
  ]);
  return page(
    'State charts',
    `Drawn by \`npm run charts\` from the machines; never by hand. A machine's state is the status of its row, so what
stands here is what an operator finds in the database. How an event travels: \`ARCHITECTURE.md\`.`,
    table(['Chart', 'State is kept in', 'States', 'Transitions'], rows),
  );
}

function drawPage(chart: Chart): string {
  const { machine, title, source, row } = chart;
  const states = leavesOf(machine.root).map(nameOf);
  const moves = movesOf(machine);
  return page(
    title,
    `Drawn by \`npm run charts\` from \`${source}\`; never by hand. The state is kept in ${row}.`,
    picture(machine, { states, moves }),
    '## States',
    table(
      ['State', 'Meaning', 'Effect', 'Final'],
      states.map((state) => [
        `\`${state}\``,
        descriptionOf(machine, state),
        code(effectOf(machine, state)),
        isFinalState(machine, state) ? 'yes' : '',
      ]),
    ),
    '## Transitions',
    'The first row whose condition holds is taken; an event without a row is ignored. What is ordered is written in the same transaction.',
    table(
      ['From', 'Event', 'If', 'To', 'Orders'],
      moves.map(({ from, event, guard, to, orders }) => [
        `\`${from}\``,
        `\`${event}\``,
        guard,
        from === to ? 'stays' : `\`${to}\``,
        orders.map(code).join(', '),
      ]),
    ),
  );
}

/**
 * Mermaid draws no arrow between the inner states of two outer ones, so every state is drawn by its full name. What
 * leaves a state where it is would only hide the picture; the table has it.
 */
function picture(machine: AnyStateMachine, { states, moves }: { states: string[]; moves: Move[] }): string {
  const labels = new Map<string, Set<string>>();
  for (const { from, event, guard, to } of moves) {
    if (from === to) continue;
    const branches = moves.filter((one) => one.from === from && one.event === event);
    // Where every branch leads to the same state, the condition only decides about orders.
    const certain =
      branches.every((one) => one.to === to) && branches.some((one) => !one.guard.startsWith('`'));
    const arrow = `${idOf(from)} --> ${idOf(to)}`;
    labels.set(arrow, (labels.get(arrow) ?? new Set()).add(certain ? event : `${event} (${plain(guard)})`));
  }
  const lines = [
    ...states.map((state) => `state "${state}" as ${idOf(state)}`),
    `[*] --> ${idOf(nameOf(initialLeaf(machine.root)))}`,
    ...[...labels].map(([arrow, events]) => `${arrow} : ${[...events].join('<br/>')}`),
    ...states.filter((state) => isFinalState(machine, state)).map((state) => `${idOf(state)} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

/** What each state does, its own transitions before those of the states around it. */
function movesOf(machine: AnyStateMachine): Move[] {
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
    guard: condition === null ? (at === 0 ? '' : 'otherwise') : `\`${condition}\``,
    to: to ? nameOf(initialLeaf(to)) : nameOf(leaf),
    orders: actions.map(nameOfPart).filter((name) => name !== null && isOrder(name)) as string[],
  };
}

/** Changes of the context are named `note…` or not at all; everything else is owed to the world. */
function isOrder(action: string): boolean {
  return !action.startsWith('note') && !action.startsWith('xstate.');
}

function nameOfPart(part: unknown): string | null {
  if (typeof part === 'string') return part;
  if (part !== null && (typeof part === 'object' || typeof part === 'function') && 'type' in part)
    return String(part.type);
  return null;
}

function leavesOf(node: AnyStateNode): AnyStateNode[] {
  const children = Object.values(node.states) as AnyStateNode[];
  return children.length === 0 ? [node] : children.flatMap(leavesOf);
}

function initialLeaf(node: AnyStateNode): AnyStateNode {
  const [first] = node.initial?.target ?? [];
  return first ? initialLeaf(first) : node;
}

const nameOf = (node: AnyStateNode): string => node.path.join('.');
const idOf = (state: string): string => state.replaceAll('.', '_');
const fileName = ({ source }: Chart): string => `${source.replace(/^.*\/|\.ts$/g, '')}.md`;
const code = (text: string | null): string => (text === null ? '' : `\`${text}\``);
const plain = (text: string): string => text.replaceAll('`', '');
const page = (title: string, ...parts: string[]): string => `${[`# ${title}`, ...parts].join('\n\n')}\n`;
const table = (head: string[], rows: string[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const CHART_DIRECTORY = fileURLToPath(new URL('./charts/', import.meta.url));

/** Names of the pages in a directory that are not what the machines say: changed, missing, or of no machine. */
export function stalePages(directory: string, pages = drawPages()): string[] {
  const present = readdirSync(directory, { withFileTypes: true }).map(({ name }) => name);
  const changed = [...pages].filter(
    ([name, text]) => !present.includes(name) || readFileSync(join(directory, name), 'utf8') !== text,
  );
  return [...changed.map(([name]) => name), ...present.filter((name) => !pages.has(name))].toSorted();
}

/**
 * Writes the pages, or with `check` only compares them.
 * @returns the exit code: 1 when something is stale and was only looked at
 */
export function run({ check, directory }: { check: boolean; directory: string }): number {
  const pages = drawPages();
  mkdirSync(directory, { recursive: true });
  const stale = stalePages(directory, pages);
  if (stale.length === 0) {
    console.log('State charts up to date');
    return 0;
  }
  if (check) {
    console.error(
      `Stale state charts: ${stale.join(', ')}. Run \`npm run charts\` and commit what it changes.`,
    );
    return 1;
  }
  for (const name of stale.filter((one) => !pages.has(one)))
    rmSync(join(directory, name), { recursive: true });
  for (const [name, text] of pages) writeFileSync(join(directory, name), text);
  console.log(`State charts drawn: ${stale.join(', ')}`);
  return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.exitCode = run({ check: process.argv.includes('--check'), directory: CHART_DIRECTORY });
